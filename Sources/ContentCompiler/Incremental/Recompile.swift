package import ContentModel
package import ContentSource
import Diagnostics
import PropertyLists

/// A build of which only what an edit reaches was made anew.
package struct Recompilation: Sendable {
  /// The one file that makes the build visible.
  package var config: OutputFile
  /// Objects under names that a person can type: those that are others than before.
  package var links: [OutputLink]
  /// Every object of the build but those that were handed on, with its extension.
  package var keptObjects: [(digest: Digest, fileExtension: String)]
  /// Other files that stay as they are.
  package var keptFiles: [String]
  /// How many objects the build has.
  package var objectCount: Int
  package var state: CompiledState
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
  guard let scope = EditScope(state, changed: changed), !scope.contexts.isEmpty else { return nil }
  guard let tree = state.tree(of: scope, assets: assets, in: folder), state.knows(tree.sources, but: changed) else {
    return nil
  }
  let sharing = scope.entries.map { state.entries[$0].isShared }
  let locales = Set(scope.contexts.map { state.contexts[$0].locale })
  let wanted = state.contexts.indices.filter { locales.contains(state.contexts[$0].locale) }
  var findings = Findings(tree, for: wanted, sharing: sharing)
  let ledger = ObjectLedger(emit: emit)
  var state = state
  do {
    for place in scope.selections {
      guard try state.remake(place, scope, &findings, at: instant, ledger) else { return nil }
    }
  } catch is BundleEncoder.Unencodable {
    return nil
  }
  findings.resolveRest()
  guard state.agrees(with: findings, scope), state.knows(findings.assets.sources, but: []) else { return nil }
  state.replaceSources(by: tree.sources)
  return try state.republish(scope, tree, stored, ledger)
}

extension CompiledState {
  /// The part of the content that the scope needs; `nil` if anything is wrong with it, or it is built otherwise than before.
  fileprivate func tree(of scope: EditScope, assets: [String], in folder: ContentFolder) -> ContentTree? {
    var part = folder
    let paths = sources.indices.filter { scope.isRead[$0] }.map { sources[$0].path } + assets
    part.items = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { ContentFolder.Item(path: $0) }
    let read = ContentReader.read(part)
    guard read.diagnostics.isEmpty, let tree = read.output, tree.entries.count == scope.entries.count else {
      return nil
    }
    let files = Dictionary(sources.enumerated().map { (folder.shownPath($1.path), $0) }) { first, _ in first }
    for (entry, place) in zip(tree.entries, scope.entries) {
      let known = entries[place]
      guard entry.id.text == known.id,
        entry.layers.map({ LayerState($0, files) }) == known.layers.filter({ scope.isRead[$0.file] })
      else { return nil }
    }
    return tree
  }

  /// Whether files that were read are those of the earlier build; one may have changed just now, after all were looked at.
  fileprivate func knows(_ files: [ContentTree.SourceFile], but changed: [String]) -> Bool {
    let known = Dictionary((sources + assetSources).map { ($0.path, $0.digest) }) { first, _ in first }
    return files.allSatisfy { changed.contains($0.path) || known[$0.path] == $0.digest }
  }

  /// Makes a selection's rows anew for the scope's contexts; `false` where that cannot be done alone.
  fileprivate mutating func remake(
    _ place: Int, _ scope: EditScope, _ findings: inout Findings, at instant: Instant, _ ledger: ObjectLedger
  ) throws -> Bool {
    let tree = findings.plan.tree
    guard var selection = Selection.all(in: tree).output.first(where: { $0.bundle.name == selections[place].name })
    else { return false }
    if selection.bundle.isSplit {
      selection.entries = selection.entries.filter { scope.touched.contains(scope.entries[$0]) }
    }
    let isWhole = selections[place].entries == selection.entries.map { scope.entries[$0] }
    guard isWhole || selection.bundle.isSplit else { return false }
    let resolutions = findings.resolve(selection.entries)
    let encoder = BundleEncoder(
      plan: findings.plan, assets: findings.assets, instant: instant, emit: { try ledger.add($0) })
    let rows = try Selector(plan: findings.plan, encoder: encoder, scope: scope.contexts).rows(
      of: selection, resolutions)
    for (context, row) in zip(scope.contexts, rows.whole) { selections[place].whole[context] = row }
    for (context, rows) in zip(scope.contexts, rows.split) {
      selections[place].replace(rows.map { (scope.entries[$0.entry], $0.row) }, in: context)
    }
    return true
  }

  /// Whether nothing changed that other entries, or the build as a whole, must know.
  fileprivate func agrees(with findings: Findings, _ scope: EditScope) -> Bool {
    let locales = findings.plan.order.localeGroups.enumerated().filter {
      !scope.contexts.filter($0.element.contains).isEmpty
    }
    let inScope = Set(scope.contexts)
    return zip(scope.entries, findings.facts).allSatisfy { place, facts in
      guard facts.problems.allSatisfy({ inScope.isDisjoint(with: $0.contexts) }) else { return false }
      return locales.allSatisfy { locale, _ in facts.prints[locale] == entries[place].prints[locale] }
    }
  }

  fileprivate mutating func replaceSources(by new: [ContentTree.SourceFile]) {
    let byPath = Dictionary(new.map { ($0.path, $0) }) { first, _ in first }
    for place in sources.indices { sources[place] = byPath[sources[place].path] ?? sources[place] }
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
