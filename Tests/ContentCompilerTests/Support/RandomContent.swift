import ContentModel
import ContentSource
import TestInputs

/// Entries of one open datatype with random overlays.
struct RandomContent {
  /// Overlay suffix (empty for the base) to content.
  let entries: [[String: RandomNode]]

  private static let overlays = [
    "@tablet", "@ipad", "@phone", ".en-001", ".fr", ".fr@tablet", ".fr@ipad", ".fr-CA",
    ".fr-CA@tablet", ".en-GB@phone",
  ]

  init(seed: UInt64, entries count: Int) {
    var random = SeededGenerator(seed: seed)
    entries = (0..<count).map { _ in
      var layers = ["": RandomNode.mapping(depth: 0, using: &random)]
      for overlay in Self.overlays where random.once(in: 3) {
        layers[overlay] = .mapping(depth: 0, using: &random)
      }
      return layers
    }
  }

  func shop() throws -> Shop {
    var files: [String: String] = [:]
    for (index, layers) in entries.enumerated() {
      for (overlay, node) in layers { files["item/e\(index)\(overlay)"] = node.text }
    }
    return try Shop(
      files, with: ["bundles": "{all: {include: '**'}, one: {include: '**', split: entry}}"])
  }

  /// The value in a context, folded from the least specific layer to the most specific.
  func value(of entry: Int, in context: String) -> Value? {
    let parts = context.split(separator: "/").map(String.init)
    let chains = [
      "en": [""], "en-GB": ["", ".en-001", ".en-GB"], "fr": ["", ".fr"],
      "fr-CA": ["", ".fr", ".fr-CA"],
    ]
    let devices = [
      "any": [""], "phone": ["", "@phone"], "tablet": ["", "@tablet"],
      "ipad": ["", "@tablet", "@ipad"],
    ]
    var result: RandomNode?
    for locale in chains[parts[0]] ?? [] {
      for device in devices[parts[1]] ?? [] {
        if let layer = entries[entry][locale + device] { result = layer.merged(over: result) }
      }
    }
    return result?.value
  }
}

/// A node of random content.
indirect enum RandomNode {
  case null
  case number(Int)
  case list([RandomNode])
  case mapping([(key: String, value: RandomNode)])

  static func mapping(depth: Int, using random: inout SeededGenerator) -> RandomNode {
    let keys = ["a", "b", "c", "d"].filter { _ in random.once(in: 2) }
    return .mapping(keys.map { ($0, any(depth: depth + 1, using: &random)) })
  }

  private static func any(depth: Int, using random: inout SeededGenerator) -> RandomNode {
    switch Int.random(in: 0..<(depth < 4 ? 8 : 3), using: &random) {
    case 0: return .null
    case 1, 2: return .number(Int.random(in: 0...9, using: &random))
    case 3: return .list((0..<Int.random(in: 0...2, using: &random)).map { .number($0) })
    case 4, 5:
      let ids = [1, 2, 3, 4].filter { _ in random.once(in: 2) }.shuffled(using: &random)
      let hasStranger = random.once(in: 6)
      return .list(
        ids.map { id in
          guard case .mapping(let members) = mapping(depth: depth + 1, using: &random) else {
            return .null
          }
          return .mapping(members + [("id", .number(id))])
        } + (hasStranger ? [.number(0)] : []))
    default: return mapping(depth: depth, using: &random)
    }
  }

  var text: String {
    switch self {
    case .null: "null"
    case .number(let number): String(number)
    case .list(let items): "[\(items.map(\.text).joined(separator: ", "))]"
    case .mapping(let members):
      "{\(members.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "))}"
    }
  }

  /// This layer over the layers below it, without removed keys.
  func merged(over base: RandomNode?) -> RandomNode? {
    switch (self, base) {
    case (.null, _): return nil
    case (.number, _): return self
    case (.list(let items), .list(let old)) where Self.merge(items, old):
      let ids = old.map(\.id) + items.map(\.id).filter { id in !old.contains { $0.id == id } }
      return .list(
        ids.compactMap { id in
          let below = old.first { $0.id == id }
          return items.first { $0.id == id }.map { $0.merged(over: below) } ?? below
        })
    case (.list(let items), _): return .list(items.compactMap { $0.merged(over: nil) })
    case (.mapping(let members), _):
      var result: [(key: String, value: RandomNode)] = []
      if case .mapping(let old)? = base { result = old }
      for (key, value) in members {
        let below = result.first { $0.key == key }?.value
        result.removeAll { $0.key == key }
        if let value = value.merged(over: below) { result.append((key, value)) }
      }
      return .mapping(result)
    }
  }

  private static func merge(_ a: [RandomNode], _ b: [RandomNode]) -> Bool {
    !a.isEmpty && !b.isEmpty && (a + b).allSatisfy { $0.id != nil }
  }

  private var id: Int? {
    guard case .mapping(let members) = self,
      case .number(let id)? = members.first(where: { $0.key == "id" })?.value
    else { return nil }
    return id
  }

  var value: Value {
    switch self {
    case .null: .string("null")
    case .number(let number): .integer(Int64(number))
    case .list(let items): .array(items.map(\.value))
    case .mapping(let members): .dictionary(Members(members.map { ($0.key, $0.value.value) }))
    }
  }
}
