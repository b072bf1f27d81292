package import ContentModel
import ContentSource
package import YAML

/// An entry resolved in all its variants.
///
/// Each field is resolved once for each set of layers that decides it. Contexts in which the same
/// layers decide share the result.
package struct EntryResolution: Sendable {
  /// The result of resolving one field from some layers.
  package struct FieldValue: Sendable {
    package var key: ExactString
    /// The index of the key in `keys`.
    package var keyPlace: Int
    /// The value; `nil` if the field has none.
    package var value: Resolved?
    /// The problems in order of discovery.
    package var problems: [(problem: ResolutionProblem, place: YAMLNode?)]
    /// `true` if the value has a list with an item that depends on country, version or an embargo.
    package var isConditional: Bool
    /// `true` if the value has a list with an item whose dates readers apply.
    package var hasDates: Bool
  }

  /// An entry as some contexts see it.
  package struct Variant: Sendable {
    /// The condition on country, version and time; locale and device are already decided.
    package var condition: Condition?
    /// The indices of the variant's values in `values`, in order of keys.
    package var values: [Int32]
    /// The same indices, in the order of diagnostics.
    package var reported: [Int32]
  }

  /// The keys in order.
  package private(set) var keys: [ExactString] = []
  package private(set) var values: [FieldValue] = []
  /// The variants; `nil` where a condition excludes the entry.
  package private(set) var variants: [Variant?] = []

  /// Resolves an entry in each of its variants.
  init(
    of entry: Entry, _ variants: [EntryVariant], contexts: [Context], conditions: ConditionReader
  ) {
    // Without readable locales, a project has no contexts.
    guard let first = variants.first else { return }
    var decisions = FieldDecisions(entry, in: contexts[first.context], conditions: conditions)
    self.variants = variants.map { variant in
      decisions.begin(contexts[variant.context])
      guard case .admitted(let condition) = decisions.admission(variant.slots) else { return nil }
      let places = (0..<decisions.keys.count).map { decisions.value(of: $0, in: variant) }
      return Variant(
        condition: condition, values: places.filter { decisions.values[Int($0)].value != nil },
        reported: decisions.keys.reportOrder.map { places[$0] })
    }
    values = decisions.values
    keys = decisions.keys.fields.map(\.name)
  }

  /// The resolution with the values of some fields, and without problems.
  package func keeping(_ fields: [ExactString]) -> EntryResolution {
    var kept = EntryResolution()
    if !fields.isEmpty {
      kept.values = values.map { value in
        if fields.contains(value.key) { return value }
        return FieldValue(
          key: value.key, keyPlace: value.keyPlace, value: nil, problems: [], isConditional: false,
          hasDates: false)
      }
    }
    kept.variants = variants.map { variant in
      variant.map {
        Variant(condition: $0.condition, values: fields.isEmpty ? [] : $0.values, reported: [])
      }
    }
    return kept
  }

  private init() {}

  /// The geographic place that a field has in all variants.
  ///
  /// Returns `nil` if a variant has no place in the field, or if variants have different places.
  package func position(in field: ExactString) -> Coordinate? {
    var all: Set<Coordinate?> = []
    for variant in variants.compactMap(\.self) {
      let place = variant.values.first { values[Int($0)].key == field }
      all.insert(place.flatMap { values[Int($0)].value?.coordinate })
    }
    return all.count == 1 ? all.first.flatMap(\.self) : nil
  }

  /// The members of one variant, in order of keys.
  package func members(of variant: Variant) -> [Resolved.Member] {
    variant.values.compactMap { place in
      let value = values[Int(place)]
      return value.value.map { Resolved.Member(key: value.key, value: $0) }
    }
  }
}

extension EntryResolution {
  /// Calls `body` for the condition of the entry, and for each value that matters, in each variant.
  private func forEachValue(
    where matters: (FieldValue) -> Bool,
    _ body: (_ condition: Condition?, _ guards: [Condition]) -> Void
  ) {
    // Most entries have no condition and no value that matters, and there are thousands of entries
    // with dozens of variants.
    let hasValues = values.contains(where: matters)
    for variant in variants {
      guard let variant, hasValues || variant.condition != nil else { continue }
      let own = [variant.condition].compactMap(\.self)
      if let condition = variant.condition { body(condition, own) }
      guard hasValues else { continue }
      for place in variant.values where matters(values[Int(place)]) {
        values[Int(place)].value?.forEachValue(within: own) { body($0.condition, $1) }
      }
    }
  }

  /// Collects the moments at which embargoes end, of the entry and of items of lists.
  package func collectEmbargoes(into moments: inout Set<Instant>) {
    forEachValue(where: \.isConditional) { condition, _ in
      if let condition, condition.isEmbargoed, let end = condition.from { moments.insert(end) }
    }
  }

  /// Collects the dates that readers apply, of everything that the build publishes.
  package func collectDates(into moments: inout Set<Instant>, at instant: Instant) {
    forEachValue(where: \.hasDates) { condition, guards in
      guard let condition, !guards.contains(where: { $0.isWithheld(at: instant) }) else { return }
      moments.formUnion([condition.from, condition.until].compactMap(\.self))
    }
  }
}

/// The resolution of fields, with a cache by the layers that decide.
private struct FieldDecisions {
  let keys: EntryKeys
  var resolver: Resolver
  private(set) var values: [EntryResolution.FieldValue] = []

  private let entry: Entry
  private let layerCount: Int
  /// By key and layer: the value if one layer decides alone; -1 if not resolved yet.
  ///
  /// The last column is for keys that no layer decides.
  private var single: [Int32]
  /// By key and deciding layers: the value if several layers decide.
  private var merged: [[UInt32]: Int32] = [:]
  /// By key: the last entry of `merged` that was used.
  private var lastMerged: [(signature: [UInt32], place: Int32)]
  /// By layer: `true` if it has a `when`.
  private let hasCondition: [Bool]

