import ContentModel
import ContentSource
import Diagnostics

/// What resolving an entry in all its ways has shown: mistakes, links, assets.
struct EntryFacts: Sendable {
  var plan: ResolutionPlan.EntryPlan
  /// Problems in the order in which they were found, each with its contexts.
  var problems: [(problem: ResolutionProblem, place: YAMLNode?, contexts: [Int])] = []
  /// Links in the order in which they were found, each with its contexts.
  var links: [Link] = []
  /// Whether a URL leads out of the content.
  var leadsOut = false
  var assets: [String] = []
  /// Places of the layers that some context, in which the entry is there, consults.
  var consulted: Set<Int> = []

  /// By variant: the country and the versions that the entry itself asks for.
  var conditions: [Condition?] = []

  /// A reference, or a URL without a scheme.
  struct Link: Sendable {
    var target: EntryID
    var origin: YAMLNode
    var contexts: [Int]
    /// Conditions under which alone it is followed: those of its entry and of the items around it.
    var guards: [Condition]
  }

  /// Resolves every variant of an entry once, keeps what it shows, and lets the values go.
  init(of entry: Entry, in plan: ResolutionPlan) {
    let (variants, byContext) = plan.order.plan(entry, locales: plan.tree.project.locales)
    self.plan = ResolutionPlan.EntryPlan(variants: variants, byContext: byContext)
    var contexts = [[Int]](repeating: [], count: variants.count)
    for (context, variant) in byContext.enumerated() { contexts[Int(variant)].append(context) }
    for (index, variant) in variants.enumerated() {
      let (resolved, resolver) = plan.resolve(entry, variant)
      conditions.append(resolved?.condition)
      if let resolved {
        consulted.formUnion(variant.slots.map(\.layer))
        collect(resolver, contexts[index])
        resolved.forEachGuardedValue { collect($0, $1, contexts[index]) }
      } else {
        for context in contexts[index] { self.plan.byContext[context] = nil }
      }
    }
  }

  private mutating func collect(_ resolver: Resolver, _ contexts: [Int]) {
    for problem in resolver.problems {
      if let index = problems.firstIndex(where: { $0.problem == problem }) {
        problems[index].contexts += contexts
      } else {
        problems.append((problem: problem, place: resolver.places[problem], contexts: contexts))
      }
    }
  }

  private mutating func collect(_ value: Resolved, _ guards: [Condition], _ contexts: [Int]) {
    switch value.shape {
    case .link(let target):
      let place = value.origin.location
      if let index = links.firstIndex(where: { $0.target == target && $0.origin.location == place }) {
        links[index].contexts += contexts
      } else {
        links.append(Link(target: target, origin: value.origin, contexts: contexts, guards: guards))
      }
    case .address: leadsOut = true
    case .asset(let path): if !assets.contains(path) { assets.append(path) }
    case .scalar, .list, .object: break
    }
  }
}
