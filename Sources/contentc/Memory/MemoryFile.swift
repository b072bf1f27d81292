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
struct MemoryFile {
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
    // The output folder need not be there yet; the folder that it will be in must be, or there is nothing to remember.
    let target = Self.resolved(out) ?? out
    let executable = FileStamp(at: Self.executable).map { "\($0.size) \($0.modified) \($0.inode)" } ?? "unknown"
    let places = [place, content, target, out]
    key = (["contentc \(ContentcVersion.current)", executable] + flags + places).joined(separator: "\n")
    path = "\(folder)/\(Digest(of: Array(places.joined(separator: "\n").utf8)).hex.prefix(16)).memory"
  }

  /// The memory, if it is one of this tool, these folders and these flags.
  func load() -> BuildMemory? {
    guard let bytes = try? InputFile(path: path).read() else { return nil }
    guard let memory = BuildMemory(bytes, checksum: Digest.init(of:)), memory.key == key else { return nil }
    return memory
  }

  /// Keeps a memory for the next build; that it cannot be kept only costs that build its time.
  func save(_ memory: BuildMemory) {
    if mkdir(folder, 0o777) == 0 {
      // Nobody wants this folder in a repository.
      try? AtomicFile("\(folder)/.gitignore").write(Array("*\n".utf8), durably: false)
    }
    try? AtomicFile(path).write(memory.encoded(checksum: Digest.init(of:)), durably: false)
  }

  /// The content as it is now; asked before anything is read, since what changes later must show.
  func contentStamps() -> FolderStamps? {
    FolderStamps(of: content, ignoring: .dotfiles, at: Clock.nanosecondsSince1970)
  }

  /// The output as a build has left it.
  func outputStamps() -> FolderStamps? { FolderStamps(of: out, ignoring: .guests, at: .max) }

  /// Whether content and output are what they were when a build remembered them.
  func isUpToDate(_ memory: inout BuildMemory) -> Bool {
    guard let changed = memory.changedContent(in: content), memory.hasSameOutput(in: out) else { return false }
    guard !changed.isEmpty else { return true }
    guard let stamps = contentStamps(), changed.allSatisfy({ isUnchanged($0, memory) }) else { return false }
    memory.content = stamps
    save(memory)
    return true
  }

  private func isUnchanged(_ path: String, _ memory: BuildMemory) -> Bool {
    guard let digest = memory.digests[path] else { return false }
    return (try? InputFile(path: "\(content)/\(path)").read()).map { Digest(of: $0) } == digest
  }

  private static func resolved(_ path: String) -> String? {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  private static var executable: String {
    #if canImport(Glibc)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }
}
