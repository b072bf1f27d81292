package import ContentModel
import SharedGzip
package import System
import SystemC

/// The content of a file for a target: bytes in memory, or a file that is read piece by piece while
/// it is sent.
package enum FileBody: Sendable {
  case bytes([UInt8])
  case file(SourceFile)

  /// The largest size of a file that is read as a whole, because many such files are sent at once.
  static let wholeLimit = 1 << 18

  /// Reads a regular file of at most `limit` bytes; nothing of a larger file is read.
  ///
  /// - Throws: `StoreError` if there is no regular file, or a symbolic link in its place.
  package init(contentsOf path: String, limit: Int = .max) throws(StoreError) {
    // Opening a FIFO would block for ever.
    try self.init(try Descriptor(path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK), limit: limit)
  }

  /// Reads an open regular file of at most `limit` bytes.
  init(_ file: consuming Descriptor, limit: Int = .max) throws(StoreError) {
    let status = try file.status()
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .failed(.open, path: file.path, errno: EISDIR)
    }
    guard status.size <= limit else { throw .tooLarge(path: file.path, size: status.size) }
    guard status.size <= Self.wholeLimit else {
      self = .file(try SourceFile(file, count: status.size))
      return
    }
    self = .bytes(try file.contents(count: status.size))
  }

  package var count: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .file(let file): file.count
    }
  }

  /// The SHA-256 of the content.
  package var digest: Digest {
    switch self {
    case .bytes(let bytes): Digest(of: bytes)
    case .file(let file): file.digest
    }
  }

  /// The whole content, in memory.
  package var bytes: [UInt8] {
    get throws(StoreError) {
      switch self {
      case .bytes(let bytes): bytes
      case .file(let file): try file.bytes()
      }
    }
  }

  /// Returns the whole content.
  ///
  /// - Throws: `StoreError.tooLarge` if it has more than `limit` bytes.
  package func bytes(limit: Int) throws(StoreError) -> [UInt8] {
    guard count <= limit else { throw .tooLarge(path: path ?? "", size: count) }
    return try bytes
  }

  /// The file's path; `nil` for bytes in memory.
  private var path: String? { if case .file(let file) = self { file.path } else { nil } }

  /// Calls a function with each piece, in order.
  package func forEachPiece(
    _ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void
  ) throws(StoreError) {
    switch self {
    case .bytes(let bytes):
      let result = bytes.withUnsafeBytes { piece in
        Result { () throws(StoreError) in try body(piece) }
      }
      try result.get()
    case .file(let file): try file.forEachPiece(body)
    }
  }

  /// Returns whether both bodies have the same bytes.
  func isSame(as other: FileBody) -> Bool {
    if case .bytes(let own) = self, case .bytes(let others) = other {
      return own.hasSameBytes(as: others)
    }
    return count == other.count && digest == other.digest
  }

  /// Returns whether this is a gzip file that decodes to the bytes of another body.
  package func isCompressed(from plain: FileBody) throws(StoreError) -> Bool {
    if case .bytes(let own) = self, case .bytes(let others) = plain {
      return Gzip.decompress(own, size: others.count)?.hasSameBytes(as: others) ?? false
    }
    guard let inflation = GzipInflation(limit: plain.count) else { return false }
    var hash = SHA256()
    try forEachPiece { piece in inflation.decompress(piece) { hash.update($0) } }
    return inflation.isWhole && inflation.count == plain.count
      && hash.finalize() == plain.digest
  }
}

extension Descriptor {
  /// Returns the first `count` bytes of the file.
  fileprivate func contents(count: Int) throws(StoreError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let read = bytes.withUnsafeMutableBytes { buffer in
      Result { () throws(StoreError) in try self.read(into: buffer, at: 0) }
    }
    guard try read.get() == count else { throw .changed(path: path) }
    return bytes
  }
}
