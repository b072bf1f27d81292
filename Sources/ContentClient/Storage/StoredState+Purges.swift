import ContentModel
import SiteFormat

extension StoredState {
  /// The most entries and objects of purges that are kept by name.
  private static let mostRows = 10_000

  /// Sets the floors of a recovery: numbers that a stolen key signed do not count any more.
  ///
  /// Purges so far hide content only in releases below that of the recovery, none of which is
  /// accepted again: the purge of an honest release is below it anyway, and that of a thief may not
  /// last.
  mutating func recover(to floors: KeyDocument.Floors) {
    generation = floors.version
    highestRelease = min(floors.release, SiteConfig.releases.upperBound)
    (config, entityTag, previous) = (nil, nil, nil)
    (avoided, leftRollout) = (nil, nil)
    minimumRelease = min(minimumRelease, floors.release)
    hidden = hidden.map { Hidden(entry: $0.entry, below: min($0.below, floors.release)) }
    removed = removed.map { Removed(digest: $0.digest, below: min($0.below, floors.release)) }
    // The thief's config may have asked to wait for years.
    backoff = Backoff()
    purgeSequence = floors.purge
    sweptSequence = min(sweptSequence, max(0, floors.purge - 1))
    awaitsPurge = true
  }

  /// Applies a release's purge, which arrived at a moment; returns whether it is a new one.
  ///
  /// A purge with a lower number than a known one is new, too, if the last config had another
  /// number: it hides what it names, and lifts nothing. Otherwise, one forged number would keep all
  /// later purges from acting at once.
  mutating func apply(_ purge: SiteConfig.Purge, of release: Int, at moment: Moment) -> Bool {
    let isLower = purge.sequence < purgeSequence && purge.sequence != lastPurge
    lastPurge = purge.sequence
    let isNew =
      purge.sequence > purgeSequence
      || awaitsPurge && purge.sequence == purgeSequence
        && purge.sequence > 0
      || isLower && !(purge.entries.isEmpty && purge.objects.isEmpty)
    if isLower { sweptSequence = min(sweptSequence, max(0, purgeSequence - 1)) }
    purgeSequence = max(purgeSequence, purge.sequence)
    minimumRelease = max(minimumRelease, purge.minimumRelease)
    guard isNew else { return false }
    awaitsPurge = false
    unsweptSince = unsweptSince ?? moment
    // A release before a purge is never shown again. One that is avoided is better than none.
    if let old = previous, !avoids(old) { previous = nil }
    if let shown, withdraws(release: shown.release) || avoids(shown) { avoided = nil }
    withdraw(
      purge.entries.map { Hidden(entry: $0, below: release) },
      objects: purge.objects.map { Removed(digest: $0, below: release) })
    return true
  }

  /// Returns whether a purge of everything withdrew a release, by the release's number alone.
  ///
  /// A purge of everything withdraws all releases below its `minimumRelease` (docs/reference/client.md,
  /// Purges). This function ignores generations. `Visibility.Rules.withdraws(_:)` compares them,
  /// too, and decides what readers see.
  func withdraws(release number: Int) -> Bool { number < minimumRelease }

  /// The seconds for which purged bundles of the shown release may stay.
  static let longestKeeping = 7 * 86_400.0

  /// Returns whether purged objects must be removed although the release without them is missing.
  ///
  /// A moment before that of the purge says nothing, since the time of day was set back.
  func mustSweep(at moment: Moment) -> Bool {
    unsweptSince.flatMap { moment.seconds(since: $0) }.map { $0 >= Self.longestKeeping } ?? false
  }

  /// Notes that all purged objects were removed.
  mutating func noteSweep() { (sweptSequence, unsweptSince) = (purgeSequence, nil) }

  /// Adds entries and objects to the withdrawn ones; instead of too many of them, all older
  /// releases are hidden.
  mutating func withdraw(_ entries: [Hidden], objects: [Removed]) {
    let hiddenRows = Self.highest((hidden + entries).map { ($0.entry, $0.below) })
    let removedRows = Self.highest((removed + objects).map { ($0.digest, $0.below) })
    if hiddenRows.count + removedRows.count > Self.mostRows {
      minimumRelease = (hiddenRows.map(\.below) + removedRows.map(\.below)).reduce(
        minimumRelease, max)
    }
    let minimum = minimumRelease
    hidden = hiddenRows.filter { $0.below > minimum }.map {
      Hidden(entry: $0.name, below: $0.below)
    }
    removed = removedRows.filter { $0.below > minimum }.map {
      Removed(digest: $0.name, below: $0.below)
    }
  }

  /// Returns each name once, with its highest release, sorted.
  private static func highest<Name: Hashable & Comparable>(
    _ rows: [(name: Name, below: Int)]
  ) -> [(name: Name, below: Int)] {
    Dictionary(rows.map { ($0.name, $0.below) }, uniquingKeysWith: max)
      .map { (name: $0.key, below: $0.value) }.sorted { $0.name < $1.name }
  }
}
