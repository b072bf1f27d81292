import Parallel
import ContentCompiler
import ContentModel
import ContentSource
import ContentStore

/// A build on its way to the disk, which a person can interrupt and watch.
struct BuildSession: Sendable {
  private let writer: BuildWriter
  private let interruption: Interruption
  private let progress: any BuildProgress

  /// Opens the output folder.
  init(
    folder: String, compresses: Bool, isDurable: Bool = true, _ progress: any BuildProgress
  ) throws(StoreError) {
    let writer = try BuildWriter(folder: folder, compresses: compresses, isDurable: isDurable)
    self.writer = writer
    interruption = Interruption { writer.discard() }
    self.progress = progress
  }

  /// Stages one object.
  func add(_ object: OutputObject) throws {
    try interruption.step {
      try writer.add(
        object: object.digest, extension: object.fileExtension, bytes: object.bytes,
        compress: object.isCompressible,
        seams: object.seams)
    }
    progress.advance()
  }

  /// Stages one object that was made elsewhere, with its compressed copy.
  func add(_ digest: Digest, _ fileExtension: String, _ plain: [UInt8], _ compressed: [UInt8]?)
    throws
  {
    try interruption.step {
      try writer.add(object: digest, extension: fileExtension, bytes: plain, compressed: compressed)
    }
    progress.advance()
  }

  /// Puts in place what was staged; once that has begun, an interruption lets it finish.
  ///
  /// Of an edit, the result has the folders in which something may be other than before, and `nil`
  /// of a whole build.
  func commit(_ change: StagedBuild.Change) throws -> (BuildSummary, ChangedFolders?) {
    switch change {
    case .everything(let files, let links, let config):
      _ = try files.concurrentMap { file in
        try interruption.step { try writer.add(file: file.path, bytes: file.bytes) }
      }
      try add(links)
      return (
        try interruption.step { try writer.commit(config: config.path, bytes: config.bytes) }, nil
      )
    case .edit(let made, let earlier, let output):
      let edit = try commit(made, after: earlier)
      return (edit.summary, ChangedFolders(of: output, names: edit.folders))
    }
  }

  /// Puts in place what is new since an earlier build, and removes what is gone.
  private func commit(_ build: Recompilation, after earlier: BuildSummary) throws
    -> BuildWriter.Edit
  {
    try add(build.links)
    return try interruption.step {
      try writer.commit(
        config: build.config.path, bytes: build.config.bytes, after: earlier,
        removing: build.removedObjects,
        relinking: build.relinkedObjects)
    }
  }

  private func add(_ links: [OutputLink]) throws {
    for link in links {
      try writer.add(file: link.path, linkingTo: link.digest, extension: link.fileExtension)
    }
  }

  /// Forgets what was staged so far, and begins anew.
  func restart() throws { try interruption.step { try writer.restart() } }

  /// Gives the build up.
  func discard() { writer.discard() }

  /// Runs a part of the build; a failure gives the build up, and one that an interruption caused is
  /// not thrown.
  func discardingOnFailure<Result>(_ work: () throws -> Result) throws -> Result {
    try discardingOnFailure(()) { _ in try work() }
  }

  /// The same for work that is given something to use up.
  func discardingOnFailure<Given, Result>(
    _ given: consuming Given, _ work: (consuming Given) throws -> Result
  ) throws
    -> Result
  {
    do {
      return try work(given)
    } catch {
      interruption.waitIfRequested()
      discard()
      throw error
    }
  }
}
