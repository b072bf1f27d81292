import ContentModel
import ContentSource
import Diagnostics
import Markdown
import YAML

/// The resolution of an entry's keys along the layers of a context.
///
/// `docs/reference/content.md` has the rules.
struct Resolver {
  var context: Context { didSet { pseudo = conditions.locales.pseudo(context.locale) } }
  /// The pseudo-locale that texts are generated for; `nil` if the texts of the context's locale are
  /// as written.
  private(set) var pseudo: PseudoLocale?
  let conditions: ConditionReader
  /// The problems in order of discovery; a problem without a node concerns the whole entry.
  private var problems: [(problem: ResolutionProblem, place: YAMLNode?)] = []
  /// The layers of the entry.
  let layers: [Layer]
  /// The kinds of a string catalog's values; `nil` for another entry.
  let catalogKinds: CatalogKinds?
  /// The steps of the path to the current value.
  ///
  /// Only the report of a problem converts them to a text.
  var steps: [ResolutionProblem.Step] = []

  init(_ entry: Entry, in context: Context, conditions: ConditionReader) {
    (layers, catalogKinds) = (entry.layers, entry.catalogKinds)
    (self.context, self.conditions) = (context, conditions)
    pseudo = conditions.locales.pseudo(context.locale)
  }

  /// A node, and the role of its layer.
  struct Slot {
    var node: YAMLNode
    var isSource: Bool
    var isInChain: Bool
    /// The index of the layer in the entry; `nil` for a default of the schema.
    var layer: Int?

    func with(_ node: YAMLNode) -> Slot {
      Slot(node: node, isSource: isSource, isInChain: isInChain, layer: layer)
    }
  }

  /// The result of a lookup of one key.
  enum Outcome {
    case missing
    case removed(YAMLNode)
    case value(Resolved)
  }

  /// Resolves an entry in this context; returns `nil` if its condition excludes it.
  mutating func resolve(_ entry: Entry, from layers: [LayerSlot]) -> ResolvedEntry? {
    let slots = layers.map {
      Slot(
        node: entry.layers[$0.layer].node, isSource: $0.isSource, isInChain: $0.isInChain,
        layer: $0.layer)
    }
    let shape = entry.datatype.shape
    // The key `when` of a catalog is an ordinary text.
    guard case .admitted(let condition) = shape.isCatalog ? .admitted(nil) : admission(slots) else {
      return nil
    }
    let members = object(
      shape, from: slots, isLocalized: false, isConditional: !shape.isCatalog, at: nil)
    return ResolvedEntry(members: members, condition: condition)
  }

  // MARK: Conditions

  enum Admission {
    case refused
    case admitted(Condition?)
  }

  /// The result of the most specific `when`.
  ///
  /// The `when` of an overlay replaces the whole condition.
  func admission(_ slots: [Slot]) -> Admission {
    guard let node = slots.lazy.compactMap({ $0.node["when"] }).first else { return .admitted(nil) }
    switch conditions.read(node).output {
    case .always: return .admitted(nil)
    case .never: return .refused
    case .condition(let condition):
      guard condition.admits(context, in: conditions.locales) else { return .refused }
      return .admitted(condition.remainder)
    }
  }

  // MARK: Objects

  /// Resolves one field of the entry itself, from its nodes, the most specific first.
  mutating func member(
    _ field: Field, from values: [Slot]
  ) -> (value: Resolved?, problems: [(problem: ResolutionProblem, place: YAMLNode?)]) {
    problems = []
    let outcome = self.outcome(of: field, from: values, isLocalized: field.isLocalized, at: nil)
    if case .value(let value) = outcome { return (value, problems) }
    return (nil, problems)
  }

  /// Resolves a declared field or its default, and notes a missing required value.
  private mutating func outcome(
    of field: Field, from values: [Slot], isLocalized: Bool, at place: YAMLNode?
  ) -> Outcome {
    steps.append(.key(field.name))
    defer { steps.removeLast() }
    var outcome = self.outcome(of: field, from: values, isLocalized: isLocalized)
    if case .missing = outcome, let node = field.defaultValue {
      let slot = Slot(node: node, isSource: true, isInChain: true)
      outcome = self.outcome(of: field, from: [slot], isLocalized: isLocalized)
    }
    note(outcome, of: field, at: place)
    return outcome
  }

