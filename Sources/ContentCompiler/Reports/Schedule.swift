package import ContentModel
package import ContentSource
package import Diagnostics
import System
import YAML

/// A moment at which an entry, or an item of one of its lists, appears or ends.
package struct ScheduledMoment: Sendable {
  package var instant: Instant
  package var entry: EntryID
  /// The path of the item, in the form of `explain`; `nil` for the whole entry.
  package var field: ExactString?
  package var kind: Kind
  /// `true` if an embargo ends, so that readers need a new publication.
  package var isEmbargo: Bool
  /// The contexts; `nil` for all.
  package var contexts: [Context]?
  /// The location of the date.
  package var location: SourceLocation
  /// The date as it was written, with its time zone.
  package var text: String

  /// The kind of change.
  package enum Kind: String, Sendable {
    case appears
    case ends
  }
}

/// Returns every `from` and `until` of entries and of items of their lists, in order of time.
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

  /// The identity of a moment; equal ones of several contexts are merged.
  private struct Place: Hashable {
    var instant: Instant
    var kind: ScheduledMoment.Kind
    var location: SourceLocation
    var field: ExactString?
  }

  /// A part of the entry, and the contexts that share it.
  private struct View {
    var contexts: [Context]
    /// The nodes of the layers at the path, the most specific first.
    var nodes: [YAMLNode]
    var path: String

    func at(_ path: String, nodes: [YAMLNode]) -> View {
      View(contexts: contexts, nodes: nodes, path: path)
    }
  }

  init(of entry: Entry, by rules: ResolutionRules) {
    (self.entry, conditions, contexts) = (entry, rules.conditions, rules.contexts)
    for variant in rules.variants(of: entry) {
      let view = View(
        contexts: variant.contexts.map { contexts[$0] },
        nodes: variant.layers.map { entry.layers[$0].node }, path: "")
      add(variant.entry.condition, in: view)
      visit(variant.entry.members, in: view)
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

  private mutating func visit(_ members: [Resolved.Member], in view: View) {
    for member in members {
      let path = view.path.isEmpty ? member.key.text : "\(view.path).\(member.key)"
      let nodes = view.nodes.compactMap { $0.kind == .mapping ? $0[member.key.text] : nil }
      visit(member.value, in: view.at(path, nodes: nodes))
    }
  }

  private mutating func visit(_ value: Resolved, in view: View) {
    switch value.shape {
    case .object(let members): visit(members, in: view)
    case .list(let items):
      for (index, item) in items.enumerated() {
        let id = item.origin.itemID
        let same = id.map { id in view.nodes.flatMap(\.items).filter { $0.itemID == id } } ?? []
        let view = view.at(
          "\(view.path)[\(id?.text ?? String(index))]", nodes: same.isEmpty ? [item.origin] : same)
        add(item.condition, in: view)
        visit(item, in: view)
      }
    case .scalar, .link, .address, .asset, .markdown, .plural: break
    }
  }

  private mutating func add(_ condition: Condition?, in view: View) {
    guard let condition, condition.from != nil || condition.until != nil else { return }
    let nodes = view.nodes.compactMap { $0.kind == .mapping ? $0["when"] : nil }
    guard let node = nodes.first(where: { isSource($0, of: condition) }) ?? nodes.first else {
      return
    }
    if let from = condition.from {
      add(
        .appears, at: from, from: node["from"] ?? node, in: view, isEmbargo: condition.isEmbargoed)
    }
    if let until = condition.until { add(.ends, at: until, from: node["until"] ?? node, in: view) }
  }

  /// Returns `true` if a condition was read from a node.
  ///
  /// A list can hide the condition that another layer has for the same item.
  private func isSource(_ node: YAMLNode, of condition: Condition) -> Bool {
    guard case .condition(let said) = conditions.read(node).output else { return false }
    return said.remainder == condition
  }

  private mutating func add(
    _ kind: ScheduledMoment.Kind, at instant: Instant, from node: YAMLNode, in view: View,
    isEmbargo: Bool = false
  ) {
    let field = view.path.isEmpty ? nil : ExactString(view.path)
    let place = Place(instant: instant, kind: kind, location: node.location, field: field)
    if let index = places[place] {
      found[index].contexts += view.contexts
      return
    }
    places[place] = found.count
    let moment = ScheduledMoment(
      instant: instant, entry: entry.id, field: field, kind: kind, isEmbargo: isEmbargo,
      contexts: nil, location: node.location, text: node.text)
    found.append((moment, view.contexts))
  }
}

extension ScheduledMoment {
  /// The order by time; at one moment, by entry and field, and an end before a beginning.
  fileprivate func precedes(_ other: ScheduledMoment) -> Bool {
    if instant != other.instant { return instant < other.instant }
    if entry != other.entry { return entry.text.precedesInBytes(other.entry.text) }
    if field != other.field { return (field ?? "") < (other.field ?? "") }
    if kind != other.kind { return kind == .ends }
    return location.description.precedesInBytes(other.location.description)
  }
}

extension Entry {
  /// `true` if a layer has a condition; the key `when` of a catalog is an ordinary text.
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
