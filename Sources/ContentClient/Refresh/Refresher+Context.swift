import ContentModel
import SiteFormat

extension Refresher {
  /// Shows the content of another reader if it is stored; otherwise, returns `nil`.
  func showStored(for reader: ReaderContext) -> RefreshOutcome? {
    for (config, generation) in configsToShow {
      if let release = try? Release(config, of: generation, for: reader, on: shelf),
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
    guard let (config, generation) = configsToShow.first else {
      return await refresh(.context, progress: progress)
    }
    do {
      let release = try await load(config, of: generation, for: reader, progress: progress)
      let isOlder = presenter.release.map { release.isOlder(than: $0) } ?? false
      guard presenter.reader == reader, !isOlder else { return .unchanged }
      return activate(release)
    } catch  where error.isMissingObject {
      return await refresh(.context, progress: progress)
    } catch {
      // The next look loads the missing objects.
      if presenter.reader == reader { isWhole = false }
      return failed(error)
    }
  }

  /// The received config, unless it waits for its activation or is avoided, and the shown one; the
  /// newer of them first.
  private var configsToShow: [(config: SiteConfig, generation: Int)] {
    let shown = presenter.release
    let mayShowNewest =
      configuration.activation == .immediate || shown.map { rules.isFormer($0) } ?? true
    let newest = mayShowNewest ? self.newest : nil
    let all: [(config: SiteConfig, generation: Int)] = [
      newest.map { ($0, state.generation) }, shown.map { ($0.config, $0.generation) },
    ].compactMap(\.self)
    let allowed = all.filter { config, _ in
      config.release != state.avoided && !state.withdraws(release: config.release)
    }
    // The app may ship with a later release than the received one.
    guard let first = allowed.first, let last = allowed.last,
      (first.generation, first.config.release) < (last.generation, last.config.release)
    else { return allowed }
    return allowed.reversed()
  }
}
