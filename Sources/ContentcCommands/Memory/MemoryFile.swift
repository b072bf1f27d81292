import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import PropertyLists

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where the memory of builds from one content folder into one output folder is kept: `.contentc/` beside the content.
struct MemoryFile: Sendable {
  /// What must be the same for a memory to mean anything.
  let key: String
  private let folder: String
  private let path: String
  private let content: String
  private let out: String

  /// `nil` where the content folder cannot be found.
  ///
  /// `flags` are those that make a difference to the output.
  init?(content: String, out: String, flags: [String]) {
    guard let place = Self.resolved(content) else { return nil }
    (self.content, self.out) = (content, out)
    folder = "\(place[..<(place.lastIndex(of: "/") ?? place.startIndex)])/.contentc"
    // A link would have other places read and written.
    if FolderPath.isLink(folder) { return nil }
    let target = Self.resolvedAhead(out)
    let executable = FileStamp(at: Self.executable).map { "\($0.size) \($0.modified) \($0.inode)" } ?? "unknown"
    let places = [place, content, target, out]
    key = Self.lines(["contentc \(ContentcVersion.current)", executable] + flags + places)
    path = "\(folder)/\(String(Checksum(of: Self.lines(places)).value, radix: 16)).memory"
  }

  /// The memory, if it is one of this tool, these folders and these flags.
  func load() -> BuildMemory? {
    guard let bytes = try? InputFile(path: path).read() else { return nil }
    guard let memory = BuildMemory(bytes), memory.key == key else { return nil }
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

  /// What a look at the content and the output shows since a build remembered them; `nil` if names of the content came or
  /// went.
  ///
  /// The memory knows the new stamps of the changed files afterwards: who reads them now, reads what these stamps are of,
  /// or something newer.
  func changes(since memory: inout BuildMemory) -> Changes? {
    let found = memory.look(content: content, output: out)
    guard let suspects = found.changed else { return nil }
    if suspects.isEmpty { return Changes(content: [], isSameOutput: found.isSameOutput) }
    guard memory.content.restamp(suspects, in: content, at: Clock.nanosecondsSince1970) else { return nil }
    let changed = suspects.filter { !isUnchanged($0, memory) }
    // The next build need not read them again.
    if changed.isEmpty { save(memory) }
    return Changes(content: changed, isSameOutput: nil)
  }

  /// What is other than a build has left it.
  struct Changes {
    /// Files of the content, by path.
    var content: [String]
    /// Whether the output is the same; `nil` where nobody looked.
    var isSameOutput: Bool?
  }

  /// Whether the output is what the remembered build left; `whileBuilding` it has a staging folder besides.
  func hasSameOutput(as memory: BuildMemory, whileBuilding: Bool) -> Bool {
    memory.hasSameOutput(in: out, whileBuilding: whileBuilding)
  }

  private func isUnchanged(_ path: String, _ memory: BuildMemory) -> Bool {
    guard let digest = memory.digests[path] else { return false }
    return (try? InputFile(path: "\(content)/\(path)").read()).map { Digest(of: $0) } == digest
  }

  /// Keeps what a build that was made here must know to be told again, and to be continued.
  func remember(_ remembered: RememberedBuild, _ build: Build, _ state: NamedState?, content: FolderStamps) {
    let digests = (build.tree.sources + build.assetSources).map { (path: $0.path, digest: $0.digest) }
    remember(
      remembered, state: state, content: content, digests: digests, validFrom: build.validFrom,
      validBefore: build.validBefore)
  }

  /// The same for one that came from elsewhere.
  func remember(
    _ build: RememberedBuild, state: NamedState?, content: FolderStamps, digests: [(path: String, digest: Digest)],
    validFrom: Instant?, validBefore: Instant?
  ) {
    // A file that came after the stamps were taken would go unnoticed if it went again.
    guard Set(digests.map(\.path)).isSubset(of: content.paths) else { return }
    var build = build
    let output = Aside { outputStamps() }
    if let state {
      save(state)
      build.state = state.digest
    }
    guard let output = output.value.flatMap(\.self), let notes = build.notes else { return }
    save(
      BuildMemory(
        key: key, content: content, output: output, digests: FileDigests(digests), validFrom: validFrom,
        validBefore: validBefore,
        notes: notes))
  }

  /// What the build that a memory is of needs to be continued, if it left that behind.
  func loadState(_ digest: Digest) -> CompiledState? {
    (try? InputFile(path: statePath).read()).flatMap { CompiledState($0, named: digest) }
  }

  /// Keeps what a later build needs to continue this one.
  func save(_ state: NamedState) {
    makeFolder()
    try? AtomicFile(statePath).write(state.bytes, durably: false)
  }

  private var statePath: String { "\(path.dropLast(".memory".count)).state" }

  /// The bytes of an object in the output folder.
  func storedObject(_ digest: Digest, _ fileExtension: String) -> [UInt8]? {
    try? InputFile(path: "\(out)/objects/\(digest.hex.prefix(2))/\(digest.hex).\(fileExtension)").read()
  }

  /// The bytes of a file in the output folder.
  func stored(_ path: String) -> [UInt8]? { try? InputFile(path: "\(out)/\(path)").read() }

  /// A mark of this very executable that another machine's copy shares.
  static var executableSize: String { FileStamp(at: executable).map { "\($0.size)" } ?? "unknown" }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// A path that need not be there yet, from the nearest folder above it that is.
  private static func resolvedAhead(_ path: String) -> String {
    if let resolved = resolved(path) { return resolved }
    let trimmed = path.withoutTrailingSlashes
    guard let slash = trimmed.lastIndex(of: "/") else { return "\(resolved(".") ?? ".")/\(trimmed)" }
    let parent = slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    return "\(resolvedAhead(parent))/\(trimmed[trimmed.index(after: slash)...])"
  }

  static var executable: String {
    #if canImport(Glibc)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }
}

/// What a later build needs to continue one, with the hash by which the memory knows it.
struct NamedState: Sendable {
  let bytes: [UInt8]
  let digest: Digest

  init(_ bytes: [UInt8]) { (self.bytes, digest) = (bytes, CompiledState.name(of: bytes)) }
}
