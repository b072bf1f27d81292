import Parallel
import SourceYAML
package import ContentModel
package import ContentSource
package import Diagnostics

/// A moment at which something of an entry, or the whole of it, appears or ends.
package struct ScheduledMoment: Sendable {
  package var instant: Instant
  package var entry: EntryID
  /// The list's item that comes or goes, as `explain` writes its path; `nil` where the whole entry
  /// does.
  package var field: String?
  package var kind: Kind
  /// True if it appears at the end of an embargo, and so only with a publication.
  package var isEmbargo: Bool
  /// In which contexts; `nil` for all.
  package var contexts: [Context]?
  /// Where the time is written.
  package var location: SourceLocation

  /// What happens.
  package enum Kind: String, Sendable {
    case appears
    case ends
  }
}

/// Every `from` and `until` of a tree's entries and of their lists' items, in order of time.
package func schedule(of tree: ContentTree) -> [ScheduledMoment] {
  let rules = ResolutionRules(of: tree.project)
  let moments = tree.entries.filter(\.hasConditions).chunks(of: 64).concurrentValues { entries in
    entries.flatMap { EntrySchedule(of: $0, by: rules).moments }
  }
  return moments.flatMap(\.self).sorted { $0.precedes($1) }
}

/// The moments of one entry.
private struct EntrySchedule {
  private var found: [(moment: ScheduledMoment, contexts: [Context])] = []
  private var places: [Place: Int] = [:]
  private let entry: Entry
  private let conditions: ConditionReader
  private let contexts: [Context]

  /// What makes two moments one.
  private struct Place: Hashable {
    var instant: Instant
    var kind: ScheduledMoment.Kind
    var location: SourceLocation
    var field: String?
  }

  /// What is looked at: the contexts that share it, and where.
  private struct View {
    var contexts: [Context]
    /// What the layers say there, the most specific first.
    var nodes: [YAMLNode]
    var path: String

    func at(_ nodes: [YAMLNode], _ path: String) -> View {
      View(contexts: contexts, nodes: nodes, path: path)
    }
  }

  init(of entry: Entry, by rules: ResolutionRules) {
    (self.entry, conditions, contexts) = (entry, rules.conditions, rules.contexts)
    var known: [[Int]: EntryPlan] = [:]
    let wanted = Array(repeating: true, count: contexts.count)
    let plan = rules.order.plan(entry, for: wanted, known: &known)
    for (place, variant) in plan.variants.enumerated() {
      var resolver = Resolver(context: contexts[variant.context], conditions: conditions)
      guard let resolved = resolver.resolve(entry, variant.slots) else { continue }
      let sharing = contexts.indices.filter { plan.byContext[$0] == Int32(place) }.map {
        contexts[$0]
      }
      let view = View(
        contexts: sharing, nodes: variant.slots.map { entry.layers[$0.layer].node }, path: "")
      note(resolved.condition, view)
      look(at: resolved.members, view)
    }
  }

  var moments: [ScheduledMoment] {
    found.map { moment, contexts in
      var moment = moment
      if contexts.count < self.contexts.count {
        let those = Set(contexts)
        moment.contexts = self.contexts.filter(those.contains)
      }
      return moment
    }
  }

  private mutating func look(at members: [Resolved.Member], _ view: View) {
    for member in members {
      let path = view.path.isEmpty ? member.key : "\(view.path).\(member.key)"
      look(
        at: member.value,
        view.at(view.nodes.compactMap { $0.kind == .mapping ? $0[member.key] : nil }, path))
    }
  }

  private mutating func look(at value: Resolved, _ view: View) {
    switch value.shape {
    case .object(let members): look(at: members, view)
    case .list(let items):
      for (index, item) in items.enumerated() {
        let id = item.origin.itemID
        let same = id.map { id in view.nodes.flatMap(\.items).filter { $0.itemID == id } } ?? []
        let view = view.at(
          same.isEmpty ? [item.origin] : same, "\(view.path)[\(id ?? String(index))]")
        note(item.condition, view)
        look(at: item, view)
      }
    case .scalar, .link, .address, .asset: break
    }
  }

  private mutating func note(_ condition: Condition?, _ view: View) {
    guard let condition, condition.from != nil || condition.until != nil else { return }
    let nodes = view.nodes.compactMap { $0.kind == .mapping ? $0["when"] : nil }
    guard let node = nodes.first(where: { says(condition, $0) }) ?? nodes.first else { return }
    if let from = condition.from {
      note(from, .appears, node["from"] ?? node, view, isEmbargo: condition.isEmbargoed)
    }
    if let until = condition.until { note(until, .ends, node["until"] ?? node, view) }
  }

  /// Whether this is what was read there: a list may hide what another layer says of the same item.
  private func says(_ condition: Condition, _ node: YAMLNode) -> Bool {
    guard case .condition(let said) = conditions.read(node).output else { return false }
    return said.remainder == condition
  }

  private mutating func note(
    _ instant: Instant, _ kind: ScheduledMoment.Kind, _ node: YAMLNode, _ view: View,
    isEmbargo: Bool = false
  ) {
    let field = view.path.isEmpty ? nil : view.path
    let place = Place(instant: instant, kind: kind, location: node.location, field: field)
    if let index = places[place] { return found[index].contexts += view.contexts }
    places[place] = found.count
    let moment = ScheduledMoment(
      instant: instant, entry: entry.id, field: field, kind: kind, isEmbargo: isEmbargo,
      contexts: nil,
      location: node.location)
    found.append((moment, view.contexts))
  }
}

extension ScheduledMoment {
  /// By time; at one moment, by entry and field, and an end before a beginning.
  fileprivate func precedes(_ other: ScheduledMoment) -> Bool {
    if instant != other.instant { return instant < other.instant }
    if entry != other.entry { return entry.text.precedesInBytes(other.entry.text) }
    if field != other.field { return (field ?? "").precedesInBytes(other.field ?? "") }
    if kind != other.kind { return kind == .ends }
    return location.description.precedesInBytes(other.location.description)
  }
}

extension Entry {
  /// Whether some layer says when something is there; a catalog's key `when` is a text like any
  /// other.
  fileprivate var hasConditions: Bool {
    !datatype.shape.isCatalog && layers.contains { $0.node.hasConditions }
  }
}

extension YAMLNode {
  fileprivate var hasConditions: Bool {
    switch kind {
    case .scalar: false
    case .sequence: items.contains(where: \.hasConditions)
    case .mapping: self["when"] != nil || members.contains { $0.value.hasConditions }
    }
  }
}
