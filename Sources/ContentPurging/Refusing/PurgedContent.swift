package import ContentModel
import PropertyLists

/// The part of an entry that must not be published again.
package struct PurgedContent: Hashable, Sendable {
  /// The id of the entry.
  package var entry: String
  /// The field; `nil` for the whole content.
  package var field: ContentPath?
  /// The hashes of the field's values, or of the contents, as readers got them.
  package var hashes: Set<Digest>

  /// Returns the hash of an entry's value at a field, or of its content for `nil`; `nil` if there is
  /// no value.
  static func hash(of entry: Value, at field: ContentPath?) -> Digest? {
    let content = entry["content"]
    guard let value = field.map({ path in content.flatMap(path.value) }) ?? content,
      let bytes = try? PropertyList.encode(["value": value.withoutItemDates], as: .binary)
    else { return nil }
    return Digest(of: bytes)
  }

  /// Returns whether an entry has the content again.
  func isShown(by entry: Value) -> Bool {
    Self.hash(of: entry, at: field).map(hashes.contains) ?? false
  }

  var value: Value {
    var members: Members = [
      "entry": .string(entry), "hashes": .array(hashes.sorted().map { .data($0.bytes) }),
    ]
    members["field"] = field.map { .string($0.description) }
    return .dictionary(members)
  }

  init?(_ value: Value) {
    guard let entry = value["entry"]?.text, let hashes = value["hashes"]?.items else { return nil }
    self.init(
      entry: entry, field: value["field"]?.text.flatMap(ContentPath.init),
      hashes: Set(hashes.compactMap(\.digest)))
  }

  init(entry: String, field: ContentPath?, hashes: Set<Digest>) {
    (self.entry, self.field, self.hashes) = (entry, field, hashes)
  }
}

extension Value {
  /// The value without the dates of list items: the same words at another time are also purged.
  fileprivate var withoutItemDates: Value {
    switch self {
    case .dictionary(var members):
      if let dates = members["when"]?.members,
        dates.allSatisfy({ ["from", "until"].contains($0.key) })
      {
        members["when"] = nil
      }
      return .dictionary(Members(members.map { ($0.key, $0.value.withoutItemDates) }))
    case .array(let items): return .array(items.map(\.withoutItemDates))
    default: return self
    }
  }
}
