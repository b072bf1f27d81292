import ContentModel
import Diagnostics
import SourceYAML

// Common slips in values of the wrong form, whose messages name the text to type.
extension LayerCheck {
  /// The intended text of a node whose kind does not fit its field.
  func slip(in node: YAMLNode, _ field: Field) -> Diagnostic? {
    switch (field.kind, node.kind) {
    case (.object, .scalar), (.map, .scalar): return .notAMapping("'\(field.name)'", at: node)
    case (.plural, .scalar): return .missingSpace(in: node)
    case (.list, .scalar):
      let text = node.text
      let margin = text.unicodeScalars.prefix { $0.properties.isWhitespace }
      if let space = margin.first, text.unicodeScalars.dropFirst(margin.count).first == "-" {
        return .wrongType(
          "'\(field.name)'",
          must: "be a list; ordinary spaces must precede each '-', not \(space.codeName)",
          at: node.place)
      }
      if node.isPlain, let item = text.itemOfUnspacedList {
        return .wrongType(
          "'\(field.name)'", must: "be a list; a space must follow each '-', as in - \(item)",
          at: node.place)
      }
      let isPlain =
        node.isPlain && text.unicodeScalars.count < 60
        && !text.utf8.contains { "[]{}#:".utf8.contains($0) }
      guard isPlain else { return nil }
      let fixIt = Diagnostic.FixIt(node.range, replacement: "[\(text)]")
      return .wrongType(
        "'\(field.name)'", must: "be a list; write [\(text)]", at: node.place, fixIt: fixIt)
    case (.string, .mapping), (.text, .mapping):
      return translations(in: node, field) ?? categories(in: node, field)
        ?? countries(in: node, field)
    case (_, .mapping): return translations(in: node, field) ?? countries(in: node, field)
    default: return nil
    }
  }

  /// Returns the error for a text that is nearly the id of an entry: its last part alone, or with
  /// capitals.
  func nearlyID(_ node: YAMLNode, in field: Field) -> Diagnostic? {
    guard case .reference(let targets) = field.kind, EntryID(node.text) == nil else { return nil }
    let text = node.text.lowercased().replacing(" ", with: "-").replacing("_", with: "-")
    let parts = text.split(separator: "/", maxSplits: 1)
    // One look per datatype: a search through all entries for each of many slips would take
    // quadratic time.
    let datatypes = targets.isEmpty ? names.datatypes.map(\.text) : targets
    let namesakes = datatypes.map { "\($0)/\(parts.last ?? "")" }.filter(names.hasEntry)
    guard let id = text.nearestID(among: namesakes) else {
      guard let target = targets.first, let example = names.firstEntry(of: target) else {
        return nil
      }
      return .wrongType(
        "'\(field.name)'", must: "be the id of a \(target), such as \(example)", at: node.location)
    }
    let rule =
      parts.count > 1 ? "be an entry's id, in small letters" : "be an entry's id with its datatype"
    return .wrongType(
      "'\(field.name)'", must: "\(rule); write \(id)", at: node.location,
      fixIt: Diagnostic.FixIt(node.range, replacement: id))
  }

  /// Returns the error for a reference to an entry of another datatype, with its namesake in a
  /// required one.
  func referenceElsewhere(
    _ node: YAMLNode, to targets: [String], in field: Field
  ) -> Diagnostic {
    let name = node.text.split(separator: "/", maxSplits: 1).last ?? ""
    let meant = targets.map { "\($0)/\(name)" }.first(where: names.hasEntry)
    let hint = meant.map { "; did you mean '\($0)'?" } ?? ""
    return .wrongType(
      "'\(field.name)'", must: "lead to an entry of \(targets.joined(separator: " or "))\(hint)",
      at: node.location, fixIt: meant.map { Diagnostic.FixIt(node.range, replacement: $0) })
  }

