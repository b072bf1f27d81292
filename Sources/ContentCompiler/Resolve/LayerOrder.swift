import ContentModel
import ContentSource

/// In which order each context consults an entry's layers.
///
/// The order is that of docs/content.md, "Selection of values": locale first, along the chain, and
/// within one locale device first, up its tree.
struct LayerOrder: Sendable {
  let contexts: [Context]
  private let locales: LocaleSet
  private let localeIndex: [LocaleTag: Int]
  private let deviceIndex: [ExactString: Int]
  /// By context: the kinds of layer that it consults, the most specific first.
  private let consulted: [[Kind]]

  /// A layer's locale and device as one number; 0 in either is what a file's name leaves out.
  private struct Kind {
    var number: Int
    /// Whether its locale stands in the context's chain; in the others only fields that are not
    /// localized are looked up.
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
        // A file that names the source locale is more specific than one that names none, device by
        // device.
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
  func slots(of entry: Entry, in context: Int) -> [LayerSlot] {
    slots(of: entry, LayersByKind(kinds(of: entry), count: kindCount), in: context)
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
        slots.append(
          LayerSlot(
            layer: layer, isSource: entry.layers[layer].locale == nil, isInChain: kind.isInChain))
      }
    }
    return slots
  }

  /// An entry's distinct ways to be resolved, and which of them each context uses.
  ///
  /// Entries with the same kinds of layer share theirs through `known`. Contexts that are not
  /// wanted have none.
  func plan(
    _ entry: Entry, for isWanted: [Bool], known: inout [[Int]: EntryPlan]
  ) -> EntryPlan {
    let kinds = kinds(of: entry)
    if entry.contextConditions.isEmpty, let plan = known[kinds] { return plan }
    let layers = LayersByKind(kinds, count: kindCount)
    var plan = EntryPlan(variants: [], byContext: [])
    var places: [EntryVariant.Signature: Int32] = [:]
    for index in contexts.indices {
      guard isWanted[index] else {
        plan.byContext.append(nil)
        continue
      }
      let slots = slots(of: entry, layers, in: index)
      let outcomes = entry.contextConditions.map { $0.admits(contexts[index], in: locales) }
      let signature = EntryVariant.Signature(slots: slots, outcomes: outcomes)
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
  /// Whether the device makes no difference to an entry, in any locale.
  func isSameOnAllDevices(_ entry: EntryPlan) -> Bool {
    contexts.indices.dropFirst().allSatisfy { context in
      contexts[context].locale != contexts[context - 1].locale
        || entry.byContext[context] == entry.byContext[context - 1]
    }
  }

  /// The contexts of each locale, in order.
  var localeGroups: [[Int]] {
    contexts.indices.reduce(into: []) { groups, context in
      if let last = groups.last?.last, contexts[last].locale == contexts[context].locale {
        groups[groups.count - 1].append(context)
      } else {
        groups.append([context])
      }
    }
  }
}

/// An entry's layers by the number of their kind, as chains through one array.
private struct LayersByKind {
  /// The last layer of each kind; -1 where there is none.
  private var last: [Int32]
  /// The layer of the same kind before each layer.
  private var previous: [Int32]

  init(_ kinds: [Int], count: Int) {
    last = Array(repeating: -1, count: count)
    previous = []
    for (layer, kind) in kinds.enumerated() {
      previous.append(last[kind])
      last[kind] = Int32(layer)
    }
  }

  /// Files of one catalog and locale are of one kind; the later one comes first, as the later of
  /// two keys wins.
  func forEach(of kind: Int, _ body: (Int) -> Void) {
    var layer = last[kind]
    while layer >= 0 {
      body(Int(layer))
      layer = previous[Int(layer)]
    }
  }
}

/// A layer in the order of a context.
struct LayerSlot: Hashable, Sendable {
  /// Its place in the entry.
  var layer: Int
  /// Whether it belongs to the source locale's files, in which fields that are not localized are
  /// looked up.
  var isSource: Bool
  /// Whether its locale stands in the context's chain, along which localized fields are looked up.
  var isInChain: Bool
}

/// One way to resolve an entry, which all contexts share that consult the same layers.
struct EntryVariant: Sendable {
  struct Signature: Hashable {
    var slots: [LayerSlot]
    var outcomes: [Bool]
  }

  var slots: [LayerSlot]
  /// The first context that uses it; for the others, all that resolution asks has the same answer.
  var context: Int
}
