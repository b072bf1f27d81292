import SourceYAML
import ContentModel
import ContentSource
import Diagnostics

/// Looks up every key of an entry along the layers of a context, by the rules of docs/content.md,
/// "Selection of values".
struct Resolver {
  var context: Context
  let conditions: ConditionReader
  /// In the order in which they were found, each with its place when that is not the entry as a
  /// whole.
  private var problems: [(problem: ResolutionProblem, place: YAMLNode?)] = []
  /// What leads to the value at hand; made into a text only where there is something to say.
  private var steps: [Step] = []

  init(context: Context, conditions: ConditionReader) {
    (self.context, self.conditions) = (context, conditions)
  }

  /// One step from an entry to a value in it.
  enum Step {
    case key(String)
    case item(Int)
    case identified(YAMLNode)
  }

  /// A node and how its layer may be used.
  struct Slot {
    var node: YAMLNode
    var isSource: Bool
    var isInChain: Bool

    func with(_ node: YAMLNode) -> Slot {
      Slot(node: node, isSource: isSource, isInChain: isInChain)
    }
  }

  /// What a look-up of one key comes to.
  enum Outcome {
    case missing
    case removed(YAMLNode)
    case value(Resolved)
  }

  /// The entry in this context; `nil` where its condition keeps it out.
  mutating func resolve(_ entry: Entry, _ layers: [LayerSlot]) -> ResolvedEntry? {
    let slots = layers.map {
      Slot(node: entry.layers[$0.layer].node, isSource: $0.isSource, isInChain: $0.isInChain)
    }
    let shape = entry.datatype.shape
    // A catalog's key `when` is a text like any other.
    guard case .admitted(let condition) = shape.isCatalog ? .admitted(nil) : admission(slots) else {
      return nil
    }
    let members = object(slots, shape, isLocalized: false, isConditional: !shape.isCatalog, at: nil)
    return ResolvedEntry(members: members, condition: condition)
  }

  // MARK: Conditions

  enum Admission {
    case refused
    case admitted(Condition?)
  }

  /// What the most specific `when` says of this context; an overlay's replaces the whole.
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

  /// One field of the entry itself, from the layers that have it, the most specific first, and what
  /// is wrong with it.
  mutating func member(
    _ field: Field, _ values: [Slot]
  ) -> (value: Resolved?, problems: [(problem: ResolutionProblem, place: YAMLNode?)]) {
    problems = []
    let outcome = self.outcome(of: field, values, isLocalized: field.isLocalized, at: nil)
    if case .value(let value) = outcome { return (value, problems) }
    return (nil, problems)
  }

  /// A declared field's value or default; what is required and not there is noted.
  private mutating func outcome(
    of field: Field, _ values: [Slot], isLocalized: Bool, at place: YAMLNode?
  ) -> Outcome {
    steps.append(.key(field.name))
    defer { steps.removeLast() }
    var outcome = self.field(field, values, isLocalized: isLocalized)
    if case .missing = outcome, let node = field.defaultValue {
      let slot = Slot(node: node, isSource: true, isInChain: true)
      outcome = self.field(field, [slot], isLocalized: true)
    }
    report(outcome, field, at: place)
    return outcome
  }

  private mutating func object(
    _ slots: [Slot], _ shape: ObjectShape, isLocalized: Bool, isConditional: Bool,
    at place: YAMLNode?
  ) -> [Resolved.Member] {
    var members: [Resolved.Member] = []
    for field in shape.fields {
      let values = slots.compactMap { slot in slot.node[field.name].map(slot.with) }
      let outcome = self.outcome(
        of: field, values, isLocalized: isLocalized || field.isLocalized, at: place)
      if case .value(let value) = outcome {
        members.append(Resolved.Member(key: field.name, value: value))
      }
    }
    if shape.isOpen {
      members += free(slots.filter(\.isInChain), shape, isConditional: isConditional)
    }
    members.sortByKey()
    return members
  }

  private mutating func report(_ outcome: Outcome, _ field: Field, at place: YAMLNode?) {
    guard field.isRequired else { return }
    switch outcome {
    case .value: break
    case .missing:
      add(ResolutionProblem(rule: .missing, path: steps.text, field: field.name), at: place)
    case .removed(let node):
      add(ResolutionProblem(rule: .removed, path: steps.text, field: field.name), at: node)
    }
  }

  private mutating func add(_ problem: ResolutionProblem, at node: YAMLNode?) {
    problems.append((problem, node))
  }

