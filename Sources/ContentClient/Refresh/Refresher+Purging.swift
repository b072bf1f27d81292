import ContentModel
import SiteFormat

/// The removal of purged objects.
extension Refresher {
  /// Removes purged objects, also those that a killed process left.
  ///
  /// Those that the shown release needs stay until the next one is whole, for at most a week.
  func removePurgedObjects() {
    // The state of the purge is stored first: without it, a killed process shows other content.
    // After a recovery, the objects are known with the next config.
    guard mayStore, storing == nil, !state.awaitsPurge,
      state.sweptSequence < state.purgeSequence
    else { return }
    let moment = clock.moment
    let isTimed = state.unsweptSince.flatMap { moment.seconds(since: $0) } != nil
    if !isTimed { state.unsweptSince = moment }
    let removed = purgedObjects
    let inUse = purgedObjectsInUse()
    var isSwept = true
    for (object, _) in shelf.storage.objects() where removed.contains(object.digest) {
      if inUse.contains(object) { isSwept = false } else { shelf.storage.remove(object) }
    }
    // Stored with the next change; until then, another process removes them once more.
    if isSwept { state.noteSweep() } else if !isTimed { store(isDurable: false) }
  }

  /// Removes purged objects, also those that the shown release needs: afterwards, they are not known
  /// as purged any more.
  func removeAllPurgedObjects() {
    guard state.sweptSequence < state.purgeSequence else { return }
    let removed = purgedObjects
    for (object, _) in shelf.storage.objects() where removed.contains(object.digest) {
      shelf.storage.remove(object)
    }
  }

  /// The objects that purges removed from the newest release.
  private var purgedObjects: Set<Digest> {
    let baked = shelf.baked?.shownConfig(in: state)
      .flatMap { $0.generation == state.generation ? $0.config : nil }
    let newest = [self.newest, baked].compactMap(\.self).max { $0.release < $1.release }
    let known = newest?.purge.objects ?? []
    // A release after the purge may have a removed object again.
    let gone = state.removed.filter { newest.map(\.release) ?? 0 < $0.below }.map(\.digest)
    return Set(known + gone)
  }

  /// The purged objects that stay until the next release is whole: indexes, lists and bundles, but
  /// no assets; empty a week after the purge.
  ///
  /// They have entries that nobody purged, too. The purged ones are hidden in them.
  func purgedObjectsInUse() -> Set<SiteObject> {
    guard state.sweptSequence < state.purgeSequence, !state.mustSweep(at: clock.moment) else {
      return []
    }
    let rules = self.rules
    var inUse: Set<SiteObject> = []
    let shown = presenter.release
    let releases = [shown].compactMap(\.self) + storedReleases()
    for release in releases where !rules.withdraws(release) {
      // The app may ship with a release after the purge, which replaced this one.
      if let shown, release.isOlder(than: shown) { continue }
      let objects = ReleaseObjects(release, eager: configuration.eager)
      inUse.formUnion(objects.directories.filter { rules.withdraws($0, of: release) })
      for (name, object) in objects.bundles
      where rules.withdraws(object, of: release) && shelf.storage.contains(object, size: nil)
        && release.hasEntries(of: name, besidesHiddenBy: rules)
      {
        inUse.insert(object)
      }
    }
    return inUse
  }
}
