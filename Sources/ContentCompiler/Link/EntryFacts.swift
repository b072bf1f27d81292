import ContentModel
import ContentSource
import Diagnostics
import Markdown
import YAML

/// The facts about one entry in all its variants: problems, links and assets.
struct EntryFacts: Sendable {
  var plan: EntryPlan
  /// The problems in order of discovery, each with its contexts.
  var problems: [(problem: ResolutionProblem, place: YAMLNode?, contexts: [Int])] = []
  /// The links in order of discovery, each with its contexts.
  var links: [Link] = []
  /// `true` if the entry has a URL outside the content.
  var leadsOut = false
  /// The assets that the build publishes.
  var assets: [String] = []
  /// The names of the published pages of its Markdown texts, in order.
  var pages: [Digest] = []
  /// The assets that occur only under an embargo.
  var withheldAssets: [String] = []
  /// The layers without a condition that no context consults, though some contexts show the entry.
  var unconsulted: [Int] = []

  /// By variant: the condition of the entry itself; empty if no variant has one.
  private var conditions: [Condition?] = []

  /// A reference, or a URL without a scheme.
  struct Link: Sendable {
    var target: EntryID
    /// The place of the link; a node would keep its file's text in memory.
    var place: SourcePlace
    var contexts: [Int]
    /// The conditions of the entry and of the items around the link.
    var guards: [Condition]
    /// The end of the last embargo among the conditions; `nil` if there is none.
    var embargo: Instant?
  }

  /// By context: `true` if the build shows the entry; empty if all contexts do.
  private(set) var presence: [Bool] = []
  /// `true` if only an embargo keeps the entry out of the build; no published file may name it.
  private(set) var isWithheld = false
  /// `true` if the entry does not depend on country, version, time, or device.
  var isShared = false
  /// By locale: the fingerprint of the facts; empty unless the build is remembered.
  var fingerprints: [UInt64] = []
  /// The fingerprint of each layer; empty unless the build is remembered.
  var layers: [UInt64] = []

  /// Finds the facts of a resolved entry at a moment.
  ///
  /// `locales` has the contexts of each locale that needs a fingerprint.
  init(
    of resolution: EntryResolution, _ entry: Entry, plan: EntryPlan, order: LayerOrder,
    at instant: Instant, fingerprinting locales: [[Int]]
  ) {
    self.plan = plan
    let (variants, byContext) = (plan.variants, plan.byContext)
    let hasLinks = resolution.values.map { $0.value?.holdsLinksOrAssets ?? false }
    var found = Found()
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
        collect(resolution.values[Int(place)].problems, in: contexts[index], &found)
      }
      let guards = [variant.condition].compactMap(\.self)
      for place in variant.values where hasLinks[Int(place)] {
        resolution.values[Int(place)].value?.forEachValue(within: guards) {
          collect($0, within: $1, in: contexts[index], at: instant, &found)
        }
      }
    }
    if isConsulted.contains(true), isConsulted.contains(false) {
      // An overlay with a condition was consulted, even if the condition excludes the entry.
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
    withheldAssets.removeAll { found.assets.contains($0) }
    let isFixed = conditions.isEmpty && !resolution.values.contains(where: \.isConditional)
    isShared = isFixed && order.isSameOnAllDevices(self.plan)
    if locales.isEmpty { return }
    let fingerprint = FactsFingerprint(of: resolution, entry, plan: plan)
    fingerprints = locales.map { fingerprint.value(in: $0) }
    layers = entry.layers.map { entry.fingerprint(of: $0) }
  }

  /// The condition of a variant.
  func condition(_ variant: Int32) -> Condition? {
    conditions.isEmpty ? nil : conditions[Int(variant)]
  }

  /// The places of the facts so far, since an entry may have thousands of links and problems.
  private struct Found {
    struct Link: Hashable {
      var target: EntryID
      var place: SourcePlace
      var embargo: Instant?
    }

    var problems: [ResolutionProblem: Int] = [:]
    var links: [Link: Int] = [:]
    var assets: Set<ExactString> = []
    var withheldAssets: Set<ExactString> = []
  }

  private mutating func collect(
    _ new: [(problem: ResolutionProblem, place: YAMLNode?)], in contexts: [Int],
    _ found: inout Found
  ) {
    for (problem, place) in new {
      if let index = found.problems[problem] {
        problems[index].contexts += contexts
      } else {
        found.problems[problem] = problems.count
        problems.append((problem: problem, place: place, contexts: contexts))
      }
    }
  }

  private mutating func collect(
    _ value: Resolved, within guards: [Condition], in contexts: [Int], at instant: Instant,
    _ found: inout Found
  ) {
    switch value.shape {
    case .link(let target):
      addLink(to: target, at: value.origin.sourcePlace, within: guards, in: contexts, &found)
    case .address: leadsOut = true
    case .asset(let path): addAsset(path, within: guards, at: instant, &found)
    case .markdown(let markdown):
      let references = markdown.text.references
      if references.isEmpty { return }
      let lines = YAMLTextLines(value.origin)
      for reference in references {
        switch reference.target {
        case .entry(let target):
          let place = lines.sourcePlace(of: reference.place)
          addLink(to: target, at: place, within: guards, in: contexts, &found)
        case .asset(let path): addAsset(path.text, within: guards, at: instant, &found)
        }
      }
    case .scalar, .plural, .list, .object: break
    }
  }

  private mutating func addLink(
    to target: EntryID, at place: SourcePlace, within guards: [Condition], in contexts: [Int],
    _ found: inout Found
  ) {
    let embargo = guards.compactMap { $0.isEmbargoed ? $0.from : nil }.max()
    let link = Found.Link(target: target, place: place, embargo: embargo)
    if let index = found.links[link] {
      links[index].contexts += contexts
    } else {
      found.links[link] = links.count
      links.append(
        Link(target: target, place: place, contexts: contexts, guards: guards, embargo: embargo))
    }
  }

  private mutating func addAsset(
    _ path: String, within guards: [Condition], at instant: Instant, _ found: inout Found
  ) {
    if guards.contains(where: { $0.isWithheld(at: instant) }) {
      if found.withheldAssets.insert(path) { withheldAssets.append(path) }
    } else if found.assets.insert(path) {
      assets.append(path)
    }
  }
}

extension Resolved {
  /// `true` if the value contains a link or an asset.
  fileprivate var holdsLinksOrAssets: Bool {
    switch shape {
    case .scalar, .plural: false
    case .link, .address, .asset, .markdown: true
    case .list(let items): items.contains(where: \.holdsLinksOrAssets)
    case .object(let members): members.contains(where: \.value.holdsLinksOrAssets)
    }
  }
}
