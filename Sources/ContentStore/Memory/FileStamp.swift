import SystemC

/// The stamp of a file, which shows without reading it that it is unchanged.
package struct FileStamp: Hashable, Sendable {
  /// In bytes.
  package var size: Int64
  /// When the bytes last changed, in nanoseconds since 1970.
  package var modified: Int64
  /// The time of the last change of anything about the file, in nanoseconds since 1970; programs
  /// cannot set it.
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
    #if os(Linux)
      (modified, changed) = (Self.nanoseconds(status.st_mtim), Self.nanoseconds(status.st_ctim))
    #else
      (modified, changed) = (
        Self.nanoseconds(status.st_mtimespec), Self.nanoseconds(status.st_ctimespec)
      )
    #endif
  }

  /// A time in nanoseconds since 1970; one that has no such number, before 1678 or after 2262,
  /// never counts as settled.
  static func nanoseconds(_ time: timespec) -> Int64 {
    let (product, overflows) = Int64(time.tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowsToo) = product.addingReportingOverflow(Int64(time.tv_nsec))
    return overflows || overflowsToo ? .max : sum
  }

  /// Returns whether the stamp would show a change after a moment, in nanoseconds since 1970.
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
