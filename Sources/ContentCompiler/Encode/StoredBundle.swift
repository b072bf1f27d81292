import ContentModel
import PropertyLists

/// A binary bundle of an earlier build, whose entries can be reused.
struct StoredBundle: Sendable {
  /// An entry of the bundle.
  struct Row: Sendable {
    /// Its place in the selection.
    var place: Int
    /// The entry without its id.
    var entry: BinaryPropertyList.Node
  }

  let file: BinaryPropertyList
  let changes: Instant?
  /// The entries in order of ids.
  let rows: [Row]
  /// The places of the entries, in the order of the bundle's list.
  let order: [Int]

  /// An error for bytes that are not a binary bundle.
  struct Malformed: Error {}

  /// Opens a bundle; `places` has the place of each id.
  init(_ bytes: [UInt8], places: [ExactString: Int]) throws {
    file = try BinaryPropertyList(bytes)
    guard let entries = try file.root["entries"]?.members, let list = try file.root["order"]?.items,
      list.count == entries.count
    else { throw Malformed() }
    changes = try file.root["changes"]?.date
    rows = try entries.map { member in
      guard let place = places[member.key] else { throw Malformed() }
      return Row(place: place, entry: member.value)
    }
    order = try list.map { id in
      guard let place = try id.string.flatMap({ places[$0] }) else { throw Malformed() }
      return place
    }
  }

  /// The entries by their places in the selection.
  var byPlace: [Int: BinaryPropertyList.Node] {
    Dictionary(rows.map { ($0.place, $0.entry) }) { first, _ in first }
  }
}

extension BinaryLinker {
  /// Links an entry of a stored bundle, in the order in which a new entry is linked.
  mutating func link(
    _ row: StoredBundle.Row, reusing known: inout KnownScalars
  ) throws -> Object {
    guard let content = try row.entry["content"], let datatype = try row.entry["datatype"] else {
      throw StoredBundle.Malformed()
    }
    let words = BundleWords.shared
    let contentObject = try link(content, reusing: &known)
    let datatypeObject = try link(datatype, reusing: &known)
    var others: [Object?] = []
    for key in ["from", "until", "ttl"] {
      others.append(try row.entry[key].map { try link($0, reusing: &known) })
    }
    return addDictionary([
      (words.content, contentObject), (words.datatype, datatypeObject), (words.from, others[0]),
      (words.ttl, others[2]), (words.until, others[1]),
    ])
  }
}