  /// Returns the error for a text in several languages, each of which needs a file of its own.
  private func translations(in node: YAMLNode, _ field: Field) -> Diagnostic? {
    let texts = node.members.map { (locale: LocaleTag($0.key.text), text: $0.value.text) }
    guard !texts.isEmpty,
      texts.allSatisfy({ $0.locale.map(conditions.locales.reachable.contains) ?? false }),
      let other = texts.first(where: { $0.locale != conditions.locales.source }),
      let locale = other.locale
    else { return nil }
    let name = EntryFileName(node.path).map { $0.stem.split(separator: "/").last ?? "" } ?? ""
    return .wrongType(
      "'\(field.name)'",
      must:
        "be one text; its translations are files of their own: write '\(field.name): \(other.text)' in \(name).\(locale).yaml",
      at: node.place)
  }

  /// Returns the error for a value of each country, for which only items of lists and entries have
  /// conditions.
  private func countries(in node: YAMLNode, _ field: Field) -> Diagnostic? {
    guard field.kind.isCollection == false, let first = node.members.first,
      node.members.allSatisfy({ Country.isAssigned($0.key.text) })
    else { return nil }
    return .wrongType(
      "'\(field.name)'",
      must:
        "be one value; for values by country, its datatype needs a list, with an item such as {when: {country: \(first.key.text)}, \(field.name): \(first.value.text)}",
      at: node.place)
  }

  /// Returns the error for plural categories in a field for one text.
  private func categories(in node: YAMLNode, _ field: Field) -> Diagnostic? {
    guard node.isPartOfPlural else { return nil }
    return .wrongType(
      "'\(field.name)'",
      must: "be one text; for plural categories, its datatype needs 'type: plural'", at: node.place)
  }

  /// Warns of a text whose author probably meant something else.
  mutating func warnOfSlips(in node: YAMLNode, as field: Field) {
    switch field.kind {
    case .string, .text, .catalog:
      guard node.isInFileWithOddSigns else { return }
      let isCatalog = if case .catalog = field.kind { true } else { false }
      for slip in TextSlip.all(in: node, mayBeHTML: isCatalog) {
        diagnostics.append(slip.diagnostic(in: node))
      }
    case .any:
      guard node.isPlain, let value = node.meantValue else { return }
      diagnostics.append(
        .warning(
          "untyped-text", at: node.location,
          message: "'\(node.text)' is a text here; write \(value), or \"\(node.text)\" for the text"
        ))
    default: break
    }
  }

  /// Returns the warning for an undeclared field of an open shape whose name is nearly that of a
  /// missing field.
  func misspelling(
    _ key: YAMLNode, in node: YAMLNode, named name: String, of shape: ObjectShape, at place: Place
  ) -> Diagnostic? {
    guard !shape.fields.isEmpty, shape.place(of: key) == nil,
      let meant = key.text.nearest(among: shape.fields.map(\.name).filter { node[$0] == nil }),
      // A field that another file of the entry has, too, is meant.
      !place.sources.contains(where: { $0.identity != node.identity && $0[key.text] != nil })
    else { return nil }
    return .warning(
      "unknown-field", at: key.location,
      message: "'\(key.text)' is not declared in \(name); did you mean '\(meant)'?",
      fixIt: Diagnostic.FixIt(key.range, replacement: meant))
  }

