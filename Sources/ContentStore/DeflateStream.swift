import CZlib

/// Deflate streams (RFC 1951) that are joined into one.
enum DeflateStream {
  /// The blocks of a whole stream without their end: other blocks may follow, from a byte's first bit on.
  ///
  /// The last block's header loses the bit that says so, and an empty stored block fills its last byte.
  static func opened(_ stream: UnsafeRawBufferPointer) throws(GzipError) -> [UInt8] {
    let (header, end) = try lastBlock(of: stream)
    // The stored block's header is three zero bits, then zeros up to a whole byte.
    let blocks = (end + 3 + 7) / 8
    var opened = [UInt8]()
    opened.reserveCapacity(blocks + 4)
    opened.append(contentsOf: stream.prefix((end + 7) / 8))
    if opened.count < blocks { opened.append(0) }
    opened[header / 8] &= ~(1 << UInt8(header % 8))
    // Its length, and the length's complement.
    opened.append(contentsOf: [0, 0, 0xFF, 0xFF])
    return opened
  }

  /// The bits at which the last block's header begins and its content ends.
  static func lastBlock(of stream: UnsafeRawBufferPointer) throws(GzipError) -> (header: Int, end: Int) {
    guard let count = UInt32(exactly: stream.count) else { throw .tooLarge(limit: Int(UInt32.max)) }
    var zlib = z_stream()
    let code = inflateInit2_(&zlib, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
    if code != Z_OK { throw .failed(code: code) }
    defer { inflateEnd(&zlib) }
    zlib.next_in = UnsafeMutablePointer(mutating: stream.bindMemory(to: UInt8.self).baseAddress)
    zlib.avail_in = count
    return try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { room throws(GzipError) in
      try walk(&zlib, to: room.bindMemory(to: UInt8.self))
    }
  }

  /// Decompresses block by block (`Z_BLOCK`), over the same room again and again: nobody reads what comes out.
  private static func walk(
    _ zlib: inout z_stream, to room: UnsafeMutableBufferPointer<UInt8>
  ) throws(GzipError) -> (header: Int, end: Int) {
    var header = 0
    while true {
      (zlib.next_out, zlib.avail_out) = (room.baseAddress, UInt32(room.count))
      let code = inflate(&zlib, Z_BLOCK)
      if code != Z_OK { throw code == Z_STREAM_END ? .damaged : .failed(code: code) }
      // 128: just behind a block; 64: it was the last; the low bits: how many of the last byte are unused (zlib.h).
      guard zlib.data_type & 128 != 0 else { continue }
      let position = Int(zlib.total_in) * 8 - Int(zlib.data_type & 7)
      if zlib.data_type & 64 != 0 { return (header, position) }
      header = position
    }
  }
}
