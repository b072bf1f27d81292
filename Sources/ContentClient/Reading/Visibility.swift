import ContentModel

/// The rules by which entries of a release are shown now, shared by all snapshots of a client.
///
/// A class, since a purge reaches snapshots that a screen still holds.
final class Visibility: Sendable {
  struct Rules: Sendable {
    /// The time of the last look; `nil` before the first one.
    var look: Moment?
    /// The releases below this one are not shown.
    var minimumRelease = 0
    /// Entries that are hidden in releases below a number.
    var hidden: [EntryID: Int] = [:]
    /// The objects that a purge removed, and the releases below which they are not shown.
    var removed: [Digest: Int] = [:]
    /// The newest release if its config is known, and objects of it are missing.
    var unloaded: Int?
  }

  private let rules: Locked<Rules>
  let clock: any ContentClock

  init(_ rules: Rules, clock: any ContentClock) {
    (self.rules, self.clock) = (Locked(rules), clock)
  }

  var current: Rules { rules.current }

  func replace(_ new: Rules) { rules.withLock { $0 = new } }
}

extension Visibility.Rules {
  init(_ state: StoredState) {
    (look, minimumRelease) = (state.look, state.minimumRelease)
    for row in state.hidden { hidden[row.entry] = max(row.below, hidden[row.entry] ?? 0) }
    for row in state.removed { removed[row.digest] = max(row.below, removed[row.digest] ?? 0) }
  }

  /// Returns whether an entry of a release is shown at a moment.
  func shows(_ entry: EntryNode, of release: Int, at moment: Moment) -> Bool {
    guard release >= minimumRelease, hidden[entry.id].map({ release >= $0 }) ?? true,
      entry.isCurrent(at: moment.now)
    else { return false }
    // Nothing was seen yet: then the app's own content has no age.
    guard let ttl = entry.ttl, let look else { return true }
    guard let age = moment.seconds(since: look) else { return true }
    return age < Double(ttl)
  }
}
