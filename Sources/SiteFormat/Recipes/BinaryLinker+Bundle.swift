import ContentModel
import PropertyLists

extension BinaryLinker {
  /// Writes a bundle in the order of the compiler's linker.
  ///
  /// The early entries come first, then the late ones, the bundle's other members, the dictionary of
  /// entries, the list of ids, and the bundle.
  ///
  /// - Throws: `PropertyListEncodingError`.
  static func bundle(
    _ root: Members, early: Members, late: Members, of entries: Members, order: [Value]
  ) throws(PropertyListEncodingError) -> [UInt8] {
    var linker = BinaryLinker()
    var linked: [ExactString: Object] = [:]
    for (id, entry) in Array(early) + Array(late) {
      linked[ExactString(id)] = try linker.linkEntry(entry)
    }
    var members: [(String, Object)] = []
    for (key, value) in root where !key.hasSameBytes(as: "order") {
      members.append((key, try linker.link(value)))
    }
    let dictionary = linker.addDictionary(count: entries.count)
    for (position, id) in entries.keys.enumerated() {
      let key = try linker.link(.string(id))
      linker.set(position, of: dictionary, key: key, value: linked[ExactString(id)] ?? 0)
    }
    let list = linker.addArray(count: order.count)
    for (position, id) in order.enumerated() {
      linker.set(position, of: list, item: try linker.link(id))
    }
    members += [("entries", dictionary.object), ("order", list.object)]
    let object = try linker.addDictionary(
      members.sorted { ExactString($0.0) < ExactString($1.0) })
    return linker.finish(root: object).bytes
  }

  /// Links the members of an entry, `ttl` last, and then the entry.
  private mutating func linkEntry(_ entry: Value) throws(PropertyListEncodingError) -> Object {
    guard let members = entry.members else { return try link(entry) }
    var objects: [Object] = []
    var lifetime: Int?
    for (position, (key, value)) in members.enumerated() {
      if key.hasSameBytes(as: "ttl") { lifetime = position }
      objects.append(lifetime == position ? 0 : try link(value))
    }
    if let lifetime { objects[lifetime] = try link(members.values[lifetime]) }
    return try addDictionary(Array(zip(members.keys, objects)))
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
