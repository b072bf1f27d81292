import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Diagnostics

/// A build that goes on from what the last one left: it has nothing to do, or only what an edit of entries reaches.
struct ContinuedBuild {
  private let command: BuildCommand
  private let file: MemoryFile
  private let progress: Progress
  private let watch: Stopwatch
  private let changed: [String]
  private var memory: BuildMemory
  private var remembered: RememberedBuild

  /// `nil` where there is nothing to go on from.
  init?(_ command: BuildCommand, _ file: MemoryFile, _ progress: Progress, _ watch: Stopwatch) throws {
    guard var memory = file.load(), memory.isValid(at: command.moment.instant),
      let remembered = RememberedBuild(notes: memory.notes),
      !command.common.judge(remembered.diagnostics).hasErrors, let changed = file.changes(since: &memory)
    else { return nil }
    (self.command, self.file, self.progress, self.watch) = (command, file, progress, watch)
    (self.changed, self.memory, self.remembered) = (changed, memory, remembered)
  }

  /// What is told of the build; `nil` where everything must be built.
  func report() throws -> Report? {
    guard changed.isEmpty else { return try edited() }
    if try BuildWriter.isBusy(folder: command.out) { throw StoreError.busy(folder: command.out) }
    let sources = remembered.diagnostics.isEmpty ? SourceTexts() : SourceTexts(try command.input.open())
    return command.report(remembered, remembered.summary.allKept, watch, sources)
  }

  private func edited() throws -> Report? {
    guard remembered.diagnostics.isEmpty, let digest = remembered.state, let state = file.loadState(digest) else {
      return nil
    }
    progress.begin("Compiling")
    let session = try BuildSession(folder: command.out, compresses: command.gzip, progress)
    let made = try session.telling {
      try recompile(
        state, changed: changed, assets: memory.content.paths(below: "assets"), in: try command.input.unlisted(),
        at: command.moment.instant, stored: file.storedObject
      ) { try session.add($0) }
    }
    guard let made else {
      session.discard()
      return nil
    }
    progress.begin("Writing")
    let summary = try session.telling { try session.commit(made, keeping: memory.output) }
    var remembered = remembered
    remembered.summary = summary
    remembered.facts.members["objects"] = .integer(Int64(made.objectCount))
    keep(made, &remembered)
    return command.report(remembered, summary, watch, SourceTexts())
  }

  private func keep(_ made: Recompilation, _ remembered: inout RememberedBuild) {
    remembered.state = file.saveState(made.state.encoded)
    guard let output = file.outputStamps(), let notes = remembered.notes else { return }
    var memory = memory
    (memory.output, memory.notes) = (output, notes)
    for path in changed { memory.digests[path] = made.state.digest(of: path) }
    file.save(memory)
  }
}
