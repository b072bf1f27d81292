import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import Synchronization

/// The content as it is at other moments, compiled in memory when it is asked for.
///
/// A class, since it keeps the last few.
final class InstantBuilds: Sendable {
  private let content: PreviewContent
  /// The one asked for last comes last.
  private let kept = Mutex<[(generation: Int, instant: Instant, build: MemoryBuild)]>([])

  /// How many are kept.
  static let count = 3

  init(_ content: PreviewContent) { self.content = content }

  /// The content that is served now, at another moment.
  func build(at instant: Instant) throws(Refusal) -> MemoryBuild {
    let (generation, tree) = try content.tree()
    if let build = take(generation, instant) { return build }
    let files = MemoryFiles()
    let compiled = try? compile(tree, at: instant) { files.add($0) }
    guard let build = compiled?.output else {
      throw Refusal(.serviceUnavailable, "the content has mistakes as of \(instant.rfc3339)")
    }
    let made = MemoryBuild(build, files.all)
    kept.withLock { kept in
      kept.removeAll { $0.generation != generation }
      kept.append((generation, instant, made))
      if kept.count > Self.count { kept.removeFirst() }
    }
    return made
  }

  private func take(_ generation: Int, _ instant: Instant) -> MemoryBuild? {
    kept.withLock { kept in
      guard let index = kept.firstIndex(where: { $0.generation == generation && $0.instant == instant }) else {
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

  init(_ build: Build, _ objects: [String: OutputObject]) {
    self.objects = objects
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
        content: .bytes(object.bytes), tag: EntityTag(object.digest.hex), type: type, cacheControl: BuildFiles.forever)
    }
    return named[path].map { bytes in
      Representation(
        content: .bytes(bytes), tag: EntityTag(Digest(of: bytes).hex), type: type, cacheControl: "no-cache")
    }
  }
}
