import ContentModel

extension XMLReader {
  /// Reads the content of an element that is no string and no container.
  mutating func readScalar(
    _ element: XMLElement, hasContent: Bool
  ) throws(TextMistake) -> Value {
    let start = scan.offset
    if hasContent, let number = try readPlainNumber(element) { return number }
    scan.offset = start
    let text = hasContent ? try readText(to: element) : ""
    switch Self.scalar(of: element, text: text) {
    case .success(let value): return value
    case .failure(let refusal): throw failure(refusal.reason, at: start)
    }
  }

  /// Reads a number of digits, a minus and a point, the form of most numbers; `nil` for other text.
  private mutating func readPlainNumber(_ element: XMLElement) throws(TextMistake)
    -> Value?
  {
    guard element == .integer || element == .real else { return nil }
    let start = scan.offset
    while let byte = scan.current,
      byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    {
      scan.offset += 1
    }
    let text = UnsafeBufferPointer(rebasing: scan.bytes[start..<scan.offset])
    guard scan.offset - start < 16, scan.starts(with: "</") else { return nil }
    let value =
      element == .integer
      ? Int64(decimal: text).map(Value.integer) : Double(decimal: text).map(Value.real)
    if value != nil { try readEnd(of: element) }
    return value
  }

  /// The reason why an element's text is no value.
  private struct Refusal: Error {
    let reason: PropertyListDecodingError.Reason
  }

  private static func scalar(of element: XMLElement, text: String) -> Result<Value, Refusal> {
    let (value, reason): (Value?, PropertyListDecodingError.Reason) =
      switch element {
      case .integer: integer(text.trimmed)
      case .real: (real(text.trimmed).map(Value.real), .badNumber)
      case .date: (date(text.trimmed).map(Value.date), .badDate)
      case .data: (Base64.decode(text).map(Value.data), .badData)
      default:
        (text.trimmed.isEmpty ? .boolean(element == .true) : nil, .expected("</\(element.name)>"))
      }
    return value.map(Result.success) ?? .failure(Refusal(reason: reason))
  }

  /// Returns the number of decimal digits after an optional sign.
  ///
  /// Apple's document type allows no other base. Foundation reads hexadecimal digits, too, and other
  /// readers do not, so nothing may depend on them.
  private static func integer(_ text: String) -> (Value?, PropertyListDecodingError.Reason) {
    let sign = text.utf8.first
    let hasSign = sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+")
    let digits = hasSign ? text.dropFirst() : text[...]
    guard !digits.isEmpty, digits.utf8.allSatisfy(\.isDigit) else { return (nil, .notDecimal) }
    return (Int64(text).map(Value.integer), .integerOutOfRange)
  }

  private static func real(_ text: String) -> Double? {
    switch text.lowercased() {
    case "nan": return .nan
    case "inf", "infinity", "+inf", "+infinity": return .infinity
    case "-inf", "-infinity": return -.infinity
    default: break
    }
    let isPlain = text.utf8.allSatisfy { $0.isDigit || "+-.eE".utf8.contains($0) }
    guard isPlain, let number = Double(text), number.isFinite else { return nil }
    return number
  }

  /// Returns the instant of a text in Apple's form, `YYYY-MM-DDTHH:MM:SSZ`.
  private static func date(_ text: String) -> Instant? {
    guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z") else { return nil }
    return Instant(rfc3339: text)
  }
}

extension String {
  /// The text without white space at both ends.
  fileprivate var trimmed: String {
    let bytes = Array(utf8)
    guard let first = bytes.firstIndex(where: { !$0.isWhitespace }),
      let last = bytes.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
