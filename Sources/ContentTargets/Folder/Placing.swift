import System

/// A way to give a new file its name that never replaces another file.
enum Placing: CaseIterable {
  /// A hard link, which fails if the name is taken: for nearly all file systems.
  case link
  /// A check and a rename, safe under the target's lock: for FAT and some network file systems.
  case lockedRename

  /// Places a file and returns `true` unless its name is taken; `nil` if the file system does not
  /// support this way.
  func place(_ staged: String, as name: String, in folder: HeldFolder) throws(StoreError) -> Bool? {
    switch self {
    case .link: return try folder.linkUnlessThere(staged, as: name)
    case .lockedRename:
      guard try folder.kind(of: name) == .nothing else { return false }
      try folder.rename(staged, to: name)
      return true
    }
  }
}
