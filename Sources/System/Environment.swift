import SystemC

/// The environment variables of the process.
package enum Environment {
  /// Returns the value of a variable; `nil` if it is not set.
  package static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// All variables, each with its value after `=`.
  package static var all: [String] {
    var all: [String] = []
    var next = environ
    while let variable = next.pointee {
      all.append(String(cString: variable))
      next += 1
    }
    return all
  }
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
