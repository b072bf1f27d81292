import SourceYAML
import ContentModel
import ContentSource

/// A short print of what other entries, and the build as a whole, must know of one entry in some
/// contexts: whether it is there and which layers have a say in that, on which devices it is
/// another, where it leads and in which file that stands, which assets it uses, and when it changes
/// by itself.
///
/// Equal in every process: it is kept between builds.
struct FactsPrinter {
  private let resolution: EntryResolution
  /// As it was before conditions kept the entry out of contexts.
  private let plan: EntryPlan
  /// By layer.
  private let hasCondition: [Bool]
  /// By value: its print; 0 where it tells nothing.
  private var values: [UInt64]

  init(_ resolution: EntryResolution, _ entry: Entry, _ plan: EntryPlan) {
    (self.resolution, self.plan) = (resolution, plan)
    hasCondition = entry.layers.map { $0.node["when"] != nil }
    values = resolution.values.map { value in
      var telling: [String] = []
      value.value?.forEachValue(within: []) { found, guards in
        switch found.shape {
        case .link(let id): telling.append("link \(id.text) \(found.origin.path) \(guards)")
        case .address: telling.append("address")
        case .asset(let path): telling.append("asset \(path)")
        case .scalar, .list, .object: break
        }
        if let condition = found.condition { telling.append("when \(condition)") }
      }
      return telling.isEmpty ? 0 : telling.joined(separator: "\n").stableHash
    }
  }

  /// The print for the contexts of one locale.
  func print(of contexts: [Int]) -> UInt64 {
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    var last: Int32?
    for context in contexts {
      state.mix(plan.byContext[context] == last ? 3 : 4)
      last = plan.byContext[context]
      guard let place = last else {
        state.mix(1)
        continue
      }
      for slot in plan.variants[Int(place)].slots { state.mix(hasCondition[slot.layer] ? 5 : 6) }
      guard let variant = resolution.variants[Int(place)] else {
        state.mix(7)
        continue
      }
      state.mix(variant.condition.map { "\($0)".stableHash } ?? 2)
      for value in variant.values where values[Int(value)] != 0 { state.mix(values[Int(value)]) }
    }
    return state
  }
}

extension String {
  fileprivate var stableHash: UInt64 {
    var state: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in utf8 { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return state
  }
}

extension UInt64 {
  fileprivate mutating func mix(_ word: UInt64) {
    let product = (self ^ word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(
      by: 0xE703_7ED1_A0B4_28DB)
    self = product.high ^ product.low &+ 0x9E37_79B9
  }
}
