import ContentModel
import Diagnostics
import YAML

/// Signs in a text that its author meant for a program: readers see them as they are, or cannot see
/// them at all.
struct TextSlip {
  /// An HTML comment, an escape, or an invisible character.
  enum Kind {
    case comment
    case entity(String, meaning: String)
    case lineBreak
    case invisible(Unicode.Scalar)
  }

  var kind: Kind
  /// The position in the text, counted in Unicode scalars.
  var range: Range<Int>

  /// Returns the first slip of each kind in a scalar.
  ///
  /// With `mayBeHTML`, entities are not reported, since apps may show the text as HTML.
  static func all(in node: YAMLNode, mayBeHTML: Bool) -> [TextSlip] {
    guard node.withTextBytes(\.mayHaveSlip) else { return [] }
    let text = Array(node.text.unicodeScalars)
    var slips: [TextSlip] = []
    if let comment = text.firstRange(of: "<!--".unicodeScalars) {
      slips.append(TextSlip(kind: .comment, range: comment))
    }
    if !mayBeHTML, !text.hasTag, let entity = text.firstEntity { slips.append(entity) }
    if !node.isDoubleQuoted, let lineBreak = text.firstLiteralLineBreak {
      slips.append(TextSlip(kind: .lineBreak, range: lineBreak))
    }
    if let place = text.indices.first(where: { text.isStray(at: $0) }) {
      let slip = TextSlip(kind: .invisible(text[place]), range: place..<place + 1)
      // An escape is written on purpose.
      let isEscaped = node.isDoubleQuoted && slip.location(in: node) == node.location
      if !isEscaped { slips.append(slip) }
    }
    return slips
  }

  /// The place in the file; the whole text if it is written with escapes or folded lines.
  private func location(in node: YAMLNode) -> SourceLocation {
    let before = node.text.unicodeScalars.prefix(range.lowerBound)
    let line = before.split(separator: "\n", omittingEmptySubsequences: false)
    return node.location(
      ofLine: line.count, column: (line.last?.count ?? 0) + 1, length: range.count)
  }

  /// Returns `true` if a character cannot change the syntax of a scalar in the place of the slip,
  /// whatever the scalar's style.
  ///
  /// Most signs of ASCII end a text, begin a comment, or need an escape in one of the styles. The
  /// first character of a text decides its style.
  private func canInsert(_ character: String) -> Bool {
    character.unicodeScalars.allSatisfy { scalar in
      if scalar.isASCII { return range.lowerBound > 0 && ["&", "<", ">"].contains(scalar) }
      return scalar != "\u{2028}" && scalar != "\u{2029}" && scalar != "\u{FEFF}"
    }
  }

  /// Returns `true` if the text keeps its meaning without the character of the slip.
  ///
  /// The character may be all that keeps the signs around it from being syntax: `# 1` after a space
  /// is a comment, and white space at the start of a line is indentation.
  private func canDelete(in node: YAMLNode) -> Bool {
    let text = Array(node.text.unicodeScalars)
    let (before, after) = (text[..<range.lowerBound], text[range.upperBound...])
    switch node.writtenText.utf8.first {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return true
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      let isAtStart = before.last.map { $0 == "\n" } ?? true
      return !isAtStart || !(after.first?.properties.isWhitespace ?? true)
    default: return Self.isPlainText(before, after)
    }
  }

  /// Returns `true` if two halves of a text without quotes are one without quotes.
  private static func isPlainText(
    _ before: ArraySlice<Unicode.Scalar>, _ after: ArraySlice<Unicode.Scalar>
  ) -> Bool {
    // The whole may be a number, a Boolean value or null.
    guard YAMLScalar(plain: String(String.UnicodeScalarView(before + after))) == .text else {
      return false
    }
    let next = after.first
    guard let last = before.last else {
      // The first sign of a text decides its style.
      guard let next else { return false }
      return !next.isASCII || next.properties.isAlphabetic || next.properties.numericType != nil
    }
    if next == "#" { return !last.properties.isWhitespace }
    // Such a sign before a space, or before a bracket's sign, begins a value.
    if last == ":" || (before.count == 1 && (last == "-" || last == "?")) {
      guard let next else { return false }
      return !next.properties.isWhitespace && !",[]{}".unicodeScalars.contains(next)
    }
    return true
  }

