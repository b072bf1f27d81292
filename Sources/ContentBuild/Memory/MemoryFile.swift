import ContentCompiler
import ContentModel
import ContentSource
import System
import SystemC

/// The memory of builds from one content folder into one output folder, kept in `.contentc/` beside
/// the content.
struct MemoryFile: Sendable {
  /// The tool, the folders and the flags; a memory with another key is ignored.
  let key: String
  private let folder: String
  private let path: String
  private let content: String
  private let out: String

  /// Locates the memory of a request; `nil` if the content folder does not exist, or `.contentc` is
  /// a symbolic link.
  init?(_ request: BuildRequest) {
    let (content, out) = (request.content, request.out)
    guard let place = Self.resolved(content) else { return nil }
    (self.content, self.out) = (content, out)
    let slash = place.utf8.lastIndex(of: UInt8(ascii: "/")) ?? place.startIndex
    folder = "\(place[..<slash])/.contentc"
    // A symbolic link would redirect reads and writes to another folder.
    if (try? Disk.examine(folder).kind) == .symbolicLink { return nil }
    let target = Self.resolvedAhead(out)
    let executable =
      FileStamp(at: Executable.path).map { "\($0.size) \($0.modified) \($0.inode)" } ?? "unknown"
    let places = [place, content, target, out]
    key = Self.lines(ToolIdentity.versions + [executable] + request.flags + places)
    path = "\(folder)/\(String(Checksum(of: Self.lines(places)).value, radix: 16)).memory"
  }

  /// Loads the memory; `nil` if there is none of this tool, these folders and these flags.
  func load() -> BuildMemory? {
    guard let memory = Self.contents(path).flatMap({ BuildMemory($0) }),
      memory.key.hasSameBytes(as: key)
    else {
      return nil
    }
    return memory
  }

  /// Saves a memory for the next build; a failure only makes that build slower.
  func save(_ memory: BuildMemory) {
    MemoryFolder.make(folder)
    try? AtomicFile(path).write(memory.encoded(), durably: false)
  }

  /// Returns the texts with a line break after each.
  ///
  /// `joined` would be slower: at its first use, the runtime searches all types of the process.
  private static func lines(_ texts: [String]) -> String {
    var lines = ""
    for text in texts {
      lines += text
      lines += "\n"
    }
    return lines
  }

  /// Returns the stamps of the content, which are taken before any file is read, so that later
  /// changes are noticed.
  func contentStamps() -> FolderStamps? {
    FolderStamps(of: content, ignoring: .dotfiles, at: Clock.nanosecondsSince1970)
  }

  /// Returns the stamps of the output after a build.
  func outputStamps() -> FolderStamps? { FolderStamps(of: out, ignoring: .guests, at: .max) }

  /// Returns the stamps of the output after an edit, which changed only the given folders.
  func outputStamps(after earlier: FolderStamps, in changed: Set<ExactString>) -> FolderStamps? {
    FolderStamps(of: out, ignoring: .guests, at: .max, after: earlier, in: changed)
  }

  /// Returns the changes of the content and the output since the remembered build; `nil` if content
  /// files were added or removed.
  ///
  /// The memory then has the new stamps of the changed files. They are taken before the files are
  /// read, so they are never newer than the bytes that a build uses. If only stamps have changed,
  /// the memory is also saved.
  func changes(since memory: inout BuildMemory) -> Changes? {
    let found = memory.compare(content: content, output: out)
    guard let suspects = found.changed else { return nil }
    if suspects.isEmpty { return Changes(content: [], isSameOutput: found.isSameOutput) }
    guard memory.content.restamp(suspects, in: content, at: Clock.nanosecondsSince1970) else {
      return nil
    }
    let digests = memory.digests.digests(of: suspects)
    let changed = suspects.filter { path in
      digests[path].map { Self.contents("\(content)/\(path)").map { Digest(of: $0) } != $0 } ?? true
    }
    // Saves the next build from reading them again.
    if changed.isEmpty { save(memory) }
    return Changes(content: changed, isSameOutput: nil)
  }

  /// The differences from an earlier build.
  struct Changes {
    /// The paths of the changed content files.
    var content: [String]
    /// `true` if the output is the same; `nil` if this is not known.
    var isSameOutput: Bool?
  }

  /// Returns `true` if the output is unchanged since the remembered build.
  ///
  /// During a build, the output also has a staging folder.
  func hasSameOutput(as memory: BuildMemory, whileBuilding: Bool) -> Bool {
    memory.hasSameOutput(in: out, whileBuilding: whileBuilding)
  }

  /// Saves a build and its state for later builds.
  ///
  /// After an edit, `changed` has the changed folders of the output. Returns the memory, or `nil`
  /// if it cannot be saved.
  @discardableResult func remember(
    _ build: RememberedBuild, of input: BuildInput?, state: BackgroundTask<NamedState?>,
    changed: ChangedFolders?
  ) -> BuildMemory? {
    guard let input else { return nil }
    // The state is saved only now: the sync of the commit would also wait for its bytes. A failure
    // to save it only makes the next build slower.
    let saved = BackgroundTask { state.value.map(save) }
    defer { _ = saved.value }
    let output = changed.map { outputStamps(after: $0.output, in: $0.names) } ?? outputStamps()
    var build = build
    build.state = state.value?.digest
    guard let output, let notes = build.notes else { return nil }
    let memory = BuildMemory(
      key: key, content: input.stamps, output: output, digests: input.digests,
      validFrom: input.validFrom,
      validBefore: input.validBefore, notes: notes)
    save(memory)
    return memory
  }

  /// Loads the state with a digest; `nil` if the file has another one.
  func loadState(_ digest: Digest) -> CompiledState? {
    Self.contents(statePath).flatMap { CompiledState($0, named: digest) }
  }

  /// Saves the state of a build.
  func save(_ state: NamedState) {
    MemoryFolder.make(folder)
    try? AtomicFile(statePath).write(state.bytes, durably: false)
  }

  private var statePath: String { "\(path.dropLast(".memory".count)).state" }

  /// Returns the bytes of an object in the output folder; `nil` if it cannot be read.
  func storedObject(_ digest: Digest, extension fileExtension: String) -> [UInt8]? {
    stored(digest.objectPath(extension: fileExtension))
  }

  /// Returns the bytes of a file in the output folder; `nil` if it cannot be read.
  func stored(_ path: String) -> [UInt8]? { Self.contents("\(out)/\(path)") }

  /// Returns the bytes of a file of at most 2 GiB; no build continues from a larger one.
  private static func contents(_ path: String) -> [UInt8]? { Disk.contents(path, limit: 2 << 30) }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the resolved path of a file that may not exist yet, by its nearest existing parent.
  private static func resolvedAhead(_ path: String) -> String {
    if let resolved = resolved(path) { return resolved }
    let trimmed = path.withoutTrailingSlashes
    guard let slash = trimmed.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      return "\(resolved(".") ?? ".")/\(trimmed)"
    }
    let parent = slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    return "\(resolvedAhead(parent))/\(trimmed[trimmed.utf8.index(after: slash)...])"
  }
}

/// The output folder of an earlier build, and the folders in it that an edit has changed since.
struct ChangedFolders {
  let output: FolderStamps
  let names: Set<ExactString>

  init(of output: FolderStamps, names: Set<ExactString>) {
    (self.output, self.names) = (output, names)
  }
}

/// The encoded state of a build, with the digest that the memory has of it.
struct NamedState: Sendable {
  let bytes: [UInt8]
  let digest: Digest

  init(_ bytes: [UInt8]) { (self.bytes, digest) = (bytes, CompiledState.name(of: bytes)) }
}
