import ContentModel
import PropertyLists

/// The common beginning of a locale's binary bundles: the entries that all devices show alike.
struct SharedEntries: ~Copyable {
  var linker = BinaryLinker()
  /// By place in the selection: the object of each entry, as long as it is known.
  var objects: [BinaryLinker.Object?]
  private var ids: [BinaryLinker.Object]

  /// No entries yet, of bundles with a number of entries.
  init(count: Int) {
    objects = Array(repeating: nil, count: count)
    ids = Array(repeating: 0, count: count)
  }

  /// Links the shared entries among the rows of any one of the bundles.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  init(
    of selection: Selection, in rows: [BundleBody.Row], evaluation: Evaluation
  ) throws(PropertyListEncodingError) {
    self.init(count: selection.entries.count)
    for row in rows where row.image.isShared {
      objects[row.place] = try linker.link(row, by: evaluation)
    }
    linker.share()
  }

  /// Links a bundle that begins with the shared entries.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  mutating func linked(_ body: BundleBody) throws(PropertyListEncodingError) -> BinaryLinker.File {
    let rows = body.rowsByID
    let own = rows.filter { objects[$0.place] == nil }
    for row in own { objects[row.place] = try linker.link(row, by: body.evaluation) }
    defer { for row in own { objects[row.place] = nil } }
    let ids = rows.map {
      (place: $0.place, id: $0.image.binary.id, fragments: $0.image.binary.fragments)
    }
    return try finish(name: body.name, changes: body.changes, ids, order: body.rows.map(\.place))
  }

  /// Finishes a bundle of linked entries.
  ///
  /// The rows are in order of ids, each with the place of its id. `places` has the order of the
  /// list.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  mutating func finish(
    name: String, changes: Instant?,
    _ rows: [(place: Int, id: BinaryFragments.Place, fragments: BinaryFragments)],
    order places: [Int]
  ) throws(PropertyListEncodingError) -> BinaryLinker.File {
    let words = BundleWords.shared
    let name = try linker.link(.string(name))
    let changes: BinaryLinker.Object? =
      if let changes { try linker.link(.date(changes)) } else { nil }
    let format = try linker.link(.integer(1))
    let entries = linker.addDictionary(count: rows.count)
    for (index, row) in rows.enumerated() {
      ids[row.place] = linker.link(row.id, of: row.fragments)
      linker.set(index, of: entries, key: ids[row.place], value: objects[row.place] ?? 0)
    }
    let order = linker.addArray(count: places.count)
    for (index, place) in places.enumerated() { linker.set(index, of: order, item: ids[place]) }
    let root = linker.addDictionary([
      (words.bundle, name), (words.changes, changes), (words.entries, entries.object),
      (words.format, format),
      (words.order, order.object),
    ])
    return linker.finish(root: root)
  }
}

/// The keys of binary bundles, encoded once.
struct BundleWords: Sendable {
  static let shared = BundleWords()

  let fragments: BinaryFragments
  let bundle, changes, content, datatype, entries, format, from, order, ttl,
    until: BinaryFragments.Place

  private init() {
    var writer = FragmentWriter()
    bundle = writer.place(of: "bundle")
    changes = writer.place(of: "changes")
    content = writer.place(of: "content")
    datatype = writer.place(of: "datatype")
    entries = writer.place(of: "entries")
    format = writer.place(of: "format")
    from = writer.place(of: "from")
    order = writer.place(of: "order")
    ttl = writer.place(of: "ttl")
    until = writer.place(of: "until")
    fragments = writer.finish()
  }
}

extension BinaryLinker {
  /// Links a value of this file only.
  fileprivate mutating func link(_ value: Value) throws(PropertyListEncodingError) -> Object {
    var writer = FragmentWriter()
    try writer.append(value)
    return link(0, of: writer.finish())
  }

  /// Adds a dictionary of the members with a value; the keys are places of `BundleWords`.
  mutating func addDictionary(_ members: [(key: BinaryFragments.Place, value: Object?)]) -> Object {
    let members = members.filter { $0.value != nil }
    let dictionary = addDictionary(count: members.count)
    for (index, (key, value)) in members.enumerated() {
      let key = link(key, of: BundleWords.shared.fragments)
      set(index, of: dictionary, key: key, value: value ?? 0)
    }
    return dictionary.object
  }

  /// Links an entry, and encodes the values that depend on circumstances.
  mutating func link(
    _ row: BundleBody.Row, by evaluation: Evaluation
  ) throws(PropertyListEncodingError) -> Object {
    let (image, binary, words) = (row.image, row.image.binary, BundleWords.shared)
    let content = try linkContent(of: row, by: evaluation)
    let condition = image.condition(row.variant)
    let datatype = link(binary.datatype, of: binary.fragments)
    let from: Object? = if let from = condition?.from { try link(.date(from)) } else { nil }
    let until: Object? = if let until = condition?.until { try link(.date(until)) } else { nil }
    return addDictionary([
      (words.content, content), (words.datatype, datatype), (words.from, from),
      (words.ttl, binary.ttl.map { link($0, of: binary.fragments) }), (words.until, until),
    ])
  }

  private mutating func linkContent(
    of row: BundleBody.Row, by evaluation: Evaluation
  ) throws(PropertyListEncodingError) -> Object {
    let (image, binary) = (row.image, row.image.binary)
    let shown = image.shown(row.variant)
    if image.isFixed { return link(binary.members, at: shown, of: binary.fragments) }
    let content = addDictionary(count: shown.count)
    for (index, place) in shown.enumerated() {
      let member = binary.members[Int(place)]
      let key = link(member.key, of: binary.fragments)
      if let fragment = member.value {
        set(index, of: content, key: key, value: link(fragment, of: binary.fragments))
      } else if let value = image.resolution.values[Int(place)].value {
        do { set(index, of: content, key: key, value: try link(evaluation.value(value))) } catch {
          throw image.subject.error(error, inValueAt: Int(place))
        }
      }
    }
    return content.object
  }
}
