import ContentModel

/// The members of a dictionary as they are read, each with the offset of its key.
struct DictionaryBuilder {
  private var members: [(String, Value)] = []
  private var offsets: [Int] = []
  private var isAscending = true

  mutating func append(_ key: String, _ value: Value, at offset: Int) {
    if let last = members.last, isAscending { isAscending = last.0.precedesInBytes(key) }
    members.append((key, value))
    offsets.append(offset)
  }

  mutating func reserveCapacity(_ count: Int) {
    members.reserveCapacity(count)
    offsets.reserveCapacity(count)
  }

  func build() -> Value { .dictionary(Members(members)) }

  /// The first key that an earlier member has too, and its offset.
  var firstDuplicate: (key: String, offset: Int)? {
    if isAscending { return nil }
    let order = members.indices.sorted { a, b in
      members[a].0.precedesInBytes(members[b].0) || (members[a].0.hasSameBytes(as: members[b].0) && a < b)
    }
    let repeated = zip(order, order.dropFirst()).filter { members[$0].0.hasSameBytes(as: members[$1].0) }
    return repeated.map(\.1).min().map { (members[$0].0, offsets[$0]) }
  }
}
