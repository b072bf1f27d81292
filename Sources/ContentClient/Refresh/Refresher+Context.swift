import ContentModel
import SiteFiles

extension Refresher {
  /// Shows the content of another reader if it is stored; otherwise, returns `nil`.
  func showStored(for reader: ReaderContext) -> RefreshOutcome? {
    for config in configsToShow {
      if let release = try? Release(config, for: reader, on: shelf),
        Requirements.isWhole(release, eager: configuration.eager), presenter.reader == reader
      {
        return activate(release)
      }
    }
    return nil
  }

  /// Shows the content of another reader, unless a later one was chosen; the shown content stays
  /// until that is whole.
  func select(_ reader: ReaderContext, progress: RefreshProgress) async -> RefreshOutcome {
    guard presenter.reader == reader else { return .unchanged }
    guard let config = configsToShow.first else {
      return await refresh(.context, progress: progress)
    }
    do {
      let release = try await load(config, for: reader, progress: progress)
      guard presenter.reader == reader, release.number >= presenter.release?.number ?? 0 else {
        return .unchanged
      }
      return activate(release)
    } catch  where error.isMissingObject {
      return await refresh(.context, progress: progress)
    } catch {
      // The next look loads the missing objects.
      if presenter.reader == reader { isWhole = false }
      return failed(error)
    }
  }

  /// The newest config, unless it waits for its activation or is avoided, and the shown one.
  private var configsToShow: [SiteConfig] {
    let shown = presenter.release?.config
    let mayShowNewest = configuration.activation == .immediate || shown == nil
    let newest = mayShowNewest ? self.newest : nil
    return [newest, shown].compactMap(\.self).filter {
      $0.release != state.avoided && $0.release >= state.minimumRelease
    }
  }
}
