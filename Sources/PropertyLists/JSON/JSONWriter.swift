import ContentModel

/// A writer of compact JSON (RFC 8259): keys sorted by code point, and no escapes that JSON and
/// JavaScript do not need.
struct JSONWriter: TextWriter {
  var output: [UInt8] = []

  mutating func write(_ value: Value, depth: Int) throws(PropertyListEncodingError) {
    switch value {
    case .string(let text): write(text)
    case .integer(let number): output += String(number).utf8
    case .real(let number): try write(number)
    case .boolean(let flag): output += (flag ? "true" : "false").utf8
    case .date(let instant): write(try instant.text(in: .json))
    case .data(let bytes):
      output.append(UInt8(ascii: "\""))
      output += Base64.encode(bytes[...])
      output.append(UInt8(ascii: "\""))
    case .array(let items): try write(items, depth: depth)
    case .dictionary(let members): try write(members, depth: depth)
    }
  }

  /// Writes the shortest digits that read back as the same number, with a point or an exponent.
  private mutating func write(_ number: Double) throws(PropertyListEncodingError) {
    guard number.isFinite else { throw PropertyListEncodingError(.nonFiniteNumber, in: .json) }
    output += number.description.utf8
  }

  private mutating func write(_ text: String) {
    output.append(UInt8(ascii: "\""))
    _ = Self.escaping.append(text, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  private mutating func write(_ items: [Value], depth: Int) throws(PropertyListEncodingError) {
    guard depth < PropertyList.depthLimit else {
      throw PropertyListEncodingError(.tooDeep, in: .json)
    }
    begin(.array, depth: depth)
    for (index, item) in items.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      do { try write(item, depth: depth + 1) } catch { throw error.inside(String(index)) }
    }
    end(.array, depth: depth)
  }

  private mutating func write(_ members: Members, depth: Int) throws(PropertyListEncodingError) {
    guard depth < PropertyList.depthLimit else {
      throw PropertyListEncodingError(.tooDeep, in: .json)
    }
    begin(.dictionary, depth: depth)
    for (index, member) in members.enumerated() {
      if index > 0 { output.append(UInt8(ascii: ",")) }
      beginMember(member.key, depth: depth)
      do { try write(member.value, depth: depth + 1) } catch { throw error.inside(member.key) }
    }
    end(.dictionary, depth: depth)
  }

  // MARK: Parts

  static let frame = (head: "", foot: "")
  static let memberSeparator = ","
  static let itemSeparator = ","

  mutating func begin(_ container: TextContainer, depth: Int) {
    output.append(container == .array ? UInt8(ascii: "[") : UInt8(ascii: "{"))
  }

  mutating func end(_ container: TextContainer, depth: Int) {
    output.append(container == .array ? UInt8(ascii: "]") : UInt8(ascii: "}"))
  }

  mutating func beginMember(_ key: String, depth: Int) {
    write(key)
    output.append(UInt8(ascii: ":"))
  }

  mutating func endMember() {}

  mutating func beginItem(depth: Int) {}

  /// The escapes of JSON, and of three more scalars: U+2028 and U+2029 end a line in JavaScript
  /// before ES2019, and Foundation drops U+FEFF.
  private static let escaping = TextEscaping(suspects: Array(0..<0x20) + [0x22, 0x5C, 0xE2, 0xEF]) {
    scalar in
    switch scalar {
    case "\"": .replace(#"\""#)
    case "\\": .replace(#"\\"#)
    case "\n": .replace(#"\n"#)
    case "\r": .replace(#"\r"#)
    case "\t": .replace(#"\t"#)
    case "\u{8}": .replace(#"\b"#)
    case "\u{C}": .replace(#"\f"#)
    case "\0"..<" ", "\u{2028}", "\u{2029}", "\u{FEFF}":
      .replace(#"\u"# + scalar.fourHexadecimalDigits)
    default: .keep
    }
  }
}

extension Unicode.Scalar {
  /// The scalar's value in four lower-case digits; the scalar must be in the basic plane.
  var fourHexadecimalDigits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
  }
}

extension Instant {
  /// Returns the instant in RFC 3339 form in UTC.
  ///
  /// - Throws: `nonFiniteDate` or `dateOutOfRange`.
  func text(in format: PropertyListFormat) throws(PropertyListEncodingError) -> String {
    guard secondsSinceReferenceDate.isFinite else {
      throw PropertyListEncodingError(.nonFiniteDate, in: format)
    }
    guard hasRFC3339 else { throw PropertyListEncodingError(.dateOutOfRange, in: format) }
    return rfc3339
  }
}
