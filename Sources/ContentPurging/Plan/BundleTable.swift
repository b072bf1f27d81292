import ContentModel
import ContentReleases

/// The bundles and variants through which readers of a release load each object, by the readers'
/// context.
struct BundleTable {
  private let forms: [ReleaseContext: [Digest: Set<BundleForm>]]

  /// - Throws: `DeliveryError` if an index or list cannot be read; `TargetError`.
  init(of reader: ReleaseReader) throws {
    try reader.load(reader.contexts)
    forms = Dictionary(
      uniqueKeysWithValues: try reader.contexts.map { context in
        let rows = try reader.rows(context)
        return (context, rows.reduce(into: [:]) { $0[$1.object, default: []].insert($1.form) })
      })
  }

  /// Returns the bundles in which readers of the contexts get purged content.
  ///
  /// Returns `nil` if every bundle that shows the entry to these readers has the purged content.
  ///
  /// - Throws: `DeliveryError` if a bundle cannot be read; `TargetError`.
  func bundles(
    of purged: PurgedContent, in contexts: [ReleaseContext], of reader: ReleaseReader
  ) throws -> [PurgedBundles]? {
    var isPurged: [Digest: Bool] = [:]
    for holder in try reader.holders(of: purged.entry) ?? [] {
      // Holders include assets. An asset is in no bundle, and its bytes can be any property list.
      guard forms.values.contains(where: { $0[holder] != nil }) else { continue }
      let hash = try reader.entries(of: holder)[purged.entry].flatMap {
        PurgedContent.hash(of: $0, at: purged.field)
      }
      isPurged[holder] = hash.map(purged.hashes.contains)
    }
    var contextsByNames: [Set<String>: Set<String>] = [:]
    var isPartial = false
    for context in contexts {
      var (gone, all) = (Set<BundleForm>(), Set<BundleForm>())
      for (holder, isPurged) in isPurged {
        guard let own = forms[context]?[holder] else { continue }
        all.formUnion(own)
        if isPurged { gone.formUnion(own) }
      }
      if gone.isEmpty { continue }
      if gone != all { isPartial = true }
      // A variant that a later release adds to a bundle counts as the bundle.
      let split = Set(all.subtracting(gone).map(\.bundle))
      let names = Set(gone.map { split.contains($0.bundle) ? $0.name : $0.bundle })
      contextsByNames[names, default: []].insert(context.stable.description)
    }
    if !isPartial { return nil }
    return contextsByNames.map { PurgedBundles(names: $0.key, contexts: $0.value) }.sorted {
      ($0.contexts.min() ?? "").precedesInBytes($1.contexts.min() ?? "")
    }
  }
}

extension PurgedContent {
  /// Records the values of the purged forms' fields that no kept form has.
  mutating func noteFields(of old: [Value], keeping kept: [Value]) {
    var fields: [ExactString: Set<ValueHash>] = [:]
    for form in old {
      for (name, hash) in Self.fields(of: form) { fields[name, default: []].insert(hash) }
    }
    for form in kept {
      for (name, hash) in Self.fields(of: form) { fields[name]?.remove(hash) }
    }
    self.fields = fields.filter { !$0.value.isEmpty }
  }
}
