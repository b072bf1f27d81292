import ContentModel
import ContentReleases
import System

/// The entries of a draft with values that a purge removed, and that the live release does not show.
///
/// Most of the values were good, so a publisher cannot refuse them. Only the user knows which one was
/// the reason of the purge.
struct ReturnedEntries {
  private typealias Values = [ExactString: Set<ValueHash>]

  private let reader: ReleaseReader
  private let shown: ReleaseReader?
  private let kept: Set<Digest>

  init(in reader: ReleaseReader, after shown: ReleaseReader?) {
    (self.reader, self.shown) = (reader, shown)
    kept = Set(shown?.content.objects.map(\.digest) ?? [])
  }

  /// Returns the returned entries of some purges, in their order.
  ///
  /// Reads bundles of the live release only if others of the draft have such a value.
  func entries(
    of purges: [Begun], besides readmitted: Set<String>
  ) throws -> [Draft.ReturnedEntry] {
    var (returned, all): ([Draft.ReturnedEntry], [String: Values]) = ([], [:])
    for purge in purges where purge.assets.isEmpty {
      for purged in purge.contents where purged.field == nil && !readmitted.contains(purged.entry) {
        let id = purged.entry
        let values = try all[id] ?? Self.values(try changedForms(of: id))
        all[id] = values
        var entry = Draft.ReturnedEntry(
          id: id, fields: [], purge: purge.number, reason: purge.reason)
        if purged.fields == nil {
          // An earlier version noted only the whole forms.
          if try values.isEmpty || !liveForms(of: id).isEmpty { continue }
        } else {
          let fields = purged.returned(in: values)
          if fields.isEmpty { continue }
          let live = Self.values(try liveForms(of: id))
          entry.fields = fields.filter { name in
            !(live[name] ?? []).isSuperset(of: purged.returned(name, in: values))
          }.sorted().map(\.text)
          if entry.fields.isEmpty { continue }
        }
        returned.append(entry)
      }
    }
    return returned
  }

  /// Returns the forms of an entry in bundles of the draft that the live release lacks.
  private func changedForms(of id: String) throws -> [Value] {
    try forms(of: id, in: reader) { !kept.contains($0) }
  }

  private func liveForms(of id: String) throws -> [Value] {
    try shown.map { try forms(of: id, in: $0) { _ in true } } ?? []
  }

  /// Returns the forms of an entry in some bundles.
  ///
  /// Readers cannot get a missing bundle, and an asset may be a property list of any content.
  private func forms(
    of id: String, in reader: ReleaseReader, where isWanted: (Digest) -> Bool
  ) throws -> [Value] {
    let holders = (try reader.holders(of: id) ?? []).sorted().filter {
      isWanted($0) && reader.object($0)?.isPropertyList ?? false
    }
    return try holders.mapOverlapped(atOnce: reader.content.readsAtOnce) { holder in
      do { return try reader.entries(of: holder)[id] } catch is DeliveryError { return nil }
    }.compactMap(\.self)
  }

  private static func values(_ forms: [Value]) -> Values {
    forms.reduce(into: [:]) { values, form in
      for (name, hash) in PurgedContent.fields(of: form) {
        values[name, default: []].insert(hash)
      }
    }
  }
}

extension PurgedContent {
  /// Returns the names of the fields with a value that the purge removed.
  fileprivate func returned(in values: [ExactString: Set<ValueHash>]) -> [ExactString] {
    values.keys.filter { !returned($0, in: values).isEmpty }
  }

  /// Returns the values of a field that the purge removed.
  fileprivate func returned(
    _ name: ExactString, in values: [ExactString: Set<ValueHash>]
  ) -> Set<ValueHash> {
    (values[name] ?? []).intersection(fields?[name] ?? [])
  }
}
