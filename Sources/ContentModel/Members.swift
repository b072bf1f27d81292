/// The members of a dictionary, always in the canonical order: keys by code point, each key once.
public struct Members: Sendable {
  /// One key and its value.
  public typealias Element = (key: String, value: Value)

  /// A member as it is stored: a tuple of the same parts costs more to copy and to destroy.
  package struct Member: Sendable {
    package let key: String
    package var value: Value

    package init(key: String, value: consuming Value) {
      self.key = key
      self.value = value
    }
  }

  /// The members themselves, in canonical order.
  package private(set) var sorted: [Member]

  /// No members.
  public init() { sorted = [] }

  /// The given members in canonical order; of a key that stands there twice, the last one counts.
  public init(_ members: some Sequence<(String, Value)>) {
    let all = members.enumerated().sorted { a, b in
      a.element.0.precedesInBytes(b.element.0)
        || (a.element.0.hasSameBytes(as: b.element.0) && a.offset < b.offset)
    }
    sorted = []
    sorted.reserveCapacity(all.count)
    for (_, member) in all {
      if let last = sorted.last, last.key.hasSameBytes(as: member.0) { sorted.removeLast() }
      sorted.append(Member(key: member.0, value: member.1))
    }
  }

  /// Members that are known to stand in canonical order, each key once.
  package init(canonical members: consuming [Member]) { sorted = members }

  /// The value under a key; assigning `nil` removes the member.
  public subscript(key: String) -> Value? {
    get {
      let (index, isThere) = position(of: key)
      return isThere ? sorted[index].value : nil
    }
    set {
      let (index, isThere) = position(of: key)
      switch (newValue, isThere) {
      case (let value?, true): sorted[index].value = value
      case (let value?, false): sorted.insert(Member(key: key, value: value), at: index)
      case (nil, true): sorted.remove(at: index)
      case (nil, false): break
      }
    }
  }

  private func position(of key: String) -> (index: Int, isThere: Bool) {
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle].key.precedesInBytes(key) { low = middle + 1 } else { high = middle }
    }
    return (low, low < sorted.count && sorted[low].key.hasSameBytes(as: key))
  }
}

extension Members: RandomAccessCollection {
  /// The position of the first member.
  public var startIndex: Int { 0 }
  /// The position after the last member.
  public var endIndex: Int { sorted.count }
  /// The member at a position, in canonical order.
  public subscript(position: Int) -> Element { (key: sorted[position].key, value: sorted[position].value) }
}

extension Members: Hashable {
  /// Whether both are the same, byte for byte.
  public static func == (a: Members, b: Members) -> Bool {
    a.count == b.count
      && zip(a.sorted, b.sorted).allSatisfy { $0.key.hasSameBytes(as: $1.key) && $0.value == $1.value }
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for member in sorted {
      member.key.hashBytes(into: &hasher)
      hasher.combine(member.value)
    }
  }
}

extension Members: ExpressibleByDictionaryLiteral {
  /// The given members in canonical order.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
