import ContentModel

/// A writer of the OpenStep text format, which has only strings, data, arrays and dictionaries.
///
/// Numbers, booleans (`true`, `false`) and dates (RFC 3339) become strings. Text is raw UTF-8, and
/// control characters are `\Uxxxx`, because CoreFoundation, libplist and openstep-plist all read
/// this. libplist reads two octal digits where the others read three, and decodes each half of an
/// escaped surrogate pair to three bytes.
struct OpenStepWriter: TextWriter {
  var output: [UInt8] = []

  mutating func write(_ value: Value, depth: Int) throws(PropertyListEncodingError) {
    switch value {
    case .string(let text): write(text)
    case .integer(let number): write(String(number))
    case .real(let number): write(number.propertyListText)
    case .boolean(let flag): write(flag ? "true" : "false")
    case .date(let instant): write(try instant.text(in: .openstep))
    case .data(let bytes): write(bytes)
    case .array(let items): try write(items, depth: depth)
    case .dictionary(let members): try write(members, depth: depth)
    }
  }

  private mutating func write(_ text: String) {
    if text.isPlainIdentifier {
      output += text.utf8
      return
    }
    output.append(UInt8(ascii: "\""))
    _ = Self.escaping.append(text, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ bytes: [UInt8]) {
    let digits = Array("0123456789abcdef".utf8)
    output.append(UInt8(ascii: "<"))
    for byte in bytes {
      output.append(digits[Int(byte >> 4)])
      output.append(digits[Int(byte & 15)])
    }
    output.append(UInt8(ascii: ">"))
  }

  private mutating func write(_ items: [Value], depth: Int) throws(PropertyListEncodingError) {
    guard depth < PropertyList.depthLimit else {
      throw PropertyListEncodingError(.tooDeep, in: .openstep)
    }
    guard !items.isEmpty else {
      output += "()".utf8
      return
    }
    begin(.array, depth: depth)
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      beginItem(depth: depth)
      do { try write(item, depth: depth + 1) } catch { throw error.inside(String(index)) }
    }
    end(.array, depth: depth)
  }

  private mutating func write(_ members: Members, depth: Int) throws(PropertyListEncodingError) {
    guard depth < PropertyList.depthLimit else {
      throw PropertyListEncodingError(.tooDeep, in: .openstep)
    }
    guard !members.isEmpty else {
      output += "{}".utf8
      return
    }
    begin(.dictionary, depth: depth)
    for member in members {
      beginMember(member.key, depth: depth)
      do { try write(member.value, depth: depth + 1) } catch { throw error.inside(member.key) }
      endMember()
    }
    end(.dictionary, depth: depth)
  }

  // MARK: Parts

  static let frame = (head: "", foot: "\n")
  static let memberSeparator = ""
  static let itemSeparator = ","

  mutating func begin(_ container: TextContainer, depth: Int) {
    output.append(container == .array ? UInt8(ascii: "(") : UInt8(ascii: "{"))
  }

  mutating func end(_ container: TextContainer, depth: Int) {
    startLine(depth: depth)
    output.append(container == .array ? UInt8(ascii: ")") : UInt8(ascii: "}"))
  }

  mutating func beginMember(_ key: String, depth: Int) {
    startLine(depth: depth + 1)
    write(key)
    output += " = ".utf8
  }

  mutating func endMember() { output.append(UInt8(ascii: ";")) }

  mutating func beginItem(depth: Int) { startLine(depth: depth + 1) }

  private mutating func startLine(depth: Int) {
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { output.append(UInt8(ascii: "\t")) }
  }

  /// The escapes of characters that could end a string or that readers drop: quotation marks,
  /// backslashes, controls, separators and byte-order marks.
  private static let escaping = TextEscaping(
    suspects: Array(0..<0x20) + [0x22, 0x5C, 0x7F, 0xC2, 0xE2, 0xEF]
  ) { scalar in
    switch scalar {
    case "\"": .replace(#"\""#)
    case "\\": .replace(#"\\"#)
    case "\n": .replace(#"\n"#)
    case "\r": .replace(#"\r"#)
    case "\t": .replace(#"\t"#)
    case "\0"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}", "\u{2029}", "\u{FEFF}", "\u{FFFE}",
      "\u{FFFF}":
      .replace(#"\U"# + scalar.value.fourHexadecimalDigits)
    default: .keep
    }
  }
}

extension String {
  /// `true` if every reader accepts the text without quotation marks.
  fileprivate var isPlainIdentifier: Bool {
    guard let first = utf8.first, !first.isDigit else { return false }
    return utf8.allSatisfy { byte in
      byte.isDigit || byte == UInt8(ascii: "_")
        || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
  }
}

extension Double {
  /// The shortest digits that read back as the same number; infinities as in Apple's XML.
  var propertyListText: String {
    if isNaN { return "nan" }
    if isInfinite { return self < 0 ? "-infinity" : "+infinity" }
    return description
  }
}
