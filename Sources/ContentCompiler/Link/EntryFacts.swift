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

  /// Whether readers see the same wherever they are and whenever, and on all devices of a locale.
  var isShared = false
  /// By locale: what the rest of the build must know of it, where that is to be remembered.
  var prints: [UInt64] = []

  /// What a resolved entry shows; `locales` are the contexts of each locale for which a print is wanted.
  init(
    of resolution: EntryResolution, _ plan: ResolutionPlan.EntryPlan, _ order: LayerOrder, printing locales: [[Int]]
  ) {
    self.plan = plan
    let (variants, byContext) = (plan.variants, plan.byContext)
    let isTelling = resolution.values.map { $0.value?.holdsLinksOrAssets ?? false }
    var contexts = [[Int]](repeating: [], count: variants.count)
    for (context, variant) in byContext.enumerated() {
      if let variant, resolution.variants[Int(variant)] == nil { self.plan.byContext[context] = nil }
      if let variant { contexts[Int(variant)].append(context) }
    }
    for (index, variant) in resolution.variants.enumerated() {
      conditions.append(variant?.condition)
      guard let variant else { continue }
      consulted.formUnion(variants[index].slots.map(\.layer))
      for place in variant.reported { collect(resolution.values[Int(place)].problems, contexts[index]) }
      let guards = [variant.condition].compactMap(\.self)
      for place in variant.values where isTelling[Int(place)] {
        resolution.values[Int(place)].value?.forEachValue(within: guards) { collect($0, $1, contexts[index]) }
      }
    }
    note(resolution, order, printing: locales)
  }

  private mutating func note(_ resolution: EntryResolution, _ order: LayerOrder, printing locales: [[Int]]) {
    let isFixed =
      conditions.allSatisfy { $0 == nil } && !resolution.values.contains(where: \.isConditional)
    isShared = isFixed && order.isSameOnAllDevices(plan)
    if locales.isEmpty { return }
    let printer = FactsPrinter(resolution, plan)
    prints = locales.map(printer.print)
  }

  private mutating func collect(_ found: [(problem: ResolutionProblem, place: YAMLNode?)], _ contexts: [Int]) {
    for (problem, place) in found {
      if let index = problems.firstIndex(where: { $0.problem == problem }) {
        problems[index].contexts += contexts
      } else {
        problems.append((problem: problem, place: place, contexts: contexts))
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

extension Resolved {
  /// Whether there is something in it that leads out of the entry.
  fileprivate var holdsLinksOrAssets: Bool {
    switch shape {
    case .scalar: false
    case .link, .address, .asset: true
    case .list(let items): items.contains(where: \.holdsLinksOrAssets)
    case .object(let members): members.contains(where: \.value.holdsLinksOrAssets)
    }
  }
}
