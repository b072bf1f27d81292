extension Unicode.Scalar {
  /// The scalar that is sent to a terminal: a space for a tab, and U+FFFD for a scalar that is not
  /// harmless.
  var shown: Unicode.Scalar {
    if self == "\t" { return " " }
    return isHarmless ? self : "\u{FFFD}"
  }

  /// `false` if the scalar could control the terminal, hide text or change its direction.
  var isHarmless: Bool {
    switch value {
    case 0x20...0x7E: true
    case ..<0xA0, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF,
      0xFFF9...0xFFFB:
      false
    case 0xE0000...0xE007F: false
    default: true
    }
  }

  /// The width in columns of a terminal: 0 for combining marks, 2 for emoji and wide East Asian
  /// characters (Unicode Standard Annex 11, version 14).
  var terminalWidth: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // Conjoining vowels and final consonants of Hangul share the cell of the first consonant.
    if (0x1160...0x11FF).contains(value) { return 0 }
    return isWide ? 2 : 1
  }

  private var isWide: Bool {
    var low = 0
    var high = Self.wide.count
    while low < high {
      let middle = (low + high) / 2
      if Self.wide[middle].upperBound < value { low = middle + 1 } else { high = middle }
    }
    return low < Self.wide.count && Self.wide[low].contains(value)
  }
}