  init(_ entry: Entry, in context: Context, conditions: ConditionReader) {
    self.entry = entry
    keys = EntryKeys(of: entry)
    layerCount = entry.layers.count
    single = Array(repeating: -1, count: keys.count * (layerCount + 1))
    lastMerged = Array(repeating: ([], -1), count: keys.count)
    values.reserveCapacity(keys.count + 2 * layerCount)
    let isCatalog = entry.datatype.shape.isCatalog
    hasCondition = entry.layers.map { !isCatalog && $0.node["when"] != nil }
    resolver = Resolver(entry, in: context, conditions: conditions)
  }

  /// Begins to resolve values for a context.
  ///
  /// Values of a pseudo-locale are made from the same layers as other values, so the cache is
  /// emptied between them. The contexts of one pseudo-locale follow one another.
  mutating func begin(_ context: Context) {
    let before = resolver.pseudo
    resolver.context = context
    guard resolver.pseudo != before else { return }
    for place in single.indices { single[place] = -1 }
    merged = [:]
    lastMerged = Array(repeating: ([], -1), count: keys.count)
  }

  /// The result of the most specific `when`; the key `when` of a catalog is an ordinary text.
  func admission(_ slots: [LayerSlot]) -> Resolver.Admission {
    guard let slot = slots.first(where: { hasCondition[$0.layer] }) else { return .admitted(nil) }
    return resolver.admission([self.slot(of: entry.layers[slot.layer].node, in: slot)])
  }

  private func slot(of node: YAMLNode, in slot: LayerSlot) -> Resolver.Slot {
    Resolver.Slot(
      node: node, isSource: slot.isSource, isInChain: slot.isInChain, layer: slot.layer)
  }

  /// Returns the index of the value that a variant has for a key.
  mutating func value(of key: Int, in variant: EntryVariant) -> Int32 {
    let decider = self.decider(of: key, in: variant.slots)
    let isContainer =
      decider.map { keys.cell(key, in: $0) == .container } ?? (keys.fields[key].defaultValue != nil)
    if isContainer { return mergedValue(of: key, in: variant) }
    let place = key * (layerCount + 1) + (decider ?? layerCount)
    if single[place] < 0 {
      if let decider, keys.cell(key, in: decider) == .scalar,
        let node = keys.node(key, in: decider),
        let value = resolver.member(keys.fields[key], scalar: node)
      {
        single[place] = add(value, for: key, problems: [])
      } else {
        single[place] = resolve(
          key, from: variant.slots.filter { decider != nil && $0.layer == decider })
      }
    }
    return single[place]
  }

  /// The layer that decides on the presence and the kind of a value.
  private func decider(of key: Int, in slots: [LayerSlot]) -> Int? {
    let field = keys.fields[key]
    let isLocalized = field.isLocalized
    let ignoresNull = if case .catalog = field.kind { true } else { false }
    var fallback: Int?
    for slot in slots {
      switch keys.cell(key, in: slot.layer) {
      case .nothing: continue
      case .null where ignoresNull: continue
      case .null, .scalar, .container: break
      }
      if isLocalized ? slot.isInChain : slot.isSource { return slot.layer }
      if !isLocalized, slot.isInChain, fallback == nil { fallback = slot.layer }
    }
    return fallback
  }

  private mutating func mergedValue(of key: Int, in variant: EntryVariant) -> Int32 {
    var signature = [UInt32(key)]
    signature.reserveCapacity(16)
    for slot in variant.slots where keys.cell(key, in: slot.layer) != .nothing {
      let role = (slot.isOwn ? 4 : 0) | (slot.isSource ? 2 : 0) | (slot.isInChain ? 1 : 0)
      signature.append(UInt32(slot.layer) << 3 | UInt32(role))
    }
    // A default of the schema is a text in the source language. In other locales, it is a foreign
    // text.
    if entry.hasPlurals {
      signature.append(resolver.context.locale == resolver.conditions.locales.source ? 1 : 0)
    }
    // With the same layers, a condition on locale or device can still decide differently.
    if !entry.contextConditions.isEmpty { signature.append(.max - UInt32(variant.context)) }
    if lastMerged[key].signature == signature { return lastMerged[key].place }
    let place = merged[signature] ?? resolve(key, from: variant.slots)
    merged[signature] = place
    lastMerged[key] = (signature, place)
    return place
  }

  private mutating func resolve(_ key: Int, from slots: [LayerSlot]) -> Int32 {
    let field = keys.fields[key]
    let found = slots.compactMap { slot in
      keys.node(key, in: slot.layer).map { self.slot(of: $0, in: slot) }
    }
    let (value, problems) = resolver.member(field, from: found)
    return add(value, for: key, problems: problems)
  }

  private mutating func add(
    _ value: Resolved?, for key: Int, problems: [(problem: ResolutionProblem, place: YAMLNode?)]
  ) -> Int32 {
    var (isConditional, hasDates) = (false, false)
    value?.forEachItem { item in
      guard let condition = item.condition else { return }
      isConditional = isConditional || condition.isDecidedByBuild
      hasDates = hasDates || condition.from != nil || condition.until != nil
    }
    values.append(
      EntryResolution.FieldValue(
        key: keys.fields[key].name, keyPlace: key, value: value, problems: problems,
        isConditional: isConditional,
        hasDates: hasDates))
    return Int32(values.count - 1)
  }
}

extension Condition {
  /// `true` if the build applies the condition, and not the reader.
  fileprivate var isDecidedByBuild: Bool { countries != nil || versions != nil || isEmbargoed }
}
