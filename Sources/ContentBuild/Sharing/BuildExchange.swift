import ContentModel
import ContentSource
import ContentStore
import Diagnostics
import Platform
import RemoteCache

/// The cache that machines share, asked about one state of the content.
struct BuildExchange {
  private let cache: SharedCache
  private let file: MemoryFile
  private let content: FolderStamps
  private let record: Digest
  private let digests: [(path: String, digest: Digest)]

  /// `nil` where no cache is asked for, or the content cannot be read.
  ///
  /// - Throws: `BuildError` for an address that no cache can have.
  init?(for request: BuildRequest, in file: MemoryFile?, _ content: FolderStamps?)
    throws(BuildError)
  {
    guard let address = request.cache, let file, let content else { return nil }
    do {
      let access = try CacheAccess { name in Environment.value(of: name) }
      cache = SharedCache(try RemoteCache(at: address, access: access), flags: request.flags)
    } catch {
      throw .cacheAddress(reason: "\(error)")
    }
    guard let record = cache.record(of: content.allPaths, in: try request.unlistedContent()) else {
      return nil
    }
    (self.file, self.content, self.record, digests) = (file, content, record.key, record.digests)
  }

  /// The build that another machine has stored for this content.
  func build() -> SharedBuild? { cache.build(record) }

  /// Fetches all objects of a build, and hands on each as soon as it is checked; `false` if one is
  /// missing or wrong.
  func fetch(
    _ build: SharedBuild, _ body: @Sendable (SharedBuild.Object, [UInt8], [UInt8]?) throws -> Void
  ) throws -> Bool { try cache.fetch(build, body) }

  /// The files that a fetched build was made of.
  func input(of build: SharedBuild) -> BuildInput? {
    BuildInput(content, digests, validFrom: build.validFrom, validBefore: build.validBefore)
  }

  /// Leaves a build for other machines.
  func store(_ staged: StagedBuild, _ build: RememberedBuild, _ state: NamedState?) {
    guard let (shared, packs) = SharedBuild.packing(staged, build, state, from: file) else {
      return
    }
    cache.store(shared, packs, as: record)
  }

  /// Closes the cache, and returns the warning that there is to tell; a second call has the same
  /// answer.
  func finish() -> Diagnostic? { cache.finish() }
}
