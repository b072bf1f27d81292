import ContentModel
import SharedGzip
import Synchronization
package import System
import SystemC

/// Writes one build into its folder.
///
/// No file has its final name before `commit`, and the config is written last: a reader that
/// follows it gets the earlier build or this one, whole, even after a crash. Several threads may
/// add files at once.
///
/// A class, since it owns the folder's lock and the staged files, and releases both when it is
/// deinitialized.
package final class BuildWriter: Sendable {
  let folder: OutputFolder
  let steps: StoreSteps
  let plan = Mutex(AddedFiles())
  /// The names at the top of the folder when the build was opened.
  let namesBefore: Set<ExactString>
  /// The compressor of `.gz` files; `nil` if the build has none.
  let compressor: GzipCompressor?
  /// A Boolean value that indicates whether a commit waits for the disk.
  private let isDurable: Bool

  /// Opens a folder for a build, and removes the leftovers of killed builds.
  ///
  /// Throws `.busy` while another build runs, and `.notOurs` for a folder that holds foreign files.
  /// Unless the build `compresses`, it has no `.gz` files, and those of earlier builds are strays.
  /// A build that is not durable survives the end of the process but not a crash of the machine;
  /// the preview uses such builds.
  package convenience init(folder: String, compresses: Bool = true, isDurable: Bool = true)
    throws(StoreError)
  {
    try self.init(folder: folder, compresses: compresses, isDurable: isDurable, steps: .live)
  }

  package init(
    folder path: String, compresses: Bool = true, isDurable: Bool = true, steps: StoreSteps
  ) throws(StoreError) {
    (self.steps, self.isDurable) = (steps, isDurable)
    compressor = compresses ? GzipCompressor() : nil
    folder = try OutputFolder(path)
    namesBefore = Set(names: try Disk.names(in: path))
    try restart()
  }

  /// Discards all added files, and keeps the lock.
  package func restart() throws(StoreError) {
    plan.withLock { $0 = AddedFiles() }
    try clearStaging()
    try steps.willPerform(.makeFolder(stagingPath))
    try Disk.makeFolder(stagingPath)
  }

  /// Returns `true` if another build is writing into a folder.
  package static func isBusy(folder: String) throws(StoreError) -> Bool {
    let descriptor = try Descriptor(folder, flags: O_RDONLY | O_DIRECTORY)
    guard try descriptor.lock() else { return true }
    descriptor.unlock()
    return false
  }

  deinit { discard() }

  /// Discards the build: staged files are removed, and the earlier build stays as it is.
  ///
  /// Deinitialization does the same. After `commit`, there are no staged files.
  package func discard() {
    // A failure is harmless: the next build removes the leftovers.
    try? clearStaging()
  }

  /// Syncs the file system if this build is durable, and does other work meanwhile.
  func syncFileSystem<Result>(while work: () throws(StoreError) -> Result) throws(StoreError)
    -> Result
  {
    guard isDurable else { return try work() }
    try steps.willPerform(.syncFileSystem)
    let sync = BackgroundTask {
      Swift.Result { () throws(StoreError) in try self.folder.sync() }
    }
    defer { _ = sync.value }
    let result = try work()
    try sync.value.get()
    return result
  }

  /// Syncs the names in a folder if this build is durable.
  func syncNames(in folder: String) throws(StoreError) {
    guard isDurable else { return }
    try steps.willPerform(.syncFolder(folder))
    try Descriptor(folder, flags: O_RDONLY | O_DIRECTORY).sync()
  }

  private func clearStaging() throws(StoreError) {
    let kind = try Disk.examine(stagingPath).kind
    if kind == .nothing { return }
    try steps.willPerform(.discard(stagingPath))
    if kind == .folder {
      try Disk.removeTree(stagingPath)
    } else {
      try Disk.removeFile(stagingPath)
    }
  }

  func finalPath(_ path: RelativePath) -> String { "\(folder.path)/\(path.text)" }

  func stagedPath(_ number: Int) -> String { stagedPath("\(number)") }

  func stagedPath(_ name: String) -> String { "\(stagingPath)/\(name)" }

  private var stagingPath: String { "\(folder.path)/\(OutputFolder.stagingName)" }
}
