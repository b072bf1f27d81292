import ContentModel
import Diagnostics
import YAML

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
      if let list = otherBullets(in: node, field) { return list }
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
    case (.scalar, .mapping) where field.isText:
      return translations(in: node, field) ?? categories(in: node, field)
        ?? countries(in: node, field)
    case (_, .mapping): return translations(in: node, field) ?? countries(in: node, field)
    case (_, .sequence), (.scalar, _), (.any, _), (.markdown, _), (.catalog, _): return nil
    }
  }

  /// Returns the error for a list whose items begin with another sign than `-`, which YAML reads as
  /// one text.
  private func otherBullets(in node: YAMLNode, _ field: Field) -> Diagnostic? {
    guard node.isPlain, let list = BulletList(node.writtenText) else { return nil }
    let isOneLine = list.items.count == 1 && !node.beginsItsLine
    let item = list.example(inBrackets: isOneLine)
    let written = isOneLine ? "[\(item)]" : list.written(below: node.beginsItsLine)
    return .wrongType(
      "'\(field.name)'",
      must: isOneLine
        ? "be a list; write [\(item)]"
        : "be a list; each item must begin with '-' and a space, not with '\(list.bullet)', as in - \(item)",
      at: node.place,
      fixIt: written.map { Diagnostic.FixIt(node.range, replacement: $0) })
  }

  /// Returns the error for a text that is nearly the id of an entry: its last part alone, or with
  /// capitals.
  func nearlyID(_ node: YAMLNode, in field: Field) -> Diagnostic? {
    guard case .scalar(let type) = field.kind, type.isReference, EntryID(node.text) == nil else {
      return nil
    }
    let targets = field.limits.targets.map(\.datatype)
    let text = node.text.lowercased().replacing(" ", with: "-").replacing("_", with: "-")
    let parts = text.split(separator: "/", maxSplits: 1)
    // Looks up one id per datatype. A search through all entries for each of many slips would
    // take quadratic time.
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
    let name = EntryFileName(node.path.text).map { $0.stem.split(separator: "/").last ?? "" } ?? ""
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
    case .scalar where field.isText, .catalog:
      guard node.isInFileWithOddSigns else { return }
      let isCatalog = if case .catalog = field.kind { true } else { false }
      for slip in TextSlip.all(in: node, mayBeHTML: isCatalog) {
        diagnostics.append(slip.diagnostic(in: node))
      }
    case .any:
      guard node.isPlain, let value = node.meantValue else { return }
      diagnostics.append(
        .warning(
          .untypedText, at: node.location,
          message: "'\(node.text)' is a text here; write \(value), or \"\(node.text)\" for the text"
        ))
    case .scalar(let type) where type == URLType.self: warnOfInsecureAddress(node, in: field)
    case .scalar, .markdown, .object, .list, .map, .plural: break
    }
  }

  private mutating func warnOfInsecureAddress(_ node: YAMLNode, in field: Field) {
    // Phones write a capital letter at the beginning of a text.
    let isInsecure = node.withTextBytes { text in
      text.prefix(5).elementsEqual("http:".utf8) { $0 | 0x20 == $1 }
    }
    guard isInsecure, (try? FieldCheck.convert(node, as: field)) != nil else { return }
    let scheme = node.location(ofUnicodeScalars: 0..<4)
    // An address with escapes can be located only as a whole, so it gets no fix.
    let fixIt =
      scheme == node.location
      ? nil : scheme.range.map { Diagnostic.FixIt($0, replacement: "https") }
    diagnostics.append(
      .warning(
        .insecureAddress, at: scheme,
        message:
          "'\(field.name)' must begin with https instead of http, which phones refuse to load",
        fixIt: fixIt))
  }

  /// Returns the warning for an undeclared field of an open shape whose name is nearly that of a
  /// missing field.
  func misspelling(
    _ key: YAMLNode, in node: YAMLNode, named name: String, of shape: ObjectShape,
    free: inout FreeNames, at place: Place
  ) -> Diagnostic? {
    guard !shape.fields.isEmpty, shape.place(of: key) == nil,
      let meant = free.nearestField(to: key.text),
      // A field that another file of the entry has, too, is meant.
      !place.sources.contains(where: { $0.identity != node.identity && $0[key.text] != nil })
    else { return nil }
    return .warning(
      .unknownField, at: key.location,
      message: "'\(key.text)' is not declared in \(name); did you mean '\(meant)'?",
      fixIt: Diagnostic.FixIt(key.range, replacement: meant))
  }

  /// Returns the error for a field whose value follows `=`, as in `{width=32}`.
  func equalsSign(in key: YAMLNode, known: [String]) -> Diagnostic? {
    guard key.isPlain, let assignment = Assignment(key.text, known: known) else { return nil }
    return .error(
      .yamlSyntax, at: key.location,
      message:
        "':' must follow the key '\(assignment.key)', not '='; write \(assignment.replacement)",
      fixIt: Diagnostic.FixIt(key.range, replacement: assignment.replacement))
  }

  /// Returns the error for a text with a comma, which ends it between brackets: `{title: Bread,
  /// fresh}`; nothing for a further part of the text, and `nil` for any other key.
  mutating func cutText(at index: Int, in node: YAMLNode, known: [String]) -> [Diagnostic]? {
    let members = node.members
    guard isPart(members[index], known: known) else { return nil }
    if let cut = lastCut, cut.parts.contains(index), cut.node == node.identity {
      return cut.isReported ? [] : nil
    }
    var end = index + 1
    while end < members.count, isPart(members[end], known: known) { end += 1 }
    lastCut = CutText(node: node.identity, parts: index..<end, isReported: false)
    guard index > 0 else { return nil }
    let owner = members[index - 1]
    guard owner.value.kind == .scalar, owner.value.isPlain, !owner.value.isNull else { return nil }
    lastCut?.isReported = true
    let parts = members[index..<end].map(\.key)
    let range = SourceRange(
      from: owner.value.range.start, to: (parts.last ?? owner.value).range.end)
    var text = ([owner.value] + parts).map(\.text).joined(separator: ", ")
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

  /// Returns `true` for a member that is probably the rest of a text before it: an unknown key
  /// without a value.
  private func isPart(
    _ member: (key: YAMLNode, value: YAMLNode), known: [String]
  ) -> Bool {
    guard member.value.isNull, member.value.range.start == member.key.range.end else {
      return false
    }
    func isKnown(_ name: String) -> Bool { known.contains { $0.hasSameBytes(as: name) } }
    let text = member.key.text
    return !isKnown(text) && !isKnown(MissingColon(text)?.key ?? "")
      && Assignment(text, known: known) == nil
  }

  /// Returns the error for a number with a decimal comma, which ends it between brackets: `{price:
  /// 1,30}`.
  func cutNumber(at index: Int, in node: YAMLNode) -> Diagnostic? {
    let members = node.members
    let key = members[index].key
    guard index > 0, key.withTextBytes({ $0.allSatisfy { $0.isDigit } }),
      members[index].value.isNull,
      case .integer(let whole) = members[index - 1].value.scalar
    else { return nil }
    let before = members[index - 1]
    let range = SourceRange(from: before.value.range.start, to: key.range.end)
    let number = "\(whole).\(key.text)"
    return .wrongType(
      "'\(before.key.text)'",
      must: "be a number with a point instead of the comma; write \(number)",
      at: SourceLocation(path: node.path, range: range),
      fixIt: Diagnostic.FixIt(range, replacement: number))
  }
}

