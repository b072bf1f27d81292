import ContentModel
import ContentSource
import Markdown
import YAML

/// The fingerprint of the facts of one entry that affect other entries or the whole build.
///
/// The facts are its presence and the layers that decide on it, the differences between devices,
/// its links and their files, its assets, its dates, and its places, which decide on its tile. The fingerprint is the same in every
/// process, since the state of a build has it.
struct FactsFingerprint {
  private let resolution: EntryResolution
  /// The plan before conditions excluded the entry from contexts.
  private let plan: EntryPlan
  /// By layer: `true` if it has a condition.
  private let hasCondition: [Bool]
  /// By value: the hash of its facts; 0 if it has none.
  private var values: [UInt64]

  init(of resolution: EntryResolution, _ entry: Entry, plan: EntryPlan) {
    (self.resolution, self.plan) = (resolution, plan)
    hasCondition = entry.layers.map { $0.node["when"] != nil }
    values = resolution.values.map { value in
      var facts: [String] = []
      if let place = value.value?.coordinate {
        facts.append("place \(place.latitude) \(place.longitude)")
      }
      value.value?.forEachValue(within: []) { found, guards in
        switch found.shape {
        case .link(let id): facts.append("link \(id.text) \(found.origin.path) \(guards)")
        case .address: facts.append("address")
        case .asset(let path): facts.append("asset \(path)")
        case .markdown(let markdown):
          facts.append(
            "markdown \(markdown.text.references.map(\.target)) \(found.origin.path) \(guards)")
          // A page is an object of its own, which only a full build writes.
          if markdown.hasPage { facts.append("page \(markdown.text)") }
        case .scalar, .plural, .list, .object: break
        }
        if let condition = found.condition { facts.append("when \(condition)") }
      }
      return facts.isEmpty ? 0 : facts.joined(separator: "\n").stableHash
    }
  }

  /// The fingerprint for the contexts of one locale.
  func value(in contexts: [Int]) -> UInt64 {
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
