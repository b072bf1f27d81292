import ContentCompiler
import ContentModel
import ContentSource
import ContentStore

/// A build that the next edit goes on from, in the process that made it: nothing is read again but what the edit reaches.
struct WarmBuild {
  private let command: BuildRequest
  private let file: MemoryFile
  private var memory: BuildMemory
  private var remembered: RememberedBuild
  private var state: CompiledState
  /// The config as this build left it: while it is the same, nobody else has built into the folder.
  private var config: FileStamp?
  /// What the memory on disk does not know yet.
  private var unsaved: (paths: Set<String>, folders: Set<String>) = ([], [])
  /// What edits were made of: given back when there is time.
  private var remains: [Recompilation.Remains] = []

  /// The last build of a command, from what it left on disk; `nil` where an edit cannot go on from it.
  init?(_ command: BuildRequest) {
    guard let file = MemoryFile(content: command.content, out: command.out, flags: ["gzip"]),
      let memory = file.load(), let remembered = RememberedBuild(notes: memory.notes),
      remembered.diagnostics.isEmpty, let state = remembered.state.flatMap(file.loadState)
    else { return nil }
    (self.command, self.file, self.memory) = (command, file, memory)
    (self.remembered, self.state) = (remembered, state)
    config = configStamp
  }

  /// The build after an edit of some files; `nil` where everything must be looked at.
  ///
  /// - Throws: what a build throws.
  mutating func edited(_ paths: Set<String>) throws -> Report? {
    let watch = Stopwatch()
    let (instant, changed) = (command.instant, existing(paths))
    guard let changed, memory.isValid(at: instant), let config, config == configStamp else { return nil }
    if changed.isEmpty { return command.report(remembered, remembered.summary.allKept, watch, SourceTexts()) }
    let progress = Progress("", isWanted: false)
    let session = try BuildSession(folder: command.out, compresses: true, isDurable: false, progress)
    guard let made = try session.telling({ try recompiled(changed, at: instant, session) }) else {
      session.discard()
      return nil
    }
    let edit = try session.telling { [earlier = remembered.summary] in try session.commit(made, after: earlier) }
    state = made.state
    remains.append(made.remains)
    remembered.summary = edit.summary
    remembered.facts.members["objects"] = .integer(Int64(made.objectCount))
    for file in made.changed { memory.digests[file.path] = file.digest }
    unsaved.paths.formUnion(changed)
    unsaved.folders.formUnion(edit.folders)
    self.config = configStamp
    return command.report(remembered, edit.summary, watch, SourceTexts())
  }

  /// Tells the disk of the edits, so that another process can go on from here.
  mutating func save() {
    remains = []
    guard !unsaved.paths.isEmpty, let config, config == configStamp else { return }
    let output = file.outputStamps(after: memory.output, in: unsaved.folders)
    remembered.state = file.saveState(state.encoded)
    // Whoever believes these stamps reads again what changed within the last seconds, so after it was read here.
    guard let output, let notes = remembered.notes,
      memory.content.restamp(unsaved.paths.sorted(), in: command.content, at: Clock.nanosecondsSince1970)
    else { return }
    (memory.output, memory.notes) = (output, notes)
    file.save(memory)
    unsaved = ([], [])
  }

  /// Those of the paths at which a known file stands; `nil` where names came or went.
  private func existing(_ paths: Set<String>) -> [String]? {
    var files: [String] = []
    for path in paths.sorted() {
      let isKnown = memory.digests[path] != nil
      let kind = (try? Disk.examine("\(command.content)/\(path)").kind) ?? .other
      switch (kind, isKnown) {
      case (.file, true): files.append(path)
      // An editor's copy that came and went.
      case (.nothing, false): continue
      default: return nil
      }
    }
    return files
  }

  private func recompiled(_ changed: [String], at instant: Instant, _ session: BuildSession) throws -> Recompilation? {
    let line = StagingLine(into: session)
    let made = Result {
      try recompile(
        state, changed: changed, assets: memory.content.paths(below: "assets"), in: try command.place.unlisted(),
        at: instant, stored: file.storedObject
      ) { line.add($0) }
    }
    // Also where it failed: nothing may be staged any more once the session is given up.
    try line.finish()
    return try made.get()
  }

  private var configStamp: FileStamp? { FileStamp(at: "\(command.out)/\(remembered.facts.configPath)") }
}
