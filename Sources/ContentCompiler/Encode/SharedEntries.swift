import ContentModel
import PropertyLists

/// The beginning that the bundles of one locale have in common: entries that all devices see alike.
struct SharedEntries: Sendable {
  private var linker = BinaryLinker()
  /// By entry.
  private var objects: [Int: BinaryLinker.Object] = [:]

  /// Adds an entry to what is shared.
  ///
  /// - Throws: what the format cannot carry.
  mutating func link(_ row: BundleBody.Row, _ evaluation: Evaluation) throws(PropertyListEncodingError) {
    objects[row.entry] = try linker.link(row, evaluation)
  }

  /// A bundle that begins with what is shared.
  ///
  /// - Throws: what the format cannot carry.
  func linked(_ body: BundleBody) throws(PropertyListEncodingError) -> BinaryLinker.File {
    var linker = self.linker
    let words = BundleWords.shared
    let rows = body.rows.sorted { $0.entry < $1.entry }
    var objects = self.objects
    for row in rows where objects[row.entry] == nil { objects[row.entry] = try linker.link(row, body.evaluation) }

    let name = try linker.link(.string(body.name))
    let changes: BinaryLinker.Object? = if let changes = body.changes { try linker.link(.date(changes)) } else { nil }
    let format = try linker.link(.integer(1))
    let entries = linker.addDictionary(count: rows.count)
    for (index, row) in rows.enumerated() {
      linker.set(
        index, of: entries, key: linker.link(row.image.idPlace, of: row.image.fragments), value: objects[row.entry] ?? 0
      )
    }
    let order = linker.addArray(count: body.rows.count)
    for (index, row) in body.rows.enumerated() {
      linker.set(index, of: order, item: linker.link(row.image.idPlace, of: row.image.fragments))
    }
    let root = linker.addDictionary([
      (words.bundle, name), (words.changes, changes), (words.entries, entries.object), (words.format, format),
      (words.order, order.object),
    ])
    return linker.finish(root: root, shared: self.linker.objectCount)
  }
}

/// The keys of bundles, encoded once.
private struct BundleWords: Sendable {
  static let shared = BundleWords()

  let fragments: BinaryFragments
  let bundle, changes, content, datatype, entries, format, from, order, ttl, until: BinaryFragments.Place

  private init() {
    var fragments = BinaryFragments()
    bundle = fragments.append(word: "bundle")
    changes = fragments.append(word: "changes")
    content = fragments.append(word: "content")
    datatype = fragments.append(word: "datatype")
    entries = fragments.append(word: "entries")
    format = fragments.append(word: "format")
    from = fragments.append(word: "from")
    order = fragments.append(word: "order")
    ttl = fragments.append(word: "ttl")
    until = fragments.append(word: "until")
    self.fragments = fragments
  }
}

extension BinaryLinker {
  /// Links a value that only this file has.
  fileprivate mutating func link(_ value: Value) throws(PropertyListEncodingError) -> Object {
    var fragments = BinaryFragments()
    let place = try fragments.append(value)
    return link(place, of: fragments)
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
    let (image, words) = (row.image, BundleWords.shared)
    let shown = image.shown(row.variant)
    let content = addDictionary(count: shown.count)
    for (index, place) in shown.lazy.map(Int.init).enumerated() {
      let value = image.resolution.values[place]
      let key = link(image.keys[value.keyPlace], of: image.fragments)
      if let fragment = image.values[place] {
        set(index, of: content, key: key, value: link(fragment, of: image.fragments))
      } else if let resolved = value.value {
        do { set(index, of: content, key: key, value: try link(evaluation.value(resolved))) } catch {
          throw image.error(error, in: value.key)
        }
      }
    }
    let condition = image.condition(row.variant)
    let datatype = link(image.datatypePlace, of: image.fragments)
    let from: Object? = if let from = condition?.from { try link(.date(from)) } else { nil }
    let until: Object? = if let until = condition?.until { try link(.date(until)) } else { nil }
    return addDictionary([
      (words.content, content.object), (words.datatype, datatype), (words.from, from),
      (words.ttl, image.ttlPlace.map { link($0, of: image.fragments) }), (words.until, until),
    ])
  }
}
