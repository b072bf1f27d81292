import ContentModel
import ContentSource

/// In which order each context consults an entry's layers.
///
/// The order is the design's: locale first, along the chain, and within one locale device first, up its tree.
struct LayerOrder: Sendable {
  let contexts: [Context]
  private let localeIndex: [LocaleTag: Int]
  private let deviceIndex: [String: Int]
  private let tables: [RankTable]

  init(locales: LocaleSet, devices: DeviceTree) {
    contexts = Context.all(locales: locales, devices: devices)
    let localeIndex = Dictionary(locales.reachable.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
    let deviceIndex = Dictionary(devices.names.enumerated().map { ($1, $0 + 1) }) { first, _ in first }
    (self.localeIndex, self.deviceIndex) = (localeIndex, deviceIndex)
    tables = contexts.map { context in
      var table = RankTable(locales: localeIndex.count + 1, devices: deviceIndex.count + 1)
      let devices = context.ancestry.map { deviceIndex[$0] ?? 0 } + [0]
      for locale in context.chain {
        // A file that names the source locale is more specific than one that names none, device by device.
        let sources = locale == locales.source ? [localeIndex[locale] ?? 0, 0] : [localeIndex[locale] ?? 0]
        for device in devices { for locale in sources { table.append(locale: locale, device: device) } }
      }
      table.endChain()
      for device in devices { table.append(locale: 0, device: device) }
      return table
    }
  }

  /// The layers that a context consults, the most specific first.
  func slots(of entry: Entry, in context: Int) -> [LayerSlot] {
    slots(of: entry, keys: keys(of: entry), in: context)
  }

  private func keys(of entry: Entry) -> [Int] {
    entry.layers.map { layer in
      (layer.locale.flatMap { localeIndex[$0] } ?? 0) * (deviceIndex.count + 1)
        + (layer.device.flatMap { deviceIndex[$0] } ?? 0)
    }
  }

  private func slots(of entry: Entry, keys: [Int], in context: Int) -> [LayerSlot] {
    var ranked: [(rank: Int32, layer: Int)] = []
    for (layer, key) in keys.enumerated() {
      if let rank = tables[context].ranks[key] { ranked.append((rank, layer)) }
    }
    // Files of one catalog and locale have one rank; the later one wins, as the later of two keys does.
    ranked.sort { ($0.rank, $1.layer) < ($1.rank, $0.layer) }
    return ranked.map {
      LayerSlot(
        layer: $0.layer, isSource: entry.layers[$0.layer].locale == nil, isInChain: $0.rank < tables[context].chainEnd)
    }
  }

  /// An entry's distinct ways to be resolved, and which of them each context uses.
  func plan(_ entry: Entry, locales: LocaleSet) -> (variants: [EntryVariant], byContext: [Int32]) {
    let keys = keys(of: entry)
    var variants: [EntryVariant] = []
    var places: [EntryVariant.Signature: Int32] = [:]
    let byContext = contexts.indices.map { index -> Int32 in
      let slots = slots(of: entry, keys: keys, in: index)
      let outcomes = entry.contextConditions.map { $0.admits(contexts[index], in: locales) }
      let signature = EntryVariant.Signature(slots: slots, outcomes: outcomes)
      if let place = places[signature] { return place }
      let place = Int32(variants.count)
      places[signature] = place
      variants.append(EntryVariant(slots: slots, context: index))
      return place
    }
    return (variants, byContext)
  }
}

/// The ranks of all kinds of layer in one context; index 0 is what a file's name leaves out.
private struct RankTable: Sendable {
  /// By locale, then device; `nil` where such a layer is not consulted.
  private(set) var ranks: [Int32?]
  /// The first rank of layers in which only fields that are not localized are looked up.
  private(set) var chainEnd: Int32 = 0
  private let devices: Int
  private var next: Int32 = 0

  init(locales: Int, devices: Int) {
    ranks = Array(repeating: nil, count: locales * devices)
    self.devices = devices
  }

  mutating func append(locale: Int, device: Int) {
    guard ranks[locale * devices + device] == nil else { return }
    (ranks[locale * devices + device], next) = (next, next + 1)
  }

  mutating func endChain() { chainEnd = next }
}

/// A layer in the order of a context.
struct LayerSlot: Hashable, Sendable {
  /// Its place in the entry.
  var layer: Int
  /// Whether it belongs to the source locale's files, in which fields that are not localized are looked up.
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
