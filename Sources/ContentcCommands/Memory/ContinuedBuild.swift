import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Diagnostics

/// A build that goes on from what the last one left: it has nothing to do, or only what an edit of entries reaches.
struct ContinuedBuild {
  private let request: BuildRequest
  private let file: MemoryFile
  private let progress: Progress
  private let watch: Stopwatch
  private let instant: Instant
  private let changes: MemoryFile.Changes
  private let memory: BuildMemory
  private let remembered: RememberedBuild
  /// What an edit was being written with, once that has begun: a second one would find the folder locked.
  private(set) var session: BuildSession?

  /// `nil` where there is nothing to go on from.
  init?(_ request: BuildRequest, _ file: MemoryFile, _ progress: Progress, _ watch: Stopwatch) throws {
    let instant = request.instant
    guard var memory = file.load(), memory.isValid(at: instant), let remembered = RememberedBuild(notes: memory.notes),
      !request.style.judge(remembered.diagnostics).hasErrors, let changes = file.changes(since: &memory)
    else { return nil }
    (self.request, self.file, self.progress, self.watch) = (request, file, progress, watch)
    (self.instant, self.changes, self.memory, self.remembered) = (instant, changes, memory, remembered)
  }

  /// What is told of the build; `nil` where everything must be built, in its session if it has one.
  mutating func report() throws -> Report? {
    guard changes.content.isEmpty else { return try edited() }
    guard changes.isSameOutput ?? file.hasSameOutput(as: memory, whileBuilding: false) else { return nil }
    if try BuildWriter.isBusy(folder: request.out) { throw StoreError.busy(folder: request.out) }
    return request.report(remembered, remembered.summary.allKept, watch, try remembered.sources(in: request.place))
  }

  private mutating func edited() throws -> Report? {
    guard let digest = remembered.state, FileStamp(at: request.out) != nil,
      // What keeps it from being opened is told after what may be wrong with the content.
      let session = try? BuildSession(folder: request.out, compresses: request.gzip, progress)
    else { return nil }
    progress.begin("Compiling")
    self.session = session
    Heap.growInLargeSteps()
    // Only now that nobody else can write there; what is made meanwhile is thrown away if it is another.
    let isSameOutput = Aside { [file, memory] in file.hasSameOutput(as: memory, whileBuilding: true) }
    let made = try file.loadState(digest).flatMap { state in
      try session.telling { try recompiled(state, session) }
    }
    guard isSameOutput.value == true, let made else {
      try session.restart()
      return nil
    }
    // The process ends before long; never given back, this is gone with it.
    _ = Unmanaged.passRetained(made.remains)
    progress.begin("Writing")
    let state = Aside { NamedState(made.state.encoded) }
    var remembered = remembered
    let edit = try session.telling { [earlier = remembered.summary] in try session.commit(made, after: earlier) }
    remembered.summary = edit.summary
    remembered.facts.members["objects"] = .integer(Int64(made.objectCount))
    // The lock is held until then: nobody else's output is taken for this build's.
    withExtendedLifetime(session) { keep(made.changed, state, remembered, edit.folders) }
    return request.report(remembered, edit.summary, watch, try remembered.sources(in: request.place))
  }

  /// What the edit reaches, made anew and staged; `nil` where that is not enough.
  private func recompiled(_ state: CompiledState, _ session: BuildSession) throws -> Recompilation? {
    let line = StagingLine(into: session)
    let made = Result {
      try recompile(
        state, warnings: remembered.diagnostics, changed: changes.content,
        assets: memory.content.paths(below: "assets"),
        in: try request.place.unlisted(),
        at: instant, stored: file.storedObject
      ) { line.add($0) }
    }
    // Also where it failed: nothing may be staged any more once the session is given up.
    try line.finish()
    return try made.get()
  }

  private func keep(
    _ changed: [ContentTree.SourceFile], _ state: Aside<NamedState>, _ remembered: RememberedBuild,
    _ folders: Set<ExactString>
  ) {
    // Not sooner: the disk would be waited for until it has this, too. A memory that names what never came there costs the
    // next build its time, and nothing else.
    let saved = Aside { [file] in state.value.map(file.save) }
    defer { _ = saved.value }
    let output = file.outputStamps(after: memory.output, in: folders)
    var remembered = remembered
    remembered.state = state.value?.digest
    guard let output, let notes = remembered.notes else { return }
    var memory = memory
    (memory.output, memory.notes) = (output, notes)
    for file in changed { memory.digests[file.path] = file.digest }
    file.save(memory)
  }
}
