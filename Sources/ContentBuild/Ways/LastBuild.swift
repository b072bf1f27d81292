import ContentModel
import ContentSource
import Diagnostics
import System

/// The last build of the same request, and the changes since then.
struct LastBuild {
  let file: MemoryFile
  let memory: BuildMemory
  let build: RememberedBuild
  let changes: MemoryFile.Changes
  let instant: Instant
  private let request: BuildRequest

  /// Loads the last build; `nil` if there is none that a new build can use.
  ///
  /// If only stamps of the content have changed since, it saves the new ones.
  init?(of request: BuildRequest, in file: MemoryFile) {
    let instant = request.moment
    guard !request.isFresh, var memory = file.load(), memory.isValid(at: instant),
      let build = RememberedBuild(notes: memory.notes),
      !request.policy.judge(build.diagnostics).hasErrors,
      let changes = file.changes(since: &memory)
    else { return nil }
    (self.file, self.memory, self.build, self.changes) = (file, memory, build, changes)
    (self.instant, self.request) = (instant, request)
  }

  /// Returns the outcome of the last build, or `nil` if something has changed since then.
  ///
  /// - Throws: `StoreError.busy` if another build is running.
  func unchanged(took watch: Stopwatch) throws -> BuildOutcome? {
    guard changes.content.isEmpty,
      changes.isSameOutput ?? file.hasSameOutput(as: memory, whileBuilding: false)
    else {
      return nil
    }
    if try BuildWriter.isBusy(folder: request.out) { throw StoreError.busy(folder: request.out) }
    return build.outcome(of: request, summary: build.summary.allKept, took: watch)
  }
}
