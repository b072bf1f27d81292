import Parallel
import ContentCompiler
package import ContentModel
import ContentSource
import ContentStore
import Diagnostics
import Platform
import Synchronization

/// A build that the next edit goes on from, in the process that made it: nothing is read again but
/// what the edit reaches.
package struct WarmBuild {
  private let request: BuildRequest
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
  /// Whether the folder was found otherwise than it was left: then the next `contentc build` must
  /// find that, too.
  private var isTouched = false
  /// What was made and is not in the folder yet, in order.
  private var pending: [(made: Recompilation, objects: [OutputObject])] = []
  /// How many bytes may wait for a folder that cannot be written.
  private static let room = 256 << 20
  private let fresh: FreshFiles

  /// The last build of a request, from what it left on disk; `nil` where an edit cannot go on from
  /// it.
  package init?(_ request: BuildRequest, _ fresh: FreshFiles) {
    guard let file = MemoryFile(request), let memory = file.load(),
      let remembered = RememberedBuild(notes: memory.notes),
      !request.policy.judge(remembered.diagnostics).hasErrors,
      let state = remembered.state.flatMap(file.loadState)
    else { return nil }
    (self.request, self.file, self.memory, self.fresh) = (request, file, memory, fresh)
    (self.remembered, self.state) = (remembered, state)
    config = configStamp
  }

  /// The build after an edit of some files, among the fresh files; `nil` where everything must be
  /// looked at.
  ///
  /// - Throws: what a build throws.
  package mutating func edited(_ paths: Set<ExactString>) throws -> BuildOutcome? {
    let watch = Stopwatch()
    let (instant, changed) = (request.moment, existing(paths))
    guard let changed, memory.isValid(at: instant), let config, config == configStamp else {
      return nil
    }
    if !changed.isEmpty {
      // With more, nothing is served that is not in the folder: why it cannot be written is told as
      // an error then.
      guard pending.reduce(0, { $0 + $1.objects.reduce(0) { $0 + $1.bytes.count } }) < Self.room
      else { return nil }
      let objects = Mutex<[OutputObject]>([])
      // Before they are read: what is saved from here on must show.
      var stamps = memory.content
      guard stamps.restamp(changed, in: request.content, at: Clock.nanosecondsSince1970) else {
        return nil
      }
      let made = try recompile(
        state, warnings: remembered.diagnostics, changed: changed,
        assets: memory.content.paths(below: "assets"),
        in: try request.unlistedContent(), at: instant, stored: stored
      ) { object in objects.withLock { $0.append(object) } }
      guard let made else { return nil }
      memory.content = stamps
      take(made, objects.withLock { $0 })
    }
    return remembered.outcome(of: request, remembered.summary.allKept, took: watch)
  }

  private mutating func take(_ made: Recompilation, _ objects: [OutputObject]) {
    state = made.state
    pending.append((made, objects))
    remembered.facts.members["objects"] = .integer(Int64(made.objectCount))
    for file in made.changed { memory.digests[file.path] = file.digest }
    isUnsaved = true
    var files: [ExactString: [UInt8]] = [ExactString(made.config.path): made.config.bytes]
    for object in objects { files[Self.path(object.digest, object.fileExtension)] = object.bytes }
    for link in made.links {
      files[link.path] =
        files[Self.path(link.digest, link.fileExtension)] ?? stored(link.digest, link.fileExtension)
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
  package mutating func flush() throws -> Bool {
    guard !pending.isEmpty else { return true }
    guard let config, config == configStamp else { return false }
    // What somebody did to the folder is seen now, or never: afterwards it would be taken for what
    // was built.
    if changedFolders.isEmpty, !file.hasSameOutput(as: memory, whileBuilding: false) {
      isTouched = true
    }
    while let (made, objects) = pending.first {
      let session = try BuildSession(
        folder: request.out, compresses: request.compresses, isDurable: false, NoProgress())
      let change = StagedBuild.Change.edit(made, after: remembered.summary, output: memory.output)
      let (summary, changed) = try session.discardingOnFailure {
        let queue = StagingQueue(into: session)
        for object in objects { queue.add(object) }
        try queue.finish()
        return try session.commit(change)
      }
      remembered.summary = summary
      changedFolders.formUnion(changed?.names ?? [])
      self.config = configStamp
      pending.removeFirst()
    }
    fresh.removeAll()
    return true
  }

  /// Tells the disk of the edits, so that another process can go on from here.
  package mutating func save() {
    guard pending.isEmpty, isUnsaved, !isTouched, let config, config == configStamp else { return }
    let named = NamedState(state.encoded)
    remembered.state = named.digest
    let input = BuildInput(
      stamps: memory.content, digests: memory.digests, validFrom: memory.validFrom,
      validBefore: memory.validBefore)
    let changed = ChangedFolders(of: memory.output, names: changedFolders)
    guard let saved = file.remember(remembered, of: input, BackgroundTask { named }, changed) else {
      return
    }
    memory = saved
    (isUnsaved, changedFolders) = (false, [])
  }

  /// Those of the paths at which a known file stands; `nil` where names came or went.
  private func existing(_ paths: Set<ExactString>) -> [String]? {
    var files: [String] = []
    for path in paths.names {
      let isKnown = memory.digests[path] != nil
      let kind = (try? Disk.examine("\(request.content)/\(path)").kind) ?? .other
      switch (kind, isKnown) {
      case (.file, true):
        // Nobody tells of the other name.
        if Disk.hasOtherNames("\(request.content)/\(path)") { return nil }
        files.append(path)
      // An editor's copy that came and went.
      case (.nothing, false): continue
      default: return nil
      }
    }
    return files
  }

  /// The first moment at which it is not what a build would make.
  package var validBefore: Instant? { memory.validBefore }

  /// The same of the build that a request left on disk.
  package static func validBefore(_ request: BuildRequest) -> Instant? {
    MemoryFile(request)?.load()?.validBefore
  }

  private var configStamp: FileStamp? {
    FileStamp(at: "\(request.out)/\(remembered.facts.configPath)")
  }
}
