package import ContentModel
package import ContentSource
import YAML

/// The rules by which the entries of a project are resolved.
package struct ResolutionRules: Sendable {
  package let order: LayerOrder
  package let conditions: ConditionReader

  package init(of project: Project) {
    order = LayerOrder(locales: project.locales, devices: project.devices)
    conditions = ConditionReader(locales: project.locales, devices: project.devices)
  }

  /// Every context of the project, in order.
  package var contexts: [Context] { order.contexts }

  /// Resolves an entry in one context; returns `nil` where a condition excludes the entry.
  package func resolve(_ entry: Entry, in context: Int) -> ResolvedEntry? {
    var resolver = Resolver(entry, in: contexts[context], conditions: conditions)
    return resolver.resolve(entry, from: order.slots(of: entry, in: context))
  }

  /// The indices of the layers that a context consults, the most specific first.
  package func layers(of entry: Entry, in context: Int) -> [Int] {
    order.slots(of: entry, in: context).map(\.layer)
  }

  /// Resolves an entry in each of its variants, and leaves out variants that a condition excludes.
  package func variants(of entry: Entry) -> [ResolvedVariant] {
    let plan = order.plan(entry)
    return plan.variants.enumerated().compactMap { place, variant in
      var resolver = Resolver(entry, in: contexts[variant.context], conditions: conditions)
      return resolver.resolve(entry, from: variant.slots).map { resolved in
        ResolvedVariant(
          entry: resolved, layers: variant.slots.map(\.layer),
          contexts: contexts.indices.filter { plan.byContext[$0] == Int32(place) })
      }
    }
  }

  /// Returns `true` if only an embargo keeps an entry out of a build.
  package func isWithheld(_ entry: Entry, at instant: Instant) -> Bool {
    guard !entry.datatype.shape.isCatalog, entry.layers.contains(where: { $0.node["when"] != nil })
    else { return false }
    let isShown = order.plan(entry).variants.compactMap { variant -> Bool? in
      let slots = variant.slots.map {
        Resolver.Slot(
          node: entry.layers[$0.layer].node, isSource: $0.isSource, isInChain: $0.isInChain,
          layer: $0.layer)
      }
      let resolver = Resolver(entry, in: contexts[variant.context], conditions: conditions)
      guard case .admitted(let condition) = resolver.admission(slots) else { return nil }
      return condition?.isWithheld(at: instant) != true
    }
    return isShown.contains(false) && !isShown.contains(true)
  }

  /// Resolves an entry in each variant of a plan.
  package func resolve(_ entry: Entry, by plan: EntryPlan) -> EntryResolution {
    EntryResolution(of: entry, plan.variants, contexts: contexts, conditions: conditions)
  }
}

/// A variant of an entry with its resolved values.
package struct ResolvedVariant: Sendable {
  package var entry: ResolvedEntry
  /// The indices of the layers that the variant consults, the most specific first.
  package var layers: [Int]
  /// The contexts that share the variant.
  package var contexts: [Int]
}

/// The distinct variants of an entry, and the variant of each context.
///
/// A plan is small. It has no resolved values: they are made again where they are needed.
package struct EntryPlan: Sendable {
  package var variants: [EntryVariant]
  /// The variant of each context; `nil` where a condition excludes the entry.
  package var byContext: [Int32?]
}
