import ContentModel
import SystemC

/// The system calls on paths, with typed errors; none follows a symbolic link in a path's last
/// component.
package enum Disk {
  /// The kind of a directory entry.
  package enum Kind: Sendable {
    case nothing
    case file
    case folder
    case symbolicLink
    case other
  }

  /// Returns the kind of the file at a path, and its identity.
  package static func examine(_ path: String) throws(StoreError) -> (
    kind: Kind, identity: FileIdentity
  ) {
    var status = stat()
    do {
      _ = try retrying(.examine, at: path) { lstat(path, &status) }
    } catch StoreError.failed(_, _, let code) where code == ENOENT || code == ENOTDIR {
      return (.nothing, FileIdentity(device: 0, number: 0))
    }
    let identity = FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino))
    return (Kind(mode: status.st_mode), identity)
  }

  package static func rename(_ from: String, to path: String) throws(StoreError) {
    _ = try retrying(.rename, at: path) { SystemC.rename(from, path) }
  }

  package static func link(_ from: String, as path: String) throws(StoreError) {
    _ = try retrying(.link, at: path) { SystemC.link(from, path) }
  }

  package static func removeFile(_ path: String) throws(StoreError) {
    do {
      _ = try retrying(.remove, at: path) { unlink(path) }
    } catch StoreError.failed(_, _, ENOENT) {}
  }

  /// Creates a folder unless it exists; its parent must exist.
  package static func makeFolder(_ path: String) throws(StoreError) {
    do {
      _ = try retrying(.createFolder, at: path) { mkdir(path, 0o777) }
    } catch StoreError.failed(_, _, EEXIST) {}
  }

  /// Creates a folder and its missing parents.
  package static func makeFolders(_ path: String) throws(StoreError) {
    var made = path.hasBytePrefix("/") ? "" : "."
    for part in path.pathParts {
      made += "/" + part
      // For an existing folder, `mkdir` may report missing permissions instead (EROFS, EACCES).
      if try examine(made).kind == .nothing { try makeFolder(made) }
    }
  }

  /// Removes a folder if it is empty; returns `true` if it was.
  package static func removeEmptyFolder(_ path: String) throws(StoreError) -> Bool {
    do {
      _ = try retrying(.remove, at: path) { rmdir(path) }
      return true
    } catch StoreError.failed(_, _, ENOTEMPTY) {
      return false
    } catch StoreError.failed(_, _, EEXIST) {
      return false
    }
  }

  /// Removes a folder and its contents; links are removed, not followed.
  package static func removeTree(_ path: String) throws(StoreError) {
    for name in try names(in: path) {
      let child = path + "/" + name
      if try examine(child).kind == .folder { try removeTree(child) } else { try removeFile(child) }
    }
    _ = try retrying(.remove, at: path) { rmdir(path) }
  }

  /// Returns the names in a folder by code point, without `.` and `..`.
  package static func names(in folder: String) throws(StoreError) -> [String] {
    try entries(in: folder).map(\.name)
  }

  /// Returns the names in a folder with their kinds, by code point, without `.` and `..`.
  package static func entries(in folder: String) throws(StoreError) -> [(name: String, kind: Kind)]
  {
    guard let stream = opendir(folder) else { throw .failed(.list, path: folder, errno: errno) }
    defer { closedir(stream) }
    return try entries(of: stream, folder) { name throws(StoreError) in
      try examine("\(folder)/\(name)").kind
    }
  }

  /// Returns the names in an open folder; calls `kind` if the file system does not list kinds.
  static func entries(
    of stream: FolderStreamPointer, _ folder: String, kind: (String) throws(StoreError) -> Kind
  ) throws(StoreError) -> [(name: String, kind: Kind)] {
    var entries: [(name: String, kind: Kind)] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name == "." || name == ".." { continue }
      // Some file systems list names without kinds.
      if let known = Kind(entry: entry.pointee.d_type) {
        entries.append((name, known))
      } else {
        entries.append((name, try kind(name)))
      }
    }
    if errno != 0 { throw .failed(.list, path: folder, errno: errno) }
    return entries.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  #if os(Linux)
    typealias FolderStreamPointer = OpaquePointer
  #else
    typealias FolderStreamPointer = UnsafeMutablePointer<DIR>
  #endif
}

/// The identity of a file, which all its names share.
package struct FileIdentity: Hashable, Sendable {
  package let device: UInt64
  package let number: UInt64
}

extension Disk.Kind {
  init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .folder
      case S_IFLNK: .symbolicLink
      default: .other
      }
  }

  init?(entry type: UInt8) {
    switch Int(type) {
    case Int(DT_UNKNOWN): return nil
    case Int(DT_REG): self = .file
    case Int(DT_DIR): self = .folder
    case Int(DT_LNK): self = .symbolicLink
    default: self = .other
    }
  }
}

extension Disk {
  /// Returns `true` if the file at a path has a second name; `false` if it cannot be examined.
  package static func hasOtherNames(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_nlink > 1
  }

  /// Returns `true` if an error number means that the file system has no hard links, or no more of
  /// them for the file.
  static func meansNoLinks(_ code: Int32) -> Bool {
    [EOPNOTSUPP, EPERM, EMLINK, ENOSYS].contains(code)
  }
}
