import ContentStore

/// A way to give a new file its name that never replaces another file.
enum Placing: CaseIterable {
  /// A second name, which a file that is there forbids: nearly all file systems.
  case link
  /// A check, then a rename, safe from all holders of the target's lock: for FAT and some network
  /// file systems.
  case lockedRename

  /// True if nothing had the name; `nil` if the file system does not know this way.
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
