import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import System

/// The content that an edit affects, read again, and the state of the rest.
struct Edit {
  private let state: CompiledState
  private let scope: EditScope
  private let tree: ContentTree
  private let work: EntryWork
  private var ledger: EntryLedger
  private var bundles: [Bundle] = []

  /// A bundle that the edit affects.
  fileprivate struct Bundle {
    /// The place of its selection.
    var place: Int
    var selection: Selection
    var images: [EntryImage]
    var encoder: BundleEncoder
    /// The earlier bundle with replaced entries; `nil` if all of its entries were read.
    var splice: BundleSplice?
  }

  /// Reads the content that an edit affects; `nil` if the scope does not suffice.
  init?(
    of changed: [String], after state: CompiledState, narrowedBy part: ContentPart?,
    assets: [String], warnings: Set<Diagnostic>, in folder: ContentFolder, at instant: Instant
  ) {
    guard let scope = try? EditScope(of: changed, after: state, narrowedBy: part),
      part != nil || !scope.contexts.isEmpty,
      let tree = state.tree(of: scope, assets: assets, warnings: warnings, in: folder),
      scope.knows(tree.sources)
    else { return nil }
    (self.state, self.scope, self.tree) = (state, scope, tree)
    let locales = Set(names: scope.contexts.map { state.contexts[$0].locale })
    let wanted = state.contexts.indices.filter { locales.contains(state.contexts[$0].locale) }
    work = EntryWork(on: tree, at: instant, for: wanted)
    ledger = EntryLedger(of: tree, sharing: scope.earlierEntries.map(\.isShared))
  }

  /// Resolves and encodes the affected bundles; returns `false` if the scope does not suffice.
  mutating func encodeBundles(
    into objects: ObjectLedger, stored: @Sendable (Digest, String) -> [UInt8]?
  ) -> Bool {
    let selections = Selection.all(in: tree).output
    for place in scope.selections {
      let known = state.selections[place]
      guard var selection = selections.first(where: { $0.bundle.name == known.bundle }) else {
        return false
      }
      selection.tile = known.tile
      // The tiles of the bundle are selections of their own.
      if selection.isDirectory { continue }
      if selection.tile != nil {
        let own = Set(known.entries)
        selection.entries = selection.entries.filter { own.contains(scope.entries[$0]) }
      } else if selection.bundle.isSplit {
        selection.entries = selection.entries.filter {
          scope.changedEntries.contains(scope.entries[$0])
        }
      }
      let batches = ledger.batches(of: selection, discarding: selection.entries.map { _ in false })
      let results = batches.concurrentValues(work.process)
      ledger.keep(results.joined())
      let encoder = BundleEncoder(for: tree.project, after: work) { try objects.add($0) }
      let encoded = results.joined().compactMap(\.image)
      guard let images = try? encoded.images(for: selection.bundle) else { return false }
      var bundle = Bundle(place: place, selection: selection, images: images, encoder: encoder)
      let isWhole = known.entries == selection.entries.map { scope.entries[$0] }
      if !isWhole, !known.whole.isEmpty {
        guard let splice = splice(bundle, stored: stored) else { return false }
        bundle.splice = splice
      }
      bundles.append(bundle)
    }
    return true
  }

  /// The earlier bundle, with the entries that were read replaced.
  private func splice(
    _ bundle: Bundle, stored: @Sendable (Digest, String) -> [UInt8]?
  ) -> BundleSplice? {
    let (encoder, selection, known) = (
      bundle.encoder, bundle.selection, state.selections[bundle.place]
    )
    let all = known.entries.compactMap { number in scope.parts.entry(number).map { (number, $0) } }
    guard scope.part != nil, all.count == known.entries.count else { return nil }
    let places = Dictionary(known.entries.enumerated().map { ($1, $0) }) { first, _ in first }
    var exchanges: [Int: BundleSplice.Exchange] = [:]
    for (entry, image) in zip(selection.entries, bundle.images) {
      guard let place = places[scope.entries[entry]] else { return nil }
      exchanges[place] = BundleSplice.Exchange(entry: entry, image: image)
    }
    let before = BundleSplice.Known(
      ids: all.map { state.id(of: $0, with: $1) }, isShared: all.map(\.1.isShared),
      rows: known.whole)
    return BundleSplice(
      of: selection, replacing: exchanges, in: before, by: encoder, scope: scope.contexts,
      stored: stored)
  }

  /// Makes the bundles and the files that lead to them; returns `nil` if a full build is necessary.
  ///
  /// - Throws: errors of `emit`.
  mutating func finish(
    into objects: ObjectLedger, stored: (Digest, String) -> [UInt8]?
  ) throws -> Recompilation? {
    var new = state
    do {
      try new.updateFingerprints(of: tree, in: scope)
      for bundle in bundles { try new.replace(bundle, in: scope) }
    } catch is UnencodableContent {
      return nil
    } catch is PropertyListDecodingError {
      return nil
    } catch is StoredBundle.Malformed {
      return nil
    } catch is CompiledState.Damaged {
      return nil
    }
    ledger.resolveRest(by: work)
    guard scope.agrees(with: ledger.facts, in: work.rules.order),
      state.knows(work.assets.sources)
    else { return nil }
    let retained = Recompilation.RetainedEntries(
      of: tree, ledger: ledger, images: bundles.map(\.images))
    return try new.republish(
      scope, of: tree, after: state, stored: stored, into: objects, retaining: retained)
  }
}

