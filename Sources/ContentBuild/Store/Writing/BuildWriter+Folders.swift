import System
import SystemC

extension BuildWriter {
  /// Creates the folders of the build's files before the first file moves, so that an obstacle
  /// leaves the earlier build unchanged.
  func makeFolders(of plan: AddedFiles, and config: RelativePath) throws(StoreError) {
    if isInNewTree(config) { try makeTreeFolders(of: config) }
    let paths = plan.objects.keys.map(\.path) + plan.files.keys + [config]
    var folders: Set<RelativePath> = []
    for path in paths where !isInNewTree(path) { folders.formUnion(path.folders) }
    var made: [String] = []
    do {
      // By code point, a folder precedes its contents.
      for path in folders.sorted() where try makeFolder(finalPath(path)) {
        made.append(finalPath(path))
      }
    } catch {
      for path in made.reversed() { try? removeFolder(path) }
      throw error
    }
  }

  /// Creates a folder; returns `false` if it exists.
  private func makeFolder(_ path: String) throws(StoreError) -> Bool {
    switch try Disk.examine(path).kind {
    case .folder: return false
    case .symbolicLink: throw .symbolicLink(path: path)
    case .file, .other: throw .failed(.createFolder, path: path, errno: ENOTDIR)
    case .nothing:
      try steps.willPerform(.makeFolder(path))
      try Disk.makeFolder(path)
      return true
    }
  }

  private func removeFolder(_ path: String) throws(StoreError) {
    try steps.willPerform(.discard(path))
    _ = try Disk.removeEmptyFolder(path)
  }
}