/// The parts of a text that commas between brackets cut, which YAML reads as keys.
struct CutText {
  let node: YAMLNode.Identity
  /// The parts after the first one, as members of the node.
  let parts: Range<Int>
  /// `true` if the first part is a text without quotes, so that the error is reported.
  var isReported: Bool
}

/// The declared names that a mapping does not have, for the messages about its unknown keys.
///
/// Only the first unknown keys of a mapping get suggestions, since each search compares all names.
struct FreeNames {
  /// The names of all declared fields.
  private(set) lazy var known = shape.fields.map(\.name.text)

  private let shape: ObjectShape
  private let node: YAMLNode
  private let isConditional: Bool
  private var searches = 20
  private lazy var freeFields: [String] = {
    let present = Set(names: node.members.lazy.map(\.key.text))
    return known.filter { !present.contains($0) }
  }()

  init(of shape: ObjectShape, in node: YAMLNode, isConditional: Bool) {
    (self.shape, self.node, self.isConditional) = (shape, node, isConditional)
  }

  /// Returns the declared name that a key probably means, also if the mapping has it.
  mutating func meant(by key: String) -> String? {
    searches > 0 ? key.meantKey(among: known) : nil
  }

  /// Returns the free name that is nearest to a key, which may be `when`.
  mutating func nearest(to key: String) -> String? {
    guard searches > 0 else { return nil }
    searches -= 1
    let mayBeCondition = isConditional && node["when"] == nil
    return key.nearest(among: freeFields + (mayBeCondition ? ["when"] : []))
  }

  /// Returns the free field that is nearest to a key.
  mutating func nearestField(to key: String) -> String? {
    guard searches > 0 else { return nil }
    searches -= 1
    return key.nearest(among: freeFields)
  }
}

/// A field and its value with `=` between them, which YAML reads as one key.
struct Assignment {
  let key: String
  let replacement: String

  /// Finds the slip in a key; returns `nil` unless a known name comes before `=`.
  init?(_ text: String, known: [String]) {
    guard let sign = text.utf8.firstIndex(of: UInt8(ascii: "=")) else { return nil }
    let (before, after) = (text[..<sign], text[text.utf8.index(after: sign)...])
    let key = String(before.reversed().drop { $0 == " " }.reversed())
    let value = after.drop { $0 == " " }
    guard !value.isEmpty, known.contains(where: { $0.hasSameBytes(as: key) }) else { return nil }
    (self.key, replacement) = (key, "\(key): \(value)")
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

extension Field.Kind {
  /// `true` if values are mappings or lists.
  var isCollection: Bool {
    switch self {
    case .object, .list, .map, .plural: true
    case .scalar, .any, .markdown, .catalog: false
    }
  }
}