  /// The members of an open mapping that no field declares, in any order.
  private mutating func free(_ slots: [Slot], _ shape: ObjectShape, isConditional: Bool)
    -> [Resolved
    .Member]
  {
    let declared = Set(names: shape.fields.map(\.name))
    var members: [Resolved.Member] = []
    for (name, values) in Self.grouped(slots) {
      guard !(isConditional && name == "when"), !declared.contains(name),
        let field = shape.field(name)
      else {
        continue
      }
      steps.append(.key(name))
      defer { steps.removeLast() }
      if case .value(let value) = self.field(field, values, isLocalized: true) {
        members.append(Resolved.Member(key: name, value: value))
      }
    }
    return members
  }

  /// What the slots have under each key, in one walk over all of them: catalogs have thousands of
  /// keys.
  private static func grouped(_ slots: [Slot]) -> [(key: String, values: [Slot])] {
    var places: [YAMLTextKey: Int] = [:]
    var groups: [(key: String, values: [Slot])] = []
    for slot in slots {
      for (key, value) in slot.node.members {
        if let place = places[key.textKey] {
          groups[place].values.append(slot.with(value))
        } else {
          places[key.textKey] = groups.count
          groups.append((key: key.text, values: [slot.with(value)]))
        }
      }
    }
    return groups
  }

  // MARK: Single keys

  /// The value of one key, from the nodes that the layers have for it, the most specific first.
  private mutating func field(_ field: Field, _ values: [Slot], isLocalized: Bool) -> Outcome {
    let isCatalog = if case .catalog = field.kind { true } else { false }
    guard let first = Self.decider(of: values, isLocalized: isLocalized, ignoresNull: isCatalog)
    else {
      return .missing
    }
    if first.node.isNull { return .removed(first.node) }
    let kind = first.node.kind
    if kind == .scalar { return scalar(first.node, field) }
    let all = isCatalog ? values.filter { !$0.node.isNull } : values
    let isDecisive: (Slot) -> Bool = isLocalized ? { $0.isInChain } : { $0.isSource }
    guard kind == .mapping else { return list(all, first, isDecisive, field, isLocalized) }
    let slots = contributing(all, isDecisive, isLocalized) { $0.kind == .mapping }
    return mapping(slots, field, isLocalized, isItem: false)
  }

  /// The slot that says whether there is a value, and of which kind.
  private static func decider(of slots: [Slot], isLocalized: Bool, ignoresNull: Bool) -> Slot? {
    var fallback: Slot?
    for slot in slots where !(ignoresNull && slot.node.isNull) {
      if isLocalized ? slot.isInChain : slot.isSource { return slot }
      if !isLocalized, slot.isInChain, fallback == nil { fallback = slot }
    }
    return fallback
  }

  /// A scalar that alone decides on a field of the entry itself; `nil` where it does not fit.
  func member(_ field: Field, scalar node: YAMLNode) -> Resolved? {
    if case .value(let value) = scalar(node, field) { return value }
    return nil
  }

  private func scalar(_ node: YAMLNode, _ field: Field) -> Outcome {
    if field.surelyTakesText(of: node) {
      return .value(Resolved(shape: .scalar(.string(node.text)), origin: node))
    }
    // A scalar that does not fit was reported when its layer was checked.
    guard let scalar = try? FieldCheck.convert(node, as: field) else { return .missing }
    switch scalar {
    case .value(let value): return .value(Resolved(shape: .scalar(value), origin: node))
    case .link(let id): return .value(Resolved(shape: .link(id), origin: node))
    case .address(let text): return .value(Resolved(shape: .address(text), origin: node))
    case .asset(let path): return .value(Resolved(shape: .asset(path), origin: node))
    }
  }

  /// The slots that merge into one: decisive ones up to the first of another kind, which replaces
  /// all below it, and for a field that is not localized what locale overlays add to its parts.
  private func contributing(
    _ slots: [Slot], _ isDecisive: (Slot) -> Bool, _ isLocalized: Bool, _ merges: (YAMLNode) -> Bool
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
    _ slots: [Slot], _ field: Field, _ isLocalized: Bool, isItem: Bool
  ) -> Outcome {
    guard let origin = slots.first?.node else { return .missing }
    let members: [Resolved.Member]
    switch field.kind {
    case .object(let shape):
      members = object(slots, shape, isLocalized: isLocalized, isConditional: isItem, at: origin)
    case .map(let item): members = map(slots, item, isLocalized, isItem: isItem)
    case .any, .catalog:
      let isCatalog = if case .catalog = field.kind { true } else { false }
      let shape = ObjectShape(fields: [], isOpen: true, isCatalog: isCatalog)
      let found = free(slots, shape, isConditional: isItem && !isCatalog)
      members = found.sorted { $0.key.precedesInBytes($1.key) }
    default: return .missing
    }
    return .value(Resolved(shape: .object(members), origin: origin))
  }

