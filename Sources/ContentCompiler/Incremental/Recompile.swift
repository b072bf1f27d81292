package import ContentModel
package import ContentSource
import Diagnostics
import PropertyLists

/// A build of which only what an edit reaches was made anew.
package struct Recompilation: Sendable {
  /// The one file that makes the build visible.
  package var config: OutputFile
  /// Objects under names that a person can type: those that may be others than before.
  package var links: [OutputLink]
  /// Objects of the earlier build that are none of this one, with their extensions.
  package var removedObjects: [(digest: Digest, fileExtension: String)]
  /// Objects of the earlier build to which such links led.
  package var relinkedObjects: [(digest: Digest, fileExtension: String)]
  /// The files that were read because they changed.
  package var changed: [ContentTree.SourceFile]
  /// How many objects the build has.
  package var objectCount: Int
  package var state: CompiledState
  /// What it was made of, which nobody needs any more.
  package var remains: Remains

  /// Hundreds of trees, which take longer to give back piece by piece than a process that ends needs.
  ///
  /// A class, since a reference to it is all that a caller needs to keep.
  package final class Remains: Sendable {
    private let tree: ContentTree
    private let findings: Findings
    private let resolutions: [[EntryResolution]]

    init(_ tree: ContentTree, _ findings: Findings, _ resolutions: [[EntryResolution]]) {
      (self.tree, self.findings, self.resolutions) = (tree, findings, resolutions)
    }
  }
}

/// Compiles again what an edit of entries reaches, and takes the rest from an earlier build.
///
/// `changed` are the paths of the files that changed, `assets` those of all files below `assets/`. `stored` gives the bytes
/// of an object of the earlier build. The result is `nil` where the edit reaches further than the texts of entries, or where
/// something is wrong with it: then everything must be compiled.
///
/// - Throws: what `emit` throws.
package func recompile(
  _ state: CompiledState, changed: [String], assets: [String], in folder: ContentFolder, at instant: Instant,
  stored: (_ digest: Digest, _ fileExtension: String) -> [UInt8]?,
  emit: @escaping @Sendable (OutputObject) throws -> Void
) throws -> Recompilation? {
  guard let scope = try? EditScope(state, changed: changed), !scope.contexts.isEmpty,
    let tree = state.tree(of: scope, assets: assets, in: folder), scope.knows(tree.sources)
  else { return nil }
  let locales = Set(scope.contexts.map { state.contexts[$0].locale })
  let wanted = state.contexts.indices.filter { locales.contains(state.contexts[$0].locale) }
  var findings = Findings(tree, for: wanted, sharing: scope.known.map(\.isShared))
  let ledger = ObjectLedger(emit: emit)
  var new = state
  var resolutions: [[EntryResolution]] = []
  do {
    for place in scope.selections {
      guard let used = try new.remake(place, scope, &findings, at: instant, ledger) else { return nil }
      resolutions.append(used)
    }
  } catch is BundleEncoder.Unencodable {
    return nil
  }
  findings.resolveRest()
  guard scope.agrees(with: findings), state.knows(findings.assets.sources) else { return nil }
  let remains = Recompilation.Remains(tree, findings, resolutions)
  return try new.republish(scope, tree, after: state, stored, ledger, remains)
}

extension CompiledState {
  /// The part of the content that the scope needs; `nil` if anything is wrong with it, or it is built otherwise than before.
  fileprivate func tree(of scope: EditScope, assets: [String], in folder: ContentFolder) -> ContentTree? {
    let isRead = Set(scope.read)
    let files = scope.parts.openedFiles.filter { isRead.contains($0.number) }
    var part = folder
    let paths = files.map(\.path) + assets
    part.items = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { ContentFolder.Item(path: $0) }
    let read = ContentReader.read(part)
    guard read.diagnostics.isEmpty, let tree = read.output, tree.entries.count == scope.entries.count else {
      return nil
    }
    let numbers = Dictionary(files.map { (folder.shownPath($0.path), $0.number) }) { first, _ in first }
    for ((entry, place), known) in zip(zip(tree.entries, scope.entries), scope.known) {
      let layers = entry.layers.map { layer in
        LayerState(file: numbers[layer.path] ?? -1, kind: LayerKind(layer))
      }
      guard let datatype = datatypes.place(of: place), entry.id.text == "\(datatypes[datatype].name)/\(known.rest)",
        layers == known.layers.filter({ isRead.contains($0.file) })
      else { return nil }
    }
    return tree
  }

