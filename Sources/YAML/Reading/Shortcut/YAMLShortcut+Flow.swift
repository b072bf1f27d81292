import ContentModel

extension YAMLShortcut {
  /// Reads a flow collection within a line.
  mutating func readFlow() -> Bool {
    let isMapping = bytes[at] == UInt8(ascii: "{")
    let bracket = isMapping ? UInt8(ascii: "}") : UInt8(ascii: "]")
    guard builder.openFlow(isMapping ? .mapping : .sequence, at: at) else { return false }
    at += 1
    skipSpaces()
    while bytes[at] != bracket {
      if isMapping {
        guard attachFlow(readFlowKey()) else { return false }
      }
      guard readFlowValue() else { return false }
      skipSpaces()
      if bytes[at] == UInt8(ascii: ",") {
        at += 1
        skipSpaces()
      } else if bytes[at] != bracket {
        return false
      }
    }
    at += 1
    builder.closeLastFrame(atByte: at)
    return true
  }

  private mutating func skipSpaces() {
    while bytes[at] == 0x20 { at += 1 }
  }

  private mutating func readFlowKey() -> YAMLRow? {
    let start = at
    let row = bytes[at].isQuote ? readQuoted() : readPlain(inFlow: true)
    guard let row, bytes[at] == UInt8(ascii: ":"), bytes[at + 1] == 0x20, at - start < 250 else {
      return nil
    }
    at += 2
    skipSpaces()
    return row
  }

  private mutating func readFlowValue() -> Bool {
    switch bytes[at] {
    case UInt8(ascii: "["), UInt8(ascii: "{"): readFlow()
    case UInt8(ascii: "\""), UInt8(ascii: "'"): attachFlow(readQuoted())
    default: attachFlow(readPlain(inFlow: true)) && bytes[at] != UInt8(ascii: ":")
    }
  }

  private mutating func attachFlow(_ row: YAMLRow?) -> Bool {
    guard let row else { return false }
    builder.attach(row, height: 0, end: row.writtenEnd)
    return true
  }

  /// Reads a quoted text within a line, without escapes.
  mutating func readQuoted() -> YAMLRow? {
    guard let end = quotedEnd(from: at) else { return nil }
    let row = YAMLRow(textAt: at + 1, count: end - at - 2, isQuoted: true)
    at = end
    return row
  }

  /// The end of a text in quotes.
  func quotedEnd(from start: Int) -> Int? {
    let quote = bytes[start]
    var end = start + 1
    while bytes[end] != quote {
      guard bytes[end] != 0x0A, bytes[end] != UInt8(ascii: "\\") || quote != UInt8(ascii: "\"")
      else { return nil }
      end += 1
    }
    // Two single quotes stand for one.
    return bytes[end + 1] == quote ? nil : end + 1
  }

  /// Reads a text without quotes.
  ///
  /// A colon with a space, a comment or the end of the line ends the text; in a flow collection, so
  /// does a comma or a bracket.
  mutating func readPlain(inFlow: Bool) -> YAMLRow? {
    let start = at
    guard bytes[at].beginsPlain || (bytes[at] == UInt8(ascii: "-") && bytes[at + 1].isDigit)
    else { return nil }
    var end = at
    scan: while true {
      let byte = bytes[at]
      switch byte {
      case 0x0A: break scan
      case 0x20:
        if bytes[at + 1] == UInt8(ascii: "#") { break scan }
        at += 1
        continue scan
      case UInt8(ascii: ":"):
        let next = bytes[at + 1]
        if next == 0x20 || next == 0x0A { break scan }
        if inFlow, next != UInt8(ascii: "/"), next.hexadecimalValue == nil { return nil }
      case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"):
        if inFlow { break scan }
      case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "?"):
        if inFlow { return nil }
      case 0x09, 0x0D: return nil
      default: break
      }
      at += 1
      end = at
    }
    return YAMLRow(textAt: start, count: end - start, isQuoted: false)
  }
}

extension UInt8 {
  var isQuote: Bool { self == UInt8(ascii: "\"") || self == UInt8(ascii: "'") }

  /// A Boolean value that indicates whether the byte may begin a plain scalar, regardless of the
  /// next byte (YAML 1.2.2, section 7.3.3).
  fileprivate var beginsPlain: Bool {
    switch self {
    case 0...0x20, UInt8(ascii: "-"), UInt8(ascii: "?"), UInt8(ascii: ":"), UInt8(ascii: ","),
      UInt8(ascii: "["),
      UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "#"), UInt8(ascii: "&"),
      UInt8(ascii: "*"), UInt8(ascii: "!"), UInt8(ascii: "|"), UInt8(ascii: ">"), UInt8(ascii: "'"),
      UInt8(ascii: "\""), UInt8(ascii: "%"), UInt8(ascii: "@"), UInt8(ascii: "`"):
      false
    default: true
    }
  }
}
