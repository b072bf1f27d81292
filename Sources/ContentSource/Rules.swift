package import ContentModel
package import Diagnostics
import YAML

// The messages of this module's rules.
extension Diagnostic {
  package static func wrongType(
    _ name: String, must requirement: String, at location: SourceLocation, fixIt: FixIt? = nil
  )
    -> Diagnostic
  {
    Diagnostic(
      .error, rule: .wrongType, at: location, message: "\(name) must \(requirement)", fixIt: fixIt)
  }

  static func unknownKey(_ key: YAMLNode, in name: String, known: [String], nearest: String?)
    -> Diagnostic
  {
    missingColon(after: known, at: key)
      ?? unknown(
        "key", named: key.text, rule: .unknownKey, in: name, known: known, nearest: nearest,
        at: key.location)
  }

  static func unknownField(
    _ key: YAMLNode, in name: String, known: [String], nearest: String?,
    declaredAt place: SourceLocation?
  ) -> Diagnostic {
    missingColon(after: known, at: key)
      ?? unknown(
        "field", named: key.text, rule: .unknownField, in: name, known: known, nearest: nearest,
        at: key.location, declaredAt: place)
  }

  private static func missingColon(after known: [String], at key: YAMLNode) -> Diagnostic? {
    guard let missing = MissingColon(key.text),
      known.contains(where: { $0.hasSameBytes(as: missing.key) })
    else { return nil }
    return missing.diagnostic(at: key.location)
  }

  /// Returns the error for an unknown name, with the nearest name as its fix and all names as a
  /// note.
  ///
  /// `free` has the names not yet used, if each may occur only once. `ownsNames` is `false` for a
  /// setting that refers to names of others.
  package static func unknown(
    _ noun: String, named word: String, rule: Rule, in name: String? = nil,
    ownsNames: Bool = true, known: [String], free: [String]? = nil,
    at location: SourceLocation, declaredAt place: SourceLocation? = nil
  ) -> Diagnostic {
    let names = free ?? known
    let nearest =
      noun == "locale" ? word.meantLocale(among: names) : word.nearest(among: names)
    return unknown(
      noun, named: word, rule: rule, in: name, ownsNames: ownsNames, known: known, nearest: nearest,
      at: location, declaredAt: place)
  }

  /// Returns the error for an unknown name with a `nearest` one that the caller has found, if any.
  static func unknown(
    _ noun: String, named word: String, rule: Rule, in name: String? = nil,
    ownsNames: Bool = true, known: [String], nearest: String?, at location: SourceLocation,
    declaredAt place: SourceLocation? = nil
  ) -> Diagnostic {
    var message = "unknown \(noun) '\(word)'"
    if let name { message += " in \(name)" }
    if let slip = word.slip(known: known, rule: rule, at: location) { return slip }
    if let nearest {
      message +=
        LookAlike(word, of: nearest).map {
          "; there is one that looks the same, but \($0.difference)"
        } ?? "; did you mean '\(nearest)'?"
    }
    var notes: [Note] = []
    if !known.isEmpty {
      let shown = known.prefix(12).joined(separator: ", ") + (known.count > 12 ? ", …" : "")
      let nouns = known.count == 1 ? noun : "\(noun)s"
      let others = "there \(known.count == 1 ? "is" : "are") the \(nouns)"
      let own = name.map { name in
        // The name of a list is followed by its kind, and that by a comma.
        let comma = name.utf8.contains(UInt8(ascii: ",")) ? "," : ""
        return "\(name)\(comma) \(name.hasBytePrefix("the settings") ? "have" : "has") the \(nouns)"
      }
      notes = [Note("\(ownsNames ? own ?? others : others) \(shown)", at: place)]
    }
    let fixIt = nearest.flatMap { nearest in location.range.map { FixIt($0, replacement: nearest) }
    }
    return Diagnostic(
      .error, rule: rule, at: location, message: message, notes: notes, fixIt: fixIt)
  }

  static func embargoOfAnotherType(_ node: YAMLNode) -> Diagnostic {
    let fixIt = node.meantFlag.flatMap { meant in
      node.location.range.map { FixIt($0, replacement: meant) }
    }
    let isTime = (try? InstantSyntax.parse(node.text)) != nil
    let hint = isTime ? "; its time is 'from', as in 'from: \(node.text), embargo: true'" : ""
    return .wrongType(
      "'embargo' in 'when'", must: "be true or false\(hint)", at: node.place, fixIt: fixIt)
  }

