import SourceYAML
import ContentModel
import ContentSource
import Diagnostics

/// What resolving an entry in all its ways has shown: mistakes, links, assets.
struct EntryFacts: Sendable {
  var plan: EntryPlan
  /// Problems in the order in which they were found, each with its contexts.
  var problems: [(problem: ResolutionProblem, place: YAMLNode?, contexts: [Int])] = []
  /// Links in the order in which they were found, each with its contexts.
  var links: [Link] = []
  /// Whether a URL leads out of the content.
  var leadsOut = false
  /// The values that the build publishes.
  var assets: [String] = []
  /// The values that occur only under an embargo.
  var withheldAssets: [String] = []
  /// Layers that no context consults though the entry is there in some, for no condition of their
  /// own.
  var unconsulted: [Int] = []

  /// By variant: the country and the versions that the entry itself asks for; empty where it asks
  /// for none.
  private var conditions: [Condition?] = []

  /// A reference, or a URL without a scheme.
  struct Link: Sendable {
    var target: EntryID
    /// Where it stands; a node would keep its file's text.
    var place: SourcePlace
    var contexts: [Int]
    /// Conditions under which alone it is followed: those of its entry and of the items around it.
    var guards: [Condition]
    /// The end of the last embargo among these; `nil` where there is none.
    var embargo: Instant?
  }

  /// By context: whether the build shows the entry; empty where it always does.
  private(set) var presence: [Bool] = []
  /// True if an embargo alone keeps the entry out of the build: nothing that is published may name
  /// it.
  private(set) var isWithheld = false
  /// Whether readers see the same wherever they are and whenever, and on all devices of a locale.
  var isShared = false
  /// By locale: what the rest of the build must know of it, where that is to be remembered.
  var prints: [UInt64] = []
  /// A print of each layer, where that is to be remembered.
  var layers: [UInt64] = []

  /// The facts of a resolved entry at a moment; `locales` are the contexts of each locale for which
  /// a print is wanted.
  init(
    of resolution: EntryResolution, _ entry: Entry, plan: EntryPlan, order: LayerOrder,
    at instant: Instant, fingerprinting locales: [[Int]]
  ) {
    self.plan = plan
    let (variants, byContext) = (plan.variants, plan.byContext)
    let isTelling = resolution.values.map { $0.value?.holdsLinksOrAssets ?? false }
    var contexts = [[Int]](repeating: [], count: variants.count)
    for (context, variant) in byContext.enumerated() {
      if let variant, resolution.variants[Int(variant)] == nil {
        self.plan.byContext[context] = nil
      }
      if let variant { contexts[Int(variant)].append(context) }
    }
    var isConsulted = [Bool](repeating: false, count: entry.layers.count)
    for (index, variant) in resolution.variants.enumerated() {
      guard let variant else { continue }
      for slot in variants[index].slots { isConsulted[slot.layer] = true }
      for place in variant.reported {
        collect(resolution.values[Int(place)].problems, contexts[index])
      }
      let guards = [variant.condition].compactMap(\.self)
      for place in variant.values where isTelling[Int(place)] {
        resolution.values[Int(place)].value?.forEachValue(within: guards) {
          collect($0, $1, contexts[index], at: instant)
        }
      }
    }
    if isConsulted.contains(true), isConsulted.contains(false) {
      // An overlay's own condition has had its say even where it keeps the entry out.
      unconsulted = isConsulted.indices.filter {
        !isConsulted[$0] && entry.layers[$0].node["when"] == nil
      }
    }
    if resolution.variants.contains(where: { $0?.condition != nil }) {
      conditions = resolution.variants.map { $0?.condition }
    }
    let isThere = self.plan.byContext.map {
      $0.map { condition($0)?.isWithheld(at: instant) != true }
    }
    if isThere.contains(where: { $0 != true }) { presence = isThere.map { $0 ?? false } }
    isWithheld = isThere.contains(false) && !isThere.contains(true)
    withheldAssets.removeAll(where: assets.contains)
    let isFixed = conditions.isEmpty && !resolution.values.contains(where: \.isConditional)
    isShared = isFixed && order.isSameOnAllDevices(self.plan)
    if locales.isEmpty { return }
    let printer = FactsPrinter(resolution, entry, plan)
    prints = locales.map(printer.print)
    layers = entry.layers.map { entry.print(of: $0) }
  }

  /// What a variant's readers must meet.
  func condition(_ variant: Int32) -> Condition? {
    conditions.isEmpty ? nil : conditions[Int(variant)]
  }

  private mutating func collect(
    _ found: [(problem: ResolutionProblem, place: YAMLNode?)], _ contexts: [Int]
  ) {
    for (problem, place) in found {
      if let index = problems.firstIndex(where: { $0.problem == problem }) {
        problems[index].contexts += contexts
      } else {
        problems.append((problem: problem, place: place, contexts: contexts))
      }
    }
  }

  private mutating func collect(
    _ value: Resolved, _ guards: [Condition], _ contexts: [Int], at instant: Instant
  ) {
    switch value.shape {
    case .link(let target):
      let place = value.origin.sourcePlace
      let embargo = guards.compactMap { $0.isEmbargoed ? $0.from : nil }.max()
      if let index = links.firstIndex(where: {
        $0.target == target && $0.place == place && $0.embargo == embargo
      }) {
        links[index].contexts += contexts
      } else {
        links.append(
          Link(target: target, place: place, contexts: contexts, guards: guards, embargo: embargo))
      }
    case .address: leadsOut = true
    case .asset(let path):
      if guards.contains(where: { $0.isWithheld(at: instant) }) {
        if !withheldAssets.contains(path) { withheldAssets.append(path) }
      } else if !assets.contains(path) {
        assets.append(path)
      }
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
