import ContentModel

extension Refresher {
  /// Shows the content of another reader if it is stored; otherwise, returns `nil`.
  func showStored(for reader: ReaderContext) -> RefreshOutcome? {
    guard let config = presenter.release?.config,
      let release = try? Release(config, for: reader, on: shelf),
      Requirements.isWhole(release, eager: configuration.eager), presenter.reader == reader
    else { return nil }
    return activate(release, replacing: presenter.release)
  }

  /// Shows the content of another reader; the shown content stays until that is whole.
  func select(_ reader: ReaderContext, progress: RefreshProgress) async -> RefreshOutcome {
    presenter.select(reader)
    let newest = state.config.flatMap { try? SiteConfig($0) }
    let isAvoided = newest.map { $0.release == state.avoided } ?? true
    guard let config = isAvoided ? presenter.release?.config : newest
    else { return await refresh(.context, progress: progress) }
    do {
      let release = try await load(config, for: reader, progress: progress)
      guard presenter.reader == reader, release.number >= presenter.release?.number ?? 0 else {
        return .unchanged
      }
      return activate(release, replacing: presenter.release)
    } catch  where error.isMissingObject {
      return await refresh(.context, progress: progress)
    } catch {
      return failed(error)
    }
  }
}