  private mutating func object(
    _ shape: ObjectShape, from slots: [Slot], isLocalized: Bool, isConditional: Bool,
    at place: YAMLNode?
  ) -> [Resolved.Member] {
    var members: [Resolved.Member] = []
    for field in shape.fields {
      let values = slots.compactMap { slot in slot.node[field.name.text].map(slot.with) }
      let outcome = self.outcome(
        of: field, from: values, isLocalized: isLocalized || field.isLocalized, at: place)
      if case .value(let value) = outcome {
        members.append(Resolved.Member(key: field.name, value: value))
      }
    }
    if shape.isOpen {
      members += undeclared(
        in: shape, from: slots.filter(\.isInChain), isConditional: isConditional)
    }
    members.sortByKey()
    return members
  }

  private mutating func note(_ outcome: Outcome, of field: Field, at place: YAMLNode?) {
    guard field.isRequired else { return }
    switch outcome {
    case .value: break
    case .missing:
      add(ResolutionProblem(.missing, of: field, at: steps), at: place)
    case .removed(let node):
      add(ResolutionProblem(.removed, of: field, at: steps), at: node)
    }
  }

  mutating func add(_ problem: ResolutionProblem, at node: YAMLNode?) {
    problems.append((problem, node))
  }

  /// The members of an open mapping that no field declares, in any order.
  private mutating func undeclared(
    in shape: ObjectShape, from slots: [Slot], isConditional: Bool
  ) -> [Resolved.Member] {
    let declared = Set(shape.fields.map(\.name))
    var members: [Resolved.Member] = []
    for (name, values) in Self.grouped(slots) {
      guard !(isConditional && name == "when"), !declared.contains(name),
        let field = shape.field(name)
      else {
        continue
      }
      steps.append(.key(name))
      defer { steps.removeLast() }
      if case .value(let value) = outcome(of: field, from: values, isLocalized: true) {
        members.append(Resolved.Member(key: name, value: value))
      }
    }
    return members
  }

  /// The nodes of each key, from one walk over all slots, since catalogs have thousands of keys.
  private static func grouped(_ slots: [Slot]) -> [(key: ExactString, values: [Slot])] {
    var places: [YAMLTextKey: Int] = [:]
    var groups: [(key: ExactString, values: [Slot])] = []
    for slot in slots {
      for (key, value) in slot.node.members {
        if let place = places[key.textKey] {
          groups[place].values.append(slot.with(value))
        } else {
          places[key.textKey] = groups.count
          groups.append((key: ExactString(key.text), values: [slot.with(value)]))
        }
      }
    }
    return groups
  }

  // MARK: Single keys

  /// Resolves one key from its nodes, the most specific first.
  private mutating func outcome(
    of field: Field, from values: [Slot], isLocalized: Bool
  ) -> Outcome {
    let isCatalog = if case .catalog = field.kind { true } else { false }
    let values = isCatalog ? usable(values) : values
    guard let first = Self.decider(of: values, isLocalized: isLocalized, ignoresNull: isCatalog)
    else {
      return .missing
    }
    if first.node.isNull { return .removed(first.node) }
    let kind = first.node.kind
    if kind == .scalar {
      let outcome = scalar(first.node, of: field)
      guard isLocalized, let pseudo, case .value(let value) = outcome else { return outcome }
      return .value(self.pseudo(value, of: field, in: pseudo))
    }
    let all = isCatalog ? values.filter { !$0.node.isNull } : values
    let isDecisive: (Slot) -> Bool = isLocalized ? { $0.isInChain } : { $0.isSource }
    if kind == .mapping, let slots = plural(of: field, decidedBy: first, among: all) {
      let plural = plural(slots)
      guard isLocalized, let pseudo else { return .value(plural) }
      return .value(self.pseudo(plural, of: field, in: pseudo))
    }
    guard kind == .mapping else {
      return list(
        of: field, from: all, decidedBy: first, isLocalized: isLocalized, isDecisive: isDecisive)
    }
    // The categories of two languages never merge, so a plural is no part of another mapping.
    let slots = contributing(all, isLocalized: isLocalized, isDecisive: isDecisive) {
      $0.kind == .mapping && !(isCatalog && isPlural($0))
    }
    return mapping(of: field, from: slots, isLocalized: isLocalized, isItem: false)
  }

