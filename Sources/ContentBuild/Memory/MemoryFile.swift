import Hashing
import Parallel
import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Platform
import SystemC

/// The memory of builds from one content folder into one output folder, kept in `.contentc/` beside
/// the content.
struct MemoryFile: Sendable {
  /// The tool, the folders and the flags: a memory of others means nothing.
  let key: String
  private let folder: String
  private let path: String
  private let content: String
  private let out: String

  /// `nil` where the content folder cannot be found.
  init?(_ request: BuildRequest) {
    let (content, out) = (request.content, request.out)
    guard let place = Self.resolved(content) else { return nil }
    (self.content, self.out) = (content, out)
    folder = "\(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])/.contentc"
    // A link would have other places read and written.
    if (try? Disk.examine(folder).kind) == .symbolicLink { return nil }
    let target = Self.resolvedAhead(out)
    let executable =
      FileStamp(at: Executable.path).map { "\($0.size) \($0.modified) \($0.inode)" } ?? "unknown"
    let places = [place, content, target, out]
    key = Self.lines(["contentc \(ContentcVersion.current)", executable] + request.flags + places)
    path = "\(folder)/\(String(Checksum(of: Self.lines(places)).value, radix: 16)).memory"
  }

  /// The memory, if it is one of this tool, these folders and these flags.
  func load() -> BuildMemory? {
    guard let memory = Self.contents(path).flatMap({ BuildMemory($0) }), memory.key == key else {
      return nil
    }
    return memory
  }

  /// Keeps a memory for the next build; that it cannot be kept only costs that build its time.
  func save(_ memory: BuildMemory) {
    makeFolder()
    try? AtomicFile(path).write(memory.encoded(), durably: false)
  }

  /// Not `joined`: for its first use, the runtime looks through all types there are.
  private static func lines(_ texts: [String]) -> String {
    var lines = ""
    for text in texts {
      lines += text
      lines += "\n"
    }
    return lines
  }

  private func makeFolder() {
    guard mkdir(folder, 0o777) == 0 else { return }
    // Nobody wants this folder in a repository.
    try? AtomicFile("\(folder)/.gitignore").write(Array("*\n".utf8), durably: false)
  }

  /// The content as it is now; asked before anything is read, since what changes later must show.
  func contentStamps() -> FolderStamps? {
    FolderStamps(of: content, ignoring: .dotfiles, at: Clock.nanosecondsSince1970)
  }

  /// The output as a build has left it.
  func outputStamps() -> FolderStamps? { FolderStamps(of: out, ignoring: .guests, at: .max) }

  /// The same after an edit, which touched no other folders than these.
  func outputStamps(after earlier: FolderStamps, in changed: Set<ExactString>) -> FolderStamps? {
    FolderStamps(of: out, ignoring: .guests, at: .max, after: earlier, in: changed)
  }

  /// The changes of the content and the output since a build remembered them; `nil` if names of the
  /// content came or went.
  ///
  /// The memory knows the new stamps of the changed files afterwards: who reads them now, reads
  /// what these stamps are of, or something newer.
  func changes(since memory: inout BuildMemory) -> Changes? {
    let found = memory.look(content: content, output: out)
    guard let suspects = found.changed else { return nil }
    if suspects.isEmpty { return Changes(content: [], isSameOutput: found.isSameOutput) }
    guard memory.content.restamp(suspects, in: content, at: Clock.nanosecondsSince1970) else {
      return nil
    }
    let changed = suspects.filter { !isUnchanged($0, memory) }
    // The next build need not read them again.
    if changed.isEmpty { save(memory) }
    return Changes(content: changed, isSameOutput: nil)
  }

  /// The difference to what a build has left.
  struct Changes {
    /// Files of the content, by path.
    var content: [String]
    /// Whether the output is the same; `nil` where nobody looked.
    var isSameOutput: Bool?
  }

  /// Whether the output is what the remembered build left; `whileBuilding` it has a staging folder
  /// besides.
  func hasSameOutput(as memory: BuildMemory, whileBuilding: Bool) -> Bool {
    memory.hasSameOutput(in: out, whileBuilding: whileBuilding)
  }

  private func isUnchanged(_ path: String, _ memory: BuildMemory) -> Bool {
    guard let digest = memory.digests[path] else { return false }
    return Self.contents("\(content)/\(path)").map { Digest(of: $0) } == digest
  }

  /// Keeps what a build must be known by to be told again, and what a later one needs to go on from
  /// it.
  ///
  /// After an edit, `changed` are the folders of the output that it touched. Returns the memory, or
  /// `nil` where nothing can be remembered.
  @discardableResult func remember(
    _ build: RememberedBuild, of input: BuildInput?, _ state: BackgroundTask<NamedState?>,
    _ changed: ChangedFolders?
  ) -> BuildMemory? {
    guard let input else { return nil }
    // Not sooner: the disk would be waited for until it has this, too. A memory that names what
    // never came there costs the next build its time, and nothing else.
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

  /// The state that a later build goes on from, if the build of the memory left it behind.
  func loadState(_ digest: Digest) -> CompiledState? {
    Self.contents(statePath).flatMap { CompiledState($0, named: digest) }
  }

  /// Keeps the state that a later build goes on from.
  func save(_ state: NamedState) {
    makeFolder()
    try? AtomicFile(statePath).write(state.bytes, durably: false)
  }

  private var statePath: String { "\(path.dropLast(".memory".count)).state" }

  /// The bytes of an object in the output folder.
  func storedObject(_ digest: Digest, _ fileExtension: String) -> [UInt8]? {
    stored("objects/\(digest.hex.prefix(2))/\(digest.hex).\(fileExtension)")
  }

  /// The bytes of a file in the output folder.
  func stored(_ path: String) -> [UInt8]? { Self.contents("\(out)/\(path)") }

  /// The bytes of a file of at most 2 GiB; a build that leaves more is never continued.
  private static func contents(_ path: String) -> [UInt8]? { Disk.contents(path, limit: 2 << 30) }

  /// A mark of this very executable that another machine's copy shares.
  static var executableSize: String {
    FileStamp(at: Executable.path).map { "\($0.size)" } ?? "unknown"
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A path that need not be there yet, from the nearest folder above it that is.
  private static func resolvedAhead(_ path: String) -> String {
    if let resolved = resolved(path) { return resolved }
    let trimmed = path.withoutTrailingSlashes
    guard let slash = trimmed.lastIndex(of: "/") else {
      return "\(resolved(".") ?? ".")/\(trimmed)"
    }
    let parent = slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    return "\(resolvedAhead(parent))/\(trimmed[trimmed.index(after: slash)...])"
  }
}

/// The output folder of an earlier build, and those of its folders that an edit has touched since.
struct ChangedFolders {
  let output: FolderStamps
  let names: Set<ExactString>

  init(of output: FolderStamps, names: Set<ExactString>) {
    (self.output, self.names) = (output, names)
  }
}

/// The state that a later build goes on from, with the hash by which the memory knows it.
struct NamedState: Sendable {
  let bytes: [UInt8]
  let digest: Digest

  init(_ bytes: [UInt8]) { (self.bytes, digest) = (bytes, CompiledState.name(of: bytes)) }
}
