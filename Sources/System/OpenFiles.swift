import SystemC

/// The number of files and connections that the process may open at a time.
package enum OpenFiles {
  /// The limit; `nil` if the system does not report it.
  package static var limit: Int? { read().map { Int(clamping: $0.rlim_cur) } }

  /// Raises the limit to a number if the system allows it, and returns the limit.
  package static func raiseLimit(to wanted: Int) -> Int? {
    guard var limit = read() else { return nil }
    if limit.rlim_cur < rlim_t(wanted) {
      limit.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
      setrlimit(resource, &limit)
    }
    return self.limit
  }

  private static func read() -> rlimit? {
    var limit = rlimit()
    return getrlimit(resource, &limit) == 0 ? limit : nil
  }

  #if os(Linux)
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
