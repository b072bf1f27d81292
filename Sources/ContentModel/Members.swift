/// The members of a dictionary in canonical order: keys are unique and sorted by code point.
///
/// Keys compare by their UTF-8 bytes.
///
/// ```swift
/// var members: Members = ["title": "Rose", "price": 39.5]
/// members["price"] = 42
/// for (key, value) in members { show(key, value) }
/// ```
public struct Members: Sendable {
  /// A key and its value.
  public typealias Element = (key: String, value: Value)

  /// The keys in canonical order; dictionaries with the same keys can share this array.
  package private(set) var keys: [String]
  /// The value of each key.
  package private(set) var values: [Value]

  /// Creates a dictionary without members.
  public init() { (keys, values) = ([], []) }

  /// Creates a dictionary of members in any order; for duplicate keys, the last value is used.
  public init(_ members: some Sequence<(String, Value)>) {
    self.init()
    keys.reserveCapacity(members.underestimatedCount)
    values.reserveCapacity(members.underestimatedCount)
    // Most members are sorted already, and a check takes less time than sorting.
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
    let sorted = members.enumerated().sorted { a, b in
      let (first, second) = (a.element.0, b.element.0)
      return first.precedesInBytes(second)
        || (first.hasSameBytes(as: second) && a.offset < b.offset)
    }
    for (_, (key, value)) in sorted {
      if let last = keys.last, last.hasSameBytes(as: key) {
        values[values.count - 1] = value
      } else {
        keys.append(key)
        values.append(value)
      }
    }
  }

  /// Creates a dictionary of unique keys in canonical order and as many values.
  package init(canonicalKeys keys: [String], values: consuming [Value]) {
    precondition(keys.count == values.count)
    self.keys = keys
    self.values = values
  }

  /// The value of a key; assigning `nil` removes the member.
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
  /// Compares keys and values byte by byte.
  public static func == (a: Members, b: Members) -> Bool {
    a.count == b.count && zip(a.keys, b.keys).allSatisfy { $0.hasSameBytes(as: $1) }
      && a.values == b.values
  }

  /// Hashes the keys and values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(count)
    for index in indices {
      keys[index].hashBytes(into: &hasher)
      hasher.combine(values[index])
    }
  }
}

extension Members: ExpressibleByDictionaryLiteral {
  /// Creates a dictionary of members in any order; for duplicate keys, the last value is used.
  public init(dictionaryLiteral elements: (String, Value)...) { self.init(elements) }
}
