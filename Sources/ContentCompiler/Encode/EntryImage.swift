import ContentModel
import ContentSource
import PropertyLists

/// An entry in all its ways, ready to be put into bundles: what every reader of a value gets alike is encoded once.
///
/// A class, since the rows of many bundles share it.
final class EntryImage: Sendable {
  let id: String
  let datatype: Datatype
  let resolution: EntryResolution
  /// Whether all devices of a locale see the same, wherever they are and whenever.
  let isShared: Bool
  /// What the places below lead into; empty where the bundle is no binary property list.
  let fragments: BinaryFragments
  /// By key: its fragment.
  let keys: [BinaryFragments.Place]
  /// By value of the resolution: its fragment; `nil` where circumstances decide, or a projection leaves it out.
  let values: [BinaryFragments.Place?]
  let idPlace: BinaryFragments.Place
  let datatypePlace: BinaryFragments.Place
  let ttlPlace: BinaryFragments.Place?
  /// By variant: the places, among the resolution's values, of what it shows, in order of keys.
  private let shown: [[Int32]]

  /// A resolved entry, made ready for a selection's bundles.
  ///
  /// - Throws: what the format cannot carry.
  init(
    of entry: Int, _ resolution: EntryResolution, _ selection: Selection, plan: ResolutionPlan,
    _ evaluation: Evaluation
  ) throws(PropertyListEncodingError) {
    let id = plan.tree.entries[entry].id.text
    let datatype = plan.tree.entries[entry].datatype
    (self.id, self.datatype, self.resolution) = (id, datatype, resolution)
    let isFixed =
      resolution.variants.allSatisfy { $0.map { $0.condition == nil } ?? true }
      && !resolution.values.contains(where: \.isConditional)
    isShared = isFixed && plan.isSameOnAllDevices(entry)
    let fields = selection.projections?[datatype.name]
    let isShown = resolution.keys.map { key in fields?.contains { $0.hasSameBytes(as: key) } ?? true }
    shown = resolution.variants.map { variant in
      let values = variant?.values ?? []
      return isShown.contains(false) ? values.filter { isShown[resolution.values[Int($0)].keyPlace] } : values
    }

    var fragments = BinaryFragments()
    idPlace = fragments.append(word: id)
    datatypePlace = fragments.append(word: datatype.name)
    ttlPlace = try datatype.ttl.map { seconds throws(PropertyListEncodingError) in
      try fragments.append(.integer(Int64(seconds.seconds)))
    }
    keys = resolution.keys.map { fragments.append(word: $0) }
    values = try resolution.values.map { value throws(PropertyListEncodingError) -> BinaryFragments.Place? in
      guard let resolved = value.value, !value.isConditional, isShown[value.keyPlace],
        selection.bundle.format == .binary
      else { return nil }
      do throws(PropertyListEncodingError) { return try fragments.append(evaluation.value(resolved)) } catch {
        throw Self.error(error, in: value.key, of: id)
      }
    }
    self.fragments = fragments
  }

  /// An error of a value, seen from the bundle.
  func error(_ error: PropertyListEncodingError, in key: String) -> PropertyListEncodingError {
    Self.error(error, in: key, of: id)
  }

  private static func error(
    _ error: PropertyListEncodingError, in key: String, of id: String
  ) -> PropertyListEncodingError {
    error.inside(key).inside("content").inside(id).inside("entries")
  }

  /// What a variant's readers must meet; `nil` where the entry is for all of them.
  func condition(_ variant: Int) -> Condition? { resolution.variants[variant]?.condition }

  /// The places, among the resolution's values, of what a variant shows, in order of keys.
  func shown(_ variant: Int) -> [Int32] { shown[variant] }

  /// The conditions of what a variant shows: the entry's own, and those of items of lists.
  func conditions(_ variant: Int) -> [Condition] {
    var found = [condition(variant)].compactMap(\.self)
    for place in shown(variant).map(Int.init) where resolution.values[place].isConditional {
      resolution.values[place].value?.forEachValue { if let condition = $0.condition { found.append(condition) } }
    }
    return found
  }

  /// A variant's content as a value.
  func content(_ variant: Int, _ evaluation: Evaluation) -> Value {
    .dictionary(
      Members(
        shown(variant).compactMap { place in
          let value = resolution.values[Int(place)]
          return value.value.map { (value.key, evaluation.value($0)) }
        }))
  }

  /// The value of one field, whatever the projection lets through.
  func value(of field: String, _ variant: Int, _ evaluation: Evaluation) -> Value? {
    (resolution.variants[variant]?.values ?? []).lazy.map { self.resolution.values[Int($0)] }.first {
      $0.key.hasSameBytes(as: field)
    }?.value
      .map(evaluation.value)
  }
}

extension ResolutionPlan {
  /// Whether the device makes no difference to an entry, in any locale.
  fileprivate func isSameOnAllDevices(_ entry: Int) -> Bool {
    let byContext = entries[entry].byContext
    return order.contexts.indices.dropFirst().allSatisfy { context in
      order.contexts[context].locale != order.contexts[context - 1].locale
        || byContext[context] == byContext[context - 1]
    }
  }
}
