import ContentModel
import SiteFiles

extension Refresher {
  /// Finishes what an earlier process could not, and replaces altered content: the first work
  /// after the opening, which reads no more than it must.
  func mendStorage() {
    removePurgedObjects()
    replaceAlteredContent()
  }

  /// Shows earlier or baked content if objects of the shown one were altered on the disk, until a
  /// look loads them again.
  private func replaceAlteredContent() {
    guard let shown = presenter.release, isAltered(shown) else { return }
    presenter.report(
      .storage(
        ContentError(.damaged, because: "stored objects of release \(shown.number) are altered")))
    isWhole = false
    let candidates = otherConfigs(than: shown.config).compactMap {
      try? Release($0, for: presenter.reader, on: shelf)
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

  /// Returns whether a needed object has the right size and other bytes.
  private func isAltered(_ release: Release) -> Bool {
    let names = Requirements.bundles(of: release, eager: configuration.eager)
    let lists = Requirements.lists(of: release, names: names)
    return (lists + Requirements.objects(of: release, names: names)).contains { item in
      let size = item.isExact ? item.size : nil
      return shelf.contains(item.object, size: size) && !shelf.holds(item.object, size: size)
    }
  }

  /// The stored and baked configs that may be shown instead of one, the newest first.
  private func otherConfigs(than shown: SiteConfig) -> [SiteConfig] {
    let baked = shelf.baked?.config.flatMap { $0.digest == state.voidBaked ? nil : $0 }
    let stored = [state.shown, state.previous].compactMap {
      $0.flatMap { try? SiteConfig($0.config) }
    }
    return (stored + [baked].compactMap(\.self)).filter { config in
      config.bytes != shown.bytes && config.release >= state.minimumRelease
        && config.release != state.avoided
        && ConfigCheck.isConsistent(
          config, app: configuration.app, channel: configuration.channel)
    }.sorted { $0.release > $1.release }
  }
}
