import ContentModel
import SiteFormat

extension StoredState {
  /// Merges the state that another process stored: the higher of floors, purges and times, the
  /// newest acceptable config, and the content of the last switch.
  mutating func merge(_ other: StoredState, at moment: Moment) {
    guard belongs(to: other) else { return }
    let (ownRetry, ownUsers, ownRenewal) = (retryAfter, users, renewal)
    let (ownAddress, hasOwnMoved) = (url, hasMoved)
    // An earlier generation may have had another rollout of the same name.
    let left = [
      generation < other.generation ? nil : leftRollout,
      other.generation < generation ? nil : other.leftRollout,
    ].compactMap(\.self)
    var trust = trust
    if let others = other.trust { trust?.merge(others) }
    let laterCheck = Self.later(of: lastCheck, and: other.lastCheck, at: moment)
    let backoff = backoff(mergedWith: other, laterCheck: laterCheck, at: moment)
    if other.generation > generation {
      // The other process accepted a lower release, which voids all floors.
      self = other
    } else {
      if other.generation == generation {
        mergePatience(of: other, laterCheck: laterCheck)
        mergeConfig(of: other)
        mergeFloors(of: other)
      }
      mergeShown(of: other)
    }
    adopt(trust)
    if !url.hasSameBytes(as: ownAddress) { (url, entityTag) = (ownAddress, nil) }
    hasMoved = hasOwnMoved
    leftRollout = current(of: left)
    renewal = Self.later(of: ownRenewal, and: other.renewal, at: moment)
    (lastCheck, self.backoff) = (laterCheck, backoff)
    users = Self.merged(ownUsers, with: other.users, at: moment)
    retryAfter = Self.later(of: ownRetry, and: other.retryAfter, at: moment)
    // The other process may have shown a later release than the avoided one.
    allowAnotherTrial()
  }

  /// Returns the one of the left rollouts that the newest config has, or else the first.
  private func current(of left: [String]) -> String? {
    guard left.count > 1 else { return left.first }
    let name = config.flatMap { try? SiteConfig($0) }?.rollout?.name
    return left.first { name.hasSameBytes(as: $0) } ?? left.first
  }

  /// Takes over the patience with lower releases: a later check ended it.
  private mutating func mergePatience(of other: StoredState, laterCheck: Moment?) {
    if lastCheck == other.lastCheck {
      lowerSince = lowerSince ?? other.lowerSince
    } else if laterCheck == other.lastCheck {
      lowerSince = other.lowerSince
    }
  }

  /// Returns the backoff of the process that checked last; of the same check, the longer one.
  private func backoff(
    mergedWith other: StoredState, laterCheck: Moment?, at moment: Moment
  ) -> Backoff {
    if lastCheck != other.lastCheck {
      return laterCheck == other.lastCheck ? other.backoff : backoff
    }
    let last = Self.later(of: backoff.until, and: other.backoff.until, at: moment)
    return last == other.backoff.until ? other.backoff : backoff
  }

  /// Takes over a newer config, if it meets the rules for received ones.
  private mutating func mergeConfig(of other: StoredState) {
    guard let bytes = other.config, bytes != config, let theirs = try? SiteConfig(bytes),
      theirs.release >= highestRelease, ConfigCheck.isConsistent(theirs, app: app, channel: channel)
    else { return }
    // Of two configs of one release, the own one stays.
    if let own = config.flatMap({ try? SiteConfig($0) }), own.release >= theirs.release { return }
    (config, lastPurge) = (bytes, other.lastPurge)
    entityTag = url.hasSameBytes(as: other.url) ? other.entityTag : nil
  }

