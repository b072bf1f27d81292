package import ContentModel
import PropertyLists

/// The edit of one entry in all of its bundles.
package enum EntryEdit: Sendable {
  /// The entry is removed.
  case remove
  /// Some of its fields are removed, by paths such as `title` or `badges.new.label`.
  case removeFields([ContentPath])
  /// Existing fields get other values; `nil` removes a field.
  case replaceFields([(name: String, value: Value?)])
  /// The entry gets its form in an earlier release, if that release has it.
  case restore
  /// Some of its fields get their values in an earlier release.
  case restoreFields([ContentPath])
  /// Entries that show one of the assets are removed.
  case removeAssets(Set<Digest>)

  /// Returns the entry after the edit; `nil` if it is removed.
  ///
  /// `earlier` is the entry in the same bundle and context of the release from which it is restored.
  func applied(to entry: Value, earlier: Value?) -> Value? {
    guard var members = entry.members else { return entry }
    let content = members["content"] ?? [:]
    switch self {
    case .remove: return nil
    case .restore: return earlier
    case .removeFields(let paths):
      members["content"] = paths.reduce(content) { $1.removed(from: $0) }
    case .restoreFields(let paths):
      members["content"] = paths.reduce(content) { content, path in
        path.replaced(in: content, by: earlier?["content"].flatMap(path.value))
      }
    case .replaceFields(let fields):
      members["content"] = fields.reduce(content) { content, field in
        guard let old = content[field.name] else { return content }
        return ContentPath([ExactString(field.name)]).replaced(
          in: content, by: field.value.map { $0.fitted(to: old) ?? $0 })
      }
    case .removeAssets(let assets): members["content"] = content.withoutAssets(assets) ?? [:]
    }
    return .dictionary(members)
  }

  /// `true` if the edit needs an earlier release.
  var restores: Bool {
    switch self {
    case .restore, .restoreFields: true
    default: false
    }
  }

  /// `true` if the edit removes the entry for all affected readers.
  var removesEntries: Bool { if case .remove = self { true } else { false } }
}

extension Value {
  /// Returns the value without parts that show one of some assets; `nil` if the value itself does.
  fileprivate func withoutAssets(_ assets: Set<Digest>) -> Value? {
    switch self {
    case .dictionary(let members):
      let scales = members["scales"]?.members ?? Members()
      if scales.contains(where: { $0.value["object"]?.digest.map(assets.contains) ?? false }) {
        return nil
      }
      return .dictionary(
        Members(members.compactMap { key, value in value.withoutAssets(assets).map { (key, $0) } }))
    case .array(let items): return .array(items.compactMap { $0.withoutAssets(assets) })
    default: return self
    }
  }

  /// The assets that the value shows.
  var assets: Set<Digest> { pictures.reduce(into: []) { $0.formUnion($1) } }

  /// The assets that the value shows, with all scales of a picture together.
  var pictures: [Set<Digest>] {
    switch self {
    case .dictionary(let members):
      let own = (members["scales"]?.members ?? Members()).compactMap { $0.value["object"]?.digest }
      return (own.isEmpty ? [] : [Set(own)]) + members.flatMap { $0.value.pictures }
    case .array(let items): return items.flatMap(\.pictures)
    default: return []
    }
  }

  /// Returns whether the value contains one of some ids as a text.
  func mentions(_ ids: [String]) -> Bool {
    switch self {
    case .string(let text): ids.contains(text)
    case .dictionary(let members): members.contains { $0.value.mentions(ids) }
    case .array(let items): items.contains { $0.mentions(ids) }
    default: false
    }
  }

  /// Returns the value without the list items that are one of some ids, and the paths of all other
  /// fields with such an id.
  func withoutReferences(to ids: Set<String>) -> (value: Value, fields: [String]) {
    switch self {
    case .dictionary(let members):
      var fields: [String] = []
      let kept = members.map { key, value -> (String, Value) in
        if let text = value.text, ids.contains(text) { fields.append(key) }
        let below = value.withoutReferences(to: ids)
        fields += below.fields.map { "\(key).\($0)" }
        return (key, below.value)
      }
      return (.dictionary(Members(kept)), fields)
    case .array(let items):
      var fields: [String] = []
      let kept = items.enumerated().compactMap { place, item -> Value? in
        if let text = item.text, ids.contains(text) { return nil }
        let below = item.withoutReferences(to: ids)
        fields += below.fields.map { "\(item["id"]?.text ?? "\(place)").\($0)" }
        return below.value
      }
      return (.array(kept), fields)
    default: return (self, [])
    }
  }
}
