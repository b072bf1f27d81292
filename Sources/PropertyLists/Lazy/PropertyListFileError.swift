#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Why a file cannot be opened or read.
public struct PropertyListFileError: Error, Hashable {
  /// The path as it was given.
  public let path: String
  /// What the system says: a value of `errno`, such as `ENOENT`.
  public let code: Int32

  init(path: String, code: Int32) { (self.path, self.code) = (path, code) }
}

extension PropertyListFileError: CustomStringConvertible {
  /// The path, and the system's own words.
  public var description: String { "\(path): \(String(cString: strerror(code)))" }
}