  /// Returns the error for a text with a comma, which ends it between brackets: `{title: Bread,
  /// fresh}`; nothing for a further part of the text, and `nil` for any other key.
  func cutText(_ key: YAMLNode, in node: YAMLNode, known: [String]) -> [Diagnostic]? {
    let members = node.members
    let isPart = { (member: (key: YAMLNode, value: YAMLNode)) in
      member.value.isNull && member.value.range.start == member.key.range.end
        && !known.contains(member.key.text)
        && !known.contains(MissingColon(member.key.text)?.key ?? "")
    }
    guard let place = members.index(of: key), isPart(members[place]),
      let owner = members[..<place].last(where: { !isPart($0) }),
      owner.value.kind == .scalar, owner.value.isPlain, !owner.value.isNull
    else { return nil }
    let parts = members.drop { $0.key.identity != owner.key.identity }.dropFirst().prefix(
      while: isPart)
    guard let first = parts.first, let last = parts.last, first.key.identity == key.identity else {
      return []
    }
    let range = SourceRange(from: owner.value.range.start, to: last.key.range.end)
    var text = ([owner.value] + parts.map(\.key)).map(\.text).joined(separator: ", ")
    // The quote at the end of a text that lost its first one.
    while text.last == "\"" { text.removeLast() }
    let location = SourceLocation(path: node.path, range: range)
    let name = "'\(owner.key.text)'"
    guard !text.utf8.contains(where: { "\"\\".utf8.contains($0) }) else {
      return [.wrongType(name, must: "be in quotes, since it holds a comma", at: location)]
    }
    return [
      .wrongType(
        name, must: "be in quotes, since it holds a comma; write \"\(text)\"", at: location,
        fixIt: Diagnostic.FixIt(range, replacement: "\"\(text)\""))
    ]
  }

  /// Returns the error for a number with a decimal comma, which ends it between brackets: `{price:
  /// 1,30}`.
  func cutNumber(_ key: YAMLNode, in node: YAMLNode) -> Diagnostic? {
    let members = node.members
    guard key.withTextBytes({ $0.allSatisfy { $0.isDigit } }),
      let place = members.index(of: key),
      place > 0, members[place].value.isNull,
      case .integer(let whole) = members[place - 1].value.scalar
    else { return nil }
    let before = members[place - 1]
    let range = SourceRange(from: before.value.range.start, to: key.range.end)
    let number = "\(whole).\(key.text)"
    return .wrongType(
      "'\(before.key.text)'",
      must: "be a number with a point instead of the comma; write \(number)",
      at: SourceLocation(path: node.path, range: range),
      fixIt: Diagnostic.FixIt(range, replacement: number))
  }
}

extension Field {
  /// A text of a string catalog, for the checks that do not depend on its key.
  static let catalogText = Field(name: "", kind: .catalog, isLocalized: true)
}

extension YAMLNode {
  /// The number or the Boolean value that a plain text is in YAML 1.1; `nil` for another text.
  fileprivate var meantValue: String? {
    withTextBytes { text in
      guard let first = text.first, text.count <= 24 else { return nil }
      if first.isDigit || first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
        let digits = text.dropFirst(first.isDigit ? 0 : 1)
        let isNumber =
          digits.contains(UInt8(ascii: "_")) && digits.first?.isDigit == true
          && digits.last?.isDigit == true
          && digits.allSatisfy { $0.isDigit || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".") }
          && digits.count { $0 == UInt8(ascii: ".") } <= 1
        guard isNumber else { return nil }
        return String(decoding: text.filter { $0 != UInt8(ascii: "_") }, as: UTF8.self)
      }
      return switch String(decoding: text.prefix(4), as: UTF8.self) {
      case "yes", "Yes", "YES", "on", "On", "ON": "true"
      case "no", "No", "NO", "off", "Off", "OFF": "false"
      default: nil
      }
    }
  }
}

extension String {
  /// The first item of a list whose dashes have no space after them, which YAML reads as one text.
  fileprivate var itemOfUnspacedList: Substring? {
    let rest = dropFirst()
    guard first == "-", rest.first?.isLetter ?? false else { return nil }
    return rest.prefix { !$0.isWhitespace }
  }
}

extension YAMLMembers {
  /// The place of a member by its key.
  fileprivate func index(of key: YAMLNode) -> Int? { key.withTextBytes { index(of: $0) } }
}

extension Field.Kind {
  /// `true` if values are mappings or lists.
  var isCollection: Bool {
    switch self {
    case .object, .list, .map, .plural: true
    default: false
    }
  }
}
