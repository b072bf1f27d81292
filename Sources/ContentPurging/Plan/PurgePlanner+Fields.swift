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
      // String keys: suggestions only
      let names = contents.reduce(into: Set<String>()) { $0.formUnion($1.fieldNames) }
      throw DeliveryError(
        .unknown,
        "nothing to purge: the named content has no field '\(field)'"
          + (field.description.nearest(among: names).map { "; did you mean '\($0)'?" } ?? ""))
    }
  }

  /// Refuses a replacement for a missing field, or with a value of another kind.
  func check(_ fields: [(name: String, value: Value?)], in now: ShownEntries) throws {
    try check(fields.map { ContentPath([$0.name]) }, in: now)
    for (name, value) in fields {
      guard let value else { continue }
      let isCompiled = now.values.contains { entries in
        entries.values.contains { $0.values.contains { $0["content"]?[name]?.isCompiled == true } }
      }
      if isCompiled {
        throw DeliveryError(
          .refused,
          "'\(name)' is a place or a text with styles, which only a build can replace; publish the content instead"
        )
      }
      for id in Set(now.values.flatMap(\.keys)).sorted(by: { $0.precedesInBytes($1) }) {
        let entries = now.values.flatMap { ($0[id] ?? [:]).values }
        let old = entries.lazy.compactMap { $0["content"]?[name] }.first {
          value.fitted(to: $0) == nil
        }
        guard let old else { continue }
        throw DeliveryError(
          .refused,
          "'\(name)' of \(id) is \(old.kindName), and is to be replaced by \(value.kindName); nothing was changed"
        )
      }
    }
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

  /// Returns the value as one of another value's kind; `nil` if the kinds do not fit.
  func fitted(to old: Value) -> Value? {
    switch (self, old) {
    case (.integer(let number), .real): .real(Double(number))
    default: kindName == old.kindName ? self : nil
    }
  }

  fileprivate var kindName: String {
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
