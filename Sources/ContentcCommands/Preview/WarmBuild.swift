import ContentCompiler
import ContentModel
import ContentPreview
import ContentSource
import ContentStore
import Synchronization

/// A build that the next edit goes on from, in the process that made it: nothing is read again but what the edit reaches.
struct WarmBuild {
  private let command: BuildRequest
  private let file: MemoryFile
  private var memory: BuildMemory
  private var remembered: RememberedBuild
  private var state: CompiledState
  /// The config as this build left it: while it is the same, nobody else has built into the folder.
  private var config: FileStamp?
  /// Whether there is something that the memory on disk does not know yet.
  private var isUnsaved = false
  /// The folders of the output that are others than the memory knows them.
  private var changedFolders: Set<ExactString> = []
  /// Whether the folder was found otherwise than it was left: then the next `contentc build` must find that, too.
  private var isTouched = false
  /// What was made and is not in the folder yet, in order.
  private var pending: [(made: Recompilation, objects: [OutputObject])] = []
  /// How many bytes may wait for a folder that cannot be written.
  private static let room = 256 << 20
  private let fresh: FreshFiles

  /// The last build of a command, from what it left on disk; `nil` where an edit cannot go on from it.
  init?(_ command: BuildRequest, _ fresh: FreshFiles) {
    guard let file = MemoryFile(content: command.content, out: command.out, flags: ["gzip"]),
      let memory = file.load(), let remembered = RememberedBuild(notes: memory.notes),
      !command.style.judge(remembered.diagnostics).hasErrors, let state = remembered.state.flatMap(file.loadState)
    else { return nil }
    (self.command, self.file, self.memory, self.fresh) = (command, file, memory, fresh)
    (self.remembered, self.state) = (remembered, state)
    config = configStamp
  }

  /// The build after an edit of some files, among the fresh files; `nil` where everything must be looked at.
  ///
  /// - Throws: what a build throws.
  mutating func edited(_ paths: Set<ExactString>) throws -> Report? {
    let watch = Stopwatch()
    let (instant, changed) = (command.instant, existing(paths))
    guard let changed, memory.isValid(at: instant), let config, config == configStamp else { return nil }
    if !changed.isEmpty {
      // With more, nothing is served that is not in the folder: why it cannot be written is told as an error then.
      guard pending.reduce(0, { $0 + $1.objects.reduce(0) { $0 + $1.bytes.count } }) < Self.room else { return nil }
      let objects = Mutex<[OutputObject]>([])
      // Before they are read: what is saved from here on must show.
      var stamps = memory.content
      guard stamps.restamp(changed, in: command.content, at: Clock.nanosecondsSince1970) else { return nil }
      let made = try recompile(
        state, warnings: remembered.diagnostics, changed: changed, assets: memory.content.paths(below: "assets"),
        in: try command.place.unlisted(),
        at: instant, stored: stored
      ) { object in objects.withLock { $0.append(object) } }
      guard let made else { return nil }
      memory.content = stamps
      take(made, objects.withLock { $0 })
    }
    return command.report(remembered, remembered.summary.allKept, watch, try remembered.sources(in: command.place))
  }

  private mutating func take(_ made: Recompilation, _ objects: [OutputObject]) {
    state = made.state
    pending.append((made, objects))
    remembered.facts.members["objects"] = .integer(Int64(made.objectCount))
    for file in made.changed { memory.digests[file.path] = file.digest }
    isUnsaved = true
    var files = [made.config.path: made.config.bytes]
    for object in objects { files[Self.path(object.digest, object.fileExtension)] = object.bytes }
    for link in made.links {
      files[link.path] = files[Self.path(link.digest, link.fileExtension)] ?? stored(link.digest, link.fileExtension)
    }
    fresh.add(files)
  }

  /// The bytes of an object of the last build.
  private func stored(_ digest: Digest, _ fileExtension: String) -> [UInt8]? {
    fresh[Self.path(digest, fileExtension)] ?? file.storedObject(digest, fileExtension)
  }

  private static func path(_ digest: Digest, _ fileExtension: String) -> String {
    "objects/\(digest.hex.prefix(2))/\(digest.hex).\(fileExtension)"
  }

  /// Puts the edits into the folder, one after the other; `false` if somebody else has built there.
  ///
  /// - Throws: what a build throws; then those that are not there yet remain to be put there.
  mutating func flush() throws -> Bool {
    guard !pending.isEmpty else { return true }
    guard let config, config == configStamp else { return false }
    // What somebody did to the folder is seen now, or never: afterwards it would be taken for what was built.
    if changedFolders.isEmpty, !file.hasSameOutput(as: memory, whileBuilding: false) { isTouched = true }
    while let (made, objects) = pending.first {
      let progress = Progress("", isWanted: false)
      let session = try BuildSession(folder: command.out, compresses: true, isDurable: false, progress)
      let edit = try session.telling { [earlier = remembered.summary] in
        let line = StagingLine(into: session)
        for object in objects { line.add(object) }
        try line.finish()
        return try session.commit(made, after: earlier)
      }
      remembered.summary = edit.summary
      changedFolders.formUnion(edit.folders)
      self.config = configStamp
      pending.removeFirst()
    }
    fresh.removeAll()
    return true
  }

  /// Tells the disk of the edits, so that another process can go on from here.
  mutating func save() {
    guard pending.isEmpty, isUnsaved, !isTouched, let config, config == configStamp else { return }
    let output = file.outputStamps(after: memory.output, in: changedFolders)
    let named = NamedState(state.encoded)
    file.save(named)
    remembered.state = named.digest
    guard let output, let notes = remembered.notes else { return }
    (memory.output, memory.notes) = (output, notes)
    file.save(memory)
    (isUnsaved, changedFolders) = (false, [])
  }

  /// Those of the paths at which a known file stands; `nil` where names came or went.
  private func existing(_ paths: Set<ExactString>) -> [String]? {
    var files: [String] = []
    for path in paths.names {
      let isKnown = memory.digests[path] != nil
      let kind = (try? Disk.examine("\(command.content)/\(path)").kind) ?? .other
      switch (kind, isKnown) {
      case (.file, true):
        // Nobody tells of the other name.
        if Disk.hasOtherNames("\(command.content)/\(path)") { return nil }
        files.append(path)
      // An editor's copy that came and went.
      case (.nothing, false): continue
      default: return nil
      }
    }
    return files
  }

  /// The first moment at which it is not what a build would make.
  var validBefore: Instant? { memory.validBefore }

  private var configStamp: FileStamp? { FileStamp(at: "\(command.out)/\(remembered.facts.configPath)") }
}
