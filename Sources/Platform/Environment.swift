import SystemC

/// The variables that the process was started with.
package enum Environment {
  /// A variable's value; `nil` if it is not set.
  package static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// The file that the process runs.
package enum Executable {
  /// Its path; links in it are not followed.
  package static var path: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }
}
