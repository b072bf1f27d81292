import ContentModel
import ContentReleases
import PropertyLists

extension ReleaseEditor {
  /// Returns the row of a split bundle, without the parts whose entries are all removed.
  func relinked(
    _ row: Value, of name: String, parts: BundleParts, with changes: ContextChanges,
    into all: inout Outcome
  ) throws -> Value {
    guard var members = row.members, var content = try live.value(of: parts.digest).members else {
      return row
    }
    let old = parts.rows(in: .dictionary(content))
    var rows = Members(
      old.compactMap { key, row -> (String, Value)? in
        let bundle = parts.name(of: key, in: name)
        let new = relinked(row, of: bundle, with: changes)
        if new != row, isEmptied(row, of: bundle, kind: parts.kind, with: changes) { return nil }
        return (key, new)
      })
    for (key, earlier) in try newRows(of: name, parts: parts, in: changes) where rows[key] == nil {
      rows[key] = relinked(earlier, of: parts.name(of: key, in: name), with: changes)
    }
    if rows == old { return row }
    content[parts.kind.objectKey] = .dictionary(rows)
    let new = try NewObject(.dictionary(content), as: live.content.format)
    all.objects[new.digest] = new
    all.successors[parts.digest, default: []].insert(new.digest)
    members[parts.kind.rowKey] = new.digest.value(in: live.content.format)
    members["count"] = .integer(Int64(parts.count(of: rows)))
    return .dictionary(members)
  }

  /// Returns whether no reader of a part gets an entry any more.
  ///
  /// A part with one entry ends with its own version. The variants of a tile may have others.
  private func isEmptied(
    _ row: Value, of bundle: String, kind: BundleParts.Kind, with changes: ContextChanges
  ) -> Bool {
    let versions = ReleasedBundle.all(in: row, of: bundle)
    guard kind == .tiles else {
      return versions.first { $0.variant.isEmpty }.flatMap { changes.rows[$0] }?.isEmptied ?? false
    }
    let counts = [row["count"]] + (row["variants"]?.items ?? []).map { $0["count"] }
    return zip(versions, counts).allSatisfy { version, count in
      changes.rows[version]?.isEmptied ?? (count?.number == 0)
    }
  }

  /// Returns the earlier rows of the parts of a split bundle in which entries are restored, by the
  /// part's key.
  private func newRows(
    of name: String, parts: BundleParts, in changes: ContextChanges
  ) throws -> [(String, Value)] {
    var rows: [(String, Value)] = []
    for (id, places) in earlier.insertions.sorted(by: { $0.key.precedesInBytes($1.key) }) {
      for place in places[changes.context] ?? [] where changes.rows[place.row] != nil {
        guard let key = parts.key(of: place.row.bundle, in: name),
          let release = earlier.insertionSources[id]?[changes.context]
        else { continue }
        let reader = earlier.releases[release].reader
        guard let index = reader.index(of: changes.context),
          let row = try reader.value(of: index)["bundles"]?[name],
          let parts = BundleParts(row),
          let row = parts.rows(in: try reader.value(of: parts.digest))[key]
        else { continue }
        if parts.kind == .tiles {
          // Other entries of the tile may be gone, too, or be in other tiles now.
          throw DeliveryError(
            .refused,
            "'\(id)' cannot be restored: its tile '\(place.row.bundle)' is not in the live release; publish the content instead"
          )
        }
        rows.append((key, row.withoutRecipes))
      }
    }
    return rows
  }
}

extension Value {
  /// The row of a bundle without the recipes of an earlier release, which a purge may have removed.
  fileprivate var withoutRecipes: Value {
    guard var row = members else { return self }
    row["text"] = nil
    row["variants"] = row["variants"]?.items.map { .array($0.map(\.withoutRecipes)) }
    return .dictionary(row)
  }
}
