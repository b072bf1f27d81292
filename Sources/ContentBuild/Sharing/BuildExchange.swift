import ContentModel
import ContentSource
import Diagnostics
import System

/// The exchange of builds of one state of the content through a shared cache.
struct BuildExchange {
  private let cache: SharedCache
  private let file: MemoryFile
  private let content: FolderStamps
  private let record: Digest
  private let digests: [(path: String, digest: Digest)]

  /// Opens the cache of a request; `nil` if the request names none, or the content cannot be read.
  ///
  /// - Throws: `BuildError` for an invalid address.
  init?(
    for request: BuildRequest, in file: MemoryFile?, of content: FolderStamps?
  ) throws(BuildError) {
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

  /// Fetches the build of this content that another machine has stored; `nil` if there is none.
  func build() -> SharedBuild? { cache.build(record) }

  /// Fetches all objects of a build, and calls `body` with each verified object.
  ///
  /// Returns `false` if an object is missing or wrong.
  func fetch(
    _ build: SharedBuild, body: @Sendable (SharedBuild.UnpackedObject) throws -> Void
  ) throws -> Bool { try cache.fetch(build, body: body) }

  /// Returns the input of a fetched build; `nil` if the stamps are not of all content files.
  func input(of build: SharedBuild) -> BuildInput? {
    BuildInput(content, of: digests, validFrom: build.validFrom, validBefore: build.validBefore)
  }

  /// Stores a build for other machines.
  func store(_ staged: StagedBuild, as build: RememberedBuild, state: NamedState?) {
    let packed = SharedBuild.packing(staged, as: build, state: state, from: file)
    guard let (shared, packs) = packed else { return }
    cache.store(shared, packs: packs, as: record)
  }

  /// Closes the cache, and returns its warning, if any; a second call returns the same.
  func finish() -> Diagnostic? { cache.finish() }
}
