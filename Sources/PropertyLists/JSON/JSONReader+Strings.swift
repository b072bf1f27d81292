extension JSONReader {
  /// Reads the string whose quotation mark is next.
  package mutating func readString() throws(TextMistake) -> String {
    scan.offset += 1
    let start = scan.offset
    let isASCII = skipPlainText()
    guard scan.take(UInt8(ascii: "\"")) else { return try readEscapedString(from: start) }
    let text = UnsafeBufferPointer(rebasing: scan.bytes[start..<scan.offset - 1])
    return isASCII ? String(decoding: text, as: UTF8.self) : String(nonASCII: text)
  }

  mutating func readKey(since mark: ContainerStack.Mark) throws(TextMistake) {
    let offset = scan.offset
    scan.offset += 1
    let context = containers.keyContext(since: mark)
    let quote = UInt8(ascii: "\"")
    if let count = containers.pushPredictedKey(
      in: context, from: offset + 1, upTo: quote, at: offset)
    {
      scan.offset += count + 1
      return
    }
    skipPlainText()
    if scan.take(quote) {
      containers.pushKey(
        from: offset + 1, count: scan.offset - offset - 2, at: offset, in: context)
    } else {
      containers.pushKey(try readEscapedString(from: offset + 1), at: offset)
    }
  }

  /// Advances to the next quotation mark, backslash or control character, or to the end.
  ///
  /// Returns `true` if the skipped bytes are ASCII.
  @discardableResult @inline(__always)
  private mutating func skipPlainText() -> Bool {
    let (raw, count) = (scan.raw, scan.bytes.count)
    var (offset, seen) = (scan.offset, 0 as UInt64)
    defer { scan.offset = offset }
    while offset + 8 <= count {
      let word = raw.word(at: offset)
      let marks =
        word.marking(UInt8(ascii: "\"")) | word.marking(UInt8(ascii: "\\")) | word.markingControls
      if marks != 0 {
        offset += marks.bytesBeforeMark
        return (seen | word.before(marks)) & UInt64.highBits == 0
      }
      seen |= word
      offset += 8
    }
    while offset < count, raw[offset] != UInt8(ascii: "\""), raw[offset] != UInt8(ascii: "\\"),
      raw[offset] >= 0x20
    {
      seen |= UInt64(raw[offset])
      offset += 1
    }
    return seen & UInt64.highBits == 0
  }

  /// Reads a string whose bytes from `start` up to the current byte have no escape.
  private mutating func readEscapedString(from start: Int) throws(TextMistake)
    -> String
  {
    scratch.removeAll(keepingCapacity: true)
    scratch += scan.bytes[start..<scan.offset]
    while let byte = scan.current {
      switch byte {
      case UInt8(ascii: "\""):
        scan.offset += 1
        return scratch.withUnsafeBufferPointer { String(checkedUTF8: $0) }
      case UInt8(ascii: "\\"): scratch.append(try readEscape())
      case 0..<0x20: throw failure(.forbiddenCharacter(Unicode.Scalar(byte)))
      default:
        let start = scan.offset
        skipPlainText()
        scratch += scan.bytes[start..<scan.offset]
      }
    }
    throw failure(.endOfInput)
  }

  private mutating func readEscape() throws(TextMistake) -> Unicode.Scalar {
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
    case UInt8(ascii: "u"):
      return try readUTF16Escape(introducedBy: "\\u", digits: 4...4, from: start)
    case nil: throw failure(.endOfInput)
    default: throw failure(.badEscape, at: start)
    }
  }
}

extension [UInt8] {
  /// Appends a scalar as UTF-8.
  mutating func append(_ scalar: Unicode.Scalar) {
    if scalar.isASCII {
      append(UInt8(truncatingIfNeeded: scalar.value))
    } else {
      append(contentsOf: String(scalar).utf8)
    }
  }
}
