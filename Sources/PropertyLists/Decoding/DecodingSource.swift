import ContentModel

/// The input of a decoder: a value in memory, a node of a binary file, or bytes of data.
enum DecodingSource {
  case value(Value)
  case node(BinaryPropertyList.Node)
  /// Data that a type decodes as an array.
  case bytes([UInt8])

  var kind: BinaryPropertyList.Node.Kind {
    switch self {
    case .value(let value): value.kind
    case .node(let node): node.kind
    case .bytes: .array
    }
  }

  /// The number of items or members; 0 for a scalar.
  var count: Int {
    switch self {
    case .value(.array(let items)): items.count
    case .value(.dictionary(let members)): members.count
    case .value: 0
    case .node(let node): node.count
    case .bytes(let bytes): bytes.count
    }
  }

  /// The value of any kind.
  var value: Value {
    get throws(PropertyListDecodingError) {
      switch self {
      case .value(let value): value
      case .node(let node): try node.value
      case .bytes(let bytes): .data(bytes)
      }
    }
  }

  /// The keys of a dictionary.
  var keys: [String] {
    get throws(PropertyListDecodingError) {
      switch self {
      case .value(.dictionary(let members)): members.keys
      case .node(let node): try node.members.map(\.key)
      default: []
      }
    }
  }

  func member(_ key: String) throws(PropertyListDecodingError) -> DecodingSource? {
    switch self {
    case .value(.dictionary(let members)): members[key].map(DecodingSource.value)
    case .node(let node): try node[key].map(DecodingSource.node)
    default: nil
    }
  }

  func item(_ index: Int) throws(PropertyListDecodingError) -> DecodingSource? {
    switch self {
    case .value(.array(let items)): items.indices.contains(index) ? .value(items[index]) : nil
    case .node(let node): try node[index].map(DecodingSource.node)
    case .bytes(let bytes):
      bytes.indices.contains(index) ? .value(.integer(Int64(bytes[index]))) : nil
    case .value: nil
    }
  }
}

extension Value {
  /// The kind of this value.
  fileprivate var kind: BinaryPropertyList.Node.Kind {
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
}
