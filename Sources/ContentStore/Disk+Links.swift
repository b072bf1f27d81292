#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Disk {
  /// Whether the file at a path has a second name, wherever that is; not so where it cannot be looked at.
  package static func hasOtherNames(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_nlink > 1
  }

  /// Gives a file a second name unless something stands there; `nil` where the file system has no hard links.
  package static func linkUnlessThere(_ from: String, as path: String) throws(StoreError) -> Bool? {
    do {
      try link(from, as: path)
      return true
    } catch StoreError.failed(_, _, EEXIST) {
      return false
    } catch StoreError.failed(_, _, let code) where [EOPNOTSUPP, EPERM, EMLINK, ENOSYS].contains(code) {
      return nil
    }
  }
}
