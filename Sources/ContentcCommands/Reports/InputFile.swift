import Diagnostics
import SystemC

/// A file that was named on the command line, outside a content folder.
package struct InputFile {
  /// The path, as it was typed; `-` is standard input.
  package let path: String

  package init(path: String) { self.path = path }

  /// The name of the file in messages.
  package var shownPath: String { path == "-" ? "standard input" : path }

  /// The largest size of a file in bytes, because a pipe may have no end.
  static let limit = 2 << 30

  /// `true` for standard input, a pipe or a device, whose bytes may be gone once they are read.
  package var canBeReadOnlyOnce: Bool {
    var status = stat()
    if path == "-" { return true }
    return stat(path, &status) == 0 && ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT)
  }

  /// Returns all bytes of the file.
  package func read() throws(Failure) -> [UInt8] {
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
      var result = 0
      var code: Int32 = 0
      let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
        result = SystemC.read(descriptor, buffer.baseAddress, buffer.count)
        code = errno
        count = max(0, result)
      }
      if result < 0, code == EINTR { continue }
      guard result >= 0 else { throw failure(code) }
      if result == 0 { return bytes }
      if bytes.isEmpty { bytes = part } else { bytes += part }
      room = Self.usualRoom
    }
  }

  /// The number of bytes that are read at once after the first read.
  private static let usualRoom = 65_536

  /// Returns the number of bytes of the first read: the whole file, and one more to find its end.
  private func room(for descriptor: Int32) throws(Failure) -> Int {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return Self.usualRoom }
    guard status.st_size <= Self.limit else { throw tooLarge }
    return max(Int(status.st_size) + 1, Self.usualRoom)
  }

  private var tooLarge: Failure {
    Failure(
      .inputOutput, .tooLarge,
      "the file has more than \(Self.limit >> 30) GiB, the largest size that is read", at: shownPath
    )
  }

  private func failure(_ code: Int32) -> Failure {
    code == ENOENT
      ? Failure(.missingInput, .missingFile, "the file does not exist", at: shownPath)
      : Failure(
        .inputOutput, .unreadableFile,
        "the file cannot be read: \(String(cString: strerror(code)))", at: shownPath)
  }
}
