import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Diagnostics

/// A build that another machine has made of the same content, fetched from the cache that both
/// share.
struct CachedBuild {
  private let request: BuildRequest
  private let exchange: BuildExchange

  init(of request: BuildRequest, from exchange: BuildExchange) {
    (self.request, self.exchange) = (request, exchange)
  }

  /// Stages what was fetched; `nil` where the build must be made here, with nothing staged.
  func stage(in workspace: inout Workspace) throws -> StagedBuild? {
    guard let build = exchange.build(), build.isValid(at: request.moment),
      let remembered = RememberedBuild(notes: build.notes),
      !request.policy.judge(remembered.diagnostics).hasErrors
    else { return nil }
    workspace.begin(.fetching)
    let session = try workspace.open()
    let isWhole = try session.discardingOnFailure {
      try exchange.fetch(build) { object, plain, compressed in
        try session.add(object.digest, object.fileExtension, plain, compressed)
      }
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
      state: { build.state.isEmpty ? nil : NamedState(build.state) })
  }
}