  /// Whether the assets that were read are those of the earlier build.
  fileprivate func knows(_ assets: [ContentTree.SourceFile]) -> Bool {
    var parts = OpenedParts(self)
    return assets.allSatisfy { asset in
      guard let number = try? parts.number(of: asset.path) else { return false }
      return (try? parts.file(number))?.digest == asset.digest
    }
  }

  /// Makes a selection's rows anew for the scope's contexts, and tells of what; `nil` where that cannot be done alone.
  fileprivate mutating func remake(
    _ place: Int, _ scope: EditScope, _ findings: inout Findings, at instant: Instant, _ ledger: ObjectLedger
  ) throws -> [EntryResolution]? {
    let tree = findings.plan.tree
    guard var selection = Selection.all(in: tree).output.first(where: { $0.bundle.name == selections[place].name })
    else { return nil }
    if selection.bundle.isSplit {
      selection.entries = selection.entries.filter { scope.touched.contains(scope.entries[$0]) }
    }
    let isWhole = selections[place].entries == selection.entries.map { scope.entries[$0] }
    guard isWhole || selection.bundle.isSplit else { return nil }
    let resolutions = findings.resolve(selection.entries)
    let encoder = BundleEncoder(
      plan: findings.plan, assets: findings.assets, instant: instant, emit: { try ledger.add($0) })
    let rows = try Selector(plan: findings.plan, encoder: encoder, scope: scope.contexts).rows(
      of: selection, resolutions)
    for (context, row) in zip(scope.contexts, rows.whole) { selections[place].whole[context] = row }
    for (context, rows) in zip(scope.contexts, rows.split) {
      selections[place].replace(rows.map { (scope.entries[$0.entry], $0.row) }, in: context)
    }
    return resolutions
  }
}

extension EditScope {
  /// Whether files that were read are those of the earlier build; one may have changed just now, after all were looked at.
  fileprivate func knows(_ files: [ContentTree.SourceFile]) -> Bool {
    let changed = Set(changed)
    let known = Dictionary(parts.openedFiles.map { ($0.path, $0) }) { first, _ in first }
    return files.allSatisfy { file in
      known[file.path].map { changed.contains($0.number) || $0.digest == file.digest } ?? false
    }
  }

  /// Whether nothing changed that other entries, or the build as a whole, must know.
  fileprivate func agrees(with findings: Findings) -> Bool {
    let locales = findings.plan.order.localeGroups.enumerated().filter {
      !contexts.filter($0.element.contains).isEmpty
    }
    let inScope = Set(contexts)
    return zip(known, findings.facts).allSatisfy { known, facts in
      guard facts.problems.allSatisfy({ inScope.isDisjoint(with: $0.contexts) }) else { return false }
      return locales.allSatisfy { locale, _ in facts.prints[locale] == known.prints[locale] }
    }
  }
}

extension CompiledState.SelectionState {
  /// Replaces the rows of some entries of a split bundle in one context.
  fileprivate mutating func replace(_ new: [(entry: Int, row: BundleRow)], in context: Int) {
    for (entry, row) in new {
      guard let place = split[context].firstIndex(where: { $0.entry == entry }) else { continue }
      if let known = rows.firstIndex(of: row) {
        split[context][place].row = known
      } else {
        rows.append(row)
        split[context][place].row = rows.count - 1
      }
    }
  }
}
