import SharedGzip
import Parallel
import ContentModel
import Synchronization
import SystemC

/// One build on its way into its folder.
///
/// Nothing stands under its final name before `commit`, and the config comes last: whoever follows
/// it reads the earlier build or this one, whole, whatever crashes. Several threads may add at
/// once.
///
/// A class, since it owns the folder's lock and the files it has staged, and gives both up when it
/// goes.
package final class BuildWriter: Sendable {
  let folder: OutputFolder
  let steps: StoreSteps
  let plan = Mutex(BuildPlan())
  /// What stood at the top of the folder when the build was opened.
  let namesBefore: Set<ExactString>
  /// Makes the `.gz` files; `nil` if there are to be none.
  let compressor: GzipCompressor?
  let writeBehind = WriteBehind()
  /// Whether a commit waits for the disk.
  private let isDurable: Bool

  /// Opens a folder for a build, removing what killed builds left in it.
  ///
  /// Throws `.busy` while another build runs, and `.notOurs` for a folder that holds somebody
  /// else's files. Unless it `compresses`, no `.gz` file is made, and those of earlier builds go as
  /// strays. What is not `durable` may be lost when the machine goes down, though not when the
  /// process does: for builds that are looked at now.
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

  /// Forgets what was added so far, and begins anew under the same lock.
  package func restart() throws(StoreError) {
    plan.withLock { $0 = BuildPlan() }
    try clearStaging()
    try steps.willPerform(.makeFolder(stagingPath))
    try Disk.makeFolder(stagingPath)
  }

  /// Whether another build is at work in a folder.
  package static func isBusy(folder: String) throws(StoreError) -> Bool {
    let descriptor = try Descriptor(folder, O_RDONLY | O_DIRECTORY)
    guard try descriptor.lock() else { return true }
    descriptor.unlock()
    return false
  }

  deinit { discard() }

  /// Gives the build up: what it staged is removed, and the earlier build stays as it is.
  ///
  /// Also what happens when the last reference goes. After `commit` there is nothing left to
  /// remove.
  package func discard() {
    // Nobody waits for this: the next build removes what is left.
    try? clearStaging()
  }

  /// Waits for the disk, if this build is to outlive the machine; works meanwhile.
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

  /// Waits until the names in a folder are on the disk, likewise.
  func syncNames(in folder: String) throws(StoreError) {
    guard isDurable else { return }
    try steps.willPerform(.syncFolder(folder))
    try Descriptor(folder, O_RDONLY | O_DIRECTORY).sync()
  }

  private func clearStaging() throws(StoreError) {
    writeBehind.close()
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
