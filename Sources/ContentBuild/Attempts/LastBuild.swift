import ContentModel
import ContentSource
import ContentStore
import Diagnostics
import Platform

/// The last build of the same request, and what has changed since then.
struct LastBuild {
  let file: MemoryFile
  let memory: BuildMemory
  let build: RememberedBuild
  let changes: MemoryFile.Changes
  let instant: Instant
  private let request: BuildRequest

  /// `nil` where there is nothing to go on from.
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

  /// The last build told again; `nil` where something has changed.
  ///
  /// - Throws: `StoreError.busy` where another build is at work.
  func unchanged(took watch: Stopwatch) throws -> BuildOutcome? {
    guard changes.content.isEmpty,
      changes.isSameOutput ?? file.hasSameOutput(as: memory, whileBuilding: false)
    else {
      return nil
    }
    if try BuildWriter.isBusy(folder: request.out) { throw StoreError.busy(folder: request.out) }
    return build.outcome(of: request, build.summary.allKept, took: watch)
  }
}
