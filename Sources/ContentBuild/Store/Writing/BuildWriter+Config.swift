import Synchronization
import System

extension BuildWriter {
  /// Stages the config, before any file is in place.
  func stageConfig(_ bytes: [UInt8], for path: RelativePath) throws(StoreError)
    -> AddedFiles.Content
  {
    let final = finalPath(path)
    if try Disk.examine(final).kind == .folder { throw .folderInPlaceOfFile(path: final) }
    if Disk.holds(bytes, at: final) { return .kept(size: bytes.count) }
    let number = plan.withLock { $0.nextNumber() }
    try steps.willPerform(.stage(stagedPath(number)))
    try Disk.create(stagedPath(number), bytes: bytes)
    return .staged(number, size: bytes.count)
  }

  /// Puts the config in place, which makes the build visible, and returns when its name is on the
  /// disk.
  ///
  /// Its bytes were staged before the file system was synced, so they are on the disk already.
  func placeConfig(
    _ config: AddedFiles.Content, at path: RelativePath, countingIn summary: inout BuildSummary
  ) throws(StoreError) {
    guard case .staged(let number, let size) = config else {
      summary.filesKept += 1
      return
    }
    try rename(stagedPath(number), to: finalPath(path))
    try syncNames(in: finalPath(path.folders.last ?? RelativePath(found: ".")))
    summary.filesWritten += 1
    summary.bytesWritten += size
  }
}
