import ContentModel
import PropertyLists

extension BinaryLinker {
  /// Writes a bundle in the order of the compiler's linker.
  ///
  /// The entries come first, in order of `sequence`; then the bundle's other members, the dictionary
  /// of entries, the list of ids, and the bundle.
  ///
  /// - Throws: `PropertyListEncodingError`.
  static func bundle(
    _ root: Members, _ entries: Members, in sequence: [Int], order: [Value]
  ) throws(PropertyListEncodingError) -> [UInt8] {
    var linker = BinaryLinker()
    var values = [Object](repeating: 0, count: entries.count)
    for position in sequence { values[position] = try linker.linkEntry(entries.values[position]) }
    var others: [Object?] = []
    for (key, value) in root {
      let isLater = key.hasSameBytes(as: "entries") || key.hasSameBytes(as: "order")
      others.append(isLater ? nil : try linker.link(value))
    }
    let dictionary = linker.addDictionary(count: entries.count)
    for position in entries.indices {
      let id = try linker.link(.string(entries.keys[position]))
      linker.set(position, of: dictionary, key: id, value: values[position])
    }
    let list = linker.addArray(count: order.count)
    for (position, id) in order.enumerated() {
      linker.set(position, of: list, item: try linker.link(id))
    }
    let object = try linker.addDictionary(
      zip(root.keys, others).map { key, other in
        (key, other ?? (key.hasSameBytes(as: "entries") ? dictionary.object : list.object))
      })
    return linker.finish(root: object).bytes
  }

  /// Links the members of an entry, and then the entry.
  private mutating func linkEntry(_ entry: Value) throws(PropertyListEncodingError) -> Object {
    guard let members = entry.members else { return try link(entry) }
    var linked: [(String, Object)] = []
    for (key, value) in members { linked.append((key, try link(value))) }
    return try addDictionary(linked)
  }

  private mutating func addDictionary(
    _ members: [(key: String, value: Object)]
  ) throws(PropertyListEncodingError) -> Object {
    let dictionary = addDictionary(count: members.count)
    for (position, member) in members.enumerated() {
      let key = try link(.string(member.key))
      set(position, of: dictionary, key: key, value: member.value)
    }
    return dictionary.object
  }

  private mutating func link(_ value: Value) throws(PropertyListEncodingError) -> Object {
    var writer = FragmentWriter()
    try writer.append(value)
    return link(0, of: writer.finish())
  }
}
