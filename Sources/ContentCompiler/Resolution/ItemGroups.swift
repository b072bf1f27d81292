import ContentSource
import YAML

/// The items of several lists, grouped by id.
struct ItemGroups {
  private(set) var all: [(id: YAMLNode, slots: [Resolver.Slot])] = []
  /// The index of each id, once there are too many ids for a linear search.
  private var places: [YAMLTextKey: Int] = [:]

  private static let few = 12

  /// Adds a group for the id of an item, if there is none.
  mutating func begin(_ item: YAMLNode) {
    guard let id = item.itemIDNode, place(of: id) == nil else { return }
    all.append((id, []))
    if all.count == Self.few + 1 {
      for (place, group) in all.enumerated() { places[group.id.textKey] = place }
    } else if all.count > Self.few {
      places[id.textKey] = all.count - 1
    }
  }

  /// Adds an item to its group; ignores an item without one.
  mutating func add(_ slot: Resolver.Slot) {
    if let id = slot.node.itemIDNode, let place = place(of: id) { all[place].slots.append(slot) }
  }

  private func place(of id: YAMLNode) -> Int? {
    let text = id.textKey
    if all.count > Self.few { return places[text] }
    return all.firstIndex { $0.id.textKey == text }
  }
}
