import ContentModel

/// A writer of Apple's XML format with the layout of Apple's writer.
struct XMLWriter: TextWriter {
  var output: [UInt8] = []

  private static let header = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
    "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  mutating func write(_ value: Value, depth: Int) throws(PropertyListEncodingError) {
    indent(depth)
    switch value {
    case .string(let text): try write(text, in: "string")
    case .integer(let number): try write(String(number), in: "integer")
    case .real(let number): try write(number.propertyListText, in: "real")
    case .boolean(let flag): output += (flag ? "<true/>\n" : "<false/>\n").utf8
    case .date(let instant): try write(try Self.text(of: instant), in: "date")
    case .data(let bytes): write(bytes, depth: depth)
    case .array(let items): try write(items, depth: depth)
    case .dictionary(let members): try write(members, depth: depth)
    }
  }

  private mutating func indent(_ depth: Int) {
    for _ in 0..<depth { output.append(UInt8(ascii: "\t")) }
  }

  private mutating func write(_ text: String, in element: String) throws(PropertyListEncodingError)
  {
    output += "<\(element)>".utf8
    if let scalar = Self.escaping.append(text, to: &output) {
      throw PropertyListEncodingError(.forbiddenCharacter(scalar), in: .xml)
    }
    output += "</\(element)>\n".utf8
  }

  private static func text(of instant: Instant) throws(PropertyListEncodingError) -> String {
    let text = try instant.text(in: .xml)
    let seconds = instant.secondsSinceReferenceDate
    guard seconds == seconds.rounded(.down) else {
      throw PropertyListEncodingError(.fractionalDate, in: .xml)
    }
    return text
  }

  /// Writes base64 in lines of at most 76 columns, where a tab counts as eight.
  private mutating func write(_ bytes: [UInt8], depth: Int) {
    output += "<data>\n".utf8
    let width = (76 - 8 * min(depth, 8)) / 4 * 3
    for start in stride(from: 0, to: bytes.count, by: width) {
      indent(min(depth, 8))
      output += Base64.encode(bytes[start..<min(start + width, bytes.count)])
      output.append(UInt8(ascii: "\n"))
    }
    indent(depth)
    output += "</data>\n".utf8
  }

  private mutating func write(_ items: [Value], depth: Int) throws(PropertyListEncodingError) {
    guard depth < PropertyList.depthLimit else {
      throw PropertyListEncodingError(.tooDeep, in: .xml)
    }
    if items.isEmpty {
      output += "<array/>\n".utf8
      return
    }
    begin(.array)
    for (index, item) in items.enumerated() {
      do { try write(item, depth: depth + 1) } catch { throw error.inside(String(index)) }
    }
    end(.array, depth: depth)
  }

  private mutating func write(_ members: Members, depth: Int) throws(PropertyListEncodingError) {
    guard depth < PropertyList.depthLimit else {
      throw PropertyListEncodingError(.tooDeep, in: .xml)
    }
    if members.isEmpty {
      output += "<dict/>\n".utf8
      return
    }
    begin(.dictionary)
    for member in members {
      do {
        try beginMember(member.key, depth: depth)
        try write(member.value, depth: depth + 1)
      } catch { throw error.inside(member.key) }
    }
    end(.dictionary, depth: depth)
  }

  // MARK: Parts

  static let frame = (head: header, foot: "</plist>\n")
  static let memberSeparator = ""
  static let itemSeparator = ""

  mutating func begin(_ container: TextContainer, depth: Int) {
    indent(depth)
    begin(container)
  }

  private mutating func begin(_ container: TextContainer) {
    output += (container == .array ? "<array>\n" : "<dict>\n").utf8
  }

  mutating func end(_ container: TextContainer, depth: Int) {
    indent(depth)
    output += (container == .array ? "</array>\n" : "</dict>\n").utf8
  }

  mutating func beginMember(_ key: String, depth: Int) throws(PropertyListEncodingError) {
    indent(depth + 1)
    try write(key, in: "key")
  }

  mutating func endMember() {}

  mutating func beginItem(depth: Int) {}

  /// The escapes of XML, and of CR, which a reader would convert to LF.
  ///
  /// XML 1.0, section 2.2, cannot represent most control characters, U+FFFE and U+FFFF.
  private static let escaping = TextEscaping(suspects: Array(0..<0x20) + [0x26, 0x3C, 0x3E, 0xEF]) {
    scalar in
    switch scalar {
    case "&": .replace("&amp;")
    case "<": .replace("&lt;")
    case ">": .replace("&gt;")
    case "\r": .replace("&#13;")
    default: scalar.isAllowedInXML ? .keep : .refuse
    }
  }
}

extension Unicode.Scalar {
  /// `true` if a document may contain the scalar (XML 1.0, section 2.2, production 2).
  var isAllowedInXML: Bool {
    switch self {
    case "\t", "\n", "\r", " "..."\u{FFFD}", "\u{10000}"..."\u{10FFFF}": true
    default: false
    }
  }
}
