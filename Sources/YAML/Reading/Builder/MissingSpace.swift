/// A key without a space after its colon, or with a look-alike of a colon, so that YAML reads a
/// text.
package struct MissingSpace {
  /// The key before the colon.
  package let key: String
  /// The corrected line.
  package let replacement: String
  package let message: String

  /// Finds the slip in a line that begins with a key; returns `nil` if there is none.
  package init?(_ line: String) {
    let scalars = line.unicodeScalars
    let key = scalars.prefix { Self.isOfKey($0) }
    let rest = scalars[key.endIndex...]
    guard let first = key.first, first.properties.isAlphabetic || first == "_",
      let colon = rest.first,
      colon == ":" || colon == "\u{FF1A}"
    else { return nil }
    let value = rest.dropFirst()
    let text = value.drop { $0.properties.isWhitespace }
    if colon == ":" {
      guard let next = value.first, next != " ", next != "\t", next != "/" else { return nil }
    }
    let shown = String(key) + ":" + (text.isEmpty ? "" : " " + String(text))
    replacement = shown
    let short =
      shown.unicodeScalars.count > 60 ? String(shown.unicodeScalars.prefix(59)) + "…" : shown
    let name = String(key)
    self.key = name
    message =
      if colon == "\u{FF1A}" {
        "the colon behind '\(name)' must be ':', not the full-width '：'; write \(short)"
      } else if let next = value.first, next.properties.isWhitespace {
        "the space behind '\(name):' must be an ordinary one, not \(next.codeName); write \(short)"
      } else {
        "a space must follow '\(name):'; write \(short)"
      }
  }

  static func isOfKey(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || scalar == "_" || scalar == "-"
  }
}

extension Unicode.Scalar {
  /// The name of the character in messages.
  package var codeName: String {
    let digits = String(value, radix: 16, uppercase: true)
    let code = "U+" + String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
    return self == "\u{A0}" ? "a no-break space (\(code))" : code
  }
}
