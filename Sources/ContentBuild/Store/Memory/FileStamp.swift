import SystemC

/// The metadata of a file that shows that its bytes are unchanged.
package struct FileStamp: Hashable, Sendable {
  /// The size in bytes.
  package var size: Int64
  /// The time of the last change of the bytes, in nanoseconds since 1970.
  package var modified: Int64
  /// The time of the last change of bytes or metadata, in nanoseconds since 1970; programs cannot
  /// set it.
  package var changed: Int64
  package var inode: UInt64

  /// Reads the stamp of a file, and follows a symbolic link; returns `nil` if there is no file.
  package init?(at path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    size = Int64(status.st_size)
    inode = UInt64(status.st_ino)
    #if os(Linux)
      (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
    #else
      (modified, changed) = (
        Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec)
      )
    #endif
  }

  /// Returns a time in nanoseconds since 1970.
  ///
  /// A time before 1678 or after 2262 has no such number, and never counts as settled.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let (product, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = product.addingReportingOverflow(Int64(time.tv_nsec))
    return overflows || overflowsToo ? .max : sum
  }

  /// Returns `true` if the stamp would show a change after a moment, in nanoseconds since 1970.
  ///
  /// File systems count time in steps, so that two changes within one step have the same time.
  func isSettled(at moment: Int64) -> Bool {
    max(modified, changed) < max(moment, .min + Self.coarsestStep) - Self.coarsestStep
  }

  /// FAT counts in steps of two seconds; no file system in use is coarser.
  private static let coarsestStep: Int64 = 2_000_000_000

  init(size: Int64, modified: Int64, changed: Int64, inode: UInt64) {
    (self.size, self.modified, self.changed, self.inode) = (size, modified, changed, inode)
  }
}
