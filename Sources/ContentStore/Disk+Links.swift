import SystemC

extension Disk {
  /// Whether the file at a path has a second name, wherever that is; not so where it cannot be
  /// looked at.
  package static func hasOtherNames(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_nlink > 1
  }

  /// True if an error number says that the file system has no hard links, or no more of them.
  static func meansNoLinks(_ code: Int32) -> Bool {
    [EOPNOTSUPP, EPERM, EMLINK, ENOSYS].contains(code)
  }
}
