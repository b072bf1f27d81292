import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import System

/// A build that recompiles only the entries and bundles that an edit affects.
struct IncrementalBuild {
  private let request: BuildRequest
  private let last: LastBuild

  init(of request: BuildRequest, after last: LastBuild) {
    (self.request, self.last) = (request, last)
  }

  /// Stages the affected bundles; `nil`, with nothing staged, where another way must build.
  func stage(in workspace: inout Workspace) throws -> StagedBuild? {
    guard !last.changes.content.isEmpty, let digest = last.build.state,
      FileStamp(at: request.out) != nil,
      // A failure is ignored: the full build opens the folder again, but first reports errors of
      // the content.
      let session = try? workspace.open()
    else { return nil }
    workspace.begin(.compiling)
    // The session holds the lock, so the output cannot change any more. If it differs, the edit is
    // discarded.
    let isSameOutput = BackgroundTask { [file = last.file, memory = last.memory] in
      file.hasSameOutput(as: memory, whileBuilding: true)
    }
    let made = try last.file.loadState(digest).flatMap { state in
      try session.discardingOnFailure { try recompiled(state, into: session) }
    }
    guard isSameOutput.value, let made else {
      try session.restart()
      return nil
    }
    // The process exits soon, which is faster than freeing the trees one by one.
    _ = Unmanaged.passRetained(made.retained)
    return staged(made, in: session)
  }

  /// Recompiles and stages the affected bundles; `nil` where another way must build.
  private func recompiled(
    _ state: CompiledState, into session: BuildSession
  ) throws -> Recompilation? {
    let queue = StagingQueue(into: session)
    let made = Result {
      try recompile(
        state, warnings: last.build.diagnostics, changed: last.changes.content,
        assets: last.memory.content.paths(below: "assets"), in: try request.unlistedContent(),
        at: last.instant,
        stored: last.file.storedObject
      ) { queue.add($0) }
    }
    // Also after a failure: nothing may be staged once the session is discarded.
    try queue.finish()
    return try made.get()
  }

  private func staged(_ made: Recompilation, in session: BuildSession) -> StagedBuild {
    var facts = last.build.facts
    facts.members["objects"] = .integer(Int64(made.objectCount))
    var digests = last.memory.digests
    digests.replace(made.changed.map { ($0.path, $0.digest) })
    return StagedBuild(
      session: session, change: .edit(made, after: last.build.summary, output: last.memory.output),
      facts: facts,
      diagnostics: last.build.diagnostics,
      input: BuildInput(
        stamps: last.memory.content, digests: digests, validFrom: last.memory.validFrom,
        validBefore: last.memory.validBefore),
      encodeState: { NamedState(made.state.encoded) })
  }
}
