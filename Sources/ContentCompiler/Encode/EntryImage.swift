import ContentModel
import ContentSource
import PropertyLists

/// An entry in all its variants, encoded for the bundles of a selection.
///
/// Values that all readers get alike are encoded once. A class, since the rows of many contexts
/// share it.
final class EntryImage: Sendable {
  /// The entry of an image.
  struct Subject: Sendable {
    let entryID: EntryID
    let datatype: Datatype
    let resolution: EntryResolution

    var id: String { entryID.text }

    /// The entry with the values of some fields only.
    func keeping(_ fields: [ExactString]) -> Subject {
      Subject(entryID: entryID, datatype: datatype, resolution: resolution.keeping(fields))
    }

    /// An error in a value, with its key path in the bundle.
    func error(_ error: PropertyListEncodingError, inValueAt place: Int)
      -> PropertyListEncodingError
    {
      error.inside(resolution.values[place].key.text).inside("content").inside(id).inside("entries")
    }
  }

  /// The entry, without encoded values that the bundle is not sorted by.
  let subject: Subject
  /// The entry for binary bundles.
  let binary: BinaryImage
  /// The entry for bundles in a text format.
  let text: TextImage
  /// `true` if the entry does not depend on country, version or time.
  let isFixed: Bool
  /// `true` if the entry is fixed, and all devices of a locale show the same.
  let isShared: Bool
  /// The places of shown values in the resolution, variant by variant, each in order of keys.
  private let shown: [Int32]
  /// By variant: the end of its places in `shown`.
  private let shownEnds: [Int]
  /// The variant of each context; `nil` where a condition excludes the entry.
  let byContext: [Int32?]
  /// The fields that the projection lets through; `nil` for all.
  private let fields: [ExactString]?
  /// The place by which the bundle is split; `nil` for another bundle, and if the entry has no
  /// place, or several.
  let position: Coordinate?

  var id: String { subject.id }
  var datatype: Datatype { subject.datatype }
  var resolution: EntryResolution { subject.resolution }

  /// Encodes a resolved entry for the bundles of a selection.
  ///
  /// If the entry is fixed, `isShared` is true if all devices of a locale show the same.
  ///
  /// - Throws: an error for a value that the format cannot carry.
  init(
    of entry: Entry, _ resolution: EntryResolution, for selection: Selection,
    byContext: [Int32?], isShared: Bool, evaluation: Evaluation
  ) throws(PropertyListEncodingError) {
    self.byContext = byContext
    let datatype = entry.datatype
    let whole = Subject(entryID: entry.id, datatype: datatype, resolution: resolution)
    let fields = selection.projections?[datatype.name]
    self.fields = fields
    position = selection.placeField.flatMap { resolution.position(in: $0) }
    let isShown = resolution.keys.map { fields?.contains($0) ?? true }
    let showsAll = !isShown.contains(false)
    var shown: [Int32] = []
    shownEnds = resolution.variants.map { variant in
      let values = variant?.values ?? []
      shown += showsAll ? values : values.filter { isShown[resolution.values[Int($0)].keyPlace] }
      return shown.count
    }
    self.shown = shown
    let isConditional = resolution.values.map(\.isConditional)
    let hasCondition = resolution.variants.contains { $0?.condition != nil }
    isFixed = !hasCondition && !isConditional.contains(true)
    self.isShared = isFixed && isShared
    let isWanted = resolution.values.indices.map { place in
      !isConditional[place] && isShown[resolution.values[place].keyPlace]
    }
    let isBinary = evaluation.format == .binary
    binary =
      isBinary ? try BinaryImage(of: whole, isWanted: isWanted, evaluation: evaluation) : .none
    text = isBinary ? .none : try TextImage(of: whole, isWanted: isWanted, evaluation: evaluation)
    // The values of startup bundles are also written into indexes.
    let isEncoded = isFixed && !selection.bundle.isStartup
    subject = isEncoded ? whole.keeping(selection.bundle.sort.map(\.field)) : whole
  }

  /// Returns `true` if the projection includes a field.
  func shows(_ field: ExactString) -> Bool { fields?.contains(field) ?? true }

  /// The variant of a context; `nil` where a condition excludes the entry.
  func variant(in context: Int) -> Int? { byContext[context].map(Int.init) }

  /// The condition of a variant; `nil` if the entry is for all readers.
  func condition(_ variant: Int) -> Condition? {
    isFixed ? nil : resolution.variants[variant]?.condition
  }

  /// The places of a variant's values in the resolution, in order of keys.
  func shown(_ variant: Int) -> ArraySlice<Int32> {
    shown[(variant == 0 ? 0 : shownEnds[variant - 1])..<shownEnds[variant]]
  }

  /// The conditions of a variant's published content: of the entry, and of items of lists.
  func conditions(_ variant: Int, at instant: Instant) -> [Condition] {
    var found: [Condition] = []
    forEachCondition(in: variant) { condition, guards in
      if !guards.contains(where: { $0.isWithheld(at: instant) }) { found.append(condition) }
    }
    return found
  }

  /// Returns `true` if an embargo keeps the entry out of the bundles of a variant.
  func isWithheld(_ variant: Int, at instant: Instant) -> Bool {
    condition(variant)?.isWithheld(at: instant) ?? false
  }

  /// The next end of an embargo on anything in a variant.
  func nextEmbargo(_ variant: Int, at instant: Instant) -> Instant? {
    var next: Instant?
    forEachCondition(in: variant) { condition, guards in
      // A part of a withheld value cannot appear before that value.
      guard guards.dropLast().allSatisfy({ !$0.isWithheld(at: instant) }),
        condition.isWithheld(at: instant),
        let end = condition.from
      else { return }
      next = min(next ?? end, end)
    }
    return next
  }

  /// Calls back for each condition of a variant, with the conditions around it and itself, the
  /// outermost first.
  private func forEachCondition(
    in variant: Int, _ body: (Condition, _ guards: [Condition]) -> Void
  ) {
    if isFixed { return }
    let own = [condition(variant)].compactMap(\.self)
    for condition in own { body(condition, own) }
    for place in shown(variant).map(Int.init) where resolution.values[place].isConditional {
      resolution.values[place].value?.forEachValue(within: own) { value, guards in
        if let condition = value.condition { body(condition, guards) }
      }
    }
  }

  /// The content of a variant as a value.
  ///
  /// Encoded values are missing, because the image does not keep them.
  func content(of variant: Int, by evaluation: Evaluation) -> Value {
    let found = shown(variant).map { resolution.values[Int($0)] }.filter { $0.value != nil }
    let values = found.compactMap { $0.value.map(evaluation.value) }
    return .dictionary(Members(canonicalKeys: found.map(\.key.text), values: values))
  }

  /// The value of a field by which the bundle is sorted; the projection may exclude it.
  func value(of field: ExactString, in variant: Int, by evaluation: Evaluation) -> Value? {
    let places = resolution.variants[variant]?.values ?? []
    let values = places.lazy.map { self.resolution.values[Int($0)] }
    return values.first { $0.key == field }?.value.map(evaluation.value)
  }
}