  private mutating func mergeFloors(of other: StoredState) {
    // A release before a purge is never shown again, and a purge may end that one is avoided.
    if other.purgeSequence > purgeSequence {
      (previous, avoided) = (token == other.token ? other.previous : nil, other.avoided)
    } else if other.purgeSequence == purgeSequence {
      avoided = [avoided, other.avoided].compactMap(\.self).max { $0.release < $1.release }
    }
    highestRelease = max(highestRelease, other.highestRelease)
    awaitsPurge = awaitsPurge && other.awaitsPurge
    purgeSequence = max(purgeSequence, other.purgeSequence)
    minimumRelease = max(minimumRelease, other.minimumRelease)
    inheritedMinimum = min(inheritedMinimum, other.inheritedMinimum)
    sweptSequence = max(sweptSequence, other.sweptSequence)
    unsweptSince =
      sweptSequence < purgeSequence
      ? Self.earlier(of: unsweptSince, and: other.unsweptSince) : nil
    if hidden != other.hidden || removed != other.removed {
      withdraw(other.hidden, objects: other.removed)
    }
  }

  private mutating func mergeShown(of other: StoredState) {
    if token == other.token {
      // The process that ended the trial is right.
      guard let own = trial, let theirs = other.trial else {
        trial = nil
        return
      }
      trial?.starts = max(own.starts, theirs.starts)
    } else if isBehind(other) {
      (shown, previous, trial, token) = (other.shown, other.previous, other.trial, other.token)
    }
  }

  /// Returns whether another process made the last switch.
  private func isBehind(_ other: StoredState) -> Bool {
    if token.storage == other.token.storage { return token.number < other.token.number }
    return other.shown?.isNewer(than: shown) ?? (shown == nil)
  }

  /// Returns the later of two moments; of different starts of the system, that of the current one.
  private static func later(of a: Moment?, and b: Moment?, at moment: Moment) -> Moment? {
    guard let a, let b else { return a ?? b }
    if a.uptime.boot.hasSameBytes(as: b.uptime.boot) {
      return a.uptime.seconds < b.uptime.seconds ? b : a
    }
    // The time of day may have been wrong during one of them.
    if b.uptime.boot.hasSameBytes(as: moment.uptime.boot) { return b }
    return a
  }
}

extension StoredState {
  /// Returns the earlier of two moments.
  private static func earlier(of a: Moment?, and b: Moment?) -> Moment? {
    guard let a, let b else { return a ?? b }
    return a.seconds(since: b) == nil ? a : b
  }
}

// MARK: Users

extension StoredState {
  /// The seconds after which the use by a program is written again, and after which it is
  /// forgotten.
  private static let (shortestUse, longestUse) = (3_600.0, 30 * 86_400.0)

  /// Returns whether a program's use is recorded, with its reader.
  func knows(_ program: String, with reader: ReaderContext, at moment: Moment) -> Bool {
    users.contains {
      $0.program.hasSameBytes(as: program) && $0.reader == reader
        && moment.seconds(since: $0.seen).map { $0 < Self.shortestUse } ?? false
    }
  }

  /// Records that a program uses the storage.
  mutating func note(_ program: String, with reader: ReaderContext, at moment: Moment) {
    users = Self.merged(
      users, with: [User(program: program, reader: reader, seen: moment)], at: moment)
  }

  /// The programs but one that used the storage in the last seconds.
  func users(besides program: String, within seconds: Double = longestUse, at moment: Moment)
    -> [User]
  {
    users.filter {
      !$0.program.hasSameBytes(as: program)
        && moment.seconds(since: $0.seen).map { $0 < seconds } ?? false
    }
  }

  /// Returns the last use of each program.
  private static func merged(_ own: [User], with other: [User], at moment: Moment) -> [User] {
    var merged: [User] = []
    for user in own + other {
      guard moment.seconds(since: user.seen).map({ $0 < longestUse }) ?? false else { continue }
      if let place = merged.firstIndex(where: { $0.program.hasSameBytes(as: user.program) }) {
        let isLater = later(of: merged[place].seen, and: user.seen, at: moment) == user.seen
        if isLater { merged[place] = user }
      } else {
        merged.append(user)
      }
    }
    return merged.sorted { $0.program.precedesInBytes($1.program) }
  }
}

// MARK: Switches

