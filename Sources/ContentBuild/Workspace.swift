import Parallel
import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Diagnostics
import Platform

/// The output folder during one build, opened and locked by the first way that stages an object.
struct Workspace {
  private let request: BuildRequest
  private let progress: any BuildProgress
  private(set) var session: BuildSession?

  init(_ request: BuildRequest, _ progress: any BuildProgress) {
    (self.request, self.progress) = (request, progress)
  }

  /// The session that all ways share: a second one would find the folder locked.
  ///
  /// - Throws: where another build is at work, or the folder cannot be written or is not ours.
  mutating func open() throws(StoreError) -> BuildSession {
    if let session { return session }
    let opened = try BuildSession(folder: request.out, compresses: request.compresses, progress)
    session = opened
    return opened
  }

  /// Says which part of the work begins.
  func begin(_ stage: BuildStage) { progress.begin(stage) }

  /// Gives up what was staged; the folder stays as it was.
  func discard() { session?.discard() }

  /// Puts a staged build in place, remembers it, and leaves it to other machines.
  func place(
    _ staged: consuming StagedBuild, remembering memory: MemoryFile?,
    sharing exchange: BuildExchange?,
    took watch: Stopwatch
  ) throws -> BuildOutcome {
    progress.begin(.writing)
    let (session, encode) = (staged.session, staged.state)
    let state = BackgroundTask { encode() }
    let (summary, changedFolders) = try session.discardingOnFailure {
      try session.commit(staged.change)
    }
    let build = RememberedBuild(
      facts: staged.facts, summary: summary, diagnostics: staged.diagnostics, state: nil)
    // The lock is held until then: nobody else's output is taken for this build's.
    withExtendedLifetime(session) {
      memory?.remember(build, of: staged.input, state, changedFolders)
      if let exchange { exchange.store(staged, build, state.value) }
    }
    return build.outcome(of: request, summary, took: watch)
  }
}
