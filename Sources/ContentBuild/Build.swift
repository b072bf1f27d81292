import ContentSource
import System
import SystemC

/// Builds a content folder into an output folder, in the cheapest way that gives the same bytes.
///
/// It tries four ways, and each falls back to the next one:
///
/// 1. Nothing has changed: report the last build again.
/// 2. Entries were edited: recompile only the affected bundles.
/// 3. Another machine has built the same content: fetch its build.
/// 4. Read and compile everything.
///
/// The last three ways take each step of this chain, and the first way only makes the outcome:
///
///     BuildRequest ──▶ StagedBuild ──▶ Workspace.place ──▶ BuildOutcome
///
/// `Workspace.place` also makes and saves the `RememberedBuild` from which the next build continues.
///
/// If another process is writing to the output folder, it waits for that process, and starts again,
/// since the output and the memory may be new then.
///
/// - Parameters:
///   - request: The parameters of the build.
///   - progress: An observer of the progress.
///   - patience: The time for which it waits for other processes.
/// - Returns: The outcome, without a product if the content has errors.
/// - Throws: `BuildError`, or `StoreError` for a file that cannot be read or written. The config in
///   the output folder then names a whole build, the earlier one or the new one.
package func build(
  _ request: BuildRequest, progress: any BuildProgress, patience: Duration = .zero
) throws -> BuildOutcome {
  let watch = Stopwatch()
  try request.validate()
  var wait: Stopwatch?
  while true {
    do {
      return try buildOnce(request, progress: progress, took: watch)
    } catch StoreError.busy(let folder) {
      let waited = wait ?? Stopwatch()
      wait = waited
      progress.begin(.waiting)
      repeat {
        guard waited.seconds < patience / .seconds(1) else { throw StoreError.busy(folder: folder) }
        usleep(5_000)
      } while (try? BuildWriter.isBusy(folder: folder)) ?? false
    }
  }
}

/// Builds as ``build(_:progress:patience:)`` does, but does not wait for other processes.
private func buildOnce(
  _ request: BuildRequest, progress: any BuildProgress, took watch: Stopwatch
) throws -> BuildOutcome {
  let memoryFile = MemoryFile(request)
  var workspace = Workspace(for: request, progress)
  progress.begin(.reading)
  func place(_ staged: StagedBuild, sharing exchange: BuildExchange? = nil) throws -> BuildOutcome {
    try workspace.place(staged, rememberedIn: memoryFile, sharing: exchange, took: watch)
  }

  if let last = memoryFile.flatMap({ LastBuild(of: request, in: $0) }) {
    // 1.
    if let outcome = try last.unchanged(took: watch) { return outcome }
    // 2.
    if let staged = try IncrementalBuild(of: request, after: last).stage(in: &workspace) {
      return try place(staged)
    }
  }
  // Taken before any file is read, so that the next build notices each later change.
  let content = memoryFile?.contentStamps()
  let exchange = try BuildExchange(for: request, in: memoryFile, of: content)
  // Closes the cache after an error, too; a second call only returns the same warning.
  defer { _ = exchange?.finish() }
  var outcome: BuildOutcome
  // 3.
  if !request.isFresh, let exchange,
    let staged = try CachedBuild(of: request, from: exchange).stage(in: &workspace)
  {
    outcome = try place(staged)
  } else {
    // 4.
    switch try FullBuild(of: request, stampedAs: content).stage(in: &workspace) {
    case .staged(let staged): outcome = try place(staged, sharing: exchange)
    case .refused(let refused): outcome = refused
    }
  }
  if let warning = exchange?.finish() { outcome.diagnostics.append(warning) }
  return outcome
}

/// A stage of a build, as progress shows it.
package enum BuildStage: Sendable { case waiting, reading, compiling, fetching, writing }

/// An observer of the progress of a build.
package protocol BuildProgress: Sendable {
  /// Notes that a stage begins.
  func begin(_ stage: BuildStage)

  /// Notes that one more object is staged; called from any thread.
  func advance()
}

/// An observer that ignores all progress.
package struct NoProgress: BuildProgress {
  package init() {}

  package func begin(_ stage: BuildStage) {}
  package func advance() {}
}
