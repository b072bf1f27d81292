package import ContentModel
import Synchronization
import System

/// A local file that is too large for memory, and is read piece by piece each time it is sent.
///
/// A class, since it keeps the file open during its life.
package final class SourceFile: Sendable {
  /// The size of the buffer of a thread that reads the file, in bytes.
  static let pieceCount = 1 << 18

  package let count: Int
  /// The SHA-256 of the content at the time of opening.
  package let digest: Digest
  private let file: Descriptor
  private let checksum = Mutex<[UInt8]?>(nil)

  /// Reads an open file once to compute its digest.
  init(_ file: consuming Descriptor, count: Int) throws(StoreError) {
    digest = try Self.digest(of: file, count: count)
    self.count = count
    self.file = file
  }

  package var path: String { file.path }

  /// Returns a reading that starts at the beginning.
  func reading() -> Reading { Reading(of: self) }

  /// One pass over a file.
  ///
  /// The last piece is returned only if the file is unchanged, so that no reader gets a complete
  /// wrong file.
  struct Reading {
    private let file: SourceFile
    private var offset = 0
    private var hash = SHA256()

    fileprivate init(of file: SourceFile) { self.file = file }

    /// Fills a buffer with the next bytes, and returns their number: zero at the end.
    mutating func next(into buffer: UnsafeMutableRawBufferPointer) throws(StoreError) -> Int {
      let piece = UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(file.count - offset))
      guard try file.file.read(into: piece, at: offset) == piece.count else {
        throw .changed(path: file.path)
      }
      offset += piece.count
      hash.update(UnsafeRawBufferPointer(piece))
      guard offset < file.count || hash.finalize() == file.digest else {
        throw .changed(path: file.path)
      }
      return piece.count
    }
  }

  /// Calls a function with each piece, in order.
  func forEachPiece(_ body: (UnsafeRawBufferPointer) throws(StoreError) -> Void) throws(StoreError)
  {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.pieceCount, alignment: 16)
    defer { room.deallocate() }
    var reading = reading()
    while case let count = try reading.next(into: room), count > 0 {
      try body(UnsafeRawBufferPointer(rebasing: room.prefix(count)))
    }
  }

  /// Returns the whole content, in memory.
  func bytes() throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    try forEachPiece { bytes.append(contentsOf: $0) }
    return bytes
  }

  /// Returns the 16 bytes of the content's MD5, which is computed once.
  func md5() throws(StoreError) -> [UInt8] {
    try checksum.withLock { known throws(StoreError) in
      if let known { return known }
      var hash = MD5()
      try forEachPiece { hash.update($0) }
      let found = hash.finalize()
      known = found
      return found
    }
  }

  private static func digest(
    of file: borrowing Descriptor, count: Int
  ) throws(StoreError) -> Digest {
    let room = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceCount, alignment: 16)
    defer { room.deallocate() }
    var hash = SHA256()
    for offset in stride(from: 0, to: count, by: pieceCount) {
      let piece = UnsafeMutableRawBufferPointer(rebasing: room.prefix(count - offset))
      guard try file.read(into: piece, at: offset) == piece.count else {
        throw .changed(path: file.path)
      }
      hash.update(UnsafeRawBufferPointer(piece))
    }
    return hash.finalize()
  }
}
