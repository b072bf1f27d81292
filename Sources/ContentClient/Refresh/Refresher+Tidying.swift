import ContentModel

extension Refresher {
  /// Removes objects that nothing shown, held or earlier refers to, and others above the limit.
  func tidy() {
    guard mayStore else { return }
    let releases = ([presenter.release] + held.map(\.release) + [previousRelease])
      .compactMap(\.self)
    var kept: Set<SiteObject> = []
    var needed: Set<SiteObject> = []
    for release in releases {
      let objects = ReleaseObjects(release, eager: configuration.eager)
      kept.formUnion(objects.all)
      needed.formUnion(objects.needed)
    }
    if let config = state.config.flatMap({ try? SiteConfig($0) }),
      let release = try? Release(config, for: presenter.reader, on: shelf)
    {
      let objects = ReleaseObjects(release, eager: configuration.eager)
      kept.formUnion(objects.all)
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

  private var previousRelease: Release? {
    state.previous.flatMap { try? SiteConfig($0.config) }.flatMap {
      try? Release($0, for: presenter.reader, on: shelf)
    }
  }
}
