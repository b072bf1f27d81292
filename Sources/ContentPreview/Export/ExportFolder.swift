import ContentModel
import ContentSource
import PropertyLists
package import System
import SystemC

/// A folder that is written beside an exported preview and replaces it as a whole.
///
/// A class, since the last reference removes what is not in place yet.
package final class ExportFolder {
  private let path: String
  private let staging: String
  /// The folder of the earlier export, until it is removed.
  private let old: String
  private let held: HeldFolder
  private let lock: Descriptor
  private var folders: Set<ExactString> = []
  private var isPlaced = false
  /// The number of files written so far.
  package private(set) var files = 0
  /// The number of bytes written so far.
  package private(set) var bytes = 0

  /// The file by which a folder is known to be an exported preview; the page reads it first.
  static let mark = "export.json"

  /// Prepares to write; `path` has no slash at its end, and its last name is not `.` or `..`.
  ///
  /// - Throws: `.notOurs` for a folder that is neither empty nor an exported preview; `.busy` if
  ///   another export to the folder is running.
  package init(_ path: String) throws(StoreError) {
    try Self.refuseForeignFiles(in: path)
    let parts = path.pathParts
    let name = parts.last ?? ""
    let parent = String(path.utf8.dropLast(name.utf8.count)) ?? ""
    try Disk.makeFolders(parent.isEmpty ? "." : parent)
    (self.path, staging) = (path, "\(parent).\(name).contentc-staging")
    old = "\(parent).\(name).contentc-old"
    try Disk.makeFolder(staging)
    held = try HeldFolder(staging)
    lock = try held.open(".", flags: O_RDONLY | O_DIRECTORY)
    guard try lock.lock() else {
      // The other export removes its folder itself.
      isPlaced = true
      throw .busy(folder: path)
    }
    // A killed export has left these.
    try Self.removeContents(of: staging)
  }

  deinit {
    if !isPlaced { try? Disk.removeTree(staging) }
    lock.unlock()
  }

  /// Writes a file at a path below the folder.
  package func write(_ path: String, _ bytes: [UInt8]) throws(StoreError) {
    let file = try create(path)
    try file.write(bytes)
    self.bytes += bytes.count
  }

  /// Copies an open file to a path below the folder.
  func copy(_ file: ServedFile, to path: String) throws(StoreError) {
    let copy = try create(path)
    var start = 0
    while start < file.size {
      let range = start..<min(file.size, start + 1 << 20)
      guard let bytes = file.bytes(range) else { throw .changed(path: path) }
      try copy.write(bytes)
      start = range.upperBound
    }
    bytes += file.size
  }

  /// Puts the folder in place of an earlier export.
  package func place() throws(StoreError) {
    try lock.syncFileSystem()
    try Self.refuseForeignFiles(in: path)
    var hasOld = false
    if try Disk.examine(path).kind == .folder {
      if try Disk.examine(old).kind == .folder {
        try Self.refuseForeignFiles(in: old)
        try Disk.removeTree(old)
      }
      try Disk.rename(path, to: old)
      hasOld = true
    }
    do {
      // Another program may have added a file after the check above.
      if hasOld { try Self.refuseForeignFiles(in: old) }
      try Disk.rename(staging, to: path)
    } catch {
      if hasOld { try? Disk.rename(old, to: path) }
      if case .notOurs(_, let example) = error { throw .notOurs(folder: path, example: example) }
      throw error
    }
    isPlaced = true
    if hasOld { try Disk.removeTree(old) }
  }

  private func create(_ path: String) throws(StoreError) -> Descriptor {
    var folder = ""
    for part in path.pathParts.dropLast() {
      folder += "/\(part)"
      if folders.insert(ExactString(folder)).inserted { try Disk.makeFolder(staging + folder) }
    }
    files += 1
    return try Descriptor("\(staging)/\(path)", flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
  }

  private static func removeContents(of folder: String) throws(StoreError) {
    for (name, kind) in try Disk.entries(in: folder) {
      let child = "\(folder)/\(name)"
      if kind == .folder { try Disk.removeTree(child) } else { try Disk.removeFile(child) }
    }
  }

  // MARK: Foreign files

  private static func refuseForeignFiles(in path: String) throws(StoreError) {
    switch try Disk.examine(path).kind {
    case .nothing: return
    case .symbolicLink: throw .symbolicLink(path: path)
    case .file, .other: throw .failed(.createFolder, path: path, errno: ENOTDIR)
    case .folder: break
    }
    let names = try Disk.names(in: path)
    guard let first = names.first else { return }
    guard isExport(path) else { throw .notOurs(folder: path, example: first) }
    if let foreign = try foreignFile(in: path, below: "") {
      throw .notOurs(folder: path, example: foreign)
    }
  }

  private static func isExport(_ path: String) -> Bool {
    guard let bytes = Disk.contents("\(path)/\(mark)", limit: 64 << 20),
      let value = try? PropertyList.decode(bytes, as: .json).value
    else { return false }
    return value["exported"]?.members != nil
  }

  /// Returns the first file that no export wrote.
  private static func foreignFile(
    in root: String, below folder: String
  ) throws(StoreError) -> String? {
    for (name, kind) in try Disk.entries(in: "\(root)/\(folder)") {
      let path = folder + name
      if kind == .folder {
        if let found = try foreignFile(in: root, below: "\(path)/") { return found }
      } else if kind != .file || !isOwn(path.pathParts) {
        return path
      }
    }
    return nil
  }

  /// Returns whether an export writes files with such a path.
  private static func isOwn(_ names: [String]) -> Bool {
    let configs = ["config.plist", "config.json"]
    switch (names.first, names.count) {
    case ("index.html", 1), (mark, 1): return true
    case ("preview", 2): return configs.contains(names[1])
    case ("channels", 3): return configs.contains(names[2])
    case ("api", 2): return ExportedAnswer.isFileName(names[1])
    case ("objects", 3): return BuildFiles.objectDigest(of: names) != nil
    default: return false
    }
  }
}
