#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Where results and diagnostics go: standard output and standard error.
enum Terminal: Int32 {
  case output = 1
  case error = 2

  /// Whether a person is looking.
  var isInteractive: Bool { isatty(rawValue) == 1 }

  /// Whether colour helps: on a terminal that knows it, and never under `NO_COLOR` (no-color.org).
  var showsColor: Bool {
    isInteractive && Self.variable("NO_COLOR").isEmpty && Self.variable("TERM") != "dumb"
  }

  /// Columns; 80 where nobody says.
  var width: Int {
    var size = winsize()
    guard ioctl(rawValue, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Writes a text.
  func write(_ text: String) throws(Failure) { try write(Array(text.utf8)) }

  /// Writes bytes, all of them; a reader that went away is no failure.
  func write(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Self.write(rawValue, $0) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EPIPE { return }
      guard count >= 0 else {
        let name = self == .output ? "standard output" : "standard error"
        throw Failure(.inputOutput, "output", "cannot write to \(name): \(String(cString: strerror(errno)))")
      }
      rest = rest.dropFirst(count)
    }
  }

  private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.write(descriptor, bytes.baseAddress, bytes.count)
    #else
      Darwin.write(descriptor, bytes.baseAddress, bytes.count)
    #endif
  }

  private static func variable(_ name: String) -> String { Environment.value(of: name) ?? "" }
}
