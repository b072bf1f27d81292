import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import System

/// A build that reads and compiles everything.
struct FullBuild {
  /// The result of a full build.
  enum Ending {
    /// The build is staged, ready to be put in place.
    case staged(StagedBuild)
    /// The content has errors: staged files are discarded, and the earlier build stays.
    case refused(BuildOutcome)
  }

  private let request: BuildRequest
  /// The files of the content before anything was read.
  private let stamps: FolderStamps?

  init(of request: BuildRequest, stampedAs stamps: FolderStamps?) {
    (self.request, self.stamps) = (request, stamps)
  }

  /// Compiles the content and stages its objects, unless it has errors.
  func stage(in workspace: inout Workspace) throws -> Ending {
    let input = ContentInput.read(
      try request.listedContent(), addingPseudoLocales: request.hasPseudoLocales)
    let sources = input.sources
    workspace.begin(.compiling)
    guard !request.policy.judge(input.diagnostics).hasErrors else {
      workspace.discard()
      // The compiler reports its own errors in the same run. Content that cannot be read gets no
      // output folder.
      let compiled = try Compilation.compiling(input, at: request.moment, judgedBy: request.policy)
      { _ in }
      return .refused(
        BuildOutcome(product: nil, diagnostics: compiled.diagnostics, sources: sources))
    }
    let session = try workspace.open()
    let compiled = try session.discardingOnFailure(consuming: consume input) { input in
      try Compilation.compiling(
        input, at: request.moment, remembers: true, judgedBy: request.policy
      ) {
        try session.add($0)
      }
    }
    guard let build = compiled.build else {
      workspace.discard()
      return .refused(
        BuildOutcome(product: nil, diagnostics: compiled.diagnostics, sources: sources))
    }
    return .staged(staged(build, found: compiled.found, in: session))
  }

  private func staged(
    _ build: Build, found: [Diagnostic], in session: BuildSession
  ) -> StagedBuild {
    let files = (build.tree.sources + build.assetSources).map { (path: $0.path, digest: $0.digest) }
    return StagedBuild(
      session: session,
      change: .everything(files: build.files, links: build.links, config: build.config),
      facts: BuildFacts(build, of: build.tree), diagnostics: found,
      input: BuildInput(
        stamps, of: files, validFrom: build.validFrom, validBefore: build.validBefore),
      encodeState: { [state = build.state] in state.map { NamedState($0.encoded) } })
  }
}