  private mutating func map(
    _ slots: [Slot], _ item: Field, _ isLocalized: Bool, isItem: Bool
  ) -> [Resolved.Member] {
    var members: [Resolved.Member] = []
    for (key, values) in Self.grouped(slots) where !(isItem && key == "when") {
      steps.append(.key(key))
      defer { steps.removeLast() }
      let outcome = field(item, values, isLocalized: isLocalized || item.isLocalized)
      if case .value(let value) = outcome {
        members.append(Resolved.Member(key: key, value: value))
      }
    }
    return members.sorted { $0.key.precedesInBytes($1.key) }
  }

  // MARK: Lists

  private mutating func list(
    _ all: [Slot], _ first: Slot, _ isDecisive: (Slot) -> Bool, _ field: Field, _ isLocalized: Bool
  ) -> Outcome {
    let item: Field
    switch field.kind {
    case .list(let declared): item = declared
    case .any, .catalog: item = Field(name: field.name, kind: field.kind, isLocalized: true)
    default: return .missing
    }
    let isLocalized = isLocalized || item.isLocalized
    let isCatalog = if case .catalog = field.kind { true } else { false }
    var items: [Resolved] = []
    if !isCatalog, first.node.hasIdentifiedItems {
      let lists = contributing(all, isDecisive, isLocalized) {
        $0.kind == .sequence && $0.hasIdentifiedItems
      }
      items = merged(lists, isDecisive, item, isLocalized)
    } else {
      for (index, node) in first.node.items.enumerated() {
        let value = self.item(
          [first.with(node)], item, isLocalized, .item(index), isCatalog: isCatalog)
        if let value { items.append(value) }
      }
    }
    return .value(Resolved(shape: .list(items), origin: first.node))
  }

  /// Lists whose items all have an id: matched items merge, the base's order stands, new ones
  /// follow in the overlay's.
  private mutating func merged(
    _ lists: [Slot], _ isDecisive: (Slot) -> Bool, _ item: Field, _ isLocalized: Bool
  ) -> [Resolved] {
    var groups = ItemGroups()
    for list in lists.reversed() where isDecisive(list) {
      for node in list.node.items { groups.begin(node) }
    }
    for list in lists {
      for node in list.node.items { groups.add(list.with(node)) }
    }
    return groups.all.compactMap { group in
      self.item(group.slots, item, isLocalized, .identified(group.id), isCatalog: false)
    }
  }

  /// One item, or none where its condition keeps it out.
  private mutating func item(
    _ slots: [Slot], _ item: Field, _ isLocalized: Bool, _ step: Step, isCatalog: Bool
  ) -> Resolved? {
    guard let first = slots.first else { return nil }
    steps.append(step)
    defer { steps.removeLast() }
    if first.node.kind == .mapping, !isCatalog {
      guard case .admitted(let condition) = admission(slots) else { return nil }
      guard case .value(var value) = mapping(slots, item, isLocalized, isItem: true) else {
        return nil
      }
      value.condition = condition
      if let condition, let when = slots.lazy.compactMap({ $0.node["when"] }).first {
        value.addDates(of: condition, from: when)
      }
      return value
    }
    if isCatalog, first.node.kind == .scalar, first.node.isNull {
      return Resolved(shape: .scalar(.string("")), origin: first.node)
    }
    let slot = Slot(node: first.node, isSource: true, isInChain: true)
    if case .value(let value) = field(item, [slot], isLocalized: true) { return value }
    return nil
  }
}

extension [Resolved.Member] {
  /// Puts members in order of keys; mostly there are few.
  fileprivate mutating func sortByKey() {
    guard count <= 32 else { return sort { $0.key.precedesInBytes($1.key) } }
    for index in indices.dropFirst() {
      var place = index
      while place > 0, self[place].key.precedesInBytes(self[place - 1].key) {
        swapAt(place, place - 1)
        place -= 1
      }
    }
  }
}

extension [Resolver.Step] {
  /// As in `badges[new].label`.
  fileprivate var text: String {
    reduce("") { text, step in
      switch step {
      case .key(let key): text.isEmpty ? key : "\(text).\(key)"
      case .item(let index): "\(text)[\(index)]"
      case .identified(let id): "\(text)[\(id.text)]"
      }
    }
  }
}

extension Field {
  /// Whether it takes any text as it is, and the node's is within its limits, as far as the count
  /// of bytes tells.
  fileprivate func surelyTakesText(of node: YAMLNode) -> Bool {
    switch kind {
    case .string, .text: break
    default: return false
    }
    guard limits.pattern == nil else { return false }
    let count = node.withTextBytes(\.count)
    // A scalar of Unicode has one to four bytes.
    return count >= 4 * (limits.minimumLength ?? 0) && count <= limits.maximumLength ?? .max
  }
}
