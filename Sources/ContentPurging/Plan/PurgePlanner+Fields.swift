import ContentModel
import ContentReleases
import Diagnostics
import PropertyLists

extension PurgePlanner {
  /// Refuses fields that occur neither in the entries nor in `known`, the fields of earlier
  /// releases.
  func check(
    _ fields: [ContentPath], in now: ShownEntries, known: Set<ContentPath> = []
  ) throws {
    let contents = Set(
      now.values.flatMap { $0.values.flatMap(\.values) }.compactMap { $0["content"] })
    for field in fields {
      guard let whole = contents.lazy.compactMap({ field.compiledValue(above: $0) }).first else {
        continue
      }
      throw DeliveryError(
        .refused,
        "'\(field)' is a part of '\(whole)', whose other parts would still tell it; purge '\(whole)' instead"
      )
    }
    for field in fields
    where !known.contains(field) && !contents.contains(where: { field.value(in: $0) != nil }) {
      let names = Set(names: contents.flatMap(\.fieldNames)).names
      throw DeliveryError(
        .unknown,
        "nothing to purge: the named content has no field '\(field)'"
          + (field.description.nearest(among: names).map { "; did you mean '\($0)'?" } ?? ""))
    }
  }

  /// Refuses to replace fields that no entry has, and to use values of another kind.
  ///
  /// Accepts a replacement of no entry, because its plan finds nothing to change.
  ///
  /// - Throws: `ReplacementRefusal` with all fields that do not fit.
  func check(_ fields: [(name: String, value: Value?)], in now: ShownEntries) throws {
    let ids = Set(now.values.flatMap(\.keys)).sorted { $0.precedesInBytes($1) }
    if ids.isEmpty { return }
    let contents = ids.map { id in
      now.values.flatMap { ($0[id] ?? [:]).values }.compactMap { $0["content"]?.members }
    }
    let problems = fields.compactMap { name, value -> ReplacementRefusal.Problem? in
      let old = contents.map { $0.compactMap { $0[name] } }
      if old.allSatisfy(\.isEmpty) { return .unknown(name) }
      return zip(ids, old).lazy.compactMap { value?.problem(replacing: $1, at: name, of: $0) }.first
    }
    if problems.isEmpty { return }
    throw ReplacementRefusal(
      problems: problems, entries: ids,
      fields: Members(contents.joined().joined().map { ($0, $1) }).keys)
  }
}

extension ContentPath {
  /// Returns the path of the place or Markdown text that contains the value at this path; `nil` if
  /// none does.
  fileprivate func compiledValue(above content: Value) -> ContentPath? {
    parts.indices.dropFirst().lazy.map { ContentPath(Array(parts[..<$0])) }.first {
      $0.value(in: content)?.isCompiled ?? false
    }
  }
}

extension Value {
  /// `true` for values that a compiler makes of others: a place decides on its entry's tile, and the
  /// parts of a Markdown text repeat each other.
  fileprivate var isCompiled: Bool {
    guard let members else { return false }
    return (members["plain"] != nil && members["blocks"] != nil)
      || (members["latitude"] != nil && members["longitude"] != nil)
  }

  /// Returns the reason why the value cannot replace the values of an entry's field; `nil` if it can.
  fileprivate func problem(
    replacing old: [Value], at field: String, of id: String
  ) -> ReplacementRefusal.Problem? {
    if old.contains(where: \.isCompiled) { return .compiled(field, entry: id) }
    let kinds = old.filter { fitted(to: $0) == nil }.map(\.kindName)
    return kinds.min { $0.precedesInBytes($1) }.map { .otherKind(field, kind: $0, entry: id) }
  }

  /// Returns the value as one of another value's kind; `nil` if the kinds do not fit.
  func fitted(to old: Value) -> Value? {
    switch (self, old) {
    case (.integer(let number), .real): .real(Double(number))
    default: kindName == old.kindName ? self : nil
    }
  }

  private var kindName: String {
    switch self {
    case .string: "a text"
    case .integer: "a whole number"
    case .real: "a number"
    case .boolean: "true or false"
    case .date: "a date"
    case .data: "data"
    case .array: "a list"
    case .dictionary: "a group of values"
    }
  }

  /// The paths of all contained values.
  fileprivate var fieldNames: [String] {
    switch self {
    case .dictionary(let members): members.flatMap { name, value in value.fieldNames(below: name) }
    case .array(let items):
      items.enumerated().flatMap { place, item in
        item.fieldNames(below: item["id"]?.text ?? "\(place)")
      }
    default: []
    }
  }

  private func fieldNames(below name: String) -> [String] {
    [name] + fieldNames.map { "\(name).\($0)" }
  }
}
