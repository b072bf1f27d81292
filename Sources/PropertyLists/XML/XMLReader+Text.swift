extension XMLReader {
  /// The text up to an element's end tag, which is read as well; other elements may not stand in it.
  mutating func readText(to name: String) throws(PropertyListDecodingError) -> String {
    var text: [UInt8] = []
    while let byte = scan.current {
      switch byte {
      case UInt8(ascii: "<"):
        if scan.starts(with: "</") {
          try readEnd(of: name)
          return String(decoding: text, as: UTF8.self)
        }
        try readMarkup(into: &text, in: name)
      case UInt8(ascii: "&"): text += UTF8.encode(try readEntity()) ?? .init()
      default: try readCharacter(into: &text)
      }
    }
    throw failure(.endOfInput)
  }

  /// A comment, which is nothing, or a CDATA section, which is text.
  private mutating func readMarkup(into text: inout [UInt8], in name: String) throws(PropertyListDecodingError) {
    let start = scan.offset
    if scan.starts(with: "<!--") || scan.starts(with: "<?") {
      let end = scan.take("<!--") ? scan.skip(past: "-->") : scan.skip(past: "?>")
      guard end else { throw failure(.endOfInput, at: start) }
      return
    }
    guard scan.take("<![CDATA[") else { throw failure(.expected("</\(name)>")) }
    while !scan.take("]]>") {
      if scan.isAtEnd { throw failure(.endOfInput, at: start) }
      try readCharacter(into: &text)
    }
  }

  /// One byte of text; line ends become LF (XML 1.0, section 2.11).
  private mutating func readCharacter(into text: inout [UInt8]) throws(PropertyListDecodingError) {
    let byte = scan.bytes[scan.offset]
    if byte < 0x20, !byte.isTextWhitespace { throw failure(.forbiddenCharacter(Unicode.Scalar(byte))) }
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

  private mutating func readEntity() throws(PropertyListDecodingError) -> Unicode.Scalar {
    let start = scan.offset
    if scan.take("&lt;") { return "<" }
    if scan.take("&gt;") { return ">" }
    if scan.take("&amp;") { return "&" }
    if scan.take("&quot;") { return "\"" }
    if scan.take("&apos;") { return "'" }
    guard scan.take("&#") else { throw failure(.badEscape) }
    let isHexadecimal = scan.take("x")
    var (number, count) = (0 as UInt32, 0)
    while let byte = scan.current, let digit = byte.hexadecimalValue, isHexadecimal || digit < 10 && byte.isDigit {
      guard number <= 0x10FFFF else { throw failure(.badEscape, at: start) }
      (number, count) = (number * (isHexadecimal ? 16 : 10) + UInt32(digit), count + 1)
      scan.offset += 1
    }
    guard count > 0, scan.take(";"), let scalar = Unicode.Scalar(number) else {
      throw failure(.badEscape, at: start)
    }
    guard scalar.isAllowedInXML else { throw failure(.forbiddenCharacter(scalar), at: start) }
    return scalar
  }
}
