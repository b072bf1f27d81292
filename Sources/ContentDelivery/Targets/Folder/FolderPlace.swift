/// Where a file of a target stands on the disk.
struct FolderPlace {
  let folder: String
  let path: String

  init(of key: FolderKey, in folder: String) { (self.folder, path) = (folder, "\(folder)/\(key.name)") }

  /// Where its compressed copy stands.
  var compressed: String { path + FolderKey.compressedEnding }

  /// The file that this one would be the compressed copy of; `nil` by its name.
  var plain: String? {
    path.hasSuffix(FolderKey.compressedEnding) ? String(path.dropLast(FolderKey.compressedEnding.count)) : nil
  }
}
