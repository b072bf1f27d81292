import Hashing
import SharedGzip
import Parallel
import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Diagnostics
import RemoteCache

/// The remote cache as a build uses it: one record for all that one state of the content comes to.
struct SharedCache {
  private let cache: RemoteCache
  /// What besides the content decides on the bytes: the tool, the compressor, the flags.
  private let key: String

  init(_ cache: RemoteCache, flags: [String]) {
    self.cache = cache
    key =
      (["contentc \(ContentcVersion.current)", MemoryFile.executableSize, Gzip.compressorVersion]
      + flags)
      .joined(separator: "\n")
  }

  /// The key of a content folder's bytes, every file by path and hash; `nil` where one cannot be
  /// read.
  func record(of files: [String], in folder: ContentFolder) -> (
    key: Digest, digests: [(path: String, digest: Digest)]
  )? {
    let digests = files.chunks(of: 64).concurrentValues { chunk in
      chunk.map { path in (try? folder.read(path)).map { Digest(of: $0) } }
    }.flatMap(\.self)
    var name = ByteBuilder()
    name.append(key)
    name.append(folder.name)
    for (path, digest) in zip(files, digests) {
      guard let digest else { return nil }
      name.append(path)
      name.append(raw: digest.bytes)
    }
    let known = zip(files, digests.compactMap(\.self)).map { (path: $0, digest: $1) }
    return (Digest(of: name.bytes), known)
  }

  /// A build that another machine has stored.
  func build(_ record: Digest) -> SharedBuild? {
    guard let name = cache.fetch(.record, record), let digest = Digest(bytes: name),
      let bytes = cache.fetch(.content, digest)
    else { return nil }
    return SharedBuild(bytes)
  }

  /// Fetches all of a build's objects, and hands on each as soon as it is checked; `false` if one
  /// is missing or wrong.
  func fetch(
    _ build: SharedBuild, _ body: @Sendable (SharedBuild.Object, [UInt8], [UInt8]?) throws -> Void
  ) throws -> Bool {
    try build.packs.indices.chunks(of: 1).concurrentMap { chunk in
      for pack in chunk {
        guard let bytes = cache.fetch(.content, build.packs[pack]),
          let objects = build.unpack(pack, bytes)
        else {
          return false
        }
        for (object, plain, compressed) in objects { try body(object, plain, compressed) }
      }
      return true
    }.allSatisfy(\.self)
  }

  /// Stores a build for others.
  func store(_ build: SharedBuild, _ packs: [[UInt8]], as record: Digest) {
    for (digest, bytes) in zip(build.packs, packs) { cache.store(.content, digest, bytes) }
    let bytes = build.encoded
    let digest = Digest(of: bytes)
    cache.store(.content, digest, bytes)
    cache.store(.record, record, digest.bytes)
  }

  /// Closes the cache; what there is to say of it is a warning.
  func finish() -> Diagnostic? {
    cache.finish().warning.map { Diagnostic(.warning, "remote-cache", at: nil, $0) }
  }
}
