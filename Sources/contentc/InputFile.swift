#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file that was named on the command line, outside a content folder.
struct InputFile {
  /// As it was typed; `-` is standard input.
  let path: String

  /// How messages name it.
  var shownPath: String { path == "-" ? "standard input" : path }

  /// All its bytes.
  func read() throws(Failure) -> [UInt8] {
    guard path != "-" else { return try read(from: STDIN_FILENO) }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { close(descriptor) }
    return try read(from: descriptor)
  }

  private func read(from descriptor: Int32) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = buffer.withUnsafeMutableBytes { Self.read(descriptor, $0) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
    }
  }

  private static func read(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    #if canImport(Glibc)
      Glibc.read(descriptor, buffer.baseAddress, buffer.count)
    #else
      Darwin.read(descriptor, buffer.baseAddress, buffer.count)
    #endif
  }

  private func failure(_ code: Int32) -> Failure {
    code == ENOENT
      ? Failure(.missingInput, "missing-file", "the file does not exist", at: shownPath)
      : Failure(
        .inputOutput, "unreadable-file", "the file cannot be read: \(String(cString: strerror(code)))", at: shownPath)
  }
}
