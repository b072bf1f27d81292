import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import SharedGzip
import System

/// The builds in a remote cache, with one record for each state of the content.
struct SharedCache {
  private let cache: RemoteCache
  /// The tool, the compressor and the flags, which decide on the bytes together with the content.
  private let key: String

  init(_ cache: RemoteCache, flags: [String]) {
    self.cache = cache
    let tool = ToolIdentity.versions + [ToolIdentity.current]
    key = (tool + [Gzip.compressorVersion] + flags).joined(separator: "\n")
  }

  /// Returns the key of a content folder, computed from the path and the hash of each file; `nil`
  /// if a file cannot be read.
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

  /// Fetches a build that another machine has stored; `nil` if the cache does not have it.
  func build(_ record: Digest) -> SharedBuild? {
    guard let name = cache.fetch(.record(record)), let digest = Digest(bytes: name),
      let bytes = cache.fetch(.content(digest))
    else { return nil }
    return SharedBuild(bytes)
  }

  /// Fetches all objects of a build, and calls `body` with each verified object.
  ///
  /// Returns `false` if an object is missing or wrong.
  func fetch(
    _ build: SharedBuild, body: @Sendable (SharedBuild.UnpackedObject) throws -> Void
  ) throws -> Bool {
    try build.packs.indices.concurrentMap { pack in
      guard let bytes = cache.fetch(.content(build.packs[pack])),
        let objects = build.unpack(bytes, ofPack: pack)
      else { return false }
      for object in objects { try body(object) }
      return true
    }.allSatisfy(\.self)
  }

  /// Stores a build for other machines.
  func store(_ build: SharedBuild, packs: [[UInt8]], as record: Digest) {
    for (digest, bytes) in zip(build.packs, packs) { cache.store(bytes, under: .content(digest)) }
    let bytes = build.encoded
    let digest = Digest(of: bytes)
    cache.store(bytes, under: .content(digest))
    cache.store(digest.bytes, under: .record(record))
  }

  /// Closes the cache, and returns its warning, if any.
  func finish() -> Diagnostic? {
    cache.finish().warning.map { Diagnostic(.warning, rule: .remoteCache, at: nil, message: $0) }
  }
}
