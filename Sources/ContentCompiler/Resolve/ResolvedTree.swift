import ContentModel
import ContentSource
import Diagnostics

/// Every entry's ways to be resolved: small, since the resolved values themselves are made again where they are needed.
struct ResolutionPlan: Sendable {
  let tree: ContentTree
  let order: LayerOrder
  let conditions: ConditionReader
  /// In the order of the tree's entries.
  var entries: [EntryPlan]

  /// One entry's ways.
  struct EntryPlan: Sendable {
    var variants: [EntryVariant]
    /// For each context, its variant; `nil` where a condition keeps the entry out.
    var byContext: [Int32?]
  }

  /// One variant of an entry.
  func resolve(_ entry: Int, variant: Int) -> ResolvedEntry? {
    resolve(tree.entries[entry], entries[entry].variants[variant]).entry
  }

  /// A variant with the problems that only show in its contexts.
  func resolve(_ entry: Entry, _ variant: EntryVariant) -> (entry: ResolvedEntry?, resolver: Resolver) {
    var resolver = Resolver(context: order.contexts[variant.context], conditions: conditions)
    let resolved = resolver.resolve(entry, variant.slots)
    return (resolved, resolver)
  }
}

extension ResolvedEntry {
  /// Calls back for every value in it, containers before what they hold.
  func forEachValue(_ body: (Resolved) -> Void) {
    for member in members { member.value.forEachValue(body) }
  }

  /// The same, with the conditions of the entry and of the items around each value.
  func forEachGuardedValue(_ body: (Resolved, _ guards: [Condition]) -> Void) {
    for member in members { member.value.forEachValue(within: [condition].compactMap(\.self), body) }
  }
}

extension Resolved {
  func forEachValue(_ body: (Resolved) -> Void) {
    forEachValue(within: []) { value, _ in body(value) }
  }

  fileprivate func forEachValue(within outer: [Condition], _ body: (Resolved, [Condition]) -> Void) {
    let guards = condition.map { outer + [$0] } ?? outer
    body(self, guards)
    switch shape {
    case .list(let items): for item in items { item.forEachValue(within: guards, body) }
    case .object(let members): for member in members { member.value.forEachValue(within: guards, body) }
    case .scalar, .link, .address, .asset: break
    }
  }
}
