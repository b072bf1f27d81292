import ContentModel

extension ValueContainer: SingleValueDecodingContainer {
  var codingPath: [any CodingKey] { key.map { decoder.codingPath + [$0] } ?? decoder.codingPath }

  // Property lists have no null.
  func decodeNil() -> Bool { false }

  func decode(_ type: Bool.Type) throws -> Bool {
    switch try scalar() {
    case .boolean(let flag)?: return flag
    case .string("true")? where isOpenStep, .string("YES")? where isOpenStep: return true
    case .string("false")? where isOpenStep, .string("NO")? where isOpenStep: return false
    default: throw mismatch(type, expected: "a boolean")
    }
  }

  func decode(_ type: String.Type) throws -> String { try string() }

  func decode(_ type: Double.Type) throws -> Double { try double(type) }

  func decode(_ type: Float.Type) throws -> Float {
    let number = try double(type)
    let narrow = Float(number)
    if number.isFinite, !narrow.isFinite {
      throw corrupted("The number \(number) does not fit Float.")
    }
    return narrow
  }

  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
}

extension ValueContainer {
  private var format: PropertyListFormat { decoder.settings.format }
  private var isOpenStep: Bool { format == .openstep }

  /// Returns the value of a scalar; `nil` for a container.
  private func scalar() throws -> Value? {
    if source.kind == .array || source.kind == .dictionary { return nil }
    return try value()
  }

  private func string() throws -> String {
    guard source.kind == .string, case .string(let text)? = try scalar() else {
      throw mismatch(String.self, expected: "a string")
    }
    return text
  }

  /// Returns data, or decoded base64 in JSON; `nil` for other values.
  func bytes() throws -> [UInt8]? {
    switch source.kind {
    case .data: if case .data(let bytes)? = try scalar() { return bytes }
    case .string where format == .json:
      if case .string(let text)? = try scalar() { return Base64.decode(text) }
    default: break
    }
    return nil
  }

  private func integer<Number: FixedWidthInteger>(_ type: Number.Type) throws -> Number {
    let (number, text): (Number?, String)
    switch try scalar() {
    case .integer(let found)?: (number, text) = (Number(exactly: found), "\(found)")
    case .real(let found)?: (number, text) = (Number(exactly: found), "\(found)")
    case .string(let found)? where isOpenStep && Int64(found) != nil:
      (number, text) = (Number(found), found)
    default: throw mismatch(type, expected: "an integer")
    }
    guard let number else { throw corrupted("The number \(text) does not fit \(type).") }
    return number
  }

  /// Returns a number; for a date, the seconds since 2001-01-01T00:00:00Z, which `Date` and
  /// `Instant` decode.
  private func double(_ type: Any.Type) throws -> Double {
    switch try scalar() {
    case .real(let number)?: return number
    case .integer(let number)?: return Double(number)
    case .date(let instant)?: return instant.secondsSinceReferenceDate
    case .string(let text)?:
      if isOpenStep, let number = Double(text) { return number }
      if isOpenStep || format == .json, let instant = Instant(rfc3339: text) {
        return instant.secondsSinceReferenceDate
      }
    default: break
    }
    throw mismatch(type, expected: "a number")
  }
}
