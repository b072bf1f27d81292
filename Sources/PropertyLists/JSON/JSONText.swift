/// A JSON value.
///
/// The members of an object keep the order in which the caller listed them.
package indirect enum JSONText: Sendable {
  case string(String)
  case number(Int)
  case boolean(Bool)
  case array([JSONText])
  case object([Member])

  package typealias Member = (key: String, value: JSONText)

  /// Returns the bytes of the value.
  package func encoded(in style: JSONStyle) -> [UInt8] {
    var writer = JSONWriter(style)
    writer.write(self, depth: 0)
    return writer.output
  }
}

/// The white space and the escapes of written JSON.
package struct JSONStyle: Sendable {
  let comma: [UInt8]
  let colon: [UInt8]
  /// `true` if each member and item begins a new line.
  let isIndented: Bool
  let escaping: TextEscaping

  private init(
    comma: String, colon: String, isIndented: Bool = false, suspects: [UInt8] = [],
    mustEscape: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) {
    (self.comma, self.colon, self.isIndented) = (Array(comma.utf8), Array(colon.utf8), isIndented)
    escaping = TextEscaping(suspects: Array(0..<0x20) + [0x22, 0x5C] + suspects) { scalar in
      switch scalar {
      case "\"": .replace(#"\""#)
      case "\\": .replace(#"\\"#)
      case "\n": .replace(#"\n"#)
      case "\r": .replace(#"\r"#)
      case "\t": .replace(#"\t"#)
      case "\u{8}": .replace(#"\b"#)
      case "\u{C}": .replace(#"\f"#)
      case "\0"..<" ": .replace(scalar.jsonEscape)
      default: mustEscape(scalar) ? .replace(scalar.jsonEscape) : .keep
      }
    }
  }

  /// JSON without white space.
  ///
  /// U+2028 and U+2029 are escaped because they end a line in JavaScript before ES2019, and U+FEFF
  /// because Foundation drops it.
  static let compact = JSONStyle(comma: ",", colon: ":", suspects: [0xE2, 0xEF]) {
    $0 == "\u{2028}" || $0 == "\u{2029}" || $0 == "\u{FEFF}"
  }

  /// The JSON of Xcode's string catalogs.
  package static let xcode = JSONStyle(comma: ",", colon: " : ", isIndented: true) { _ in false }

  /// JSON of indented lines, in which a closure selects further scalars to escape.
  package static func indented(
    escaping mustEscape: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) -> JSONStyle {
    JSONStyle(
      comma: ",", colon: ": ", isIndented: true, suspects: Array(0x7F...0xFF),
      mustEscape: mustEscape)
  }

  /// JSON in one line, in which a closure selects further scalars to escape.
  package static func line(
    escaping mustEscape: @escaping @Sendable (Unicode.Scalar) -> Bool
  ) -> JSONStyle {
    JSONStyle(
      comma: ", ", colon: ": ", suspects: Array(0x7F...0xFF), mustEscape: mustEscape)
  }
}

extension Unicode.Scalar {
  /// The escape `\uXXXX`, or two of them for a surrogate pair.
  package var jsonEscape: String {
    UTF16.encode(self).map { units in
      units.map { #"\u"# + $0.fourHexadecimalDigits }.joined()
    } ?? ""
  }
}

extension FixedWidthInteger {
  /// The value in four lower-case hexadecimal digits; the value must be less than 0x10000.
  var fourHexadecimalDigits: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: Swift.max(0, 4 - digits.utf8.count)) + digits
  }
}
