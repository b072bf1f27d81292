import ContentModel

extension Refresher {
  /// Removes what no release needs any more, and the files of processes that were killed.
  ///
  /// The objects of shown, held, earlier and received releases stay. Above the limit, those that no
  /// release needs at once are removed, the least recently used first. Files that a held snapshot
  /// uses stay. Assets of no release are removed after a purge, or when the storage is full: only
  /// bundles name them, and reading all bundles takes long.
  func tidy(afterPurge: Bool = false) {
    guard mayStore else { return }
    shelf.storage.removeAbandonedFiles()
    var (kept, needed) = (Set<SiteObject>(), Set<SiteObject>())
    for release in releasesToKeep() {
      let objects = ReleaseObjects(release, eager: configuration.eager)
      kept.formUnion(objects.all.filter { !isRemoved($0, in: release) })
      needed.formUnion(objects.needed)
    }
    let endings = Set(kept.map { ExactString($0.ending) })
    if afterPurge { kept.formUnion(storedReleases().flatMap(ReleaseObjects.assets)) }
    let stored = shelf.storage.objects()
    var total = stored.reduce(0) { $0 + $1.size }
    for (object, size) in stored {
      let isObsolete =
        !kept.contains(object) && (afterPurge || endings.contains(ExactString(object.ending)))
      let isOver = total > configuration.limits.storage
      if isObsolete || (isOver && !needed.contains(object)),
        presenter.holds.remove(object, from: shelf.storage, since: state.minimumRelease)
      {
        total -= size
      }
    }
    storedBytes = total
  }

  /// Removes objects above the limit.
  func tidyIfFull() {
    if storedBytes.map({ $0 > configuration.limits.storage }) ?? true { tidy() }
  }

  /// Returns whether a purge removed an object of a release.
  func isRemoved(_ object: SiteObject, in release: Release) -> Bool {
    state.removed.contains { $0.digest == object.digest && release.number < $0.below }
  }

  /// The releases that are shown, held, or the next or the last ones, also of other processes.
  private func releasesToKeep() -> [Release] {
    let used = [presenter.release].compactMap(\.self) + presenter.holds.releases
    var releases: [Release] = []
    for release in used.filter({ $0.number >= state.minimumRelease }) + storedReleases()
    where !releases.contains(where: { $0 === release }) {
      releases.append(release)
    }
    return releases
  }

  /// Opens the releases that the states of this process and others name.
  private func storedReleases() -> [Release] {
    let other = (try? shelf.storage.state()) ?? nil
    let shown = [state.shown, state.previous, other?.shown, other?.previous].compactMap(\.self)
    let received = [state.config, other?.config].compactMap(\.self)
    let named =
      shown.map { (bytes: $0.config, reader: $0.reader) }
      + received.map { (bytes: $0, reader: presenter.reader) }
    var releases: [Release] = []
    for (bytes, reader) in named
    where !releases.contains(where: { $0.config.bytes == bytes && $0.reader == reader }) {
      guard let config = try? SiteConfig(bytes), let release = open(config, for: reader) else {
        continue
      }
      releases.append(release)
    }
    return releases.filter { $0.number >= state.minimumRelease }
  }
}
