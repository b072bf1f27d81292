import SystemC

/// Access to files without Foundation.
enum FileBytes {
  /// Opens a file for reading; the caller closes the descriptor.
  static func opened(_ path: String) throws(PropertyListFileError) -> (descriptor: CInt, size: Int)
  {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw PropertyListFileError(path: path, code: errno) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else {
      let code = errno
      _ = close(descriptor)
      throw PropertyListFileError(path: path, code: code)
    }
    return (descriptor, Int(status.st_size))
  }

  /// Returns all bytes of a file, even if the file grows or shrinks during the call.
  static func contents(of path: String) throws(PropertyListFileError) -> [UInt8] {
    let file = try opened(path)
    defer { _ = close(file.descriptor) }
    // Room for one more byte than the size detects growth without another read.
    var bytes: [UInt8] = []
    var room = file.size + 1
    while true {
      let added = try readUpTo(room, from: file.descriptor, path: path)
      bytes = bytes.isEmpty ? added : bytes + added
      if added.count < room { return bytes }
      room = max(65_536, bytes.count)
    }
  }

  private static func readUpTo(
    _ room: Int, from descriptor: CInt, path: String
  ) throws(PropertyListFileError) -> [UInt8] {
    var code: CInt = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      while count < room {
        let got = read(descriptor, buffer.baseAddress.map { $0 + count }, room - count)
        if got < 0, errno == EINTR { continue }
        if got < 0 { code = errno }
        if got <= 0 { return }
        count += got
      }
    }
    if code != 0 { throw PropertyListFileError(path: path, code: code) }
    return bytes
  }
}
