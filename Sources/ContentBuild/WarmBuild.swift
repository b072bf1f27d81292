import ContentCompiler
package import ContentModel
import ContentSource
import Diagnostics
import Synchronization
package import System

/// A build in memory, from which the next edit continues in the same process.
///
/// An edit takes three steps. `rebuild` reads the changed files and recompiles the affected bundles
/// into the fresh files, where readers of the preview find them. `flush` writes these files to the
/// output folder. `save` writes the memory from which another process can continue.
package struct WarmBuild {
  private let request: BuildRequest
  private let file: MemoryFile
  /// The content and the output as of this build.
  private var memory: BuildMemory
  /// The facts, the summary and the diagnostics of this build.
  private var remembered: RememberedBuild
  private var state: CompiledState
  /// The stamp of config in the output folder; it changes when another process builds.
  private var configStamp: FileStamp?
  /// The edits that are not in the output folder yet, in order.
  private var pending: [PendingEdit] = []
  /// The largest number of bytes in `pending`, while the output folder cannot be written.
  private static let pendingLimit = 256 << 20
  private let fresh: FreshFiles
  private let steps: StoreSteps
  /// `true` if the memory on disk is older than this build.
  private var isUnsaved = false
  /// The output folders that edits have changed since the memory on disk was saved.
  private var changedFolders: Set<ExactString> = []
  /// `true` if another program has changed the output.
  ///
  /// The memory is then not saved, so that the next `contentc build` finds the difference.
  private var hasForeignChanges = false

  /// An edit that is not in the output folder yet.
  private struct PendingEdit {
    let recompilation: Recompilation
    let objects: [OutputObject]

    var byteCount: Int { objects.reduce(0) { $0 + $1.bytes.count } }
  }

  /// Loads the last build of a request; `nil` if no edit can continue from it.
  ///
  /// The files of later edits are added to `fresh`; `steps` is asked before each step of writing.
  package init?(
    of request: BuildRequest, into fresh: FreshFiles, steps: StoreSteps = .live
  ) {
    guard let file = MemoryFile(request), let memory = file.load(),
      let remembered = RememberedBuild(notes: memory.notes),
      !request.policy.judge(remembered.diagnostics).hasErrors,
      let state = remembered.state.flatMap(file.loadState)
    else { return nil }
    (self.request, self.file, self.memory, self.fresh) = (request, file, memory, fresh)
    (self.remembered, self.state, self.steps) = (remembered, state, steps)
    configStamp = currentConfigStamp
  }

  /// Recompiles after an edit of some files, into the fresh files; returns `nil` if the caller must
  /// call `build`.
  ///
  /// - Throws: errors of a build.
  package mutating func rebuild(after paths: Set<ExactString>) throws -> BuildOutcome? {
    let watch = Stopwatch()
    let instant = request.moment
    guard let changed = existing(paths), memory.isValid(at: instant), isUpToDate else { return nil }
    if !changed.isEmpty {
      guard try recompileEntries(in: changed, at: instant) else { return nil }
    }
    return remembered.outcome(of: request, summary: remembered.summary.allKept, took: watch)
  }

  /// Recompiles the entries in edited files; returns `false` if it cannot.
  private mutating func recompileEntries(in changed: [String], at instant: Instant) throws -> Bool {
    // Above the limit, the caller flushes, and that reports why the folder cannot be written.
    guard pending.reduce(0, { $0 + $1.byteCount }) < Self.pendingLimit else { return false }
    // Taken before the files are read, so that each later change is noticed.
    var stamps = memory.content
    guard stamps.restamp(changed, in: request.content, at: Clock.nanosecondsSince1970) else {
      return false
    }
    let objects = Mutex<[OutputObject]>([])
    let recompilation = try recompile(
      state, warnings: remembered.diagnostics, changed: changed,
      assets: memory.content.paths(below: "assets"),
      in: try request.unlistedContent(), at: instant, stored: stored
    ) { object in objects.withLock { $0.append(object) } }
    guard let recompilation else { return false }
    memory.content = stamps
    add(PendingEdit(recompilation: recompilation, objects: objects.withLock { $0 }))
    return true
  }

  /// Makes the result of an edit this build.
  private mutating func add(_ edit: PendingEdit) {
    let recompilation = edit.recompilation
    pending.append(edit)
    state = recompilation.state
    remembered.facts.members["objects"] = .integer(Int64(recompilation.objectCount))
    memory.digests.replace(recompilation.changed.map { ($0.path, $0.digest) })
    isUnsaved = true
    let config = recompilation.config
    var files: [ExactString: [UInt8]] = [ExactString(config.path): config.bytes]
    for object in edit.objects { files[ExactString(object.path)] = object.bytes }
    for link in recompilation.links {
      files[link.path] =
        files[link.digest.objectPath(extension: link.fileExtension)]
        ?? stored(link.digest, extension: link.fileExtension)
    }
    fresh.add(files)
  }

  /// The bytes of an object of the last build.
  private func stored(_ digest: Digest, extension fileExtension: String) -> [UInt8]? {
    fresh[digest.objectPath(extension: fileExtension)]
      ?? file.storedObject(digest, extension: fileExtension)
  }

  /// Writes the pending edits into the output folder, one after the other.
  ///
  /// Returns `false` if another process has built into the folder.
  ///
  /// - Throws: errors of a build; the edits that are not written stay pending.
  package mutating func flush() throws -> Bool {
    guard !pending.isEmpty else { return true }
    while let edit = pending.first {
      guard let session = try lockedOutput() else { return false }
      // Changes of other programs must be found before this build changes the folder.
      if changedFolders.isEmpty, !file.hasSameOutput(as: memory, whileBuilding: true) {
        hasForeignChanges = true
      }
      let change = StagedBuild.Change.edit(
        edit.recompilation, after: remembered.summary, output: memory.output)
      let (summary, changed) = try session.discardingOnFailure {
        let queue = StagingQueue(into: session)
        for object in edit.objects { queue.add(object) }
        try queue.finish()
        return try session.commit(change)
      }
      remembered.summary = summary
      changedFolders.formUnion(changed?.names ?? [])
      configStamp = withExtendedLifetime(session) { currentConfigStamp }
      pending.removeFirst()
    }
    fresh.removeAll()
    return true
  }

  /// Locks the output folder; returns `nil` if another process has built there.
  private func lockedOutput() throws(StoreError) -> BuildSession? {
    // Checked before locking, too: a session would create an output folder that was removed.
    guard isUpToDate else { return nil }
    let session = try BuildSession(
      folder: request.out, compresses: request.compresses, isDurable: false, steps: steps,
      NoProgress())
    // Another process may have built before the lock was taken.
    return isUpToDate ? session : nil
  }

  /// Saves the memory and the state, so that another process can continue from this build.
  package mutating func save() {
    guard pending.isEmpty, isUnsaved, !hasForeignChanges, let session = try? lockedOutput() else {
      return
    }
    // Only the lock is needed.
    session.discard()
    let named = NamedState(state.encoded)
    remembered.state = named.digest
    let input = BuildInput(
      stamps: memory.content, digests: memory.digests, validFrom: memory.validFrom,
      validBefore: memory.validBefore)
    let changed = ChangedFolders(of: memory.output, names: changedFolders)
    // The session keeps the lock meanwhile: no other build may change the output before its stamps
    // are remembered.
    let saved = withExtendedLifetime(session) {
      file.remember(remembered, of: input, state: BackgroundTask { named }, changed: changed)
    }
    guard let saved else { return }
    memory = saved
    isUnsaved = false
    changedFolders = []
  }

  /// The paths that are still files; `nil` if files were added or removed.
  private func existing(_ paths: Set<ExactString>) -> [String]? {
    var files: [String] = []
    let known = memory.digests.digests(of: paths.names)
    for path in paths.names {
      let isKnown = known[path] != nil
      let kind = (try? Disk.examine("\(request.content)/\(path)").kind) ?? .other
      switch (kind, isKnown) {
      case (.file, true):
        // The watcher reports only one path of a hard-linked file.
        if Disk.hasOtherNames("\(request.content)/\(path)") { return nil }
        files.append(path)
      // A temporary copy of an editor.
      case (.nothing, false): continue
      default: return nil
      }
    }
    return files
  }

  /// The first moment at which a new build would have other files.
  package var validBefore: Instant? { memory.validBefore }

  /// Returns the same moment for the last build of a request that is on disk.
  package static func validBefore(_ request: BuildRequest) -> Instant? {
    MemoryFile(request)?.load()?.validBefore
  }

  /// `true` unless another process has built into the output folder since.
  private var isUpToDate: Bool { configStamp != nil && configStamp == currentConfigStamp }

  private var currentConfigStamp: FileStamp? {
    FileStamp(at: "\(request.out)/\(remembered.facts.configPath)")
  }
}
