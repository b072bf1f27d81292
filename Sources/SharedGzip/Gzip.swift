import CDeflate
import CZlib

/// Reading the gzip format (RFC 1952); `GzipCompressor` writes it.
package enum Gzip {
  /// The compressor of `.gz` files, with its version: another version may write other bytes for the
  /// same content.
  package static var compressorVersion: String { "libdeflate \(LIBDEFLATE_VERSION_STRING)" }

  // Added to the window's bits, 16 asks zlib for the gzip format (zlib.h, `deflateInit2`).
  private static let windowBits = MAX_WBITS + 16

  /// Decompresses one gzip file of at most `limit` bytes, and checks its checksum.
  package static func decompress(_ bytes: [UInt8], limit: Int) throws(GzipError) -> [UInt8] {
    var stream = z_stream()
    try check(inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)))
    defer { inflateEnd(&stream) }
    // The output is never larger than the input allows: deflate compresses to 1/1032 at best
    // (zlib's technical notes).
    let capacity = min(limit, bytes.count * 1032)
    // One byte more than allowed, so that a longer output is noticed.
    let output = try inflate(bytes, by: &stream, capacity: capacity + 1)
    if output.count > limit { throw .tooLarge(limit: limit) }
    return output
  }

  /// Decompresses a gzip file of one member and of a known size; `nil` if it holds anything else.
  ///
  /// Checks the checksum. libdeflate is three times as fast as zlib when the size is known.
  package static func decompress(_ bytes: [UInt8], size: Int) -> [UInt8]? {
    guard let decompressor = libdeflate_alloc_decompressor(), size / 1032 <= bytes.count else {
      return nil
    }
    defer { libdeflate_free_decompressor(decompressor) }
    var isWhole = false
    let output = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      var read = 0
      let outcome = bytes.withUnsafeBytes {
        // Without a place for the count of what was written, anything but exactly `size` bytes is
        // an error.
        libdeflate_gzip_decompress_ex(
          decompressor, $0.baseAddress, $0.count, buffer.baseAddress, size, &read, nil)
      }
      isWhole = outcome == LIBDEFLATE_SUCCESS && read == bytes.count
      count = isWhole ? size : 0
    }
    return isWhole ? output : nil
  }

  private static func check(_ code: Int32) throws(GzipError) {
    if code != Z_OK { throw .failed(code: code) }
  }

  /// Feeds all input to zlib at once; zlib counts in 32 bits, so input past 4 GiB is refused.
  private static func inflate(
    _ bytes: [UInt8], by stream: inout z_stream, capacity: Int
  ) throws(GzipError) -> [UInt8] {
    guard let inputCount = UInt32(exactly: bytes.count), let outputCount = UInt32(exactly: capacity)
    else {
      throw .tooLarge(limit: Int(UInt32.max))
    }
    var code = Z_OK
    let output = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
      bytes.withUnsafeBufferPointer {
        (stream.next_in, stream.avail_in) = (
          UnsafeMutablePointer(mutating: $0.baseAddress), inputCount
        )
        (stream.next_out, stream.avail_out) = (buffer.baseAddress, outputCount)
        code = CZlib.inflate(&stream, Z_FINISH)
        count = capacity - Int(stream.avail_out)
      }
    }
    if code == Z_BUF_ERROR, stream.avail_out == 0 { throw .tooLarge(limit: capacity - 1) }
    guard code == Z_STREAM_END, stream.avail_in == 0 else { throw .damaged }
    return output
  }
}

/// An error of compression or decompression.
package enum GzipError: Error, Hashable, Sendable {
  /// Not a gzip file (RFC 1952), cut off, damaged, or followed by something else.
  case damaged
  /// The decompressed data is larger than the caller allows.
  case tooLarge(limit: Int)
  /// zlib had no memory.
  case failed(code: Int32)
  /// libdeflate had no memory, or does not know the level.
  case noCompressor(level: Int)
}

extension GzipError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .damaged: "the data is not a whole gzip file"
    case .tooLarge(let limit): "the decompressed data is larger than \(limit) bytes"
    case .failed(let code): "zlib failed with code \(code)"
    case .noCompressor(let level): "libdeflate has no compressor of level \(level)"
    }
  }
}
