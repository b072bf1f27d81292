import SystemC

extension Disk {
  /// Returns the bytes of a regular file of at most `limit` bytes; `nil` if there is none, or if it
  /// cannot be read.
  ///
  /// An unreadable file counts as damaged: the caller writes it again.
  package static func contents(_ path: String, limit: Int = .max) -> [UInt8]? {
    // Opening a FIFO would block until it has a writer.
    guard let file = try? Descriptor(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
      let status = try? file.status(),
      Kind(mode: status.st_mode) == .file, status.st_size <= limit
    else { return nil }
    let size = Int(status.st_size)
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      count = (try? file.read(into: UnsafeMutableRawBufferPointer(buffer))) ?? 0
    }
    return bytes.count == size ? bytes : nil
  }

  /// Returns `true` if a regular file at a path has exactly some bytes.
  package static func holds(_ bytes: [UInt8], at path: String) -> Bool {
    contents(path, limit: bytes.count)?.hasSameBytes(as: bytes) ?? false
  }

  /// Writes a new file; an existing file is an error.
  ///
  /// The new file is on the disk once the whole file system has been synced.
  package static func create(_ path: String, bytes: [UInt8]) throws(StoreError) {
    try create(path) { file throws(StoreError) in try file.write(bytes) }
  }

  /// Writes a new file through a closure; an existing file is an error.
  package static func create(
    _ path: String, write: (borrowing Descriptor) throws(StoreError) -> Void
  ) throws(StoreError) {
    let file = try Descriptor(path, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
    try write(file)
    #if canImport(Darwin)
      try file.sync()
    #else
      file.beginWritingOut()
    #endif
  }
}
