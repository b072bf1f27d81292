import SharedGzip
import System
import SystemC
import TestServers

@testable import ContentTargets

/// A file on disk that is too large to be read at once.
struct SampleFile {
  let bytes: [UInt8]
  let path: String

  /// Writes a file of `count` bytes in which no two pieces are equal.
  init(
    _ name: String = "large", count: Int = FileBody.wholeLimit + 70_000, in scratch: ScratchFolder
  ) throws {
    // The pattern repeats only after 255 * 256 bytes.
    bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 % 255 + $0 / 255) }
    path = scratch.path(name)
    try Self.write(bytes, to: path)
  }

  /// Describes an existing file.
  init(bytes: [UInt8], path: String) { (self.bytes, self.path) = (bytes, path) }

  /// Returns the file opened for sending, in its present state.
  func outgoing(compressed: FileBody? = nil) throws -> OutgoingFile {
    OutgoingFile(
      body: try FileBody(contentsOf: path), compressed: compressed,
      headers: FileHeaders(contentType: "video/mp4", cacheControl: "public, max-age=60"))
  }

  /// Writes an equally large gzip file of the content.
  func compressed(in scratch: ScratchFolder) throws -> FileBody {
    try Self.write(GzipCompressor(level: 0).compress(bytes), to: path + ".gz")
    return try FileBody(contentsOf: path + ".gz")
  }

  static func write(_ bytes: [UInt8], to path: String) throws {
    unlink(path)
    try Disk.create(path, bytes: bytes)
  }

  /// A change to a file while it is sent.
  enum Change: String, CaseIterable, Sendable {
    case shrinks, isEmptied, isRewritten, changesAtItsEnd
  }

  func apply(_ change: Change) {
    switch change {
    case .shrinks: truncate(path, off_t(bytes.count - 1))
    case .isEmptied: truncate(path, 0)
    case .isRewritten: overwrite(at: 10)
    case .changesAtItsEnd: overwrite(at: bytes.count - 1)
    }
  }

  private func overwrite(at offset: Int) {
    let file = open(path, O_WRONLY)
    var byte = ~bytes[offset]
    pwrite(file, &byte, 1, off_t(offset))
    close(file)
  }
}
