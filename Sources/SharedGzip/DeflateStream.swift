/// Prepares deflate streams (RFC 1951) for being joined into one.
enum DeflateStream {
  /// Returns the blocks of a whole stream without their end, so that other blocks may follow, from
  /// the first bit of a byte.
  ///
  /// The last block's header is marked as not the last, and an empty stored block fills its last
  /// byte.
  static func opened(_ stream: UnsafeRawBufferPointer) throws(GzipError) -> [UInt8] {
    var walk = DeflateWalk(over: stream)
    let (header, end) = try walk.lastBlock()
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
}
