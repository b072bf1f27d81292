import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import System

/// A build of the same content by another machine, fetched from a shared cache.
struct CachedBuild {
  private let request: BuildRequest
  private let exchange: BuildExchange

  init(of request: BuildRequest, from exchange: BuildExchange) {
    (self.request, self.exchange) = (request, exchange)
  }

  /// Fetches and stages the build; `nil`, with nothing staged, if the cache does not have it.
  func stage(in workspace: inout Workspace) throws -> StagedBuild? {
    guard let build = exchange.build(), build.isValid(at: request.moment),
      let remembered = RememberedBuild(notes: build.notes),
      !request.policy.judge(remembered.diagnostics).hasErrors
    else { return nil }
    workspace.begin(.fetching)
    let session = try workspace.open()
    let isWhole = try session.discardingOnFailure {
      try exchange.fetch(build) { try session.add($0) }
    }
    guard isWhole else {
      try session.restart()
      return nil
    }
    return StagedBuild(
      session: session,
      change: .everything(files: build.pages, links: build.links, config: build.config),
      facts: remembered.facts,
      diagnostics: remembered.diagnostics, input: exchange.input(of: build),
      encodeState: { build.state.isEmpty ? nil : NamedState(build.state) })
  }
}
