extension OpenStepReader {
  /// Reads a string with or without quotation marks.
  mutating func readString(expecting what: String) throws(TextMistake) -> String {
    guard let byte = scan.current else { throw failure(.endOfInput) }
    guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else {
      return try readUnquoted(expecting: what)
    }
    let start = scan.offset + 1
    if skipPlainText(endingWith: byte) { return String(checkedUTF8: plainText(from: start)) }
    return try readEscaped(Array(scan.bytes[start..<scan.offset]), endingWith: byte)
  }

  mutating func readKey(since mark: ContainerStack.Mark) throws(TextMistake) {
    let offset = scan.offset
    let context = containers.keyContext(since: mark)
    guard let byte = scan.current else { throw failure(.endOfInput) }
    guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") else {
      try skipUnquoted(expecting: "a key")
      return containers.pushKey(
        from: offset, count: scan.offset - offset, at: offset, in: context)
    }
    if skipPlainText(endingWith: byte) {
      containers.pushKey(
        from: offset + 1, count: scan.offset - offset - 2, at: offset, in: context)
    } else {
      let key = try readEscaped(Array(scan.bytes[offset + 1..<scan.offset]), endingWith: byte)
      containers.pushKey(key, at: offset)
    }
  }

  private mutating func readUnquoted(expecting what: String) throws(TextMistake)
    -> String
  {
    let start = scan.offset
    try skipUnquoted(expecting: what)
    return scan.text(from: start)
  }

  private mutating func skipUnquoted(expecting what: String) throws(TextMistake) {
    let start = scan.offset
    while let byte = scan.current, byte.isUnquoted { scan.offset += 1 }
    if scan.offset == start { throw failure(.expected(what)) }
  }

  /// Returns the text from `start` to the closing quotation mark before the current offset.
  private func plainText(from start: Int) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(rebasing: scan.bytes[start..<scan.offset - 1])
  }

  /// Advances from an opening quotation mark past the closing one.
  ///
  /// Returns `false`, and stops at an escape or the end, if one occurs before.
  private mutating func skipPlainText(endingWith quote: UInt8) -> Bool {
    scan.offset += 1
    skipPlainBytes(until: quote)
    return scan.take(quote)
  }

  private mutating func skipPlainBytes(until quote: UInt8) {
    let (raw, count) = (scan.raw, scan.bytes.count)
    var offset = scan.offset
    defer { scan.offset = offset }
    while offset + 8 <= count {
      let word = raw.word(at: offset)
      let marks = word.marking(quote) | word.marking(UInt8(ascii: "\\"))
      if marks != 0 {
        offset += marks.bytesBeforeMark
        return
      }
      offset += 8
    }
    while offset < count, raw[offset] != quote, raw[offset] != UInt8(ascii: "\\") { offset += 1 }
  }

  /// Reads the rest of a string that begins with the bytes `begun`, which have no escape.
  private mutating func readEscaped(
    _ begun: [UInt8], endingWith quote: UInt8
  ) throws(TextMistake) -> String {
    var text = begun
    while let byte = scan.current {
      if byte == quote {
        scan.offset += 1
        return String(decoding: text, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        text.append(try readEscape())
      } else {
        let start = scan.offset
        skipPlainBytes(until: quote)
        text += scan.bytes[start..<scan.offset]
      }
    }
    throw failure(.endOfInput)
  }

  private mutating func readEscape() throws(TextMistake) -> Unicode.Scalar {
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
    case UInt8(ascii: "U"):
      return try readUTF16Escape(introducedBy: "\\U", digits: 1...4, from: start)
    case 0x80...: throw failure(.badEscape, at: start)
    default: return Unicode.Scalar(byte)
    }
  }

  /// Reads up to three octal digits: a character of ASCII or, from `\200`, of the NeXTSTEP set.
  private mutating func readOctal(from start: Int) throws(TextMistake)
    -> Unicode.Scalar
  {
    var number = 0
    var count = 0
    while count < 3, let byte = scan.current, (UInt8(ascii: "0")...UInt8(ascii: "7")).contains(byte)
    {
      number = number << 3 | Int(byte & 7)
      count += 1
      scan.offset += 1
    }
    guard number < 256, let scalar = Unicode.Scalar(nextStep: UInt8(number)) else {
      throw failure(.badEscape, at: start)
    }
    return scalar
  }
}

extension UInt8 {
  /// `true` if a string without quotation marks may contain the byte.
  fileprivate var isUnquoted: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    case UInt8(ascii: "-")...UInt8(ascii: ":"), UInt8(ascii: "_"), UInt8(ascii: "$"): true
    default: false
    }
  }
}
