package import ContentModel
import ContentReleases
import PropertyLists

/// The part of an entry that must not be published again.
package struct PurgedContent: Hashable, Sendable {
  /// The id of the entry.
  package var entry: String
  /// The field; `nil` for the whole content.
  package var field: ContentPath?
  /// The hashes of the field's values, or of the contents, as readers got them.
  package var hashes: Set<Digest>
  /// The bundles in which readers got the contents; `nil` for all that show the entry.
  ///
  /// A bundle whose form the purge has left as it is cannot show a correction.
  package var bundles: [PurgedBundles]?
  /// The hashes of the values that the fields of the purged forms had, and that no reader keeps; `nil`
  /// if a field was purged, or by an earlier version.
  package var fields: [ExactString: Set<ValueHash>]?

  /// Returns the hash of an entry's value at a field, or of its content for `nil`; `nil` if there is
  /// no value.
  static func hash(of entry: Value, at field: ContentPath?) -> Digest? {
    let content = entry["content"]
    guard let value = field.map({ path in content.flatMap(path.value) }) ?? content,
      let bytes = try? PropertyList.encode(["value": value.withoutItemDates], as: .binary)
    else { return nil }
    return Digest(of: bytes)
  }

  /// Returns the hashes of the values of an entry's fields.
  static func fields(of entry: Value) -> [ExactString: ValueHash] {
    Dictionary(
      firstOf: (entry["content"]?.members ?? Members()).compactMap { name, value in
        ValueHash(of: value.withoutItemDates).map { (name, $0) }
      })
  }

  /// Returns whether the purge removed a form of the entry from a bundle of these readers.
  ///
  /// Another form in such a bundle is a correction.
  func isRemoved(from bundle: ReleasedBundle, for context: ReleaseContext) -> Bool {
    guard let bundles else { return true }
    let own = bundles.filter { $0.contexts.contains(context.stable.description) }
    // The release may have had no such context.
    let form = bundle.form
    return (own.isEmpty ? bundles : own).contains {
      $0.names.contains(form.bundle) || $0.names.contains(form.name)
    }
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
    members["bundles"] = bundles.map { .array($0.map(\.value)) }
    members["fields"] = fields.map { fields in
      .dictionary(
        Members(
          fields.sorted { $0.key < $1.key }.map { name, hashes in
            (name.text, .array(hashes.sorted().map { .data($0.bytes) }))
          }))
    }
    return .dictionary(members)
  }

  init?(_ value: Value) {
    guard let entry = value["entry"]?.text, let hashes = value["hashes"]?.items else { return nil }
    self.init(
      entry: entry, field: value["field"]?.text.flatMap(ContentPath.init),
      hashes: Set(hashes.compactMap(\.digest)))
    bundles = value["bundles"]?.all(PurgedBundles.init)
    fields = value["fields"]?.members.map { members in
      Dictionary(
        firstOf: members.map { name, hashes in
          (name, Set((hashes.items ?? []).compactMap { ValueHash(stored: $0) }))
        })
    }
  }

  init(entry: String, field: ContentPath?, hashes: Set<Digest>) {
    (self.entry, self.field, self.hashes) = (entry, field, hashes)
  }
}

/// The bundles in which some readers got purged content.
package struct PurgedBundles: Hashable, Sendable {
  /// The names of the bundles, such as `product`; if only some variants of a bundle had the content,
  /// the names of these, such as `product FR`.
  ///
  /// The name of a split bundle means all of its parts.
  package var names: Set<String>
  /// The readers' contexts, such as `fr-CA/ipad`.
  package var contexts: Set<String>

  var value: Value {
    [
      "names": .array(names.sorted { $0.precedesInBytes($1) }.map(Value.string)),
      "contexts": .array(contexts.sorted { $0.precedesInBytes($1) }.map(Value.string)),
    ]
  }

  init(names: Set<String>, contexts: Set<String>) {
    (self.names, self.contexts) = (names, contexts)
  }

  init?(_ value: Value) {
    guard let names = value["names"]?.all(\.text), let contexts = value["contexts"]?.all(\.text)
    else { return nil }
    self.init(names: Set(names), contexts: Set(contexts))
  }
}

/// The first eight bytes of the hash of a field's value: a warning needs no more.
package struct ValueHash: Hashable, Comparable, Sendable {
  let bytes: [UInt8]

  init?(of value: Value) {
    guard let encoded = try? PropertyList.encode(["value": value], as: .binary) else { return nil }
    bytes = Array(Digest(of: encoded).bytes.prefix(8))
  }

  init?(stored value: Value) {
    guard case .data(let bytes) = value, bytes.count == 8 else { return nil }
    self.bytes = bytes
  }

  package static func < (a: Self, b: Self) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

/// A bundle as the readers of one variant get it.
struct BundleForm: Hashable {
  /// The name of the bundle; for a part of a split bundle, that of the whole bundle.
  ///
  /// If a place is corrected, its entry can move to another tile, which is another part.
  let bundle: String
  /// The country and versions; empty for all other readers.
  let variant: String

  /// The name of the bundle and its variant, with a space between them: no bundle's name has one.
  var name: String { "\(bundle) \(variant)" }
}

extension ReleasedBundle {
  var form: BundleForm {
    BundleForm(bundle: String(bundle.prefix { $0 != "/" }), variant: variant)
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
