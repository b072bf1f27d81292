import ContentModel
import SystemC

#if canImport(Darwin)
  import Foundation
#endif

/// Files as a reader uses them: read whole, replaced by rename.
package enum FolderFile {
  /// What is known about a file.
  package enum Presence: Hashable {
    case absent
    case present(size: Int)
    /// The folder or file cannot be read now, as before the first unlock of a device.
    case unknown
  }

  /// An error of the file system.
  package struct Failure: Error, CustomStringConvertible {
    let path: String
    package let code: CInt

    package init(path: String, code: CInt) { (self.path, self.code) = (path, code) }

    package var description: String { "\(path): \(String(cString: strerror(code)))" }
  }

  /// Returns whether there is a regular file, and its size.
  package static func presence(_ path: String) -> Presence {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .absent : .unknown
    }
    return status.st_mode & S_IFMT == S_IFREG ? .present(size: Int(status.st_size)) : .absent
  }

  /// Returns the bytes of a file; `nil` if it cannot be read or has more than `limit` bytes.
  package static func contents(_ path: String, limit: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { _ = close(descriptor) }
    var bytes: [UInt8] = []
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    let expected = min(max(Int(status.st_size), 4096), limit) + 1
    while bytes.count <= limit {
      let room = bytes.isEmpty ? expected : 65_536
      var count = 0
      let piece = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
        count = read(descriptor, buffer.baseAddress, room)
        filled = max(0, count)
      }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return bytes }
      bytes = bytes.isEmpty ? piece : bytes + piece
    }
    return nil
  }

  /// Replaces a file by rename, so that readers see the earlier bytes or these.
  ///
  /// With `isDurable`, the bytes are on the disk before the file has its name.
  package static func replace(_ path: String, with bytes: [UInt8], isDurable: Bool) throws(Failure)
  {
    let temporary = "\(path).\(getpid())-\(UInt32.random(in: 0 ... .max))\(temporaryEnding)"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw Failure(path: path, code: errno) }
    do throws(Failure) {
      defer { _ = close(descriptor) }
      try fill(descriptor, with: bytes, path: path)
      if isDurable, fsync(descriptor) != 0 { throw Failure(path: path, code: errno) }
      guard rename(temporary, path) == 0 else { throw Failure(path: path, code: errno) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// The ending of temporary files, which a rename gives their final name.
  private static let temporaryEnding = ".tmp"

  /// Removes the temporary files in a folder that were last written some seconds ago.
  package static func removeTemporaryFiles(in folder: String, olderThan seconds: Int) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    for name in names(in: folder) where name.hasByteSuffix(temporaryEnding) {
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG,
        status.secondsOfLastWrite < now.tv_sec - seconds
      else { continue }
      unlink("\(folder)/\(name)")
    }
  }

  /// Records the use of a file in its times, at most once a minute.
  ///
  /// Many file systems do not record when a file is read.
  package static func noteUse(_ path: String) {
    var status = stat()
    guard lstat(path, &status) == 0, status.secondsOfLastUse + 60 < time(nil) else { return }
    let now = timespec(tv_sec: time(nil), tv_nsec: 0)
    let times = [now, timespec(tv_sec: status.secondsOfLastWrite, tv_nsec: 0)]
    utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW)
  }

  private static func fill(_ descriptor: CInt, with bytes: [UInt8], path: String) throws(Failure) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        SystemC.write(descriptor, buffer.baseAddress.map { $0 + written }, bytes.count - written)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(path: path, code: errno) }
      written += count
    }
  }

  /// Creates a folder and its missing parents, with access for this user only.
  package static func makeFolder(_ path: String) throws(Failure) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
      slash != path.startIndex
    else {
      throw Failure(path: path, code: errno)
    }
    try makeFolder(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw Failure(path: path, code: errno)
    }
  }

  /// The names in a folder; empty if it cannot be read.
  package static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted { $0.precedesInBytes($1) }
  }
}

extension stat {
  /// The Unix time of the last write of a file's bytes.
  package var secondsOfLastWrite: Int {
    #if os(Linux)
      Int(st_mtim.tv_sec)
    #else
      Int(st_mtimespec.tv_sec)
    #endif
  }

  /// The Unix time of the last read or write of a file's bytes.
  package var secondsOfLastUse: Int {
    #if os(Linux)
      max(secondsOfLastWrite, Int(st_atim.tv_sec))
    #else
      max(secondsOfLastWrite, Int(st_atimespec.tv_sec))
    #endif
  }
}

#if canImport(Darwin)
  extension FolderFile {
    /// Excludes a folder and all its contents from the backups of the system.
    ///
    /// The mark is an attribute of the folder. The folder keeps the mark while its files are
    /// replaced.
    ///
    /// Ignores errors, because content without the mark is better than no content: the backup is
    /// larger, and a restored app shows the content of the backup until its first check for a newer
    /// release.
    package static func excludeFromBackups(_ folder: String) {
      var place = URL(fileURLWithPath: folder, isDirectory: true)
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try? place.setResourceValues(values)
    }
  }
#endif
