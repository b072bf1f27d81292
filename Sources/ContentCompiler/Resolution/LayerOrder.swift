package import ContentModel
package import ContentSource

/// The order in which each context consults the layers of an entry.
///
/// The order is by locale, along the chain, and within a locale by device, up the tree of devices.
package struct LayerOrder: Sendable {
  package let contexts: [Context]
  private let locales: LocaleSet
  private let localeIndex: [LocaleTag: Int]
  private let deviceIndex: [ExactString: Int]
  /// By context: the kinds of layers that it consults, the most specific first.
  private let consulted: [[Kind]]

  /// The locale and device of a layer as one number; 0 for a part that the file's name omits.
  private struct Kind {
    var number: Int
    /// `true` if the locale is in the context's chain; a context takes only unlocalized fields from
    /// other layers.
    var isInChain: Bool
  }

  init(locales: LocaleSet, devices: DeviceTree) {
    self.locales = locales
    contexts = Context.all(locales: locales, devices: devices)
    let localeIndex = Dictionary(locales.reachable.enumerated().map { ($1, $0 + 1) }) { first, _ in
      first
    }
    let deviceIndex = Dictionary(firstOf: devices.names.enumerated().map { ($1, $0 + 1) })
    (self.localeIndex, self.deviceIndex) = (localeIndex, deviceIndex)
    consulted = contexts.map { context in
      var kinds: [Kind] = []
      func append(locale: Int, device: Int, isInChain: Bool) {
        let number = locale * (deviceIndex.count + 1) + device
        if !kinds.contains(where: { $0.number == number }) {
          kinds.append(Kind(number: number, isInChain: isInChain))
        }
      }
      let devices = context.ancestry.map { deviceIndex[$0] ?? 0 } + [0]
      for locale in context.chain {
        // For each device, a file that names the source locale precedes a file without a locale.
        let sources =
          locale == locales.source ? [localeIndex[locale] ?? 0, 0] : [localeIndex[locale] ?? 0]
        for device in devices {
          for locale in sources { append(locale: locale, device: device, isInChain: true) }
        }
      }
      for device in devices { append(locale: 0, device: device, isInChain: false) }
      return kinds
    }
  }

  /// The layers that a context consults, the most specific first.
  package func slots(of entry: Entry, in context: Int) -> [LayerSlot] {
    slots(of: entry, LayersByKind(kinds(of: entry)[...], count: kindCount), in: context)
  }

  private var kindCount: Int { (localeIndex.count + 1) * (deviceIndex.count + 1) }

  private func kinds(of entry: Entry) -> [Int] {
    entry.layers.map { layer in
      (layer.locale.flatMap { localeIndex[$0] } ?? 0) * (deviceIndex.count + 1)
        + (layer.device.flatMap { deviceIndex[$0] } ?? 0)
    }
  }

  private func slots(of entry: Entry, _ layers: LayersByKind, in context: Int) -> [LayerSlot] {
    var slots: [LayerSlot] = []
    for kind in consulted[context] {
      layers.forEach(of: kind.number) { layer in
        let own = entry.layers[layer].locale
        slots.append(
          LayerSlot(
            layer: layer, isSource: own == nil, isInChain: kind.isInChain,
            isOwn: entry.hasPlurals && own ?? locales.source == contexts[context].locale))
      }
    }
    return slots
  }

  /// Returns the distinct variants of an entry, and the variant of each context.
  package func plan(_ entry: Entry) -> EntryPlan {
    var known: [[Int]: EntryPlan] = [:]
    return plan(entry, for: contexts.map { _ in true }, known: &known)
  }

  /// Returns the distinct variants of an entry, and the variant of each wanted context.
  ///
  /// Entries with the same kinds of layers share a plan through `known`.
  package func plan(
    _ entry: Entry, for isWanted: [Bool], known: inout [[Int]: EntryPlan]
  ) -> EntryPlan {
    let kinds = kinds(of: entry) + (entry.hasPlurals ? [-1] : [])
    if entry.contextConditions.isEmpty, let plan = known[kinds] { return plan }
    let layers = LayersByKind(entry.hasPlurals ? kinds.dropLast() : kinds[...], count: kindCount)
    var plan = EntryPlan(variants: [], byContext: [])
    var places: [EntryVariant.Signature: Int32] = [:]
    for index in contexts.indices {
      guard isWanted[index] else {
        plan.byContext.append(nil)
        continue
      }
      let slots = slots(of: entry, layers, in: index)
      let outcomes = entry.contextConditions.map { $0.admits(contexts[index], in: locales) }
      let signature = EntryVariant.Signature(
        slots: slots, outcomes: outcomes, pseudo: locales.pseudo(contexts[index].locale))
      let place = places[signature] ?? Int32(plan.variants.count)
      if place == plan.variants.count {
        places[signature] = place
        plan.variants.append(EntryVariant(slots: slots, context: index))
      }
      plan.byContext.append(place)
    }
    if entry.contextConditions.isEmpty { known[kinds] = plan }
    return plan
  }
}

extension LayerOrder {
  /// Returns `true` if all devices of each locale show the same variant of an entry.
  package func isSameOnAllDevices(_ entry: EntryPlan) -> Bool {
    contexts.indices.dropFirst().allSatisfy { context in
      contexts[context].locale != contexts[context - 1].locale
        || entry.byContext[context] == entry.byContext[context - 1]
    }
  }

  /// The contexts of each locale, in order.
  package var localeGroups: [[Int]] {
    contexts.indices.reduce(into: []) { groups, context in
      if let last = groups.last?.last, contexts[last].locale == contexts[context].locale {
        groups[groups.count - 1].append(context)
      } else {
        groups.append([context])
      }
    }
  }
}

/// The layers of an entry by kind, as linked lists in one array.
private struct LayersByKind {
  /// The last layer of each kind; -1 if there is none.
  private var last: [Int32]
  /// The layer of the same kind before each layer.
  private var previous: [Int32]

  init(_ kinds: ArraySlice<Int>, count: Int) {
    last = Array(repeating: -1, count: count)
    previous = []
    for (layer, kind) in kinds.enumerated() {
      previous.append(last[kind])
      last[kind] = Int32(layer)
    }
  }

  /// Calls back for each layer of a kind, the last one first.
  ///
  /// Several files of a catalog can have the same kind. A key in a later file wins.
  func forEach(of kind: Int, _ body: (Int) -> Void) {
    var layer = last[kind]
    while layer >= 0 {
      body(Int(layer))
      layer = previous[Int(layer)]
    }
  }
}

/// A layer that a context consults.
package struct LayerSlot: Hashable, Sendable {
  /// The index of the layer in the entry.
  package var layer: Int
  /// `true` for a layer of the source locale's files, which have the unlocalized fields.
  package var isSource: Bool
  /// `true` if the layer's locale is in the context's chain, which decides on localized fields.
  package var isInChain: Bool
  /// `true` if the layer's locale is that of the context, and the entry has plurals.
  ///
  /// A plural names its locale if this is not the locale of the context.
  package var isOwn: Bool
}

/// A variant of an entry, shared by the contexts that consult the same layers.
package struct EntryVariant: Sendable {
  struct Signature: Hashable {
    var slots: [LayerSlot]
    var outcomes: [Bool]
    /// The pseudo-locale that the texts are made for.
    var pseudo: PseudoLocale?
  }

  package var slots: [LayerSlot]
  /// The first context of the variant; all conditions have the same result in the others.
  package var context: Int
}
