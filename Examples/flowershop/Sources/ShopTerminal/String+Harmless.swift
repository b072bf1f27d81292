extension String {
  /// The text in one line, without characters that could control a terminal, hide text or change
  /// its direction; they become U+FFFD.
  ///
  /// Content is foreign text, whose authors must not control the terminal.
  var harmless: String {
    String(String.UnicodeScalarView(unicodeScalars.map { $0.isHarmless ? $0 : "\u{FFFD}" }))
  }
}

extension Unicode.Scalar {
  fileprivate var isHarmless: Bool {
    switch value {
    case 0x20...0x7E: true
    // Control characters; marks of direction; invisible separators and tags.
    case ..<0xA0, 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: false
    case 0xFFF9...0xFFFB, 0xE0000...0xE007F: false
    default: true
    }
  }
}
