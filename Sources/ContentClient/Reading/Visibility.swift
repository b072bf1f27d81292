import ContentModel
import PropertyLists
import SiteFormat

/// The rules by which entries of a release are shown now, shared by all snapshots of a client.
///
/// A class, since a purge reaches snapshots that a screen still holds.
final class Visibility: Sendable {
  struct Rules: Sendable {
    /// The time of the last check; `nil` before the first one.
    var lastCheck: Moment?
    /// The generation whose configs are accepted now.
    var generation = 0
    /// The releases below this one are not shown.
    var minimumRelease = 0
    /// Entries that are hidden in releases below a number.
    var hidden: [EntryID: Int] = [:]
    /// The highest of these numbers; 0 without a hidden entry.
    var hiddenBelow = 0
    /// The objects that a purge removed, and the releases below which they are not shown.
    var removed: [Digest: Int] = [:]
    /// The newest known release; `nil` if other content is shown in place of it, since it ended the
    /// app twice.
    var newest: Int?
    /// `true` while objects of the newest release are missing.
    var lacksObjects = false
    /// The purges of earlier generations, which apply to releases of these.
    var former = FormerPurges()
    /// `false` until the bundles that purges left for the shown release are removed, too.
    var isSwept = true
    /// The ``minimumRelease`` with which the present generation began, which says nothing about
    /// releases of earlier ones.
    var inheritedMinimum = 0
    /// The release floor of the last recovery: content from before it counts as older, whatever its
    /// number is.
    var recoveredRelease: Int?
    /// The end of the proof that signed content is the newest; `nil` for content without
    /// signatures.
    var verifiedUntil: Instant?
    /// The newest accepted `issued`: the present is not earlier.
    var latestIssued: Instant?
  }

  /// The purges that apply to releases of earlier generations.
  ///
  /// Without keys, a generation begins when a lower release is accepted: the numbers of releases and
  /// purges begin again.
  struct FormerPurges: Sendable {
    var minimumRelease = 0
    var hidden: [EntryID: Int] = [:]
    var removed: [Digest: Int] = [:]

    /// Adds the purges of the generation that ends now.
    mutating func add(_ rules: Rules) {
      minimumRelease = max(minimumRelease, rules.minimumRelease)
      hidden.merge(rules.hidden, uniquingKeysWith: max)
      removed.merge(rules.removed, uniquingKeysWith: max)
    }
  }

  private let rules: Locked<Rules>
  let clock: any ContentClock
  /// The clock by which signatures are judged.
  let verificationClock: any ContentClock

  init(_ rules: Rules, configuration: ContentConfiguration) {
    (self.rules, clock) = (Locked(rules), configuration.clock)
    verificationClock = configuration.verificationClock
  }

  var current: Rules { rules.current }

  func replace(_ new: Rules) { rules.withLock { $0 = new } }
}

extension Visibility.Rules {
  init(_ state: StoredState) {
    for row in state.hidden { hidden[row.entry] = max(row.below, hidden[row.entry] ?? 0) }
    hiddenBelow = hidden.values.max() ?? 0
    for row in state.removed { removed[row.digest] = max(row.below, removed[row.digest] ?? 0) }
    update(from: state)
  }

  /// Takes over all values of a state but the purged entries and objects, which may be many.
  mutating func update(from state: StoredState) {
    (lastCheck, minimumRelease) = (state.lastCheck, state.minimumRelease)
    inheritedMinimum = state.inheritedMinimum
    isSwept = state.sweptSequence >= state.purgeSequence
    (verifiedUntil, latestIssued) = (state.trust?.validUntil, state.trust?.latestIssued)
    recoveredRelease = state.trust?.recovery?.release
    generation = state.generation
    newest = state.avoidsNewest ? nil : state.highestRelease
  }

  /// Returns whether a release is of an earlier generation than the accepted configs.
  func isFormer(_ release: Release) -> Bool { release.generation < generation }

  /// Returns whether a purge withdrew a whole release.
  func withdraws(_ release: Release) -> Bool {
    guard isFormer(release), recoveredRelease == nil else {
      return effectiveNumber(of: release) < minimumRelease
    }
    // A higher minimum than the inherited one is that of a purge in the present generation, which
    // applies to all releases of former ones, whatever their numbers are.
    return inheritedMinimum < minimumRelease || release.number < former.minimumRelease
  }

  /// Returns whether a purge withdrew an entry of a release, or all of it.
  func withdraws(_ entry: EntryID, of release: Release) -> Bool {
    withdraws(release) || isBelow(hidden[entry], former: former.hidden[entry], of: release)
  }

  /// Returns whether a purge may have withdrawn entries of a release.
  func mayHideEntries(of release: Release) -> Bool {
    isFormer(release)
      ? !hidden.isEmpty || !former.hidden.isEmpty : effectiveNumber(of: release) < hiddenBelow
  }

  /// Returns whether a purge removed an object of a release, or all of them.
  func withdraws(_ object: SiteObject, of release: Release) -> Bool {
    let digest = object.digest
    return withdraws(release)
      || isBelow(removed[digest], former: former.removed[digest], of: release)
  }

  /// The number that is compared with the limits of purges.
  ///
  /// After a recovery, all releases from before it count as older than the recovered one.
  private func effectiveNumber(of release: Release) -> Int {
    guard isFormer(release), let recoveredRelease else { return release.number }
    return min(release.number, recoveredRelease - 1)
  }

  /// Returns whether a purge with these limits applies to a release.
  ///
  /// Without a recovery, a purge in the present generation applies to all releases of former ones.
  /// After a recovery, no `formerLimit` exists: `limit` is also that of the purges before it.
  private func isBelow(_ limit: Int?, former formerLimit: Int?, of release: Release) -> Bool {
    guard isFormer(release), recoveredRelease == nil else {
      return limit.map { effectiveNumber(of: release) < $0 } ?? false
    }
    return limit != nil || formerLimit.map { release.number < $0 } ?? false
  }

  /// Returns whether an entry of a release is shown at a moment.
  func shows(_ entry: EntryNode, of release: Release, at moment: Moment) -> Bool {
    guard !withdraws(entry.id, of: release), entry.isCurrent(at: moment.now),
      entry.content?.kind == .dictionary
    else { return false }
    // Nothing was seen yet: then the app's own content has no age.
    guard let ttl = entry.ttl, let lastCheck else { return true }
    // The system was started again with an earlier time of day: an unknown age hides nothing.
    guard let age = moment.seconds(since: lastCheck) else { return true }
    return age < Double(ttl)
  }
}
