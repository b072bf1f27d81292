/// The members of a dictionary, always in the canonical order: keys by code point, each key once.
public struct Members: Sendable {
  /// One key and its value.
  public typealias Element = (key: String, value: Value)

  /// The keys in canonical order; dictionaries of one shape, of which a file has hundreds, can
  /// share them.
  package private(set) var keys: [String]
  /// For each key its value.
  package private(set) var values: [Value]

  /// No members.
  public init() { (keys, values) = ([], []) }

  /// The given members in canonical order; of a key that stands there twice, the last one counts.
  public init(_ members: some Sequence<(String, Value)>) {
    self.init()
    keys.reserveCapacity(members.underestimatedCount)
    values.reserveCapacity(members.underestimatedCount)
    // Mostly they stand in order already, which is quicker to see than to make.
    var isOrdered = true
    for (key, value) in members {
      if isOrdered, let last = keys.last { isOrdered = last.precedesInBytes(key) }
      keys.append(key)
      values.append(value)
    }
    if !isOrdered { self.init(unordered: zip(keys, values)) }
  }

  private init(unordered members: some Sequence<(String, Value)>) {
    self.init()
    for (_, (key, value)) in members.enumerated().sorted(by: Self.isOrdered) {
      if let last = keys.last, last.hasSameBytes(as: key) {
        values[values.count - 1] = value
      } else {
        keys.append(key)
        values.append(value)
      }
    }
  }

  private static func isOrdered(
    _ a: (offset: Int, element: (String, Value)), _ b: (offset: Int, element: (String, Value))
  ) -> Bool {
    a.element.0.precedesInBytes(b.element.0)
      || (a.element.0.hasSameBytes(as: b.element.0) && a.offset < b.offset)
  }

  /// Members of keys that are known to stand in canonical order, each once, and as many values.
  package init(canonicalKeys keys: [String], values: consuming [Value]) {
    precondition(keys.count == values.count)
    self.keys = keys
    self.values = values
  }

  /// The value under a key; assigning `nil` removes the member.
  public subscript(key: String) -> Value? {
    get {
      let (index, isThere) = position(of: key)
      return isThere ? values[index] : nil
    }
    set {
      let (index, isThere) = position(of: key)
      switch (newValue, isThere) {
      case (let value?, true): values[index] = value
      case (let value?, false):
        keys.insert(key, at: index)
        values.insert(value, at: index)
      case (nil, true):
        keys.remove(at: index)
        values.remove(at: index)
      case (nil, false): break
      }
    }
  }

  private func position(of key: String) -> (index: Int, isThere: Bool) {
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle].precedesInBytes(key) { low = middle + 1 } else { high = middle }
    }
    return (low, low < keys.count && keys[low].hasSameBytes(as: key))
  }
}

extension Members: RandomAccessCollection {
  /// The position of the first member.
  public var startIndex: Int { 0 }
  /// The position after the last member.
  public var endIndex: Int { values.count }
  /// The member at a position, in canonical order.
  public subscript(position: Int) -> Element { (key: keys[position], value: values[position]) }
}

extension Members: Hashable {
  /// Whether both are the same, byte for byte.
  public static func == (a: Members, b: Members) -> Bool {
    a.count == b.count && zip(a.keys, b.keys).allSatisfy { $0.hasSameBytes(as: $1) }
      && a.values == b.values
  }

  /// Feeds what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for index in indices {
      keys[index].hashBytes(into: &hasher)
      hasher.combine(values[index])
    }
  }
}

extension Members: ExpressibleByDictionaryLiteral {
  /// The given members in canonical order.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
