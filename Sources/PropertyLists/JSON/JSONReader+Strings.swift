extension JSONReader {
  mutating func readString() throws(PropertyListDecodingError) -> String {
    scan.offset += 1
    let start = scan.offset
    skipPlainText()
    if scan.current == UInt8(ascii: "\"") {
      defer { scan.offset += 1 }
      return scan.text(from: start)
    }
    return try readEscapedString(Array(scan.bytes[start..<scan.offset]))
  }

  mutating func readKey() throws(PropertyListDecodingError) {
    let offset = scan.offset
    scan.offset += 1
    skipPlainText()
    if scan.current == UInt8(ascii: "\"") {
      containers.pushKey(from: offset + 1, count: scan.offset - offset - 1, at: offset)
      scan.offset += 1
    } else {
      let key = try readEscapedString(Array(scan.bytes[offset + 1..<scan.offset]))
      containers.pushKey(key, at: offset)
    }
  }

  /// Steps to the next byte that is a quotation mark, a backslash or a control character, or to the end.
  @inline(__always)
  private mutating func skipPlainText() {
    let (raw, count) = (scan.raw, scan.bytes.count)
    var offset = scan.offset
    defer { scan.offset = offset }
    while offset + 8 <= count {
      let word = raw.word(at: offset)
      let marks = word.marking(UInt8(ascii: "\"")) | word.marking(UInt8(ascii: "\\")) | word.markingControls
      if marks != 0 {
        offset += marks.bytesBeforeMark
        return
      }
      offset += 8
    }
    while offset < count, raw[offset] != UInt8(ascii: "\""), raw[offset] != UInt8(ascii: "\\"), raw[offset] >= 0x20 {
      offset += 1
    }
  }

  /// The rest of a string of which the first bytes, without an escape, are known.
  private mutating func readEscapedString(_ begun: [UInt8]) throws(PropertyListDecodingError) -> String {
    var text = begun
    while let byte = scan.current {
      switch byte {
      case UInt8(ascii: "\""):
        scan.offset += 1
        return String(decoding: text, as: UTF8.self)
      case UInt8(ascii: "\\"): text.append(try readEscape())
      case 0..<0x20: throw failure(.forbiddenCharacter(Unicode.Scalar(byte)))
      default:
        let start = scan.offset
        skipPlainText()
        text += scan.bytes[start..<scan.offset]
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

extension [UInt8] {
  /// Appends a character as UTF-8.
  mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      append(contentsOf: String(scalar).utf8)
    }
  }
}
