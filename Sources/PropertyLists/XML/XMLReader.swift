import ContentModel

/// Reads Apple's XML form: elements, text, comments, CDATA and the predefined entities; no document type is acted upon.
struct XMLReader: TextReader {
  static let format = PropertyListFormat.xml
  var scan: TextScan

  static func decode(_ bytes: [UInt8]) throws(PropertyListDecodingError) -> Value {
    var reader = XMLReader(scan: try openScan(of: bytes))
    try reader.readDeclaration()
    try reader.skipBlanks()
    try reader.skipDocumentType()
    try reader.skipBlanks()
    guard try reader.readStart(expecting: "<plist>", among: ["plist"]).hasContent else {
      throw reader.failure(.expected("a value"))
    }
    let value = try reader.readElement(depth: 0)
    try reader.skipBlanks()
    try reader.readEnd(of: "plist")
    try reader.skipBlanks()
    guard reader.scan.isAtEnd else { throw reader.failure(.expected("the end of the input")) }
    return value
  }

  private mutating func readElement(depth: Int) throws(PropertyListDecodingError) -> Value {
    try skipBlanks()
    let start = scan.offset
    let (name, hasContent) = try readStart(expecting: "a value", among: Self.valueElements)
    switch name {
    case "dict": return hasContent ? try readDictionary(depth: depth, from: start) : .dictionary(Members())
    case "array": return hasContent ? try readArray(depth: depth, from: start) : .array([])
    default: break
    }
    let contentStart = scan.offset
    let text = hasContent ? try readText(to: name) : ""
    switch Self.scalar(name, text) {
    case .success(let value): return value
    case .failure(let refusal): throw failure(refusal.reason, at: contentStart)
    }
  }

  private static let valueElements = ["dict", "array", "string", "integer", "real", "true", "false", "date", "data"]

  private mutating func readArray(depth: Int, from start: Int) throws(PropertyListDecodingError) -> Value {
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep, at: start) }
    var items: [Value] = []
    try skipBlanks()
    while !scan.starts(with: "</") {
      items.append(try readElement(depth: depth + 1))
      try skipBlanks()
    }
    try readEnd(of: "array")
    return .array(items)
  }

  private mutating func readDictionary(depth: Int, from start: Int) throws(PropertyListDecodingError) -> Value {
    guard depth < PropertyList.depthLimit else { throw failure(.tooDeep, at: start) }
    var builder = DictionaryBuilder()
    try skipBlanks()
    while !scan.starts(with: "</") {
      let start = scan.offset
      let hasContent = try readStart(expecting: "<key>", among: ["key"]).hasContent
      let key = hasContent ? try readText(to: "key") : ""
      builder.append(key, try readElement(depth: depth + 1), at: start)
      try skipBlanks()
    }
    try readEnd(of: "dict")
    return try build(builder)
  }
}

extension XMLReader {
  /// Why an element's text is no value.
  private struct Refusal: Error {
    let reason: PropertyListDecodingError.Reason
  }

  private static func scalar(_ name: String, _ text: String) -> Result<Value, Refusal> {
    let (value, reason): (Value?, PropertyListDecodingError.Reason) =
      switch name {
      case "string": (.string(text), .badString)
      case "integer": integer(text.trimmed)
      case "real": (real(text.trimmed).map(Value.real), .badNumber)
      case "date": (date(text.trimmed).map(Value.date), .badDate)
      case "data": (Base64.decode(text.utf8).map(Value.data), .badData)
      default: (text.trimmed.isEmpty ? .boolean(name == "true") : nil, .expected("</\(name)>"))
      }
    return value.map(Result.success) ?? .failure(Refusal(reason: reason))
  }

  /// Decimal digits or, after `0x`, hexadecimal ones.
  private static func integer(_ text: String) -> (Value?, PropertyListDecodingError.Reason) {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    var digits = isNegative || text.utf8.first == UInt8(ascii: "+") ? text.dropFirst() : text[...]
    let isHexadecimal = digits.hasPrefix("0x") || digits.hasPrefix("0X")
    if isHexadecimal { digits = digits.dropFirst(2) }
    let areDigits = digits.utf8.allSatisfy { isHexadecimal ? $0.hexadecimalValue != nil : $0.isDigit }
    guard areDigits, !digits.isEmpty else { return (nil, .badNumber) }
    let number = Int64((isNegative ? "-" : "") + digits, radix: isHexadecimal ? 16 : 10)
    return (number.map(Value.integer), .integerOutOfRange)
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

  /// Only Apple's one form, `YYYY-MM-DDTHH:MM:SSZ`.
  private static func date(_ text: String) -> Instant? {
    guard text.utf8.count == 20, text.utf8.last == UInt8(ascii: "Z") else { return nil }
    return Instant(rfc3339: text)
  }
}

extension String {
  /// Without the white space at both ends.
  fileprivate var trimmed: String {
    let bytes = Array(utf8)
    guard let first = bytes.firstIndex(where: { !$0.isTextWhitespace }),
      let last = bytes.lastIndex(where: { !$0.isTextWhitespace })
    else { return "" }
    return String(decoding: bytes[first...last], as: UTF8.self)
  }
}
