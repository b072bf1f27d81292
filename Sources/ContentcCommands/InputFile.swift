import SystemC

/// A file that was named on the command line, outside a content folder.
struct InputFile {
  /// As it was typed; `-` is standard input.
  let path: String

  /// The name of the file in messages.
  var shownPath: String { path == "-" ? "standard input" : path }

  /// The largest size of a file in bytes, because a pipe may have no end.
  static let limit = 2 << 30

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
    var room = try room(for: descriptor)
    while true {
      if bytes.count > Self.limit { throw tooLarge }
      var answer = 0
      var code: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        answer = SystemC.read(descriptor, buffer.baseAddress, buffer.count)
        (code, count) = (errno, max(0, answer))
      }
      if answer < 0, code == EINTR { continue }
      guard answer >= 0 else { throw failure(code) }
      if answer == 0 { return bytes }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      room = Self.usualRoom
    }
  }

  private static let usualRoom = 65_536

  /// Enough for a file at once, and to see that it ends.
  private func room(for descriptor: Int32) throws(Failure) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Self.usualRoom }
    guard status.st_size <= Self.limit else { throw tooLarge }
    return max(Int(status.st_size) + 1, Self.usualRoom)
  }

  private var tooLarge: Failure {
    Failure(
      .inputOutput, "too-large",
      "the file has more than \(Self.limit >> 30) GiB, the largest size that is read", at: shownPath
    )
  }

  private func failure(_ code: Int32) -> Failure {
    code == ENOENT
      ? Failure(.missingInput, "missing-file", "the file does not exist", at: shownPath)
      : Failure(
        .inputOutput, "unreadable-file",
        "the file cannot be read: \(String(cString: strerror(code)))", at: shownPath)
  }
}
