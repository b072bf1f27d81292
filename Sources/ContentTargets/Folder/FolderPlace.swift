import System

/// The place of a target's file: a name in an open folder.
struct FolderPlace {
  let folder: HeldFolder
  let name: String

  init(_ name: String, in folder: HeldFolder) { (self.folder, self.name) = (folder, name) }

  init(of key: FolderKey, in folder: HeldFolder) { self.init(String(key.name), in: folder) }

  /// The path by which messages name the file.
  var path: String { "\(folder.path)/\(name)" }

  /// The place of the file's compressed copy.
  var compressed: FolderPlace { FolderPlace(name + FolderKey.compressedEnding, in: folder) }

  /// The place of the file whose compressed copy this name denotes; `nil` for other names.
  var plain: FolderPlace? {
    guard name.hasSuffix(FolderKey.compressedEnding) else { return nil }
    return FolderPlace(String(name.dropLast(FolderKey.compressedEnding.count)), in: folder)
  }
}