  /// The warning about the slip in a text.
  func diagnostic(in node: YAMLNode) -> Diagnostic {
    let location = location(in: node)
    // A text with escapes or of several lines has only a place as a whole.
    let place = location == node.location ? nil : location.range
    func warning(_ rule: Rule, _ message: String, fix: String? = nil) -> Diagnostic {
      let fixIt = place.flatMap { place in fix.map { Diagnostic.FixIt(place, replacement: $0) } }
      return .warning(rule, at: location, message: message, fixIt: fixIt)
    }
    switch kind {
    case .comment:
      return warning(
        .literalMarkup,
        "readers see this comment of HTML; delete it, or write it as a line '# …' above the key")
    case .entity(let spelling, let meaning):
      let name = meaning.unicodeScalars.allSatisfy { $0 == "\u{A0}" } ? "a no-break space" : meaning
      return warning(
        .literalMarkup, "readers see '\(spelling)' as it is; write \(name)",
        fix: canInsert(meaning) ? meaning : nil)
    case .lineBreak:
      return warning(
        .literalMarkup,
        "readers see '\\n' as it is; write the text in double quotes, or in lines below '|'")
    case .invisible(let scalar):
      let isDeletable = canDelete(in: node)
      let advice = isDeletable ? "delete it" : "put the text in quotes, and delete it"
      return warning(
        .invisibleCharacter, "the text has an invisible \(scalar.codeName); \(advice)",
        fix: isDeletable ? "" : nil)
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// `false` if the bytes show that a text has no slip.
  fileprivate var mayHaveSlip: Bool {
    for place in indices {
      switch self[place] {
      case UInt8(ascii: "\\"), UInt8(ascii: "&"): return true
      case UInt8(ascii: "<"): if self[place...].starts(with: "<!--".utf8) { return true }
      case 0xE2: if self[place...].starts(with: "\u{200B}".utf8) { return true }
      case 0xEF: if self[place...].starts(with: "\u{FEFF}".utf8) { return true }
      default: break
      }
    }
    return false
  }
}

extension [Unicode.Scalar] {
  /// `true` if the text has a tag of HTML, so that an app shows it as HTML.
  fileprivate var hasTag: Bool {
    indices.dropLast().contains { place in
      self[place] == "<" && (self[place + 1] == "/" || self[place + 1].properties.isAlphabetic)
    }
  }

  /// The first entity of HTML with a meaning.
  fileprivate var firstEntity: TextSlip? {
    for start in indices where self[start] == "&" {
      guard let end = self[start...].prefix(10).firstIndex(of: ";"), end > start + 1 else {
        continue
      }
      let name = String(String.UnicodeScalarView(self[start + 1..<end]))
      if let meaning = Self.meaning(ofEntity: name) {
        return TextSlip(kind: .entity("&\(name);", meaning: meaning), range: start..<end + 1)
      }
    }
    return nil
  }

  /// The character of an entity that editors type; `nil` for another word.
  private static func meaning(ofEntity name: String) -> String? {
    if name.hasBytePrefix("#") {
      let isHexadecimal = name.hasBytePrefix("#x")
      let digits = name.dropping(isHexadecimal ? "#x" : "#")
      let number = UInt32(digits, radix: isHexadecimal ? 16 : 10)
      let scalar = number.flatMap(Unicode.Scalar.init)
      return scalar.flatMap { $0.properties.generalCategory == .control ? nil : String($0) }
    }
    let names = [
      ("amp", "&"), ("lt", "<"), ("gt", ">"), ("quot", "\""), ("apos", "'"), ("nbsp", "\u{A0}"),
      ("euro", "€"), ("copy", "©"), ("reg", "®"), ("hellip", "…"), ("ndash", "–"), ("mdash", "—"),
      ("lsquo", "‘"), ("rsquo", "’"), ("ldquo", "“"), ("rdquo", "”"), ("laquo", "«"),
      ("raquo", "»"), ("auml", "ä"), ("ouml", "ö"), ("uuml", "ü"), ("Auml", "Ä"), ("Ouml", "Ö"),
      ("Uuml", "Ü"), ("szlig", "ß"), ("eacute", "é"), ("egrave", "è"), ("agrave", "à"),
      ("ccedil", "ç"),
    ]
    return names.first { $0.0 == name }?.1
  }

  /// The first backslash and `n` of a text whose other backslashes are such escapes, too: a path or a
  /// formula has others.
  fileprivate var firstLiteralLineBreak: Range<Int>? {
    let places = indices.filter { self[$0] == "\\" }
    guard
      places.allSatisfy({ $0 + 1 < count && ["n", "t", "r"].contains(self[$0 + 1]) }),
      !places.contains(where: { $0 > 0 && self[$0 - 1] == ":" }),
      let first = places.first(where: { self[$0 + 1] == "n" })
    else { return nil }
    return first..<first + 2
  }

  /// `true` for a zero-width space that the languages around it do not need.
  ///
  /// Texts without spaces between words have it where a line may break.
  fileprivate func isStray(at place: Int) -> Bool {
    if self[place] == "\u{FEFF}" { return true }
    guard self[place] == "\u{200B}" else { return false }
    return ![place - 1, place + 1].contains { indices.contains($0) && self[$0].isOfUnspacedScript }
  }
}

extension Unicode.Scalar {
  /// `true` for scripts of South and East Asia.
  fileprivate var isOfUnspacedScript: Bool {
    (0x900...0x109F).contains(value) || (0x1780...0x17FF).contains(value)
      || (0x2E80...0xA4CF).contains(value) || (0xAC00...0xD7AF).contains(value)
      || (0xF900...0xFAFF).contains(value) || (0xFF00...0xFFEF).contains(value)
      || (0x1B00...0x1C4F).contains(value) || (0x1950...0x1AAF).contains(value)
      || (0x20000...0x3FFFF).contains(value)
  }
}
