import SystemC

extension Disk {
  /// Returns whether the file at a path has a second name anywhere; `false` if it cannot be
  /// examined.
  package static func hasOtherNames(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_nlink > 1
  }

  /// Returns whether an error number means that the file system has no hard links, or no more for
  /// the file.
  static func meansNoLinks(_ code: Int32) -> Bool {
    [EOPNOTSUPP, EPERM, EMLINK, ENOSYS].contains(code)
  }
}
