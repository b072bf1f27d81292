import CZlib

/// Decompresses a gzip file (RFC 1952) of one member, piece by piece.
///
/// A class, since zlib's state must not move, and must be freed once.
package final class GzipInflation {
  // Added to the window's bits, 16 asks zlib for the gzip format (zlib.h, `inflateInit2`).
  private static let windowBits = MAX_WBITS + 16
  private static let roomCount = 1 << 18

  private var stream = z_stream()
  private let room = UnsafeMutableRawBufferPointer.allocate(byteCount: roomCount, alignment: 16)
  private let limit: Int
  private var isBroken = false
  /// `true` once the file has ended with the right checksum.
  private var isAtEnd = false
  /// The number of decompressed bytes so far.
  package private(set) var count = 0

  /// Prepares to read a file that decodes to at most `limit` bytes; `nil` without memory.
  package init?(limit: Int) {
    self.limit = limit
    let code = inflateInit2_(
      &stream, Self.windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    guard code == Z_OK else { return nil }
  }

  deinit {
    inflateEnd(&stream)
    room.deallocate()
  }

  /// A Boolean value that indicates whether the input was one whole file and nothing else.
  package var isWhole: Bool { isAtEnd && !isBroken }

  /// Decompresses the next piece, of less than 4 GiB, and calls a closure with the output; after a
  /// fault, it does nothing.
  package func decompress(
    _ piece: UnsafeRawBufferPointer, body: (UnsafeRawBufferPointer) -> Void
  ) {
    guard !piece.isEmpty, !isBroken else { return }
    stream.next_in = UnsafeMutablePointer(
      mutating: piece.assumingMemoryBound(to: UInt8.self).baseAddress)
    stream.avail_in = UInt32(piece.count)
    repeat {
      step(body)
    } while !isBroken && !isAtEnd && (stream.avail_in > 0 || stream.avail_out == 0)
    // Bytes after the end are a fault.
    if stream.avail_in > 0 { isBroken = true }
  }

  private func step(_ body: (UnsafeRawBufferPointer) -> Void) {
    guard !isAtEnd else { return }
    stream.next_out = room.assumingMemoryBound(to: UInt8.self).baseAddress
    stream.avail_out = UInt32(room.count)
    let code = inflate(&stream, Z_NO_FLUSH)
    let part = room.prefix(room.count - Int(stream.avail_out))
    count += part.count
    // A lack of input is no fault yet.
    isBroken = count > limit || ![Z_OK, Z_STREAM_END, Z_BUF_ERROR].contains(code)
    isAtEnd = code == Z_STREAM_END
    if !isBroken { body(UnsafeRawBufferPointer(rebasing: part)) }
  }
}