extension CompiledState {
  /// Reads the part of the content that the scope needs.
  ///
  /// Returns `nil` if it has new problems, or its structure has changed.
  fileprivate func tree(
    of scope: EditScope, assets: [String], warnings: Set<Diagnostic>, in folder: ContentFolder
  ) -> ContentTree? {
    let isRead = Set(scope.files)
    let files = scope.parts.openedFiles.filter { isRead.contains($0.number) }
    var part = folder
    let paths = files.map(\.path) + assets
    part.items = paths.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map {
      ContentFolder.Item(path: $0)
    }
    let read = ContentReader.read(part, only: scope.part)
    guard read.diagnostics.allSatisfy(warnings.contains), var tree = read.output,
      tree.entries.count == scope.entries.count
    else {
      return nil
    }
    let numbers = Dictionary(firstOf: files.map { (folder.shownPath($0.path), $0.number) })
    for (index, entry) in tree.entries.enumerated() {
      let earlier = scope.earlierEntries[index]
      let layers = entry.layers.map { layer in
        LayerState(file: numbers[layer.path] ?? -1, kind: LayerKind(layer))
      }
      guard entry.id.text == id(of: scope.entries[index], with: earlier),
        layers == earlier.layers.filter({ isRead.contains($0.file) })
      else { return nil }
    }
    if hasPseudoLocales(besides: tree.project.locales) { _ = tree.addPseudoLocales() }
    return tree
  }

  /// Returns `true` if the earlier build has pseudo-locales that the project does not declare.
  private func hasPseudoLocales(besides locales: LocaleSet) -> Bool {
    contexts.contains { context in
      LocaleTag(context.locale).map { $0.isPseudo && !locales.declared.contains($0) } ?? false
    }
  }

  /// Returns `true` if the assets are those of the earlier build.
  fileprivate func knows(_ assets: [ContentTree.SourceFile]) -> Bool {
    var parts = OpenedParts(self)
    return assets.allSatisfy { asset in
      guard let number = try? parts.number(of: asset.path) else { return false }
      return (try? parts.file(number))?.digest == asset.digest
    }
  }

  /// Replaces the rows of a bundle in the contexts of the scope.
  fileprivate mutating func replace(_ bundle: Edit.Bundle, in scope: EditScope) throws {
    let rows: BundleRows
    if let splice = bundle.splice {
      rows = BundleRows(selection: bundle.selection, whole: try splice.rows())
    } else {
      let maker = BundleMaker(encoder: bundle.encoder, scope: scope.contexts)
      rows = try maker.make(maker.job(for: bundle.selection, images: bundle.images))[0]
    }
    for (context, row) in zip(scope.contexts, rows.whole) {
      selections[bundle.place].whole[context] = row
    }
    for (context, rows) in zip(scope.contexts, rows.split) {
      selections[bundle.place].replace(rows.map { (scope.entries[$0.entry], $0.row) }, in: context)
    }
  }
}

extension EditScope {
  /// Returns `true` if unchanged files are those of the earlier build.
  ///
  /// A file may have changed after the changes were collected.
  fileprivate func knows(_ files: [ContentTree.SourceFile]) -> Bool {
    let changed = Set(changedFiles)
    let known = Dictionary(firstOf: parts.openedFiles.map { ($0.path, $0) })
    return files.allSatisfy { file in
      known[file.path].map { changed.contains($0.number) || $0.digest == file.digest } ?? false
    }
  }

  /// Returns `true` if no fact has changed that affects other entries or the whole build.
  fileprivate func agrees(with facts: [EntryFacts], in order: LayerOrder) -> Bool {
    let locales = order.localeGroups.enumerated().filter {
      !contexts.filter($0.element.contains).isEmpty
    }
    let inScope = Set(contexts)
    return zip(earlierEntries, facts).allSatisfy { known, facts in
      guard facts.problems.allSatisfy({ inScope.isDisjoint(with: $0.contexts) }) else {
        return false
      }
      return facts.fingerprints.count == known.fingerprints.count
        && locales.allSatisfy { locale, _ in
          facts.fingerprints[locale] == known.fingerprints[locale]
        }
    }
  }
}

extension CompiledState.SelectionState {
  /// Replaces the rows of some entries of a split bundle in one context.
  fileprivate mutating func replace(_ new: [(entry: Int, row: BundleRow)], in context: Int) {
    // A linear search is faster for a few entries.
    let isBulk = new.count > 8
    let all = isBulk ? split[context].enumerated().map { ($1.entry, $0) } : []
    let places = Dictionary(all) { first, _ in first }
    var known = Dictionary(isBulk ? rows.enumerated().map { ($1, $0) } : []) { first, _ in first }
    for (entry, row) in new {
      let place = isBulk ? places[entry] : split[context].firstIndex { $0.entry == entry }
      guard let place else { continue }
      let index = (isBulk ? known[row] : rows.firstIndex(of: row)) ?? rows.count
      if index == rows.count {
        rows.append(row)
        known[row] = index
      }
      split[context][place].row = index
    }
  }
}
