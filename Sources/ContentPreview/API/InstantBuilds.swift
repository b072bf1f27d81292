import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import Dispatch
import Hashing
import Synchronization

/// Builds of the content at other instants, compiled in memory on request.
///
/// A class, since it keeps the most recent builds.
final class InstantBuilds: Sendable {
  private struct RecentBuild {
    var generation: Int
    var instant: Instant
    var build: MemoryBuild
  }

  private let content: PreviewContent
  private let byteLimit: Int
  /// The cached builds, the most recently used last.
  private let cached = Mutex<[RecentBuild]>([])
  /// The instants that are compiled or queued, with the number of requests for each.
  private let pending = Mutex<[Instant: Int]>([:])
  private let queue = DispatchQueue(label: "contentc.instants")

  /// The most builds in the cache.
  static let countLimit = 3
  /// The most bytes in the cache, except that the last build is always kept.
  static let byteLimit = 256 << 20

  init(_ content: PreviewContent, byteLimit: Int = byteLimit) {
    (self.content, self.byteLimit) = (content, byteLimit)
  }

  /// Returns the current content's build at an instant.
  ///
  /// One instant is compiled and one is queued. A request for a third one fails, and the client
  /// tries again later.
  func build(at instant: Instant) async throws(RequestError) -> MemoryBuild {
    if let generation = content.known?.generation,
      let build = cachedBuild(generation: generation, instant: instant)
    {
      return build
    }
    guard addRequest(for: instant) else {
      throw RequestError(
        .serviceUnavailable,
        message: "the content of other instants is being built; ask again", retryAfter: 1)
    }
    defer { removeRequest(for: instant) }
    return try await queue.run { [self] () throws(RequestError) in try compiled(at: instant) }
  }

  /// Empties the cache, after the content has changed.
  func removeAll() { cached.withLock { $0 = [] } }

  /// The number of different instants that are compiled or queued.
  var pendingCount: Int { pending.withLock { $0.count } }

  /// The instants in the cache, the most recently used last.
  var instants: [Instant] { cached.withLock { $0.map(\.instant) } }

  private func addRequest(for instant: Instant) -> Bool {
    pending.withLock { pending in
      guard pending[instant] != nil || pending.count < 2 else { return false }
      pending[instant, default: 0] += 1
      return true
    }
  }

  private func removeRequest(for instant: Instant) {
    pending.withLock { pending in
      let rest = (pending[instant] ?? 0) - 1
      pending[instant] = rest > 0 ? rest : nil
    }
  }

  private func compiled(at instant: Instant) throws(RequestError) -> MemoryBuild {
    let snapshot = try content.read()
    if let build = cachedBuild(generation: snapshot.generation, instant: instant) { return build }
    let objects = ObjectCollector()
    let compiled = try? compile(snapshot.tree, at: instant) { objects.add($0) }
    guard let build = compiled?.output else {
      throw RequestError(
        .serviceUnavailable, message: "the content has mistakes as of \(instant.rfc3339)")
    }
    let made = MemoryBuild(build, objects: objects.all)
    add(RecentBuild(generation: snapshot.generation, instant: instant, build: made))
    return made
  }

  private func add(_ build: RecentBuild) {
    cached.withLock { cached in
      guard content.known?.generation == build.generation else { return }
      cached.removeAll { $0.generation != build.generation }
      cached.append(build)
      while cached.count > Self.countLimit
        || (cached.count > 1 && cached.reduce(0) { $0 + $1.build.size } > byteLimit)
      {
        cached.removeFirst()
      }
    }
  }

  private func cachedBuild(generation: Int, instant: Instant) -> MemoryBuild? {
    cached.withLock { cached in
      let index = cached.firstIndex { $0.generation == generation && $0.instant == instant }
      guard let index else { return nil }
      cached.append(cached.remove(at: index))
      return cached.last?.build
    }
  }
}

/// A collection of a build's objects by path, which several threads fill.
private final class ObjectCollector: Sendable {
  private let objects = Mutex<[ExactString: OutputObject]>([:])

  func add(_ object: OutputObject) {
    let path = MemoryBuild.objectPath(object.digest, fileExtension: object.fileExtension)
    objects.withLock { $0[path] = object }
  }

  var all: [ExactString: OutputObject] { objects.withLock { $0 } }
}

/// A build in memory.
struct MemoryBuild: Sendable {
  private let objects: [ExactString: OutputObject]
  /// The files whose content changes from build to build.
  private var named: [ExactString: [UInt8]] = [:]
  /// The size of the objects in bytes.
  let size: Int

  init(_ build: Build, objects: [ExactString: OutputObject]) {
    self.objects = objects
    size = objects.values.reduce(0) { $0 + $1.bytes.count }
    for file in build.files + [build.config] { named[file.path] = file.bytes }
    for link in build.links {
      let object = objects[Self.objectPath(link.digest, fileExtension: link.fileExtension)]
      named[link.path] = object?.bytes
    }
  }

  /// Returns a file of the build; `nil` if there is none.
  func representation(of path: String) -> Representation? {
    let type = String.contentType(of: BuildFiles.fileExtension(of: path))
    if let object = objects[path] {
      return Representation(object: object.bytes, digest: object.digest, type: type)
    }
    return named[path].map { Representation(bytes: $0, type: type) }
  }

  fileprivate static func objectPath(_ digest: Digest, fileExtension: String) -> ExactString {
    ExactString(digest.objectPath(extension: fileExtension))
  }
}
