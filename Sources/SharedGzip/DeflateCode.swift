/// A Huffman code of deflate (RFC 1951, 3.2.2), for skipping symbols: the bits that each takes,
/// with its extra bits.
struct DeflateCode {
  enum Alphabet {
    case literalsAndLengths
    case distances
    case codeLengths
  }

  /// The longest code, in bits, that one lookup in a table of steps finds; longer ones are rare.
  static let quick = 11
  /// The number of steps in a table.
  static let tableSize = 1 << quick

  private var counts = [Int](repeating: 0, count: 16)
  /// By code.
  private var symbols: [Int] = []
  private let alphabet: Alphabet

  /// In a step, above the number of bits: a distance follows.
  static let length: UInt16 = 1 << 8
  /// In a step, above the number of bits: the block ends.
  static let end: UInt16 = 2 << 8

  init(_ alphabet: Alphabet) { self.alphabet = alphabet }

  /// Sets the lengths of the symbols, of 15 bits at most; 0 for symbols that do not occur.
  mutating func update(_ lengths: ArraySlice<Int>) {
    for length in counts.indices { counts[length] = 0 }
    for length in lengths { counts[length] += 1 }
    symbols = [Int](repeating: 0, count: lengths.count - counts[0])
    counts[0] = 0
    var next = counts.indices.map { counts[..<$0].reduce(0, +) }
    var symbol = 0
    for length in lengths {
      if length > 0 {
        symbols[next[length]] = symbol
        next[length] += 1
      }
      symbol += 1
    }
  }

  /// Fills a table of steps, by the next 11 bits: the bits to take and the kind of symbol; 0 for a
  /// longer code, or none.
  func fill(_ table: UnsafeMutableBufferPointer<UInt16>) {
    table.update(repeating: 0)
    var (code, index) = (0, 0)
    for length in 1...Self.quick {
      code <<= 1
      for symbol in symbols[index..<index + counts[length]] {
        fill(table, code: code, length: length, step: step(symbol, length: length))
        code += 1
      }
      index += counts[length]
    }
  }

  /// Fills the entries of one code.
  ///
  /// The first bit of a code is the lowest; the bits above it may be anything.
  private func fill(
    _ table: UnsafeMutableBufferPointer<UInt16>, code: Int, length: Int, step: UInt16
  ) {
    var index = 0
    for bit in 0..<length where code >> bit & 1 == 1 { index |= 1 << (length - 1 - bit) }
    while index < table.count {
      table[index] = step
      index += 1 << length
    }
  }

  /// The step for the next symbol, of any length; 0 if there is none.
  func slowStep(_ bits: UInt64) -> UInt16 {
    guard let (symbol, length) = symbol(bits) else { return 0 }
    return step(symbol, length: length)
  }

  /// The next symbol, and its length in bits.
  func symbol(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    var (code, first, index) = (0, 0, 0)
    for length in 1...15 {
      code |= Int(bits >> UInt64(length - 1) & 1)
      if code >= first, code < first + counts[length] {
        return (symbols[index + code - first], length)
      }
      index += counts[length]
      first = (first + counts[length]) << 1
      code <<= 1
    }
    return nil
  }

  private func step(_ symbol: Int, length: Int) -> UInt16 {
    switch alphabet {
    case .codeLengths: return UInt16(length)
    case .distances: return symbol > 29 ? 0 : UInt16(length + max(0, symbol / 2 - 1))
    case .literalsAndLengths: break
    }
    switch symbol {
    case 0..<256: return UInt16(length)
    case 256: return UInt16(length) | Self.end
    case 257..<265, 285: return UInt16(length) | Self.length
    case 265..<285: return UInt16(length + (symbol - 261) / 4) | Self.length
    default: return 0
    }
  }
}
