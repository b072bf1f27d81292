import ContentModel
import SiteFormat

extension Refresher {
  /// Removes what no release needs any more, and the files of processes that were killed.
  ///
  /// The objects of shown, held, earlier and received releases stay. Above the limit, those that no
  /// release needs at once are removed, the least recently used first. Files that a held snapshot
  /// uses stay. What another program used in the last day stays, too, since it may hold snapshots.
  /// Assets of no release are removed after a purge, or when the storage is full: only
  /// bundles name them, and reading all bundles takes long.
  func tidy(afterPurge: Bool = false) {
    guard mayStore else { return }
    shelf.storage.removeAbandonedFiles()
    let rules = self.rules
    var (kept, needed) = (Set<SiteObject>(), Set<SiteObject>())
    let releases = releasesToKeep()
    for release in releases {
      let objects = ReleaseObjects(release, eager: configuration.eager)
      kept.formUnion(objects.all.filter { !rules.withdraws($0, of: release) })
      needed.formUnion(objects.needed)
    }
    kept.formUnion(purgedObjectsInUse())
    let endings = Set(kept.map(\.ending))
    if afterPurge {
      kept.formUnion(releases.filter { !rules.withdraws($0) }.flatMap(ReleaseObjects.assets))
    }
    let stored = shelf.storage.objects()
    let used = objectsOfOthers()
    var (total, evicted) = (stored.reduce(0) { $0 + $1.size }, 0)
    for (object, size) in stored {
      let isObsolete =
        !kept.contains(object) && (afterPurge || endings.contains(object.ending))
      let isOver = total > configuration.limits.storage
      if isObsolete || (isOver && !needed.contains(object) && !used.contains(object)),
        presenter.holds.remove(object, from: shelf.storage, by: rules)
      {
        total -= size
        if !isObsolete { evicted += size }
      }
    }
    storedBytes = total
    if evicted > 0 { presenter.report(.evicted(bytes: evicted)) }
    shelf.storage.removeEntryIndexes(besides: Set(releases.map(\.indexName)))
  }

  /// Removes objects above the limit.
  func tidyIfFull() {
    if storedBytes.map({ $0 > configuration.limits.storage }) ?? true { tidy() }
  }

  /// The objects that another program may have used in the last day; empty if there is none.
  private func objectsOfOthers() -> Set<SiteObject> {
    let others = state.users(
      besides: configuration.program, within: Self.day, at: clock.moment)
    return others.isEmpty ? [] : shelf.storage.objects(usedWithin: Int(Self.day))
  }

  private static let day = 86_400.0

  /// The releases that are shown, held, or the next or the last ones, also of other processes.
  private func releasesToKeep() -> [Release] {
    let rules = self.rules
    let used = [presenter.release].compactMap(\.self) + presenter.holds.releases
    var releases: [Release] = []
    for release in used.filter({ !rules.withdraws($0) }) + storedReleases()
    where !releases.contains(where: { $0 === release }) {
      releases.append(release)
    }
    return releases
  }

  /// Opens the releases that the states of this process and others name, for the readers of all
  /// programs.
  func storedReleases() -> [Release] {
    let other = (try? shelf.storage.state()) ?? nil
    let shown = [state.shown, state.previous, other?.shown, other?.previous].compactMap(\.self)
    let received = [state.config, other?.config].compactMap(\.self)
    let users = [state, other].compactMap(\.self).flatMap {
      $0.users(besides: configuration.program, at: clock.moment)
    }
    let configs = received + shown.map(\.config)
    let named =
      shown.map { (bytes: $0.config, reader: $0.reader) }
      + received.map { (bytes: $0, reader: presenter.reader) }
      + users.flatMap { user in configs.map { (bytes: $0, reader: user.reader) } }
    var releases: [Release] = []
    for (bytes, reader) in named
    where !releases.contains(where: { $0.config.bytes == bytes && $0.reader == reader }) {
      guard let config = try? SiteConfig(bytes), let release = open(config, for: reader) else {
        continue
      }
      releases.append(release)
    }
    return releases.filter { !state.withdraws(release: $0.number) }
  }
}