  /// The slots of a catalog's value, without translations whose kind differs from that of their
  /// source.
  private func usable(_ slots: [Slot]) -> [Slot] {
    guard let catalogKinds, slots.contains(where: { catalogKinds.isRefused($0.node) }) else {
      return slots
    }
    return slots.filter { !catalogKinds.isRefused($0.node) }
  }

  /// The slot that decides on the presence and the kind of a value.
  private static func decider(of slots: [Slot], isLocalized: Bool, ignoresNull: Bool) -> Slot? {
    var fallback: Slot?
    for slot in slots where !(ignoresNull && slot.node.isNull) {
      if isLocalized ? slot.isInChain : slot.isSource { return slot }
      if !isLocalized, slot.isInChain, fallback == nil { fallback = slot }
    }
    return fallback
  }

  /// The value of a field of the entry that one scalar decides alone; `nil` if the scalar does not
  /// fit, or if a pseudo-locale may change it.
  func member(_ field: Field, scalar node: YAMLNode) -> Resolved? {
    if pseudo != nil, field.isLocalized { return nil }
    if case .value(let value) = scalar(node, of: field) { return value }
    return nil
  }

  private func scalar(_ node: YAMLNode, of field: Field) -> Outcome {
    if FieldCheck.surelyTakesText(node, for: field) {
      return .value(Resolved(shape: .scalar(.string(node.text)), origin: node))
    }
    // The check of the layer has reported a scalar that does not fit.
    guard let scalar = try? FieldCheck.convert(node, as: field) else { return .missing }
    switch scalar {
    case .value(let value): return .value(Resolved(shape: .scalar(value), origin: node))
    case .link(let id): return .value(Resolved(shape: .link(id), origin: node))
    case .address(let text): return .value(Resolved(shape: .address(text), origin: node))
    case .asset(let path): return .value(Resolved(shape: .asset(path), origin: node))
    case .markdown(let text, let problems):
      guard problems.allSatisfy(\.isWarning), case .markdown(let rules) = field.kind else {
        return .missing
      }
      let markdown = ResolvedMarkdown(text, in: locale(of: node), by: rules)
      return .value(Resolved(shape: .markdown(markdown), origin: node))
    }
  }

  /// The locale of the file that a node is in: that of a layer, or the source locale.
  private func locale(of node: YAMLNode) -> LocaleTag {
    let layer = layers.first { $0.node.identity.tree == node.identity.tree }
    return layer?.locale ?? conditions.locales.source
  }

  /// The slots that merge into one value.
  ///
  /// These are the decisive slots before the first one of another kind; that slot hides all slots
  /// below it. For an unlocalized field, the additions of locale overlays merge, too.
  private func contributing(
    _ slots: [Slot], isLocalized: Bool, isDecisive: (Slot) -> Bool, merges: (YAMLNode) -> Bool
  ) -> [Slot] {
    var isOpen = true
    return slots.filter { slot in
      if isDecisive(slot) {
        isOpen = isOpen && merges(slot.node)
        return isOpen
      }
      return !isLocalized && slot.isInChain && merges(slot.node)
    }
  }

  private mutating func mapping(
    of field: Field, from slots: [Slot], isLocalized: Bool, isItem: Bool
  ) -> Outcome {
    guard let origin = slots.first?.node else { return .missing }
    let members: [Resolved.Member]
    switch field.kind {
    case .object(let shape):
      members = object(
        shape, from: slots, isLocalized: isLocalized, isConditional: isItem, at: origin)
    case .map(let item):
      members = map(of: item, from: slots, isLocalized: isLocalized, isItem: isItem)
    case .any, .catalog:
      let isCatalog = if case .catalog = field.kind { true } else { false }
      let shape = ObjectShape(fields: [], isOpen: true, isCatalog: isCatalog)
      let found = undeclared(in: shape, from: slots, isConditional: isItem && !isCatalog)
      members = found.sorted { $0.key < $1.key }
    case .scalar, .markdown, .list, .plural: return .missing
    }
    return .value(Resolved(shape: .object(members), origin: origin))
  }

