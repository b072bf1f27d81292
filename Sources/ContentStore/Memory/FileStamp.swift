#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What tells, without reading it, that a file is the one that it was.
package struct FileStamp: Hashable, Sendable {
  /// In bytes.
  package var size: Int64
  /// When the bytes last changed, in nanoseconds since 1970.
  package var modified: Int64
  /// When anything about the file last changed, in nanoseconds since 1970; nobody can set it.
  package var changed: Int64
  package var inode: UInt64

  /// The stamp of a file, at the end of a symbolic link if there is one; `nil` where there is none.
  package init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    size = Int64(status.st_size)
    inode = UInt64(status.st_ino)
    #if canImport(Glibc)
      modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
      changed = Int64(status.st_ctim.tv_sec) * 1_000_000_000 + Int64(status.st_ctim.tv_nsec)
    #else
      modified = Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
      changed = Int64(status.st_ctimespec.tv_sec) * 1_000_000_000 + Int64(status.st_ctimespec.tv_nsec)
    #endif
  }

  /// Whether a change after a moment, in nanoseconds since 1970, would show: file systems count time in steps, so that
  /// two changes within one step leave the same time behind.
  func isSettled(at moment: Int64) -> Bool { max(modified, changed) < moment - Self.coarsestStep }

  /// FAT counts in steps of two seconds; no file system in use is coarser.
  private static let coarsestStep: Int64 = 2_000_000_000

  init(size: Int64, modified: Int64, changed: Int64, inode: UInt64) {
    (self.size, self.modified, self.changed, self.inode) = (size, modified, changed, inode)
  }
}
