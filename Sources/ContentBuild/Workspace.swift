import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import System

/// The output folder during one build; the first attempt that may stage objects opens and locks it.
struct Workspace {
  private let request: BuildRequest
  private let progress: any BuildProgress
  private(set) var session: BuildSession?

  init(for request: BuildRequest, _ progress: any BuildProgress) {
    (self.request, self.progress) = (request, progress)
  }

  /// Returns the session that all attempts share; a second session would find the folder locked.
  ///
  /// - Throws: an error if another build is running, the folder cannot be written, or it is not an
  ///   output folder.
  mutating func open() throws(StoreError) -> BuildSession {
    if let session { return session }
    let opened = try BuildSession(folder: request.out, compresses: request.compresses, progress)
    session = opened
    return opened
  }

  /// Reports the stage that begins.
  func begin(_ stage: BuildStage) { progress.begin(stage) }

  /// Discards the staged files; the folder stays unchanged.
  func discard() { session?.discard() }

  /// Commits a staged build, remembers it for later builds, and shares it with other machines.
  func place(
    _ staged: consuming StagedBuild, rememberedIn memoryFile: MemoryFile?,
    sharing exchange: BuildExchange?,
    took watch: Stopwatch
  ) throws -> BuildOutcome {
    progress.begin(.writing)
    let (session, encodeState) = (staged.session, staged.encodeState)
    let state = BackgroundTask { encodeState() }
    let (summary, changedFolders) = try session.discardingOnFailure {
      try session.commit(staged.change)
    }
    let build = RememberedBuild(
      facts: staged.facts, summary: summary, diagnostics: staged.diagnostics, state: nil)
    // The session keeps the lock meanwhile: no other build may change the output before its stamps
    // are remembered.
    withExtendedLifetime(session) {
      memoryFile?.remember(build, of: staged.input, state: state, changed: changedFolders)
      if let exchange { exchange.store(staged, as: build, state: state.value) }
    }
    return build.outcome(of: request, summary: summary, took: watch)
  }
}
