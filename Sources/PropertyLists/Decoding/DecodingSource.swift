import ContentModel

/// What can be decoded: a value in memory, or one in a binary file that is read where it is asked for.
protocol DecodingSource {
  var kind: BinaryPropertyList.Node.Kind { get }
  /// How many items or members this has; 0 for what is no container.
  var count: Int { get }
  /// The value of what is no container.
  var scalar: Value { get throws }
  /// The value, whatever it is.
  var whole: Value { get throws }
  /// The keys of a dictionary.
  var keys: [String] { get throws }
  func member(_ key: String) throws -> Self?
  func item(_ index: Int) throws -> Self?
}

extension Value: DecodingSource {
  var kind: BinaryPropertyList.Node.Kind {
    switch self {
    case .string: .string
    case .integer: .integer
    case .real: .real
    case .boolean: .boolean
    case .date: .date
    case .data: .data
    case .array: .array
    case .dictionary: .dictionary
    }
  }

  var count: Int {
    switch self {
    case .array(let items): items.count
    case .dictionary(let members): members.count
    default: 0
    }
  }

  var scalar: Value { self }
  var whole: Value { self }

  var keys: [String] {
    if case .dictionary(let members) = self { members.map(\.key) } else { [] }
  }

  func member(_ key: String) -> Value? {
    if case .dictionary(let members) = self { members[key] } else { nil }
  }

  func item(_ index: Int) -> Value? {
    if case .array(let items) = self, items.indices.contains(index) { items[index] } else { nil }
  }
}

/// A part of a binary file, and how much more may be read of it.
struct LazySource: DecodingSource {
  let node: BinaryPropertyList.Node
  let allowance: UnfoldingAllowance

  var kind: BinaryPropertyList.Node.Kind { node.kind }
  var count: Int { node.count }
  var keys: [String] { get throws { try node.members.map(\.key) } }

  var scalar: Value {
    get throws {
      try allowance.take(bytes: node.object.end - node.object.start, at: node.object.start)
      return try node.value
    }
  }

  var whole: Value { get throws { try node.value } }

  func member(_ key: String) throws -> LazySource? { try child(node[key]) }

  func item(_ index: Int) throws -> LazySource? { try child(node[index]) }

  private func child(_ node: BinaryPropertyList.Node?) throws -> LazySource? {
    guard let node else { return nil }
    try allowance.take(bytes: 1, at: node.object.start)
    return LazySource(node: node, allowance: allowance)
  }
}

/// How much one decoding may still read of a file, so that objects that are shared cannot unfold without bound.
///
/// A class, as all parts of one decoding draw on it.
final class UnfoldingAllowance {
  private var left: Int

  init(bytes: Int) { left = max(1 << 28, 256 * bytes) }

  func take(bytes: Int, at offset: Int) throws(PropertyListDecodingError) {
    left -= bytes
    if left < 0 { throw PropertyListDecodingError(.expansionTooLarge, inBinaryAt: offset) }
  }
}
