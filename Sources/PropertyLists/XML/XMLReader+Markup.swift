import ContentModel

extension XMLReader {
  /// Advances past white space, comments and processing instructions.
  mutating func skipBlanks() throws(TextMistake) {
    repeat { scan.skipWhitespace() } while try skipRemark()
  }

  /// Advances past a comment or a processing instruction; returns `false` at anything else.
  mutating func skipRemark() throws(TextMistake) -> Bool {
    let start = scan.offset
    if scan.take("<!--") {
      guard scan.skip(past: "--") else {
        throw failure(.expected("'-->' after this"), at: start)
      }
      guard scan.take(UInt8(ascii: ">")) else {
        throw failure(scan.isAtEnd ? .endOfInput : .badComment, at: scan.offset - 2)
      }
      return true
    }
    guard scan.take("<?") else { return false }
    // Only the beginning of a text may have this name (XML 1.0, section 2.6).
    if isDeclaration(at: start) { throw failure(.misplacedDeclaration, at: start) }
    guard scan.skip(past: "?>") else { throw failure(.expected("'?>' after this"), at: start) }
    return true
  }

  /// Returns whether `<?xml` and the end of the name occur at an offset.
  private func isDeclaration(at offset: Int) -> Bool {
    var rest = scan
    rest.offset = offset
    guard rest.take("<?xml"), let next = rest.current else { return false }
    return next.isWhitespace || next == UInt8(ascii: "?")
  }

  /// Reads the XML declaration, if the text begins with one, and checks its encoding.
  mutating func readDeclaration() throws(TextMistake) {
    guard isDeclaration(at: scan.offset) else { return }
    let start = scan.offset
    guard scan.skip(past: "?>") else { throw failure(.expected("'?>' after this"), at: start) }
    let words = scan.bytes[start..<scan.offset].split {
      $0.isWhitespace || "='\"?".utf8.contains($0)
    }
    guard let index = words.firstIndex(where: { $0.elementsEqual("encoding".utf8) }),
      index + 1 < words.count
    else {
      return
    }
    let name = String(decoding: words[index + 1], as: UTF8.self)
    guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name.lowercased()) else {
      throw failure(.unsupportedEncoding(name), at: start)
    }
  }

  /// Advances past the document type.
  ///
  /// - Throws: `internalSubset`, because entities that it declares could unfold without bound.
  mutating func skipDocumentType() throws(TextMistake) {
    let start = scan.offset
    guard scan.take("<!DOCTYPE") else { return }
    while let byte = scan.current {
      scan.offset += 1
      switch byte {
      case UInt8(ascii: ">"): return
      case UInt8(ascii: "["): throw failure(.internalSubset, at: scan.offset - 1)
      case UInt8(ascii: "\""), UInt8(ascii: "'"):
        while let inner = scan.current, inner != byte { scan.offset += 1 }
        scan.offset += 1
      default: break
      }
    }
    throw failure(.expected("'>' after this"), at: start)
  }

  /// Reads the start tag of an allowed element, and skips its attributes.
  mutating func readStart(
    expecting what: String, where isAllowed: (XMLElement) -> Bool
  ) throws(TextMistake) -> (element: XMLElement, hasContent: Bool) {
    let start = scan.offset
    if scan.isAtEnd { throw failure(.endOfInput) }
    guard scan.take(UInt8(ascii: "<")), scan.current != UInt8(ascii: "/") else {
      throw failure(.expected(what), at: start)
    }
    let nameStart = scan.offset
    let element = readName()
    guard let element, isAllowed(element) else {
      let isKnown = element != nil || scan.offset == nameStart
      throw failure(
        isKnown ? .expected(what) : .unknownElement(scan.text(from: nameStart)), at: start)
    }
    if scan.take(UInt8(ascii: ">")) { return (element, true) }
    try skipAttributes()
    let isClosed = scan.take(UInt8(ascii: "/"))
    try expect(">", as: "'>'")
    return (element, !isClosed)
  }

  mutating func readEnd(of element: XMLElement) throws(TextMistake) {
    let start = scan.offset
    if scan.isAtEnd { throw failure(.endOfInput) }
    guard scan.take("</"), readName() == element else {
      throw failure(.expected("</\(element.name)>"), at: start)
    }
    scan.skipWhitespace()
    try expect(">", as: "'>'")
  }

  /// Reads a name of at most 32 letters and returns its element, or `nil` if it is unknown.
  private mutating func readName() -> XMLElement? {
    let start = scan.offset
    while let byte = scan.current, byte | 0x20 >= UInt8(ascii: "a"),
      byte | 0x20 <= UInt8(ascii: "z"),
      scan.offset - start < 32
    {
      scan.offset += 1
    }
    guard scan.offset > start else { return nil }
    for element in XMLElement.named(from: scan.bytes[start]) where isName(of: element, from: start)
    { return element }
    return nil
  }

  private func isName(of element: XMLElement, from start: Int) -> Bool {
    let name = element.name
    guard scan.offset - start == name.utf8CodeUnitCount else { return false }
    for index in 0..<name.utf8CodeUnitCount where scan.bytes[start + index] != name.utf8Start[index]
    { return false }
    return true
  }

  /// The most attributes of an element; property lists define one, `version`.
  private static let attributeLimit = 16

  /// Advances past attributes, of which no two may have one name (XML 1.0, section 3.1).
  private mutating func skipAttributes() throws(TextMistake) {
    var names: [String] = []
    while let byte = scan.current, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
      let start = scan.offset
      scan.skipWhitespace()
      if scan.current == UInt8(ascii: ">") || scan.current == UInt8(ascii: "/") { return }
      guard scan.offset > start else { throw failure(.expected("'>'")) }
      let nameStart = scan.offset
      while let byte = scan.current, !byte.isWhitespace, !"=<>/'\"".utf8.contains(byte) {
        scan.offset += 1
      }
      let name = scan.text(from: nameStart)
      guard !name.isEmpty, names.count < Self.attributeLimit else {
        throw failure(.expected("'>'"), at: nameStart)
      }
      if names.contains(where: { $0.hasSameBytes(as: name) }) {
        throw failure(.duplicateAttribute(name), at: nameStart)
      }
      names.append(name)
      scan.skipWhitespace()
      try expect("=", as: "'='")
      scan.skipWhitespace()
      guard let quote = scan.current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
      else {
        throw failure(.expected("a quoted value"))
      }
      scan.offset += 1
      while let byte = scan.current, byte != quote, byte != UInt8(ascii: "<") { scan.offset += 1 }
      try expect(Unicode.Scalar(quote), as: "the closing quotation mark")
    }
  }
}
