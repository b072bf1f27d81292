import ContentStore

/// A way to give a new file its name that never replaces another file.
enum Placing: CaseIterable {
  /// A second name, which a file that is there forbids: nearly all file systems.
  case link
  /// A look, then a rename, safe from whoever takes the target's lock: FAT, and some that stand for a server.
  case lockedRename

  /// Whether nothing stood there; `nil` if the file system does not know this way.
  func place(_ path: String, as name: String) throws(StoreError) -> Bool? {
    switch self {
    case .link: return try Disk.linkUnlessThere(path, as: name)
    case .lockedRename:
      guard try Disk.examine(name).kind == .nothing else { return false }
      try Disk.rename(path, to: name)
      return true
    }
  }
}
