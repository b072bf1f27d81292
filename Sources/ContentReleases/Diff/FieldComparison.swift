import ContentModel
import PropertyLists

/// The paths at which two forms of an entry differ, as deep as both have the same shape.
struct FieldComparison {
  private(set) var differences: [(path: String, old: Value?, new: Value?)] = []

  /// Compares the values under `content`, and the entry's own times beside it.
  init(from old: Value, to new: Value) {
    compare(old["content"], with: new["content"], at: "")
    for key in ["from", "until", "ttl", "datatype"] { compare(old[key], with: new[key], at: key) }
  }

  private mutating func compare(_ old: Value?, with new: Value?, at path: String) {
    if old == new { return }
    if case .dictionary(let before)? = old, case .dictionary(let after)? = new {
      for key in Set(names: before.map(\.key) + after.map(\.key)).names {
        compare(before[key], with: after[key], at: path.isEmpty ? key : "\(path).\(key)")
      }
    } else if let before = old?.itemsByID, let after = new?.itemsByID,
      before.map(\.id) == after.map(\.id)
    {
      // The same items in the same order: what differs is inside them.
      for (before, after) in zip(before, after) {
        compare(before.item, with: after.item, at: "\(path)[\(before.id)]")
      }
    } else {
      differences.append((path: path.isEmpty ? "content" : path, old: old, new: new))
    }
  }
}

extension Value {
  /// The items of a list whose items all have an id.
  fileprivate var itemsByID: [(id: ExactString, item: Value)]? {
    guard let items, !items.isEmpty else { return nil }
    let named = items.compactMap { item in
      item["id"]?.text.map { (id: ExactString($0), item: item) }
    }
    return named.count == items.count ? named : nil
  }
}
