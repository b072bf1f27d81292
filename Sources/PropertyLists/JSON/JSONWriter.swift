import ContentModel

/// A writer of JSON (RFC 8259).
///
/// It sorts the keys of property lists by code point. The members of `JSONText` keep their order.
struct JSONWriter: TextWriter {
  var output: [UInt8] = []
  private let style: JSONStyle

  init() { self.init(.compact) }

  init(_ style: JSONStyle) { self.style = style }

  mutating func write(_ text: JSONText, depth: Int) {
    switch text {
    case .string(let text): write(text)
    case .number(let number): output += String(number).utf8
    case .boolean(let flag): output += (flag ? "true" : "false").utf8
    case .array(let items):
      begin(.array, depth: depth)
      for (index, item) in items.enumerated() {
        if index > 0 { output += style.comma }
        beginItem(depth: depth)
        write(item, depth: depth + 1)
      }
      end(.array, depth: depth)
    case .object(let members):
      begin(.dictionary, depth: depth)
      for (index, member) in members.enumerated() {
        if index > 0 { output += style.comma }
        beginMember(member.key, depth: depth)
        write(member.value, depth: depth + 1)
      }
      end(.dictionary, depth: depth)
    }
  }

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
    _ = style.escaping.append(text, to: &output)
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
    if style.isIndented {
      // Xcode writes an empty line in an empty object.
      if output.last == UInt8(ascii: "{") { output.append(UInt8(ascii: "\n")) }
      breakLine(depth: depth)
    }
    output.append(container == .array ? UInt8(ascii: "]") : UInt8(ascii: "}"))
  }

  mutating func beginMember(_ key: String, depth: Int) {
    if style.isIndented { breakLine(depth: depth + 1) }
    write(key)
    output += style.colon
  }

  mutating func endMember() {}

  mutating func beginItem(depth: Int) {
    if style.isIndented { breakLine(depth: depth + 1) }
  }

  private mutating func breakLine(depth: Int) {
    output.append(UInt8(ascii: "\n"))
    for _ in 0..<depth { output += "  ".utf8 }
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
