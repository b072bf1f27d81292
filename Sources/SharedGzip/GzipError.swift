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
