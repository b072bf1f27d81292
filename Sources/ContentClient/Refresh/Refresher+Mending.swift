import ContentModel
import SiteFormat

extension Refresher {
  /// Removes purged objects that are still stored, and then replaces altered content.
  ///
  /// This is the first work after the opening, which reads no more than it must.
  func mendStorage() {
    let wasSwept = state.sweptSequence == state.purgeSequence
    removePurgedObjects()
    // A purge of everything names no objects.
    if !wasSwept, state.sweptSequence == state.purgeSequence { tidy(afterPurge: true) }
    replaceAlteredContent()
  }

  // MARK: The index of entries

  /// Makes the index of the shown release's entries, if there is none.
  func indexEntries() {
    guard let release = presenter.release else { return }
    index(release)
    presenter.noteLifetimes()
  }

  /// Makes the index of a release's entries, if there is none.
  func index(_ release: Release) {
    guard let bytes = release.makeIndex(), mayStore else { return }
    shelf.storage.store(entryIndex: bytes, named: release.indexName)
  }

  /// Notes bundles that arrived, in the releases that are read.
  func findArrivals() {
    for release in [presenter.release].compactMap(\.self) + presenter.holds.releases {
      release.findArrivals()
    }
  }

  // MARK: Altered content

  /// Shows earlier or baked content if objects of the shown one were altered on the disk, until a
  /// look loads them again.
  private func replaceAlteredContent() {
    guard let shown = presenter.release, isAltered(shown) else { return }
    presenter.report(
      .storage(
        ContentError(.damaged, because: "stored objects of release \(shown.number) are altered")))
    isWhole = false
    let candidates = otherConfigs(than: shown.config).compactMap { config, generation in
      try? Release(config, of: generation, for: presenter.reader, on: shelf)
    }
    let whole = candidates.first {
      Requirements.isWhole($0, eager: configuration.eager) && !isAltered($0)
    }
    guard let whole else { return }
    // The state keeps the altered release as the shown one: it is shown again once it is whole.
    _ = presenter.present(
      whole,
      changes: ContentChanges(token: ChangeToken(random: configuration.random), bundles: nil),
      reason: .release)
  }

  /// Returns whether a needed object has the right size and wrong bytes.
  private func isAltered(_ release: Release) -> Bool {
    let names = Requirements.bundles(of: release, eager: configuration.eager)
    let lists = Requirements.lists(of: release, names: names)
    return (lists + Requirements.objects(of: release, names: names)).contains { item in
      let size = item.isExact ? item.size : nil
      return shelf.contains(item.object, size: size) && !shelf.holds(item.object, size: size)
    }
  }

  /// The stored and baked configs that may be shown instead of one, the newest first.
  private func otherConfigs(than shown: SiteConfig) -> [(config: SiteConfig, generation: Int)] {
    let stored = [state.shown, state.previous].compactMap { shown in
      shown.flatMap { shown in
        (try? SiteConfig(shown.config)).map { (config: $0, generation: shown.generation) }
      }
    }
    let baked = shelf.baked?.shownConfig(in: state)
    return (stored + [baked].compactMap(\.self)).filter { config, _ in
      config.bytes != shown.bytes && !state.withdraws(release: config.release)
        && config.release != state.avoided
        && ConfigCheck.isConsistent(
          config, app: configuration.app, channel: configuration.channel)
    }.sorted { ($0.generation, $0.config.release) > ($1.generation, $1.config.release) }
  }
}
