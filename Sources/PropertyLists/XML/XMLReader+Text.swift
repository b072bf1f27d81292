import ContentModel

extension XMLReader {
  /// Reads the text and the end tag of an element without child elements.
  mutating func readText(to element: XMLElement) throws(TextMistake) -> String {
    let start = scan.offset
    skipPlainText()
    if scan.starts(with: "</") {
      let text = scan.text(from: start)
      try readEnd(of: element)
      return text
    }
    return try readMarkedText(Array(scan.bytes[start..<scan.offset]), to: element)
  }

  /// Reads a key from after its start tag, which is at `offset`.
  mutating func readKey(at offset: Int, since mark: ContainerStack.Mark)
    throws(TextMistake)
  {
    let start = scan.offset
    let context = containers.keyContext(since: mark)
    if let count = containers.pushPredictedKey(
      in: context, from: start, upTo: UInt8(ascii: "<"), at: offset)
    {
      scan.offset += count
      if scan.starts(with: "</") { return try readEnd(of: .key) }
      containers.dropKey()
      scan.offset = start
    }
    skipPlainText()
    if scan.starts(with: "</") {
      containers.pushKey(from: start, count: scan.offset - start, at: offset, in: context)
      try readEnd(of: .key)
    } else {
      containers.pushKey(
        try readMarkedText(Array(scan.bytes[start..<scan.offset]), to: .key), at: offset)
    }
  }

  /// Advances to the next byte that may need treatment: markup, entities, CR and other controls,
  /// U+FFFE and U+FFFF.
  private mutating func skipPlainText() {
    let (raw, count) = (scan.raw, scan.bytes.count)
    var offset = scan.offset
    defer { scan.offset = offset }
    while true {
      while offset + 8 <= count {
        let word = raw.word(at: offset)
        let marks =
          word.marking(UInt8(ascii: "<")) | word.marking(UInt8(ascii: "&")) | word.markingControls
          | word.marking(0xEF)
        if marks != 0 {
          offset += marks.bytesBeforeMark
          break
        }
        offset += 8
      }
      // Tabs and line feeds are marked but plain; the caller checks other marked bytes.
      guard offset < count, raw[offset].isPlainInXML else { return }
      offset += 1
    }
  }

  /// Reads the rest of a text that begins with the plain bytes `begun`, up to the end tag.
  private mutating func readMarkedText(
    _ begun: [UInt8], to element: XMLElement
  ) throws(TextMistake) -> String {
    var text = begun
    while let byte = scan.current {
      switch byte {
      case UInt8(ascii: "<"):
        if scan.starts(with: "</") {
          try readEnd(of: element)
          return String(decoding: text, as: UTF8.self)
        }
        try readMarkup(into: &text, in: element)
      case UInt8(ascii: "&"): text.append(try readEntity())
      default:
        try readCharacter(into: &text)
        let start = scan.offset
        skipPlainText()
        text += scan.bytes[start..<scan.offset]
      }
    }
    throw failure(.endOfInput)
  }

  /// Skips a comment or a processing instruction, or appends the text of a CDATA section.
  private mutating func readMarkup(into text: inout [UInt8], in element: XMLElement)
    throws(TextMistake)
  {
    let start = scan.offset
    if try skipRemark() { return }
    guard scan.take("<![CDATA[") else { throw failure(.expected("</\(element.name)>")) }
    while !scan.take("]]>") {
      if scan.isAtEnd { throw failure(.endOfInput, at: start) }
      try readCharacter(into: &text)
    }
  }

  /// Appends a byte of text; line breaks become LF (XML 1.0, section 2.11).
  private mutating func readCharacter(into text: inout [UInt8]) throws(TextMistake) {
    let byte = scan.bytes[scan.offset]
    if byte < 0x20, !byte.isWhitespace {
      throw failure(.forbiddenCharacter(Unicode.Scalar(byte)))
    }
    if byte == 0xEF, scan.peek(1) == 0xBF, let last = scan.peek(2), last >= 0xBE {
      throw failure(.forbiddenCharacter(last == 0xBE ? "\u{FFFE}" : "\u{FFFF}"))
    }
    scan.offset += 1
    if byte == UInt8(ascii: "\r") {
      _ = scan.take("\n")
      text.append(UInt8(ascii: "\n"))
    } else {
      text.append(byte)
    }
  }

  private mutating func readEntity() throws(TextMistake) -> Unicode.Scalar {
    let start = scan.offset
    if scan.take("&lt;") { return "<" }
    if scan.take("&gt;") { return ">" }
    if scan.take("&amp;") { return "&" }
    if scan.take("&quot;") { return "\"" }
    if scan.take("&apos;") { return "'" }
    guard scan.take("&#") else { throw failure(.badEscape) }
    let isHexadecimal = scan.take("x")
    var number: UInt32 = 0
    var count = 0
    while let byte = scan.current, let digit = byte.hexadecimalValue,
      isHexadecimal || byte.isDigit
    {
      guard number <= 0x10FFFF else { throw failure(.badEscape, at: start) }
      number = number * (isHexadecimal ? 16 : 10) + UInt32(digit)
      count += 1
      scan.offset += 1
    }
    guard count > 0, scan.take(";"), let scalar = Unicode.Scalar(number) else {
      throw failure(.badEscape, at: start)
    }
    guard scalar.isAllowedInXML else { throw failure(.forbiddenCharacter(scalar), at: start) }
    return scalar
  }
}

extension UInt8 {
  /// `true` if the byte is text in every context.
  fileprivate var isPlainInXML: Bool {
    switch self {
    case UInt8(ascii: "\t"), UInt8(ascii: "\n"): true
    case 0..<0x20, UInt8(ascii: "<"), UInt8(ascii: "&"), 0xEF: false
    default: true
    }
  }
}
