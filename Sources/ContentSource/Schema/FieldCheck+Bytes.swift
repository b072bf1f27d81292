import ContentModel
package import YAML

/// The form of a field's values, for a check of their bytes.
package enum ScalarForm: UInt8, Sendable {
  /// Any text, or a text of limited length.
  case freeText, shortText
  case integer, number, boolean, color, address, choice
  /// The core schema decides.
  case open
  /// Anything else.
  case other
}

extension FieldCheck {
  /// Returns `true` if the bytes of a scalar show that it fits its field; if not, `convert`
  /// decides.
  static func surelyFits(_ node: YAMLNode, as field: Field) -> Bool {
    switch field.form {
    case .freeText, .shortText: return surelyTakesText(node, for: field)
    case .integer, .number:
      guard node.isPlain,
        let value = node.withTextBytes({ $0.shortNumber(wholeOnly: field.form == .integer) })
      else {
        return false
      }
      return value >= field.limits.minimum ?? -.infinity
        && value <= field.limits.maximum ?? .infinity
    case .boolean: return node.isPlain && (node.hasText("true") || node.hasText("false"))
    case .color: return node.withTextBytes(\.isColor)
    case .address: return node.withTextBytes { $0.isAddress && hasLength($0, within: field.limits) }
    case .choice:
      return node.withTextBytes { text in
        field.limits.choices.contains { $0.utf8.count == text.count && text.elementsEqual($0.utf8) }
      }
    case .open: return node.isSurelyText || node.scalar == .text
    case .other: return false
    }
  }

  /// Returns `true` if the bytes of a scalar show that its field takes it as a text; if not,
  /// `convert` decides.
  package static func surelyTakesText(_ node: YAMLNode, for field: Field) -> Bool {
    switch field.form {
    case .freeText: true
    case .shortText: node.withTextBytes { hasLength($0, within: field.limits) }
    default: false
    }
  }

  private static func hasLength(
    _ text: UnsafeBufferPointer<UInt8>, within limits: Field.Limits
  ) -> Bool {
    // A scalar has one to four bytes.
    let least = limits.minimumLength ?? 0
    let most = limits.maximumLength ?? .max
    if text.count <= most, text.count / 4 >= least { return true }
    let length = text.count { !$0.isContinuation }
    return length >= least && length <= most
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// `#` and 3, 4, 6 or 8 hexadecimal digits.
  fileprivate var isColor: Bool {
    guard first == UInt8(ascii: "#"), count == 4 || count == 5 || count == 7 || count == 9 else {
      return false
    }
    return dropFirst().allSatisfy { $0.hexadecimalValue != nil }
  }

  /// A URL whose scheme (RFC 3986, 3.1) is followed by ASCII, without spaces; no id of an entry has
  /// a colon.
  fileprivate var isAddress: Bool {
    guard let colon = firstIndex(of: UInt8(ascii: ":")), colon > 0, colon + 1 < count,
      self[colon + 1] < 0x80,
      self[0].isLetter, allSatisfy({ $0 > 0x20 && $0 != 0x7F })
    else { return false }
    return self[..<colon].allSatisfy {
      $0.isAlphanumeric || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
    }
  }

  /// Returns the value of decimal digits with or without a point, if there are few enough for an
  /// exact result.
  fileprivate func shortNumber(wholeOnly: Bool) -> Double? {
    guard !isEmpty, count <= 15, self[0].isDigit else { return nil }
    var (digits, scale) = (0.0, 1.0)
    var hasPoint = false
    for byte in self {
      if byte == UInt8(ascii: "."), !hasPoint, !wholeOnly {
        hasPoint = true
      } else {
        guard byte.isDigit else { return nil }
        digits = digits * 10 + Double(byte &- 0x30)
        if hasPoint { scale *= 10 }
      }
    }
    // Both are whole and below 2^53, so the quotient is rounded once, as the text's own value is.
    return digits / scale
  }
}
