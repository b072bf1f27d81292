import ContentModel
import ContentSource
import YAML

/// The keys of an entry's layers, with the node of each layer.
///
/// Nodes are looked up once per entry, and not once per variant.
struct EntryKeys {
  /// The kind of a layer's node for a key.
  enum Cell: UInt8 {
    case nothing, null, scalar, container
  }

  /// The field of each key, in order of keys.
  private(set) var fields: [Field] = []
  /// The order of diagnostics: declared fields first, in their declared order.
  private(set) var reportOrder: [Int] = []
  private var nodes: [YAMLNode?] = []
  private var cells: [Cell] = []

  var count: Int { fields.count }

  init(of entry: Entry) {
    let shape = entry.datatype.shape
    var found = shape.fields.map { Column(field: $0, layers: entry.layers.count) }
    // The columns of undeclared keys.
    var places: [YAMLTextKey: Int] = [:]
    for (layer, node) in entry.layers.map(\.node).enumerated() {
      for (key, value) in node.members where entry.catalogKinds?.isRefused(value) != true {
        if let place = shape.place(of: key) ?? places[key.textKey] {
          found[place].nodes[layer] = value
        } else if shape.isOpen, shape.isCatalog || key.text != "when",
          let field = shape.field(ExactString(key.text))
        {
          places[key.textKey] = found.count
          found.append(Column(field: field, layers: entry.layers.count))
          found[found.count - 1].nodes[layer] = value
        }
      }
    }
    let order = found.indices.sorted { found[$0].field.name < found[$1].field.name }
    fields = order.map { found[$0].field }
    reportOrder = order.indices.sorted { order[$0] < order[$1] }
    nodes = order.flatMap { found[$0].nodes }
    cells = nodes.map(Cell.init)
    layerCount = entry.layers.count
  }

  private let layerCount: Int

  /// The field of one key, and the node of each layer.
  private struct Column {
    var field: Field
    var nodes: [YAMLNode?]

    init(field: Field, layers: Int) {
      self.field = field
      nodes = Array(repeating: nil, count: layers)
    }
  }

  func cell(_ key: Int, in layer: Int) -> Cell { cells[key * layerCount + layer] }

  func node(_ key: Int, in layer: Int) -> YAMLNode? { nodes[key * layerCount + layer] }
}

extension EntryKeys.Cell {
  fileprivate init(_ node: YAMLNode?) {
    guard let node else {
      self = .nothing
      return
    }
    self = node.kind != .scalar ? .container : node.isNull ? .null : .scalar
  }
}
