import ContentModel

/// The meaning of a scalar's text.
package enum YAMLScalar: Equatable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  /// A text in the form of an integer, whose number 64 bits cannot hold.
  case integerOutOfRange
  case number(Double)
  /// A string: the text of the node.
  case text
  /// The bytes of base64 under `!!binary`.
  case binary([UInt8])
}

extension YAMLScalar {
  /// Resolves a text by its tag, or by the core schema if it has no tag; `nil` if the text does not
  /// fit the tag.
  init?(_ text: UnsafeBufferPointer<UInt8>, isPlain: Bool, tag: YAMLTag) {
    switch tag {
    case .none: self = isPlain ? Self(core: text) : .text
    case .nonSpecific, .string, .unknown: self = .text
    case .binary:
      guard let bytes = Base64.decode(canonical: text) else { return nil }
      self = .binary(bytes)
    default:
      guard let value = Self(core: text).demanded(by: tag) else { return nil }
      self = value
    }
  }

  /// Resolves a text without quotes and without a tag.
  package init(plain text: String) {
    var text = text
    self = text.withUTF8 { Self(core: $0) }
  }

  /// Resolves a plain text by the core schema (YAML 1.2.2, section 10.3.2).
  init(core text: UnsafeBufferPointer<UInt8>) {
    guard let first = text.first else {
      self = .null
      return
    }
    switch first {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      self = Self(integer: text) ?? Self(number: text) ?? .text
    default:
      self = Self(word: text) ?? .text
    }
  }

  private func demanded(by tag: YAMLTag) -> YAMLScalar? {
    switch (tag, self) {
    case (.integer, .integer), (.integer, .integerOutOfRange), (.number, .number),
      (.boolean, .boolean), (.null, .null):
      self
    case (.number, .integer(let value)): .number(Double(value))
    default: nil
    }
  }

  private init?(word text: UnsafeBufferPointer<UInt8>) {
    func isOne(of words: StaticString...) -> Bool {
      words.contains {
        text.elementsEqual(UnsafeBufferPointer(start: $0.utf8Start, count: $0.utf8CodeUnitCount))
      }
    }
    guard text.count <= 5 else { return nil }
    switch text.first {
    case UInt8(ascii: "~") where text.count == 1: self = .null
    case UInt8(ascii: "n"), UInt8(ascii: "N"):
      guard isOne(of: "null", "Null", "NULL") else { return nil }
      self = .null
    case UInt8(ascii: "t"), UInt8(ascii: "T"):
      guard isOne(of: "true", "True", "TRUE") else { return nil }
      self = .boolean(true)
    case UInt8(ascii: "f"), UInt8(ascii: "F"):
      guard isOne(of: "false", "False", "FALSE") else { return nil }
      self = .boolean(false)
    default: return nil
    }
  }

  /// `[-+]?[0-9]+`, `0o[0-7]+` or `0x[0-9a-fA-F]+`.
  private init?(integer text: UnsafeBufferPointer<UInt8>) {
    var digits = text[...]
    var radix: UInt8 = 10
    let isNegative = digits.first == UInt8(ascii: "-")
    if isNegative || digits.first == UInt8(ascii: "+") {
      digits = digits.dropFirst()
    } else if text.count > 2, text[0] == UInt8(ascii: "0"),
      text[1] == UInt8(ascii: "o") || text[1] == UInt8(ascii: "x")
    {
      radix = text[1] == UInt8(ascii: "o") ? 8 : 16
      digits = digits.dropFirst(2)
    }
    guard !digits.isEmpty, digits.allSatisfy({ ($0.hexadecimalValue ?? .max) < radix }) else {
      return nil
    }
    self = Self(digits: digits, radix: radix, isNegative: isNegative)
  }

  private init(digits: Slice<UnsafeBufferPointer<UInt8>>, radix: UInt8, isNegative: Bool) {
    var value: Int64 = 0
    for digit in digits {
      let step = Int64(digit.hexadecimalValue ?? 0)
      let (product, overflow) = value.multipliedReportingOverflow(by: Int64(radix))
      let (sum, overflows) =
        isNegative
        ? product.subtractingReportingOverflow(step) : product.addingReportingOverflow(step)
      guard !overflow, !overflows else {
        self = .integerOutOfRange
        return
      }
      value = sum
    }
    self = .integer(value)
  }

  /// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, `[-+]?\.(inf|Inf|INF)` or
  /// `\.(nan|NaN|NAN)`.
  private init?(number text: UnsafeBufferPointer<UInt8>) {
    let string = String(decoding: text, as: UTF8.self)
    switch string {
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": self = .number(.infinity)
    case "-.inf", "-.Inf", "-.INF": self = .number(-.infinity)
    case ".nan", ".NaN", ".NAN": self = .number(.nan)
    default:
      guard Self.hasFormOfNumber(text), let value = Double(string) else { return nil }
      self = .number(value)
    }
  }

  private static func hasFormOfNumber(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var rest = text[...]
    func skipDigits() -> Int {
      let digits = rest.prefix { $0.isDigit }.count
      rest = rest.dropFirst(digits)
      return digits
    }
    func skip(_ a: Unicode.Scalar, or b: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: a) || rest.first == UInt8(ascii: b) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = skip("+", or: "-")
    let whole = skipDigits()
    let fraction = skip(".", or: ".") ? skipDigits() : 0
    guard whole + fraction > 0 else { return false }
    if skip("e", or: "E") {
      _ = skip("+", or: "-")
      guard skipDigits() > 0 else { return false }
    }
    return rest.isEmpty
  }
}