  private mutating func map(
    of item: Field, from slots: [Slot], isLocalized: Bool, isItem: Bool
  ) -> [Resolved.Member] {
    var members: [Resolved.Member] = []
    for (key, values) in Self.grouped(slots) where !(isItem && key == "when") {
      steps.append(.key(key))
      defer { steps.removeLast() }
      let outcome = self.outcome(
        of: item, from: values, isLocalized: isLocalized || item.isLocalized)
      if case .value(let value) = outcome {
        members.append(Resolved.Member(key: key, value: value))
      }
    }
    return members.sorted { $0.key < $1.key }
  }

  // MARK: Lists

  private mutating func list(
    of field: Field, from all: [Slot], decidedBy first: Slot, isLocalized: Bool,
    isDecisive: (Slot) -> Bool
  ) -> Outcome {
    let item: Field
    switch field.kind {
    case .list(let declared): item = declared
    case .any, .catalog: item = Field(name: field.name, kind: field.kind, isLocalized: true)
    case .scalar, .markdown, .object, .map, .plural: return .missing
    }
    let isLocalized = isLocalized || item.isLocalized
    let isCatalog = if case .catalog = field.kind { true } else { false }
    var items: [Resolved] = []
    if !isCatalog, first.node.hasIdentifiedItems {
      let lists = contributing(all, isLocalized: isLocalized, isDecisive: isDecisive) {
        $0.kind == .sequence && $0.hasIdentifiedItems
      }
      items = merged(lists, of: item, isLocalized: isLocalized, isDecisive: isDecisive)
    } else {
      for (index, node) in first.node.items.enumerated() {
        let value = self.item(
          item, from: [first.with(node)], at: .item(index), isLocalized: isLocalized,
          isCatalog: isCatalog)
        if let value { items.append(value) }
      }
    }
    return .value(Resolved(shape: .list(items), origin: first.node))
  }

  /// Merges lists whose items all have an id.
  ///
  /// Items with the same id merge. The items of the base keep their order, and new items follow in
  /// the order of the overlay.
  private mutating func merged(
    _ lists: [Slot], of item: Field, isLocalized: Bool, isDecisive: (Slot) -> Bool
  ) -> [Resolved] {
    var groups = ItemGroups()
    for list in lists.reversed() where isDecisive(list) {
      for node in list.node.items { groups.begin(node) }
    }
    for list in lists {
      for node in list.node.items { groups.add(list.with(node)) }
    }
    return groups.all.compactMap { group in
      self.item(
        item, from: group.slots, at: .identified(group.id), isLocalized: isLocalized,
        isCatalog: false)
    }
  }

  /// Resolves one item; returns `nil` if its condition excludes it.
  private mutating func item(
    _ item: Field, from slots: [Slot], at step: ResolutionProblem.Step, isLocalized: Bool,
    isCatalog: Bool
  ) -> Resolved? {
    guard let first = slots.first else { return nil }
    steps.append(step)
    defer { steps.removeLast() }
    let isPlural = if case .plural = item.kind { true } else { false }
    if first.node.kind == .mapping, !isCatalog, !isPlural {
      guard case .admitted(let condition) = admission(slots) else { return nil }
      let outcome = mapping(of: item, from: slots, isLocalized: isLocalized, isItem: true)
      guard case .value(var value) = outcome else { return nil }
      value.condition = condition
      if let condition, let when = slots.lazy.compactMap({ $0.node["when"] }).first {
        value.addDates(of: condition, from: when)
      }
      return value
    }
    if isCatalog, first.node.kind == .scalar, first.node.isNull {
      return Resolved(shape: .scalar(.string("")), origin: first.node)
    }
    let slot = Slot(node: first.node, isSource: true, isInChain: true, layer: first.layer)
    if case .value(let value) = outcome(of: item, from: [slot], isLocalized: isLocalized) {
      return value
    }
    return nil
  }
}
