import ContentModel
import ContentSource
import Diagnostics

/// The entries of a bundle, for all contexts.
struct Selection: Sendable {
  var bundle: BundleDefinition
  /// The places of the entries in the tree: in the order of `include`, then by id.
  var entries: [Int]
  /// The fields of the projection, by datatype; `nil` for all fields.
  var projections: [ExactString: [ExactString]]?
  /// The field by which the bundle is split into tiles; `nil` for another bundle.
  var placeField: ExactString?
  /// The tile that has the entries; `nil` for the entries of the whole bundle.
  var tile: Quadkey?

  /// The name of the bundle, or of its tile.
  var name: String {
    tile.map { BundleParts.Kind.tiles.name(of: "\($0)", in: bundle.name) } ?? bundle.name
  }

  /// `true` for all entries of a bundle that is split by place.
  var isDirectory: Bool { bundle.tiles != nil && tile == nil }

  /// Returns the selection of a tile's entries, by their places in this selection.
  func tile(_ tile: Quadkey, of places: [Int]) -> Selection {
    var selection = self
    (selection.tile, selection.entries) = (tile, places.map { entries[$0] })
    return selection
  }

  /// Selects the entries of every bundle; the bundles are in order of names.
  static func all(in tree: ContentTree) -> Diagnosed<[Selection]> {
    var result = Diagnosed<[Selection]>([])
    for bundle in tree.project.bundles.sorted(by: { $0.name.precedesInBytes($1.name) }) {
      let selection = select(bundle, in: tree)
      result.output.append(selection.output)
      result.diagnostics += selection.diagnostics
    }
    return result
  }

  /// For each entry of each selection: `true` if no later selection has it.
  static func lastUses(_ selections: [Selection], entryCount: Int) -> [[Bool]] {
    var isUsedLater = [Bool](repeating: false, count: entryCount)
    let reversed = selections.reversed().map { selection in
      selection.entries.map { entry in
        defer { isUsedLater[entry] = true }
        return !isUsedLater[entry]
      }
    }
    return reversed.reversed()
  }

  private static func select(_ bundle: BundleDefinition, in tree: ContentTree) -> Diagnosed<
    Selection
  > {
    var diagnostics: [Diagnostic] = []
    var chosen: [Int] = []
    var isChosen = Set<Int>()
    let excluded = Set(bundle.exclude.flatMap { matches(of: $0, in: tree, &diagnostics) })
    for pattern in bundle.include {
      chosen += matches(of: pattern, in: tree, &diagnostics).filter {
        !excluded.contains($0) && isChosen.insert($0).inserted
      }
    }
    var selection = Selection(
      bundle: bundle, entries: chosen, projections: projections(of: bundle, in: tree))
    diagnostics += selection.checkDatatypes(in: tree)
    diagnostics += selection.choosePlaceField(in: tree)
    if chosen.isEmpty, diagnostics.isEmpty, !tree.isPartial {
      diagnostics.append(
        Diagnostic(
          .warning, rule: .emptyBundle, at: bundle.location,
          message: "the bundle '\(bundle.name)' selects no entry"))
    }
    return Diagnosed(selection, diagnostics: diagnostics)
  }

  private static func matches(
    of pattern: BundleDefinition.Pattern, in tree: ContentTree, _ diagnostics: inout [Diagnostic]
  ) -> [Int] {
    let found = tree.entries.indices(withPrefix: pattern.glob.literalPrefix).filter {
      pattern.glob.matches(tree.entries[$0].id.text)
    }
    // An entry that could not be read may match.
    if found.isEmpty, pattern.glob.isLiteral {
      if let id = EntryID(pattern.glob.text), tree.mayHave(id) { return [] }
      let id = pattern.glob.text
      let nearest = id.nearestID(among: tree.entries.lazy.map(\.id.text))
      diagnostics.append(.unknownEntry(id, nearest: nearest, at: pattern.location))
    } else if found.isEmpty, !tree.isPartial {
      diagnostics.append(emptyPattern(pattern, in: tree))
    }
    return found
  }

  /// Returns the warning for a pattern without a match, with the nearest datatype as its fix.
  private static func emptyPattern(
    _ pattern: BundleDefinition.Pattern, in tree: ContentTree
  ) -> Diagnostic {
    let text = pattern.glob.text
    let datatype = text.prefix { $0 != "/" }
    let rest = text.dropFirst(datatype.count)
    let meant = String(datatype).nearest(among: tree.datatypes.map(\.name))
      .map { $0 + rest }
      .flatMap { meant in
        Glob(meant).flatMap { glob in
          tree.entries.contains { glob.matches($0.id.text) } ? meant : nil
        }
      }
    return Diagnostic(
      .warning, rule: .emptyPattern, at: pattern.location,
      message: "no entry matches '\(text)'" + (meant.map { "; did you mean '\($0)'?" } ?? ""),
      fixIt: meant.flatMap { meant in
        pattern.location.range.map { Diagnostic.FixIt($0, replacement: meant) }
      })
  }

  private static func projections(of bundle: BundleDefinition, in tree: ContentTree)
    -> [ExactString: [ExactString]]?
  {
    guard let projection = bundle.projection else { return nil }
    return Dictionary(
      firstOf: tree.datatypes.compactMap { datatype in
        datatype.projections.first { $0.name == projection.name }.map { (datatype.name, $0.fields) }
      })
  }

  private func checkDatatypes(in tree: ContentTree) -> [Diagnostic] {
    let names = Set(names: entries.lazy.map { tree.entries[$0].datatype.name })
    let datatypes = tree.datatypes.filter { names.contains($0.name) }
    var diagnostics: [Diagnostic] = []
    if case .entry = bundle.split, names.count > 1 {
      diagnostics.append(
        Diagnostic(
          .error, rule: .splitDatatypes, at: bundle.location,
          message:
            "a split bundle must hold entries of one datatype; '\(bundle.name)' has \(names.names.joined(separator: ", "))"
        ))
    }
    if datatypes.contains(where: \.isPartial) { return diagnostics }
    if let projection = bundle.projection, !datatypes.isEmpty,
      !datatypes.contains(where: { $0.projections.contains { $0.name == projection.name } })
    {
      diagnostics.append(
        .unknown(
          "projection", named: projection.name.text, rule: .unknownProjection,
          known: datatypes.flatMap { $0.projections.map(\.name.text) }, at: projection.location))
    }
    for key in bundle.sort
    where !datatypes.isEmpty && !datatypes.contains(where: { $0.shape.field(key.field) != nil }) {
      diagnostics.append(
        .unknown(
          "field", named: key.field.text, rule: .unknownField, in: "'sort'",
          ownsNames: false,
          known: datatypes.flatMap { $0.shape.fields.map(\.name.text) }, at: key.location))
    }
    return diagnostics
  }
}

extension [Entry] {
  /// The places of the entries whose ids have a prefix; the array is in order of ids.
  fileprivate func indices(withPrefix prefix: Substring) -> Range<Int> {
    let start = firstIndex { !$0.utf8.lexicographicallyPrecedes(prefix.utf8) }
    let end = firstIndex {
      !$0.utf8.lexicographicallyPrecedes(prefix.utf8) && !$0.utf8.starts(with: prefix.utf8)
    }
    return start..<end
  }

  /// The first place from which on a test of the id is true, by binary search.
  private func firstIndex(_ holds: (String) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if holds(self[middle].id.text) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
