import ContentModel

/// Reads JSON (RFC 8259) strictly: no comments, no commas at the end, no `null`, each key once.
struct JSONReader: TextReader {
  static let format = PropertyListFormat.json
  var scan: TextScan

  static func decode(_ bytes: [UInt8]) throws(PropertyListDecodingError) -> Value {
    var reader = JSONReader(scan: try openScan(of: bytes))
    let value = try reader.readValue(depth: 0)
    reader.scan.skipWhitespace()
    guard reader.scan.isAtEnd else { throw reader.failure(.expected("the end of the input")) }
    return value
  }

  private mutating func readValue(depth: Int) throws(PropertyListDecodingError) -> Value {
    scan.skipWhitespace()
    switch scan.current {
    case UInt8(ascii: "\""): return .string(try readString())
    case UInt8(ascii: "["): return try readArray(depth: depth)
    case UInt8(ascii: "{"): return try readDictionary(depth: depth)
    case UInt8(ascii: "-"): return try readNumber()
    case let byte? where byte.isDigit: return try readNumber()
    case nil: throw failure(.endOfInput)
    default: break
    }
    if scan.take("true") { return .boolean(true) }
    if scan.take("false") { return .boolean(false) }
    throw failure(scan.starts(with: "null") ? .null : .expected("a value"))
  }

  private mutating func readArray(depth: Int) throws(PropertyListDecodingError) -> Value {
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep) }
    scan.offset += 1
    var items: [Value] = []
    scan.skipWhitespace()
    if scan.take("]") { return .array(items) }
    repeat {
      items.append(try readValue(depth: depth + 1))
      scan.skipWhitespace()
    } while scan.take(",")
    try expect("]", as: "',' or ']'")
    return .array(items)
  }

  private mutating func readDictionary(depth: Int) throws(PropertyListDecodingError) -> Value {
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep) }
    scan.offset += 1
    var builder = DictionaryBuilder()
    scan.skipWhitespace()
    if scan.take("}") { return builder.build() }
    repeat {
      scan.skipWhitespace()
      let start = scan.offset
      guard scan.current == UInt8(ascii: "\"") else { throw failure(.expected("a key in quotation marks")) }
      let key = try readString()
      scan.skipWhitespace()
      try expect(":", as: "':'")
      builder.append(key, try readValue(depth: depth + 1), at: start)
      scan.skipWhitespace()
    } while scan.take(",")
    try expect("}", as: "',' or '}'")
    return try build(builder)
  }

  private mutating func readNumber() throws(PropertyListDecodingError) -> Value {
    let start = scan.offset
    _ = scan.take("-")
    if !scan.take("0") { try readDigits(from: start) }
    let integerEnd = scan.offset
    if scan.take(".") { try readDigits(from: start) }
    if scan.take("e") || scan.take("E") {
      _ = scan.take("+") || scan.take("-")
      try readDigits(from: start)
    }
    if scan.offset == integerEnd {
      guard let number = Int64(scan.text(from: start)) else { throw failure(.integerOutOfRange, at: start) }
      return .integer(number)
    }
    guard let number = Double(scan.text(from: start)), number.isFinite else { throw failure(.badNumber, at: start) }
    return .real(number)
  }

  private mutating func readDigits(from start: Int) throws(PropertyListDecodingError) {
    guard scan.current?.isDigit == true else { throw failure(.badNumber, at: start) }
    while scan.current?.isDigit == true { scan.offset += 1 }
  }
}

extension JSONReader {
  private mutating func readString() throws(PropertyListDecodingError) -> String {
    scan.offset += 1
    let start = scan.offset
    while let byte = scan.current, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\"), byte >= 0x20 {
      scan.offset += 1
    }
    if scan.current == UInt8(ascii: "\"") {
      defer { scan.offset += 1 }
      return scan.text(from: start)
    }
    return try readEscapedString(Array(scan.bytes[start..<scan.offset]))
  }

  /// The rest of a string of which the first bytes, without an escape, are known.
  private mutating func readEscapedString(_ begun: [UInt8]) throws(PropertyListDecodingError) -> String {
    var text = begun
    while let byte = scan.current {
      switch byte {
      case UInt8(ascii: "\""):
        scan.offset += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text += UTF8.encode(try readEscape()) ?? .init()
      case 0..<0x20: throw failure(.forbiddenCharacter(Unicode.Scalar(byte)))
      default:
        text.append(byte)
        scan.offset += 1
      }
    }
    throw failure(.endOfInput)
  }

  private mutating func readEscape() throws(PropertyListDecodingError) -> Unicode.Scalar {
    let start = scan.offset
    scan.offset += 2
    switch scan.peek(-1) {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): return try readUTF16Escape(introducedBy: "\\u", digits: 4...4, from: start)
    case nil: throw failure(.endOfInput)
    default: throw failure(.badEscape, at: start)
    }
  }
}
