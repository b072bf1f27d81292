import ContentModel
import Diagnostics
import SourceYAML

// Common slips in values of the wrong form, whose messages name the text to type.
extension LayerCheck {
  /// The intended text of a node whose kind does not fit its field.
  func slip(in node: YAMLNode, _ field: Field) -> Diagnostic? {
    switch (field.kind, node.kind) {
    case (.object, .scalar), (.map, .scalar): return .notAMapping("'\(field.name)'", at: node)
    case (.list, .scalar):
      let text = node.text
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
    case (_, .mapping): return translations(in: node, field)
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
    case .object, .list, .map: true
    default: false
    }
  }
}
