#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

extension Disk {
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
