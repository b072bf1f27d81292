import ContentModel
import ContentReleases
import PropertyLists

/// An entry to restore into a bundle from which a purge removed it.
struct Insertion: Hashable, Sendable {
  var id: String
  var entry: Value
  /// The ids before it in the source bundle.
  var before: [String]
  /// The date at which the source bundle's content changes next by itself.
  var changes: Value?

  /// Takes an entry from a bundle; `nil` if the bundle lacks it.
  init?(_ id: String, of bundle: Value) {
    guard let entry = bundle["entries"]?[id] else { return nil }
    (self.id, self.entry, changes) = (id, entry, bundle["changes"])
    before = (bundle["order"]?.items ?? []).compactMap(\.text)
    before.removeSubrange((before.firstIndex(of: id) ?? before.endIndex)...)
  }

  /// Returns a bundle's members with a form of the entry, after the last entry that preceded it in
  /// the source bundle.
  func inserted(into bundle: Members, as entry: Value) -> Members {
    var members = bundle
    var entries = bundle["entries"]?.members ?? Members()
    entries[id] = entry
    members["entries"] = .dictionary(entries)
    if var order = bundle["order"]?.items {
      let earlier = Set(before)
      let place = order.lastIndex { $0.text.map(earlier.contains) ?? false }
      order.insert(.string(id), at: place.map { $0 + 1 } ?? 0)
      members["order"] = .array(order)
    }
    if let changes = changes?.instant, changes < bundle["changes"]?.instant ?? changes.later {
      members["changes"] = self.changes
    }
    return members
  }
}

extension Instant {
  fileprivate var later: Instant {
    Instant(secondsSinceReferenceDate: secondsSinceReferenceDate + 1)
  }
}

/// The bundle of an earlier release that held an entry before it was removed.
struct InsertionPlace: Sendable {
  var row: ReleasedBundle
  var insertion: Insertion
}
