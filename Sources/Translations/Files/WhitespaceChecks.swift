import ContentModel
package import Diagnostics

extension TranslationUnit {
  /// Returns warnings for changed white space at the ends of the translation, and for no-break
  /// spaces that a tool has turned into spaces.
  ///
  /// `current` is the translation that this one replaces. Some tools trim texts, and some write a
  /// space for each no-break space.
  package func whitespaceWarnings(replacing current: String?) -> [Diagnostic] {
    guard let target, let targetPlace else { return [] }
    var warnings: [Diagnostic] = []
    let isBlank = target.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
    let (own, source) = (target.outerWhitespace, source.outerWhitespace)
    if !isBlank, own != source {
      // There is no warning for white space that the replaced translation already had.
      let kept = current?.outerWhitespace
      if kept?.start != own.start || kept?.end != own.end {
        warnings.append(
          .warning(
            .translationSpace, at: targetPlace,
            message: "the translation of '\(id)' must begin and end with the white space of its"
              + " source"))
      }
    }
    let lost = (current ?? "").noBreakSpaces - target.noBreakSpaces
    if lost > 0 {
      let isAll = current?.withSpaces == target.withSpaces
      warnings.append(
        .warning(
          .translationSpace, at: targetPlace,
          message: "the translation of '\(id)' must keep its no-break spaces; \(lost) of"
            + " \((current ?? "").noBreakSpaces) are lost",
          notes: isAll ? [.init("nothing else has changed: a tool wrote spaces instead")] : []))
    }
    return warnings
  }
}

extension String {
  /// The white space before and after the text.
  fileprivate var outerWhitespace: (start: ExactString, end: ExactString) {
    let scalars = unicodeScalars
    let start = scalars.prefix { $0.properties.isWhitespace }
    let end = scalars.reversed().prefix { $0.properties.isWhitespace }.reversed()
    return (ExactString(String(start)), ExactString(String(String.UnicodeScalarView(end))))
  }

  /// The number of no-break spaces, wide and narrow.
  fileprivate var noBreakSpaces: Int { unicodeScalars.count { $0.isNoBreakSpace } }

  /// The text with spaces for no-break spaces.
  fileprivate var withSpaces: ExactString {
    let scalars = unicodeScalars.map { $0.isNoBreakSpace ? " " : $0 }
    return ExactString(String(String.UnicodeScalarView(scalars)))
  }
}

extension Unicode.Scalar {
  fileprivate var isNoBreakSpace: Bool { self == "\u{A0}" || self == "\u{202F}" }
}
