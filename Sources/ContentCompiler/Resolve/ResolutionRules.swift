import ContentModel
import ContentSource
import Diagnostics

/// Every entry's ways to be resolved: small, since the resolved values themselves are made again
/// where they are needed.
struct ResolutionPlan: Sendable {
  var tree: ContentTree
  let order: LayerOrder
  let conditions: ConditionReader
  /// In the order of the tree's entries.
  var entries: [EntryPlan]
  /// By entry: whether all devices see it alike, where an earlier build knows; here not all layers
  /// may be at hand.
  var sharing: [Bool]?

  /// One entry's ways.
  struct EntryPlan: Sendable {
    var variants: [EntryVariant]
    /// For each context, its variant; `nil` where a condition keeps the entry out.
    var byContext: [Int32?]
  }

  /// An entry in all its ways.
  func resolve(_ entry: Entry, _ own: EntryPlan) -> EntryResolution {
    EntryResolution(of: entry, own.variants, contexts: order.contexts, conditions: conditions)
  }
}

extension Resolved {
  /// Calls back for every value in it, containers before what they hold.
  func forEachValue(_ body: (Resolved) -> Void) {
    forEachValue(within: []) { value, _ in body(value) }
  }

  /// Calls back for every value in it that may have a condition: itself, and the items of its
  /// lists.
  func forEachItem(_ body: (Resolved) -> Void) {
    body(self)
    switch shape {
    case .list(let items): for item in items { item.forEachItem(body) }
    case .object(let members):
      for member in members where member.value.isContainer { member.value.forEachItem(body) }
    case .scalar, .link, .address, .asset: break
    }
  }

  private var isContainer: Bool {
    switch shape {
    case .list, .object: true
    case .scalar, .link, .address, .asset: false
    }
  }

  /// The same as `forEachValue`, with the conditions of what is around each value.
  func forEachValue(within outer: [Condition], _ body: (Resolved, [Condition]) -> Void) {
    let guards = condition.map { outer + [$0] } ?? outer
    body(self, guards)
    switch shape {
    case .list(let items): for item in items { item.forEachValue(within: guards, body) }
    case .object(let members):
      for member in members { member.value.forEachValue(within: guards, body) }
    case .scalar, .link, .address, .asset: break
    }
  }
}
