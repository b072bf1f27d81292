import ContentCompiler
import ContentModel
import ContentSource
import ContentStore
import Diagnostics
import RemoteCache

/// A build that another machine may have made of the same content, or may want to have once this one is done.
struct ExchangedBuild {
  private let request: BuildRequest
  private let file: MemoryFile
  private let content: FolderStamps
  private let progress: Progress
  private let watch: Stopwatch
  private let cache: SharedCache
  private let record: Digest
  private let digests: [(path: String, digest: Digest)]

  /// `nil` where no cache is asked for, or the content cannot be read.
  ///
  /// - Throws: a usage error for an address that none can have.
  init?(
    _ request: BuildRequest, _ file: MemoryFile, content: FolderStamps, _ progress: Progress, _ watch: Stopwatch
  ) throws {
    guard let address = request.cache else { return nil }
    let flags = [request.gzip ? "gzip" : "no gzip"]
    do {
      let access = try CacheAccess { name in Environment.value(of: name) }
      cache = SharedCache(try RemoteCache(at: address, access: access), flags: flags)
    } catch {
      throw Failure(.usage, "cache-address", "--cache: \(error)")
    }
    guard let record = cache.record(of: content.allPaths, in: try request.place.unlisted()) else { return nil }
    (self.request, self.file, self.content) = (request, file, content)
    (self.progress, self.watch) = (progress, watch)
    (self.record, digests) = record
  }

  /// What is told of a build that was fetched; `nil` where it must be made here.
  ///
  /// A session that is open already is used; one that was opened for it is left open, and empty.
  func report(in open: inout BuildSession?) throws -> Report? {
    guard let build = cache.build(record), build.isValid(at: request.instant),
      let remembered = RememberedBuild(notes: build.notes), !request.style.judge(remembered.diagnostics).hasErrors
    else { return nil }
    progress.begin("Fetching")
    let session = try open ?? BuildSession(folder: request.out, compresses: request.gzip, progress)
    open = session
    let isWhole = try session.telling {
      try cache.fetch(build) { object, plain, compressed in
        try session.add(object.digest, object.fileExtension, plain, compressed)
      }
    }
    guard isWhole else {
      try session.restart()
      return nil
    }
    progress.begin("Writing")
    let summary = try session.telling {
      try session.commit(files: build.pages, links: build.links, config: build.config)
    }
    // The lock is held until then: nobody else's output is taken for this build's.
    withExtendedLifetime(session) {
      file.remember(
        remembered, state: build.state.isEmpty ? nil : NamedState(build.state), content: content, digests: digests,
        validFrom: build.validFrom, validBefore: build.validBefore)
    }
    let sources = try remembered.sources(in: request.place)
    var report = request.report(remembered, summary, watch, sources)
    if let warning = finish() { report.diagnostics.append(warning) }
    return report
  }

  /// Leaves a build for other machines.
  func store(_ build: Build, _ remembered: RememberedBuild, _ state: NamedState?) {
    guard let (shared, packs) = SharedBuild.packing(build, remembered, state, from: file) else { return }
    cache.store(shared, packs, as: record)
  }

  /// Closes the cache; what there is to say of it is a warning.
  func finish() -> Diagnostic? { cache.finish() }
}