/// A switch to other content.
struct ContentSwitch: Sendable {
  let shown: StoredState.Shown
  /// The token of the content before it.
  let since: ChangeToken
  /// The changed bundles; `nil` if everything may have changed.
  let bundles: [BundleName: ContentChanges.Extent]?
}

extension ContentSwitch {
  /// Compares a release with the content that a state records, which may be open already.
  init(
    to shown: StoredState.Shown, of release: Release, since state: StoredState,
    open: Release? = nil
  ) {
    (self.shown, since) = (shown, state.token)
    let old = state.shown.flatMap { old -> Release? in
      if let open, old.isSame(as: StoredState.Shown(open)) {
        return open
      }
      return old.siteConfig.flatMap {
        try? Release($0, of: old.generation, for: old.reader, on: release.shelf)
      }
    }
    bundles = ReleaseChanges.between(old, and: release)
  }
}

extension StoredState.Shown {
  init(_ release: Release) {
    self.init(
      config: release.config.bytes, release: release.number, generation: release.generation,
      reader: release.reader, isNext: release.config.isNext)
  }
}

extension StoredState {
  /// Records a switch, and returns its changes for the journal; `nil` if another process has
  /// recorded this content or a newer one.
  mutating func record(_ new: ContentSwitch) -> Journal.Switch? {
    if let shown, !avoids(shown),
      shown.isSame(as: new.shown) || shown.isNewer(than: new.shown)
    {
      return nil
    }
    let isSinceShown = new.since == token
    token = ChangeToken(storage: token.storage, number: token.number + 1)
    if let shown, new.shown.hasSameIndexes(as: shown), !avoids(shown) {
      trial?.release = new.shown.release
    } else {
      previous = replaced(by: new)
      trial = Trial(release: new.shown.release, starts: 0)
    }
    if let old = previous, !mayReturn(old, afterFailureOf: new) { previous = nil }
    shown = new.shown
    allowAnotherTrial()
    return Journal.Switch(number: token.number, bundles: isSinceShown ? new.bundles : nil)
  }

  /// Gives avoided content another trial if that content returns after the shown release.
  ///
  /// The next content of a rollout has no other trial, since the reader would change sides with a
  /// step.
  private mutating func allowAnotherTrial() {
    guard let avoided, let shown, shown.generation == generation,
      avoided.release < shown.release, avoided.content?.isNext != true
    else { return }
    self.avoided?.content = nil
  }

  /// Returns the content to show if the next one ends the app: the one that it replaces.
  ///
  /// A rollout that ended may have been aborted, so the stable content from before it is better. An
  /// abort returns to that content, which cannot replace itself. The next content of an earlier
  /// rollout may have been aborted, too.
  private func replaced(by new: ContentSwitch) -> Shown? {
    guard let shown, shown.isNext, !new.shown.isNext, !avoids(shown), let former = previous else {
      return shown
    }
    return former.isNext || former.hasSameIndexes(as: new.shown) ? nil : former
  }

  /// Returns whether a content may be shown in place of the next one, if that ends the app.
  private func mayReturn(_ old: Shown, afterFailureOf new: ContentSwitch) -> Bool {
    // Content from before a recovery may be a thief's.
    let isStolen = trust != nil && old.generation < new.shown.generation
    // In place of older content, one that is avoided returns after a purge of that content.
    let isAvoided = avoids(old) && old.release < new.shown.release
    return !isStolen && !isAvoided && !isBeforePurge(old, of: new)
  }

  /// Returns whether a content is older than the last purge that the next one knows.
  private func isBeforePurge(_ old: Shown, of new: ContentSwitch) -> Bool {
    let sequences = [old.config, new.shown.config].map {
      (try? SiteConfig($0))?.purge.sequence ?? 0
    }
    return sequences[0] < sequences[1]
  }

  /// Counts a start in which the app reads a release on trial.
  mutating func countStart(of config: SiteConfig) {
    if isOnTrial(config) { trial?.starts += 1 }
  }
}
