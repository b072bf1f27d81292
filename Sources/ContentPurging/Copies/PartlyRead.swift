import ContentModel
import PropertyLists

/// A property list that decodes only the requested parts, where its format allows that.
enum PartlyRead {
  case node(BinaryPropertyList.Node)
  case value(Value)

  init?(_ bytes: [UInt8]) {
    if let list = try? BinaryPropertyList(bytes) {
      self = .node(list.root)
    } else if let value = try? PropertyList.decode(bytes).value {
      self = .value(value)
    } else {
      return nil
    }
  }

  subscript(key: String) -> PartlyRead? {
    switch self {
    case .node(let node): (try? node[key]).flatMap { $0.map(PartlyRead.node) }
    case .value(let value): value[key].map(PartlyRead.value)
    }
  }

  /// The members of a dictionary; `nil` for other values.
  var members: [(key: String, value: PartlyRead)]? {
    switch self {
    case .node(let node):
      node.kind == .dictionary ? (try? node.members)?.map { ($0.key, .node($0.value)) } : nil
    case .value(let value): value.members?.map { ($0.key, .value($0.value)) }
    }
  }

  /// The decoded value.
  var whole: Value? {
    switch self {
    case .node(let node): try? node.value
    case .value(let value): value
    }
  }
}
