import ContentCompiler
import ContentModel
import ContentSource
import Synchronization
import System

/// The staging of one build, which can be interrupted and reports its progress.
struct BuildSession: Sendable {
  private let writer: BuildWriter
  private let interruption: Interruption
  private let progress: any BuildProgress

  /// Opens and locks the output folder.
  init(
    folder: String, compresses: Bool, isDurable: Bool = true, steps: StoreSteps = .live,
    _ progress: any BuildProgress
  ) throws(StoreError) {
    let writer = try BuildWriter(
      folder: folder, compresses: compresses, isDurable: isDurable, steps: steps)
    self.writer = writer
    interruption = Interruption { [weak writer] in writer?.discard() }
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

  /// Stages one object of another machine's build, with its compressed copy.
  func add(_ object: SharedBuild.UnpackedObject) throws {
    try interruption.step {
      try writer.add(
        object: object.name.digest, extension: object.name.fileExtension, bytes: object.plain,
        compressed: object.compressed)
    }
    progress.advance()
  }

  /// Puts the staged files in place; an interruption waits for this, two seconds at most.
  ///
  /// After an edit, the result has the folders that may have changed. Otherwise, `changed` is
  /// `nil`.
  func commit(
    _ change: StagedBuild.Change
  ) throws -> (summary: BuildSummary, changed: ChangedFolders?) {
    switch change {
    case .everything(let files, let links, let config):
      _ = try files.concurrentMap { file in
        try interruption.step { try writer.add(file: file.path, bytes: file.bytes) }
      }
      try add(links)
      let summary = try interruption.step {
        try writer.commit(config: config.path, bytes: config.bytes)
      }
      return (summary, nil)
    case .edit(let made, let earlier, let output):
      try add(made.links)
      let edit = try interruption.step {
        try writer.commitEdit(
          config: made.config.path, bytes: made.config.bytes, after: earlier,
          removing: made.removedObjects, relinking: made.relinkedObjects)
      }
      return (edit.summary, ChangedFolders(of: output, names: edit.folders))
    }
  }

  private func add(_ links: [OutputLink]) throws {
    for link in links {
      try writer.add(file: link.path, linkingTo: link.digest, extension: link.fileExtension)
    }
  }

  /// Discards the staged files, and starts again with an empty staging folder.
  func restart() throws { try interruption.step { try writer.restart() } }

  /// Discards the build.
  func discard() { writer.discard() }

  /// Runs a part of the build, and discards the build if it fails.
  ///
  /// A failure that an interruption caused is not thrown.
  func discardingOnFailure<Result>(_ work: () throws -> Result) throws -> Result {
    try discardingOnFailure(consuming: ()) { _ in try work() }
  }

  /// Runs a part of the build that consumes a value, and discards the build if it fails.
  func discardingOnFailure<Given, Result>(
    consuming given: consuming Given, _ work: (consuming Given) throws -> Result
  ) throws -> Result {
    do {
      return try work(given)
    } catch {
      interruption.waitIfRequested()
      discard()
      throw error
    }
  }
}

/// A queue that stages objects while the next ones are made.
///
/// An edit has few objects. Without the queue, a processor would be idle during the last of them.
/// A class, since the threads that make objects and the threads that stage them share it.
final class StagingQueue: Sendable {
  private let session: BuildSession
  private let queue = WorkQueue()
  private let failure = Mutex<(any Error)?>(nil)

  init(into session: BuildSession) { self.session = session }

  /// Stages an object in the background.
  func add(_ object: OutputObject) {
    queue.add {
      do { try self.session.add(object) } catch { self.failure.withLock { $0 = $0 ?? error } }
    }
  }

  /// Waits until all objects are staged; throws the first error.
  func finish() throws {
    queue.waitForAll()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}