  static func embargoWithoutStart(at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      .error, rule: .embargoWithoutFrom, at: location,
      message: "'embargo' must have 'from' beside it, the time at which it ends",
      notes: [Note("for example 'when: {from: 2026-12-24T18:00 Europe/Paris, embargo: true}'")])
  }

  static func embargoOfMaintenance(at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      .error, rule: .embargoOfMaintenance, at: location,
      message: "'embargo' must not occur in maintenance.yaml",
      notes: [Note("readers fetch these texts ahead; write them when they may be known")])
  }

  static func assetEnding(_ path: String, at location: SourceLocation) -> Diagnostic {
    Diagnostic(
      .error, rule: .assetEnding, at: location,
      message:
        "the ending of an asset's file name must be 1 to 8 of a-z and 0-9, not that of '\(path)'",
      notes: [Note("rename the file, for example to 'terms.pdf', and name it so here")])
  }

  static func duplicate(
    _ noun: String, named name: String, rule: Rule, at location: SourceLocation,
    first: SourceLocation?
  )
    -> Diagnostic
  {
    Diagnostic(
      .error, rule: rule, at: location, message: "\(noun) '\(name)' must occur only once",
      notes: first.map { [Note("the first one is here", at: $0)] } ?? [])
  }
}

extension String {
  /// Returns the nearest locale of the same language, or one for the same readers: `fr` for `fr-FR`.
  func meantLocale(among known: [String]) -> String? {
    if let nearest = nearestLocale(among: known) { return nearest }
    guard let readers = LocaleTag(self)?.maximized else { return nil }
    return known.first { LocaleTag($0)?.maximized == readers }
  }
}

extension String {
  /// The first character that no font shows, or a space other than the ordinary one.
  var firstInvisible: Unicode.Scalar? { unicodeScalars.first(where: Self.isInvisible) }

  /// The text without such characters.
  var withoutInvisible: String {
    String(String.UnicodeScalarView(unicodeScalars.filter { !Self.isInvisible($0) }))
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    let properties = scalar.properties
    return properties.isWhitespace && !scalar.isASCII || properties.isDefaultIgnorableCodePoint
  }
}

extension String {
  /// Returns the error for a known name with an invisible character at an end, or with a value
  /// after a colon without a space.
  fileprivate func slip(known: [String], rule: Rule, at location: SourceLocation) -> Diagnostic? {
    let isInvisible = { (scalar: Unicode.Scalar) in
      scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }
    if let invisible = unicodeScalars.first(where: isInvisible) {
      let plain = String(String.UnicodeScalarView(unicodeScalars.filter { !isInvisible($0) }))
      guard !invisible.isASCII, known.contains(where: { $0.hasSameBytes(as: plain) }) else {
        return nil
      }
      let fixIt = location.range.map { Diagnostic.FixIt($0, replacement: plain) }
      return .error(
        rule, at: location,
        message:
          "the name '\(plain)' must not hold \(invisible.codeName), which is invisible; write \(plain)",
        fixIt: fixIt)
    }
    guard let missing = MissingSpace(self),
      known.contains(where: { $0.hasSameBytes(as: String(prefix { $0 != ":" && $0 != "：" })) })
    else { return nil }
    let fixIt = location.range.map { Diagnostic.FixIt($0, replacement: missing.replacement) }
    return .error(.yamlSyntax, at: location, message: missing.message, fixIt: fixIt)
  }
}

extension Diagnostic {
  /// Returns the error for a node that must be a mapping.
  static func notAMapping(_ name: String, at node: YAMLNode) -> Diagnostic {
    missingSpace(in: node) ?? .wrongType(name, must: "be a mapping", at: node.place)
  }

  /// Returns the error for a text that would be a mapping with a space behind its colon.
  static func missingSpace(in node: YAMLNode) -> Diagnostic? {
    guard node.isPlain, let missing = MissingSpace(node.text) else { return nil }
    // In the line of its key, a mapping needs brackets, which the author may not mean.
    let fixIt =
      node.isBehindKey ? nil : FixIt(node.range, replacement: missing.replacement)
    return .error(.yamlSyntax, at: node.location, message: missing.message, fixIt: fixIt)
  }
}

extension SourceLocation {
  /// The first position, since a whole mapping is too long to underline.
  var firstLine: SourceLocation {
    guard let range else { return self }
    let end = SourcePosition(line: range.start.line, column: range.start.column + 1)
    return SourceLocation(path: path, range: SourceRange(from: range.start, to: end))
  }
}

extension LimitedPart.Kind {
  /// The rule that limits the size of parts of this kind.
  package var rule: Rule {
    switch self {
    case .config: .largeConfig
    case .index: .largeIndex
    case .list: .largeList
    case .maintenance: .largeMaintenance
    case .tile: .largeTile
    }
  }
}

extension LimitedPart {
  /// Returns the problems of parts that clients refuse, or that have more than a quarter of the
  /// bytes that clients accept: one for the largest part of each kind.
  package static func problems(of parts: [LimitedPart], in folder: ContentFolder) -> [Diagnostic] {
    parts.large.map { part in
      let file = part.kind == .maintenance ? "maintenance.yaml" : "content.yaml"
      return Diagnostic(
        part.isTooLarge ? .error : .warning, rule: part.kind.rule,
        at: SourceLocation(path: folder.shownPath(file)), message: part.sentence,
        notes: [Diagnostic.Note(part.remedy)])
    }
  }
}
