import ContentModel
import PropertyLists

/// The bundles of one locale as binary property lists, which begin alike: with the entries that all devices see alike.
struct SharedEntries: ~Copyable {
  private var linker = BinaryLinker()
  /// By place in the selection, as long as it is known: the numbers of entries, and of their ids.
  private var objects: [BinaryLinker.Object?]
  private var ids: [BinaryLinker.Object]

  /// Links what is shared of the entries of any one of the bundles.
  ///
  /// - Throws: what the format cannot carry.
  init(_ selection: Selection, _ rows: [BundleBody.Row], _ evaluation: Evaluation) throws(PropertyListEncodingError) {
    objects = Array(repeating: nil, count: selection.entries.count)
    ids = Array(repeating: 0, count: selection.entries.count)
    for row in rows where row.image.isShared { objects[row.place] = try linker.link(row, evaluation) }
    linker.share()
  }

  /// A bundle that begins with what is shared.
  ///
  /// - Throws: what the format cannot carry.
  mutating func linked(_ body: BundleBody) throws(PropertyListEncodingError) -> BinaryLinker.File {
    let words = BundleWords.shared
    let rows = body.rowsByID
    let own = rows.filter { objects[$0.place] == nil }
    for row in own { objects[row.place] = try linker.link(row, body.evaluation) }
    let name = try linker.link(.string(body.name))
    let changes: BinaryLinker.Object? = if let changes = body.changes { try linker.link(.date(changes)) } else { nil }
    let format = try linker.link(.integer(1))
    let entries = linker.addDictionary(count: rows.count)
    for (index, row) in rows.enumerated() {
      ids[row.place] = linker.link(row.image.binary.id, of: row.image.binary.fragments)
      linker.set(index, of: entries, key: ids[row.place], value: objects[row.place] ?? 0)
    }
    let order = linker.addArray(count: body.rows.count)
    for (index, row) in body.rows.enumerated() { linker.set(index, of: order, item: ids[row.place]) }
    let root = linker.addDictionary([
      (words.bundle, name), (words.changes, changes), (words.entries, entries.object), (words.format, format),
      (words.order, order.object),
    ])
    for row in own { objects[row.place] = nil }
    return linker.finish(root: root)
  }
}

/// The keys of bundles, encoded once.
private struct BundleWords: Sendable {
  static let shared = BundleWords()

  let fragments: BinaryFragments
  let bundle, changes, content, datatype, entries, format, from, order, ttl, until: BinaryFragments.Place

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
  /// Links a value that only this file has.
  fileprivate mutating func link(_ value: Value) throws(PropertyListEncodingError) -> Object {
    var writer = FragmentWriter()
    try writer.append(value)
    return link(0, of: writer.finish())
  }

  /// Adds a dictionary of those of the given members that have a value; the keys are words.
  fileprivate mutating func addDictionary(_ members: [(key: BinaryFragments.Place, value: Object?)]) -> Object {
    let members = members.filter { $0.value != nil }
    let dictionary = addDictionary(count: members.count)
    for (index, (key, value)) in members.enumerated() {
      let key = link(key, of: BundleWords.shared.fragments)
      set(index, of: dictionary, key: key, value: value ?? 0)
    }
    return dictionary.object
  }

  /// Links an entry; what circumstances decide is encoded now.
  fileprivate mutating func link(
    _ row: BundleBody.Row, _ evaluation: Evaluation
  ) throws(PropertyListEncodingError) -> Object {
    let (image, binary, words) = (row.image, row.image.binary, BundleWords.shared)
    let content = try linkContent(row, evaluation)
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
    _ row: BundleBody.Row, _ evaluation: Evaluation
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
