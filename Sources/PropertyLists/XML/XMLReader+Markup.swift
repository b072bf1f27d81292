import ContentModel

extension XMLReader {
  /// Advances past white space, comments and processing instructions.
  mutating func skipBlanks() throws(PropertyListDecodingError) {
    while true {
      scan.skipWhitespace()
      let start = scan.offset
      if scan.take("<!--") {
        guard scan.skip(past: "-->") else {
          throw failure(.expected("'-->' after this"), at: start)
        }
      } else if scan.take("<?") {
        guard scan.skip(past: "?>") else { throw failure(.expected("'?>' after this"), at: start) }
      } else {
        return
      }
    }
  }

  /// Reads the XML declaration, if there is one, and checks its encoding.
  mutating func readDeclaration() throws(PropertyListDecodingError) {
    scan.skipWhitespace()
    guard scan.starts(with: "<?xml") else { return }
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
  mutating func skipDocumentType() throws(PropertyListDecodingError) {
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

  /// Reads the start tag of an allowed element and ignores its attributes.
  mutating func readStart(
    expecting what: String, where isAllowed: (XMLElement) -> Bool
  ) throws(PropertyListDecodingError) -> (element: XMLElement, hasContent: Bool) {
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

  mutating func readEnd(of element: XMLElement) throws(PropertyListDecodingError) {
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

  private mutating func skipAttributes() throws(PropertyListDecodingError) {
    while let byte = scan.current, byte != UInt8(ascii: ">"), byte != UInt8(ascii: "/") {
      let start = scan.offset
      scan.skipWhitespace()
      if scan.current == UInt8(ascii: ">") || scan.current == UInt8(ascii: "/") { return }
      guard scan.offset > start else { throw failure(.expected("'>'")) }
      while let byte = scan.current, !byte.isWhitespace, !"=<>/'\"".utf8.contains(byte) {
        scan.offset += 1
      }
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
