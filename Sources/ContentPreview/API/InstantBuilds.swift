import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import Dispatch
import Synchronization

/// Builds of the content at other instants or with pseudo-locales, compiled in memory on request.
///
/// A class, since it keeps the most recent builds.
final class InstantBuilds: Sendable {
  private struct RecentBuild {
    var generation: Int
    var version: Version
    var build: MemoryBuild
  }

  /// A build that differs from the one in the output folder.
  private struct Version: Hashable {
    /// The instant; `nil` for that of the compilation.
    var instant: Instant?
    var hasPseudoLocales: Bool
  }

  private let content: PreviewContent
  private let byteLimit: Int
  /// The cached builds, the most recently used last.
  private let cached = Mutex<[RecentBuild]>([])
  /// The builds that are compiled or queued, with the number of requests for each.
  private let pending = Mutex<[Version: Int]>([:])
  private let queue = DispatchQueue(label: "contentc.instants")

  /// The most builds in the cache.
  static let countLimit = 3
  /// The most bytes in the cache, except that the last build is always kept.
  static let byteLimit = 256 << 20

  init(_ content: PreviewContent, byteLimit: Int = byteLimit) {
    (self.content, self.byteLimit) = (content, byteLimit)
  }

  /// Returns the current content's build at an instant; `nil` is now, until the content changes.
  ///
  /// One build is compiled and one is queued. A request for a third one fails, and the client
  /// tries again later.
  func build(
    at instant: Instant?, hasPseudoLocales: Bool = false
  ) async throws(RequestError) -> MemoryBuild {
    let version = Version(instant: instant, hasPseudoLocales: hasPseudoLocales)
    if let generation = content.known?.generation,
      let build = cachedBuild(generation: generation, version: version)
    {
      return build
    }
    guard addRequest(for: version) else {
      throw RequestError(
        .serviceUnavailable,
        message: "other versions of the content are being built; ask again", retryAfter: 1)
    }
    defer { removeRequest(for: version) }
    return try await queue.run { [self] () throws(RequestError) in try compiled(version) }
  }

  /// Empties the cache, after the content has changed.
  func removeAll() { cached.withLock { $0 = [] } }

  /// The number of different builds that are compiled or queued.
  var pendingCount: Int { pending.withLock { $0.count } }

  /// The instants in the cache, the most recently used last.
  var instants: [Instant] { cached.withLock { $0.compactMap(\.version.instant) } }

  private func addRequest(for version: Version) -> Bool {
    pending.withLock { pending in
      guard pending[version] != nil || pending.count < 2 else { return false }
      pending[version, default: 0] += 1
      return true
    }
  }

  private func removeRequest(for version: Version) {
    pending.withLock { pending in
      let rest = (pending[version] ?? 0) - 1
      pending[version] = rest > 0 ? rest : nil
    }
  }

  private func compiled(_ version: Version) throws(RequestError) -> MemoryBuild {
    let snapshot = try content.read()
    if let build = cachedBuild(generation: snapshot.generation, version: version) { return build }
    let objects = ObjectCollector()
    let instant = version.instant ?? content.source.now()
    var tree = snapshot.tree
    // A pseudo-locale that the content declares is shown as it is.
    if version.hasPseudoLocales { _ = tree.addPseudoLocales() }
    let compiled = try? compile(tree, at: instant) { objects.add($0) }
    guard let build = compiled?.output else {
      throw RequestError(
        .serviceUnavailable, message: "the content has mistakes as of \(instant.rfc3339)")
    }
    let made = MemoryBuild(build, objects: objects.all)
    add(RecentBuild(generation: snapshot.generation, version: version, build: made))
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

  private func cachedBuild(generation: Int, version: Version) -> MemoryBuild? {
    cached.withLock { cached in
      let index = cached.firstIndex { $0.generation == generation && $0.version == version }
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
