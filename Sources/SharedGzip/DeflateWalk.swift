/// Finds the last block of a deflate stream (RFC 1951) without decompressing it.
struct DeflateWalk {
  private var reader: BitReader
  private var literals = DeflateCode(.literalsAndLengths)
  private var distances = DeflateCode(.distances)
  /// The table of literals and lengths, then that of distances.
  private var steps = [UInt16](repeating: 0, count: 2 * DeflateCode.tableSize)
  private var codeLengths = DeflateCode(.codeLengths)

  init(over stream: UnsafeRawBufferPointer) { reader = BitReader(stream) }

  /// The bits at which the last block's header begins and its content ends.
  mutating func lastBlock() throws(GzipError) -> (header: Int, end: Int) {
    while true {
      let header = reader.position
      let isLast = reader.take(1) == 1
      try skipBlock(ofType: reader.take(2))
      if reader.isPastEnd { throw .damaged }
      if isLast { return (header, reader.position) }
    }
  }

  private mutating func skipBlock(ofType type: Int) throws(GzipError) {
    switch type {
    case 0: try skipStored()
    case 1:
      readFixedCodes()
      try skipSymbols()
    case 2:
      try readCodes()
      try skipSymbols()
    default: throw .damaged
    }
  }

  private mutating func skipStored() throws(GzipError) {
    reader.skipBytes(0)
    let count = reader.take(16)
    guard reader.take(16) == count ^ 0xFFFF else { throw .damaged }
    reader.skipBytes(count)
  }

  private mutating func readFixedCodes() {
    let lengths = [(144, 8), (112, 9), (24, 7), (8, 8)].flatMap {
      Array(repeating: $0.1, count: $0.0)
    }
    literals.update(lengths[...])
    distances.update(Array(repeating: 5, count: 30)[...])
  }

  private mutating func readCodes() throws(GzipError) {
    let (literalCount, distanceCount, count) = (
      reader.take(5) + 257, reader.take(5) + 1, reader.take(4) + 4
    )
    var lengths = [Int](repeating: 0, count: 19)
    for symbol in [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15].prefix(count) {
      lengths[symbol] = reader.take(3)
    }
    codeLengths.update(lengths[...])
    lengths = try readLengths(literalCount + distanceCount)
    literals.update(lengths[..<literalCount])
    distances.update(lengths[literalCount...])
  }

  private mutating func readLengths(_ count: Int) throws(GzipError) -> [Int] {
    var lengths: [Int] = []
    while lengths.count < count {
      reader.fill()
      guard let (symbol, length) = codeLengths.symbol(reader.bits) else { throw .damaged }
      reader.skip(length)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw .damaged }
        lengths += Array(repeating: last, count: reader.take(2) + 3)
      case 17: lengths += Array(repeating: 0, count: reader.take(3) + 3)
      case 18: lengths += Array(repeating: 0, count: reader.take(7) + 11)
      default: lengths.append(symbol)
      }
    }
    if lengths.count > count { throw .damaged }
    return lengths
  }

  private mutating func skipSymbols() throws(GzipError) {
    steps.withUnsafeMutableBufferPointer {
      literals.fill(UnsafeMutableBufferPointer(rebasing: $0[..<DeflateCode.tableSize]))
      distances.fill(UnsafeMutableBufferPointer(rebasing: $0[DeflateCode.tableSize...]))
    }
    var reader = self.reader
    defer { self.reader = reader }
    try steps.withUnsafeBufferPointer { steps throws(GzipError) in
      // The next table is a number, since a branch between literals and distances could not be
      // predicted.
      var table = 0
      while true {
        reader.fill()
        // The mask keeps the index inside of one of the two tables.
        var step = steps[table | Int(reader.bits & UInt64(DeflateCode.tableSize - 1))]
        if step == 0 { step = (table == 0 ? literals : distances).slowStep(reader.bits) }
        reader.skip(Int(step & 0xFF))
        if step == 0 || reader.isPastEnd { throw .damaged }
        if step >= DeflateCode.end { return }
        table = Int(step & DeflateCode.length) << (DeflateCode.quick - 8)
      }
    }
  }
}

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
