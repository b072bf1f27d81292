import ContentModel
import System
import SystemC

/// The staging of whole folders.
///
/// If the output lacks a top-level folder, its files are staged under their own names, and one
/// rename puts the folder in place. A first build then creates its folders while it compiles, not
/// all at its end.
extension BuildWriter {
  /// Returns `true` if a path is in a top-level folder that the output lacked when the build began.
  func isInNewTree(_ path: RelativePath) -> Bool {
    guard let top = path.top else { return false }
    return !namesBefore.contains(top)
  }

  /// Returns the path at which a file is staged in its tree.
  func pathInTree(_ path: RelativePath) -> String { "\(treesPath)/\(path.text)" }

  /// Stages a file in its tree, with the folders that it needs; returns `false` if the file exists.
  func stageInTree(
    _ path: RelativePath, make: (String) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try steps.willPerform(.stage(pathInTree(path)))
    do {
      do {
        try make(pathInTree(path))
      } catch StoreError.failed(_, _, ENOENT) {
        try makeTreeFolders(of: path)
        try make(pathInTree(path))
      }
    } catch StoreError.failed(_, _, EEXIST) {
      return false
    }
    return true
  }

  /// Creates the folders that a path needs in its tree.
  func makeTreeFolders(of path: RelativePath) throws(StoreError) {
    for folder in [treesPath] + path.folders.map(pathInTree) {
      try steps.willPerform(.makeFolder(folder))
      try Disk.makeFolder(folder)
    }
  }

  /// Returns the names of the staged trees; throws if the output has a file or folder of such a
  /// name by now.
  func stagedTrees() throws(StoreError) -> [String] {
    if try Disk.examine(treesPath).kind == .nothing { return [] }
    let trees = try Disk.names(in: treesPath)
    for tree in trees {
      let path = finalPath(RelativePath(found: tree))
      if try Disk.examine(path).kind != .nothing {
        throw .failed(.rename, path: path, errno: EEXIST)
      }
    }
    return trees
  }

  func placeTree(_ name: String) throws(StoreError) {
    let path = RelativePath(found: name)
    try rename(pathInTree(path), to: finalPath(path))
  }

  private var treesPath: String { stagedPath("new") }
}

extension RelativePath {
  /// The first folder of the path; `nil` for a name alone.
  var top: String? {
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(text[..<slash])
  }
}
