import ContentStore

/// The place of a target's file: a name in a folder that is held open.
struct FolderPlace {
  let folder: HeldFolder
  let name: String

  init(_ name: String, in folder: HeldFolder) { (self.folder, self.name) = (folder, name) }

  init(of key: FolderKey, in folder: HeldFolder) { self.init(String(key.name), in: folder) }

  /// The path by which messages name the file.
  var path: String { "\(folder.path)/\(name)" }

  /// The place of its compressed copy.
  var compressed: FolderPlace { FolderPlace(name + FolderKey.compressedEnding, in: folder) }

  /// The file that this one would be the compressed copy of; `nil` by its name.
  var plain: FolderPlace? {
    guard name.hasSuffix(FolderKey.compressedEnding) else { return nil }
    return FolderPlace(String(name.dropLast(FolderKey.compressedEnding.count)), in: folder)
  }
}
