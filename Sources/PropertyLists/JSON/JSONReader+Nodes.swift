package import ContentModel

extension JSONReader {
  /// Creates a reader at the beginning of a text; the text must outlive the reader.
  ///
  /// - Throws: `invalidUTF8`, or `empty` if the text is only white space.
  package init(_ bytes: UnsafeBufferPointer<UInt8>) throws(TextMistake) {
    self.init(try Self.openScan(of: bytes), valueLimit: .max)
  }

  /// The offset of the next byte, up to the byte count.
  package var offset: Int {
    get { min(scan.offset, scan.bytes.count) }
    set { scan.offset = newValue }
  }

  /// The next byte; `nil` at the end.
  package var current: UInt8? { scan.current }

  /// Advances past spaces, tabs and line breaks.
  package mutating func skipWhitespace() { scan.skipWhitespace() }

  /// Advances past a byte if it is next.
  package mutating func take(_ byte: UInt8) -> Bool { scan.take(byte) }

  /// Reads a whole text.
  ///
  /// `list` is a key of the root object. While its value, an object, is read, `lastEntry` notes the
  /// last member that the reader has begun.
  package mutating func readDocument(list: ExactString) throws(TextMistake) -> JSONNode {
    let node = try readNode(depth: 0, list: list)
    scan.skipWhitespace()
    guard scan.isAtEnd else { throw failure(.expected("the end of the input")) }
    return node
  }

  /// Reads a value inside `depth` containers.
  package mutating func readNode(depth: Int) throws(TextMistake) -> JSONNode {
    try readNode(depth: depth, list: nil)
  }

  private mutating func readNode(
    depth: Int, list: ExactString?, isList: Bool = false
  ) throws(TextMistake) -> JSONNode {
    scan.skipWhitespace()
    let start = scan.offset
    guard depth < JSONNode.depthLimit else { throw failure(.tooDeep) }
    switch scan.current {
    case UInt8(ascii: "{"):
      let members = try readMembers(depth: depth, list: list, isList: isList)
      return JSONNode(content: .object(members), place: start..<start + 1)
    case UInt8(ascii: "["):
      try skipItems(depth: depth)
      return JSONNode(content: .other, place: start..<start + 1)
    default:
      let content = try readScalar()
      return JSONNode(content: content, place: start..<scan.offset)
    }
  }

  private mutating func readScalar() throws(TextMistake) -> JSONNode.Content {
    switch scan.current {
    case UInt8(ascii: "\""): return .string(try readString())
    case let byte? where byte.isDigit || byte == UInt8(ascii: "-"):
      _ = try skipNumber()
      return .other
    case nil: throw failure(.endOfInput)
    default: return scan.take("null") ? .other : .boolean(try readBoolean())
    }
  }

  private mutating func readMembers(
    depth: Int, list: ExactString?, isList: Bool
  ) throws(TextMistake) -> [JSONMember] {
    var members: [JSONMember] = []
    var known: Set<ExactString> = []
    scan.offset += 1
    scan.skipWhitespace()
    if scan.take(UInt8(ascii: "}")) { return members }
    repeat {
      scan.skipWhitespace()
      let start = scan.offset
      if isList { lastEntry = (start, nil) }
      guard scan.current == UInt8(ascii: "\"") else {
        throw failure(.expected("a key in quotation marks"))
      }
      let key = ExactString(try readString())
      let place = start..<scan.offset
      if isList { lastEntry = (start, key.text) }
      guard known.insert(key).inserted else {
        throw failure(.duplicateKey(key.text), at: start)
      }
      scan.skipWhitespace()
      try expect(":", as: "':'")
      let value = try readNode(depth: depth + 1, list: nil, isList: key == list)
      members.append(JSONMember(key: key, place: place, value: value))
      scan.skipWhitespace()
    } while scan.take(UInt8(ascii: ","))
    try expect("}", as: "',' or '}'")
    return members
  }

  private mutating func skipItems(depth: Int) throws(TextMistake) {
    scan.offset += 1
    scan.skipWhitespace()
    if scan.take(UInt8(ascii: "]")) { return }
    repeat {
      _ = try readNode(depth: depth + 1)
      scan.skipWhitespace()
    } while scan.take(UInt8(ascii: ","))
    try expect("]", as: "',' or ']'")
  }
}
