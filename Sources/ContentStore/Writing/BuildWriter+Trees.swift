import ContentModel
import SystemC

/// Files below a folder that the output does not have yet are staged under their own names, and the
/// folder is put in place as a whole: a first build then makes its folders while it compiles, not
/// all at its end.
extension BuildWriter {
  /// Whether a path lies in a folder at the top of the output that was not there when the build was
  /// opened.
  func isInNewTree(_ path: RelativePath) -> Bool {
    guard let top = path.top else { return false }
    return !namesBefore.contains(top)
  }

  /// Where a path's file is staged in its tree.
  func plantedPath(_ path: RelativePath) -> String { "\(treesPath)/\(path.text)" }

  /// Stages a file in its tree, with the folders that it needs; `false` if one of its name is there
  /// already.
  func plant(
    _ path: RelativePath, make: (String) throws(StoreError) -> Void
  ) throws(StoreError) -> Bool {
    try steps.willPerform(.stage(plantedPath(path)))
    do {
      do {
        try make(plantedPath(path))
      } catch StoreError.failed(_, _, ENOENT) {
        try plantFolders(of: path)
        try make(plantedPath(path))
      }
    } catch StoreError.failed(_, _, EEXIST) {
      return false
    }
    return true
  }

  /// Makes the folders that a path needs in its tree.
  func plantFolders(of path: RelativePath) throws(StoreError) {
    for folder in [treesPath] + path.folders.map(plantedPath) {
      try steps.willPerform(.makeFolder(folder))
      try Disk.makeFolder(folder)
    }
  }

  /// The trees that are staged, by name; throws if something stands in the place of one by now.
  func plantedTrees() throws(StoreError) -> [String] {
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
    try rename(plantedPath(path), to: finalPath(path))
  }

  private var treesPath: String { stagedPath("new") }
}

extension RelativePath {
  /// The folder at the top that the path leads into; `nil` for a name alone.
  var top: String? {
    guard let slash = text.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(text[..<slash])
  }
}
