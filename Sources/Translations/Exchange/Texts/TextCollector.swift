import ContentModel
import ContentSource
import YAML

/// The texts of one layer of an entry, in written order.
struct TextCollector {
  private let entry: EntryID
  private let catalogKinds: CatalogKinds?
  private let device: String?
  private(set) var texts: [TranslatableText] = []

  /// Collects the texts of a layer.
  init(_ layer: Layer, of entry: Entry) {
    (self.entry, device, catalogKinds) = (entry.id, layer.device, entry.catalogKinds)
    let scope = entry.id.text + (layer.device.map { "@\($0)" } ?? "")
    visit(
      layer.node, of: entry.datatype.shape, in: Place(id: "\(scope)#", isLocalized: false))
  }

  /// The place of a value in the layer.
  private struct Place {
    var id: String
    var steps: [YAMLEdit.Step] = []
    /// `true` if the value can differ by locale.
    var isLocalized: Bool
    /// `true` for an item of a list; the item's `id` is not translated.
    var isItem = false
    /// The description of the nearest field.
    var note: String?

    func key(_ key: String, of field: Field) -> Place {
      next(key.encodedForID, .member(key), of: field)
    }

    func next(_ name: String, _ step: YAMLEdit.Step, of field: Field) -> Place {
      Place(
        id: id.utf8.last == UInt8(ascii: "#") ? id + name : "\(id).\(name)", steps: steps + [step],
        isLocalized: isLocalized || field.isLocalized, note: field.description ?? note)
    }
  }

  private mutating func visit(_ node: YAMLNode, of shape: ObjectShape, in place: Place) {
    for (key, value) in node.members where !value.isNull {
      let name = key.text
      guard !(place.isItem && name == "id"), let field = shape.field(key) else { continue }
      visit(value, of: field, at: place.key(name, of: field))
    }
  }

  private mutating func visit(_ node: YAMLNode, of field: Field, at place: Place) {
    if catalogKinds?.isRefused(node) == true { return }
    switch (field.kind, node.kind) {
    case (.object(let shape), .mapping): visit(node, of: shape, in: place)
    case (.map(let item), .mapping): visitMembers(of: node, as: item, in: place)
    case (.list(let item), .sequence): visit(node.items, of: node, as: item, in: place)
    case (.plural, .mapping): add(node, of: field, at: place)
    case (.catalog, .mapping):
      if catalogKinds?.isPlural(node) == true {
        add(node, of: field, at: place)
      } else {
        visitMembers(of: node, as: field, in: place)
      }
    case (.catalog, .sequence): visit(node.items, of: node, as: field, in: place)
    case (.markdown, .scalar), (.catalog, .scalar): add(node, of: field, at: place)
    case (.scalar, .scalar) where field.isText: add(node, of: field, at: place)
    case (.scalar, _), (.any, _), (.markdown, _), (.object, _), (.map, _), (.list, _), (.plural, _):
      break
    }
  }

  private mutating func visitMembers(of node: YAMLNode, as field: Field, in place: Place) {
    for (key, value) in node.members where !value.isNull {
      visit(value, of: field, at: place.key(key.text, of: field))
    }
  }

  private mutating func visit(
    _ items: YAMLItems, of list: YAMLNode, as field: Field, in place: Place
  ) {
    // Catalogs do not merge lists by ids.
    let isCatalog = if case .catalog = field.kind { true } else { false }
    let merges = !isCatalog && list.hasIdentifiedItems
    let start = texts.count
    for (index, item) in items.enumerated() where !item.isNull {
      let step: YAMLEdit.Step =
        merges ? .item(item.itemID ?? "") : .index(index)
      let name = merges ? (item.itemID?.text ?? "").encodedForID : String(index)
      var next = place.next(name, step, of: field)
      next.isItem = item.kind == .mapping
      visit(item, of: field, at: next)
    }
    guard !merges else { return }
    let whole = WholeList(id: ExactString(place.id), node: list, steps: place.steps)
    for index in start..<texts.count { texts[index] = texts[index].inside(whole) }
  }

  private mutating func add(_ node: YAMLNode, of field: Field, at place: Place) {
    guard place.isLocalized || field.isLocalized else { return }
    if node.kind == .scalar, node.text.isEmpty { return }
    texts.append(
      TranslatableText(
        id: ExactString(place.id), entry: entry, device: device, node: node, field: field,
        note: place.note, steps: place.steps, list: nil))
  }
}

extension TranslatableText {
  fileprivate func inside(_ list: WholeList) -> TranslatableText {
    TranslatableText(
      id: id, entry: entry, device: device, node: node, field: field, note: note,
      steps: steps, list: list)
  }
}

extension String {
  /// The key as a part of an id.
  ///
  /// Separators of ids, and characters that a line cannot hold, are percent-encoded.
  fileprivate var encodedForID: String {
    let special = utf8.contains { $0.isSpecialInID }
    guard special else { return self }
    var bytes: [UInt8] = []
    for byte in utf8 {
      if byte.isSpecialInID {
        bytes += "%".utf8
        bytes += (String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)).uppercased().utf8
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension UInt8 {
  fileprivate var isSpecialInID: Bool { self < 0x20 || self == 0x7F || ".[]%".utf8.contains(self) }
}
