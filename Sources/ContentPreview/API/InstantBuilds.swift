import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import Dispatch
import Synchronization

/// The content as it is at other moments, compiled in memory when it is asked for.
///
/// A class, since it keeps the last few.
final class InstantBuilds: Sendable {
  private let content: PreviewContent
  private let room: Int
  /// The one asked for last comes last.
  private let kept = Mutex<[(generation: Int, instant: Instant, build: MemoryBuild)]>([])
  /// The moments that are being compiled or wait for it, and for how many who ask.
  private let wanted = Mutex<[Instant: Int]>([:])
  private let queue = DispatchQueue(label: "contentc.instants")

  /// How many are kept at most, and of how many bytes together; the last one is, however large.
  static let count = 3
  static let room = 256 << 20

  init(_ content: PreviewContent, room: Int = room) { (self.content, self.room) = (content, room) }

  /// The content that is served now, at another moment.
  ///
  /// One is compiled and one waits; whoever wants a third is told to come back.
  func build(at instant: Instant) async throws(RequestError) -> MemoryBuild {
    if let generation = content.known?.generation, let build = take(generation, instant) {
      return build
    }
    guard enter(instant) else {
      throw RequestError(
        .serviceUnavailable, "the content of other instants is being built; ask again",
        retryAfter: 1)
    }
    defer { leave(instant) }
    return try await queue.run { [self] () throws(RequestError) in try made(at: instant) }
  }

  /// Forgets all of them: the content is another.
  func forget() { kept.withLock { $0 = [] } }

  private func enter(_ instant: Instant) -> Bool {
    wanted.withLock { wanted in
      guard wanted[instant] != nil || wanted.count < 2 else { return false }
      wanted[instant, default: 0] += 1
      return true
    }
  }

  private func leave(_ instant: Instant) {
    wanted.withLock { wanted in
      let rest = (wanted[instant] ?? 0) - 1
      wanted[instant] = rest > 0 ? rest : nil
    }
  }

  private func made(at instant: Instant) throws(RequestError) -> MemoryBuild {
    let read = try content.read()
    let (generation, tree) = (read.generation, read.tree)
    if let build = take(generation, instant) { return build }
    let files = MemoryFiles()
    let compiled = try? compile(tree, at: instant) { files.add($0) }
    guard let build = compiled?.output else {
      throw RequestError(.serviceUnavailable, "the content has mistakes as of \(instant.rfc3339)")
    }
    let made = MemoryBuild(build, files.all)
    keep(made, generation, instant)
    return made
  }

  private func keep(_ build: MemoryBuild, _ generation: Int, _ instant: Instant) {
    kept.withLock { kept in
      guard content.known?.generation == generation else { return }
      kept.removeAll { $0.generation != generation }
      kept.append((generation, instant, build))
      while kept.count > Self.count
        || (kept.count > 1 && kept.reduce(0) { $0 + $1.build.size } > room)
      {
        kept.removeFirst()
      }
    }
  }

  /// How many different moments are asked for that are not kept.
  var wantedCount: Int { wanted.withLock { $0.count } }

  /// Those that are kept, the one asked for last at the end.
  var instants: [Instant] { kept.withLock { $0.map(\.instant) } }

  private func take(_ generation: Int, _ instant: Instant) -> MemoryBuild? {
    kept.withLock { kept in
      guard
        let index = kept.firstIndex(where: { $0.generation == generation && $0.instant == instant })
      else {
        return nil
      }
      kept.append(kept.remove(at: index))
      return kept.last?.build
    }
  }
}

/// Collects objects, from any thread.
private final class MemoryFiles: Sendable {
  private let files = Mutex<[String: OutputObject]>([:])

  func add(_ object: OutputObject) {
    let hex = object.digest.hex
    files.withLock { $0["objects/\(hex.prefix(2))/\(hex).\(object.fileExtension)"] = object }
  }

  var all: [String: OutputObject] { files.withLock { $0 } }
}

/// A build that is nowhere but in memory.
struct MemoryBuild: Sendable {
  private let objects: [String: OutputObject]
  /// Under names that later builds give to another.
  private var named: [String: [UInt8]] = [:]
  /// In bytes.
  let size: Int

  init(_ build: Build, _ objects: [String: OutputObject]) {
    self.objects = objects
    size = objects.values.reduce(0) { $0 + $1.bytes.count }
    for file in build.files + [build.config] { named[file.path] = file.bytes }
    for link in build.links {
      let hex = link.digest.hex
      named[link.path] = objects["objects/\(hex.prefix(2))/\(hex).\(link.fileExtension)"]?.bytes
    }
  }

  /// A file below its folder; `nil` if there is none.
  func representation(of path: String) -> Representation? {
    let type = String.contentType(of: BuildFiles.fileExtension(of: path))
    if let object = objects[path] {
      return Representation(
        content: .bytes(object.bytes), tag: EntityTag(object.digest.hex), type: type,
        cacheControl: BuildFiles.forever)
    }
    return named[path].map { bytes in
      Representation(
        content: .bytes(bytes), tag: EntityTag(Digest(of: bytes).hex), type: type,
        cacheControl: "no-cache")
    }
  }
}
