import SystemC

/// The environment variables of the process.
package enum Environment {
  /// Returns the value of a variable; `nil` if it is not set.
  package static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }
}

/// The executable file of the process.
package enum Executable {
  /// The path of the file, in which symbolic links are not resolved.
  package static var path: String {
    #if os(Linux)
      "/proc/self/exe"
    #else
      CommandLine.arguments[0]
    #endif
  }
}
