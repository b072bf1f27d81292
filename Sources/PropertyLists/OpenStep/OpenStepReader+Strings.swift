extension OpenStepReader {
  /// A string with or without quotation marks.
  mutating func readString(expecting what: String) throws(PropertyListDecodingError) -> String {
    guard let byte = scan.current else { throw failure(.endOfInput) }
    if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") { return try readQuoted(endingWith: byte) }
    let start = scan.offset
    while let byte = scan.current, byte.isUnquoted { scan.offset += 1 }
    if scan.offset == start { throw failure(.expected(what)) }
    return scan.text(from: start)
  }

  private mutating func readQuoted(endingWith quote: UInt8) throws(PropertyListDecodingError) -> String {
    scan.offset += 1
    var text: [UInt8] = []
    while let byte = scan.current {
      if byte == quote {
        scan.offset += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        text += UTF8.encode(try readEscape()) ?? .init()
      } else {
        text.append(byte)
        scan.offset += 1
      }
    }
    throw failure(.endOfInput)
  }

  private mutating func readEscape() throws(PropertyListDecodingError) -> Unicode.Scalar {
    let start = scan.offset
    scan.offset += 1
    guard let byte = scan.current else { throw failure(.endOfInput) }
    if (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) { return try readOctal(from: start) }
    scan.offset += 1
    switch byte {
    case UInt8(ascii: "a"): return "\u{7}"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "v"): return "\u{B}"
    case UInt8(ascii: "U"): return try readUTF16Escape(introducedBy: "\\U", digits: 1...4, from: start)
    case 0x80...: throw failure(.badEscape, at: start)
    default: return Unicode.Scalar(byte)
    }
  }

  /// Up to three octal digits: a character of ASCII or, from `\200` on, of the NeXTSTEP set.
  private mutating func readOctal(from start: Int) throws(PropertyListDecodingError) -> Unicode.Scalar {
    var (number, count) = (0, 0)
    while count < 3, let byte = scan.current, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte) {
      (number, count) = (number << 3 | Int(byte & 7), count + 1)
      scan.offset += 1
    }
    guard number < 256, let scalar = Unicode.Scalar(nextStep: UInt8(number)) else {
      throw failure(.badEscape, at: start)
    }
    return scalar
  }
}

extension UInt8 {
  /// Whether the byte may be part of a string without quotation marks.
  fileprivate var isUnquoted: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
  }
}
