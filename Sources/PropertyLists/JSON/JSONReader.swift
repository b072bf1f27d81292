import ContentModel

/// A strict reader of JSON (RFC 8259): no comments, no trailing commas, no duplicate keys, no lone
/// surrogates.
///
/// It reads property lists, which have no `null`, and nodes that keep their places.
package struct JSONReader: TextReader, ~Copyable {
  var scan: TextScan
  var containers: ContainerStack
  /// The buffer for strings with escapes.
  var scratch: [UInt8] = []
  /// The last member of the `list` of `readDocument` that the reader has begun, with its key if the
  /// key was read.
  package var lastEntry: (offset: Int, key: String?)?

  static func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, valueLimit: Int
  ) throws(TextMistake) -> Value {
    var reader = JSONReader(try openScan(of: bytes), valueLimit: valueLimit)
    try reader.readValue(depth: 0)
    reader.scan.skipWhitespace()
    guard reader.scan.isAtEnd else { throw reader.failure(.expected("the end of the input")) }
    return reader.containers.takeLast()
  }

  init(_ scan: TextScan, valueLimit: Int) {
    self.scan = scan
    containers = ContainerStack(for: scan.raw, valueLimit: valueLimit)
  }

  private mutating func readValue(depth: Int) throws(TextMistake) {
    scan.skipWhitespace()
    try countValue()
    switch scan.current {
    case UInt8(ascii: "\""): containers.push(.string(try readString()))
    case UInt8(ascii: "["): try readArray(depth: depth)
    case UInt8(ascii: "{"): try readDictionary(depth: depth)
    case UInt8(ascii: "-"): containers.push(try readNumber())
    case let byte? where byte.isDigit: containers.push(try readNumber())
    case nil: throw failure(.endOfInput)
    default: containers.push(.boolean(try readBoolean()))
    }
  }

  mutating func readBoolean() throws(TextMistake) -> Bool {
    if scan.take("true") { return true }
    if scan.take("false") { return false }
    throw failure(scan.starts(with: "null") ? .null : .expected("a value"))
  }

  private mutating func readArray(depth: Int) throws(TextMistake) {
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep) }
    let mark = containers.mark
    scan.offset += 1
    scan.skipWhitespace()
    if scan.take(UInt8(ascii: "]")) { return containers.push(.array([])) }
    repeat {
      try readValue(depth: depth + 1)
      scan.skipWhitespace()
    } while scan.take(UInt8(ascii: ","))
    try expect("]", as: "',' or ']'")
    containers.endArray(since: mark)
  }

  private mutating func readDictionary(depth: Int) throws(TextMistake) {
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep) }
    let mark = containers.mark
    scan.offset += 1
    scan.skipWhitespace()
    if scan.take(UInt8(ascii: "}")) { return containers.push(.dictionary(Members())) }
    repeat {
      scan.skipWhitespace()
      guard scan.current == UInt8(ascii: "\"") else {
        throw failure(.expected("a key in quotation marks"))
      }
      try readKey(since: mark)
      scan.skipWhitespace()
      try expect(":", as: "':'")
      try readValue(depth: depth + 1)
      scan.skipWhitespace()
    } while scan.take(UInt8(ascii: ","))
    try expect("}", as: "',' or '}'")
    try endDictionary(since: mark)
  }

  private mutating func readNumber() throws(TextMistake) -> Value {
    let start = scan.offset
    let isInteger = try skipNumber()
    let text = UnsafeBufferPointer(rebasing: scan.bytes[start..<scan.offset])
    if isInteger {
      guard let number = Int64(decimal: text) else { throw failure(.integerOutOfRange, at: start) }
      return .integer(number)
    }
    guard let number = Double(decimal: text), number.isFinite else {
      throw failure(.badNumber, at: start)
    }
    return .real(number)
  }

  /// Advances past a number, and returns `true` if it has no fraction and no exponent.
  @inline(__always)
  mutating func skipNumber() throws(TextMistake) -> Bool {
    let start = scan.offset
    _ = scan.take(UInt8(ascii: "-"))
    if !scan.take(UInt8(ascii: "0")) { try readDigits(from: start) }
    let integerEnd = scan.offset
    if scan.take(UInt8(ascii: ".")) { try readDigits(from: start) }
    if scan.take(UInt8(ascii: "e")) || scan.take(UInt8(ascii: "E")) {
      _ = scan.take(UInt8(ascii: "+")) || scan.take(UInt8(ascii: "-"))
      try readDigits(from: start)
    }
    return scan.offset == integerEnd
  }

  @inline(__always)
  private mutating func readDigits(from start: Int) throws(TextMistake) {
    guard scan.current?.isDigit == true else { throw failure(.badNumber, at: start) }
    while scan.current?.isDigit == true { scan.offset += 1 }
  }
}
