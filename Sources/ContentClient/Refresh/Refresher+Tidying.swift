import ContentModel

extension Refresher {
  /// Removes objects that nothing shown, held or earlier refers to, those that a purge removed, and
  /// others above the limit.
  func tidy() {
    guard mayStore else { return }
    var (kept, needed) = (Set<SiteObject>(), Set<SiteObject>())
    for release in releasesToKeep() {
      let objects = ReleaseObjects(release, eager: configuration.eager)
      kept.formUnion(objects.all.filter { !isRemoved($0, in: release) })
      needed.formUnion(objects.needed)
    }
    let stored = shelf.storage.objects()
    var total = stored.reduce(0) { $0 + $1.size }
    for (object, size) in stored {
      let isOver = total > configuration.limits.storage
      if !kept.contains(object) || (isOver && !needed.contains(object)) {
        shelf.storage.remove(object)
        total -= size
      }
    }
  }

  /// Returns whether a purge removed an object of a release.
  func isRemoved(_ object: SiteObject, in release: Release) -> Bool {
    state.removed.contains { $0.digest == object.digest && release.number < $0.below }
  }

  /// The releases that are shown, held, or the next or the last ones, also of other processes.
  private func releasesToKeep() -> [Release] {
    let other = (try? shelf.storage.state()) ?? nil
    let stored = [state.shown, state.previous, other?.shown, other?.previous].compactMap(\.self)
    let received = [state.config, other?.config].compactMap(\.self)
    let opened =
      stored.map { (bytes: $0.config, reader: $0.reader) }
      + received.map { (bytes: $0, reader: presenter.reader) }
    let releases = opened.compactMap { bytes, reader in
      (try? SiteConfig(bytes)).flatMap { try? Release($0, for: reader, on: shelf) }
    }
    return ([presenter.release] + held.map(\.release)).compactMap(\.self)
      + releases
      .filter { $0.number >= state.minimumRelease }
  }
}
