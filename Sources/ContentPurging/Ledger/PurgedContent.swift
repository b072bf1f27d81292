import Hashing
package import ContentModel
import PropertyLists

/// The part of an entry that must not be published again: hashes of its content, or of one field's
/// value, as readers got it.
package struct PurgedContent: Hashable, Sendable {
  package var entry: String
  /// The field; the whole content if `nil`.
  package var field: FieldPath?
  package var hashes: Set<Digest>

  /// The hash of what an entry says there; `nil` where it says nothing.
  static func hash(of entry: Value, _ field: FieldPath?) -> Digest? {
    let content = entry["content"]
    guard let value = field.map({ path in content.flatMap(path.value) }) ?? content,
      let bytes = try? PropertyList.encode(["value": value.withoutItemDates], as: .binary)
    else { return nil }
    return Digest(of: bytes)
  }

  /// Returns whether an entry has the content again.
  func isShown(by entry: Value) -> Bool {
    Self.hash(of: entry, field).map(hashes.contains) ?? false
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
      entry: entry, field: value["field"]?.text.flatMap(FieldPath.init),
      hashes: Set(hashes.compactMap(\.digest)))
  }

  init(entry: String, field: FieldPath?, hashes: Set<Digest>) {
    (self.entry, self.field, self.hashes) = (entry, field, hashes)
  }
}

extension Value {
  /// Without the dates of lists' items: the same words at another time are what was purged.
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
