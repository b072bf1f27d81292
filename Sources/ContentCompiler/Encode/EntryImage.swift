import ContentModel
import ContentSource
import PropertyLists

/// An entry in all its ways, ready to be put into bundles: what every reader of a value gets alike
/// is encoded once.
///
/// A class, since the rows of many bundles share it.
final class EntryImage: Sendable {
  /// What an image shows.
  struct Subject: Sendable {
    let entryID: EntryID
    let datatype: Datatype
    let resolution: EntryResolution

    var id: String { entryID.text }

    /// Without the values of other fields than these.
    func keeping(_ fields: [String]) -> Subject {
      Subject(entryID: entryID, datatype: datatype, resolution: resolution.keeping(fields))
    }

    /// An error of a value, seen from the bundle.
    func error(_ error: PropertyListEncodingError, inValueAt place: Int)
      -> PropertyListEncodingError
    {
      error.inside(resolution.values[place].key).inside("content").inside(id).inside("entries")
    }
  }

  /// Without those values that everybody gets as they are encoded, but for those by which the
  /// bundle is sorted.
  let subject: Subject
  /// For bundles that are binary property lists.
  let binary: BinaryImage
  /// For bundles in a text format.
  let text: TextImage
  /// Whether readers see the same wherever they are and whenever.
  let isFixed: Bool
  /// Whether, beyond that, all devices of a locale see the same.
  let isShared: Bool
  /// The places, among the resolution's values, of what is shown, variant after variant, each in
  /// order of keys.
  private let shown: [Int32]
  /// By variant: where its places end.
  private let shownEnds: [Int]
  /// The variant of each context; `nil` where a condition excludes the entry.
  let byContext: [Int32?]
  /// The fields that the projection lets through; `nil` for all.
  private let fields: [String]?

  var id: String { subject.id }
  var datatype: Datatype { subject.datatype }
  var resolution: EntryResolution { subject.resolution }

  /// A resolved entry, made ready for a selection's bundles.
  ///
  /// `isShared`: whether all devices of a locale see the same, if readers see the same wherever
  /// they are and whenever.
  ///
  /// - Throws: what the format cannot carry.
  init(
    of entry: Entry, _ resolution: EntryResolution, for selection: Selection,
    byContext: [Int32?], isShared: Bool, evaluation: Evaluation
  ) throws(PropertyListEncodingError) {
    self.byContext = byContext
    let datatype = entry.datatype
    let whole = Subject(entryID: entry.id, datatype: datatype, resolution: resolution)
    let fields = selection.projections?[datatype.name]
    self.fields = fields
    let isShown = resolution.keys.map { key in fields?.contains { $0.hasSameBytes(as: key) } ?? true
    }
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
    binary = isBinary ? try BinaryImage(of: whole, isWanted: isWanted, evaluation) : .none
    text = isBinary ? .none : try TextImage(of: whole, isWanted: isWanted, evaluation)
    // What startup bundles hold stands in other files as well.
    let isEncoded = isFixed && !selection.bundle.isStartup
    subject = isEncoded ? whole.keeping(selection.bundle.sort.map(\.field)) : whole
  }

  /// Whether the projection lets a field through.
  func shows(_ field: String) -> Bool { fields?.contains { $0.hasSameBytes(as: field) } ?? true }

  /// The variant of a context; `nil` where a condition excludes the entry.
  func variant(in context: Int) -> Int? { byContext[context].map(Int.init) }

  /// What a variant's readers must meet; `nil` where the entry is for all of them.
  func condition(_ variant: Int) -> Condition? {
    isFixed ? nil : resolution.variants[variant]?.condition
  }

  /// The places, among the resolution's values, of what a variant shows, in order of keys.
  func shown(_ variant: Int) -> ArraySlice<Int32> {
    shown[(variant == 0 ? 0 : shownEnds[variant - 1])..<shownEnds[variant]]
  }

  /// The conditions of what a variant shows at a moment: the entry's own, and those of items of
  /// lists.
  func conditions(_ variant: Int, at instant: Instant) -> [Condition] {
    var found: [Condition] = []
    forEachCondition(variant) { condition, guards in
      if !guards.contains(where: { $0.isWithheld(at: instant) }) { found.append(condition) }
    }
    return found
  }

  /// True if an embargo keeps the entry out of the bundles of a variant's readers.
  func isWithheld(_ variant: Int, at instant: Instant) -> Bool {
    condition(variant)?.isWithheld(at: instant) ?? false
  }

  /// The next moment at which an embargo ends on something that a variant would show.
  func nextEmbargo(_ variant: Int, at instant: Instant) -> Instant? {
    var next: Instant?
    forEachCondition(variant) { condition, guards in
      // A part of a withheld value cannot appear before that value.
      guard guards.dropLast().allSatisfy({ !$0.isWithheld(at: instant) }),
        condition.isWithheld(at: instant),
        let end = condition.from
      else { return }
      next = min(next ?? end, end)
    }
    return next
  }

  /// Calls back for each condition of what a variant shows, with those around it and itself, the
  /// outermost first.
  private func forEachCondition(_ variant: Int, _ body: (Condition, _ guards: [Condition]) -> Void)
  {
    if isFixed { return }
    let own = [condition(variant)].compactMap(\.self)
    for condition in own { body(condition, own) }
    for place in shown(variant).map(Int.init) where resolution.values[place].isConditional {
      resolution.values[place].value?.forEachValue(within: own) { value, guards in
        if let condition = value.condition { body(condition, guards) }
      }
    }
  }

  /// A variant's content as a value; not to be asked for where that was encoded for all readers.
  func content(_ variant: Int, _ evaluation: Evaluation) -> Value {
    let found = shown(variant).map { resolution.values[Int($0)] }.filter { $0.value != nil }
    let values = found.compactMap { $0.value.map(evaluation.value) }
    return .dictionary(Members(canonicalKeys: found.map(\.key), values: values))
  }

  /// The value of a field by which bundles are sorted, whatever the projection lets through.
  func value(of field: String, _ variant: Int, _ evaluation: Evaluation) -> Value? {
    (resolution.variants[variant]?.values ?? []).lazy.map { self.resolution.values[Int($0)] }.first
    {
      $0.key.hasSameBytes(as: field)
    }?.value
      .map(evaluation.value)
  }
}
