package import ContentModel
package import ContentSource
package import Diagnostics
import PropertyLists

/// The result of recompiling the bundles that an edit affects.
package struct Recompilation: Sendable {
  /// The one file that makes the build visible.
  package var config: OutputFile
  /// The links that may have changed, with names that a person can type.
  package var links: [OutputLink]
  /// The objects of the earlier build that this build does not have, with their extensions.
  package var removedObjects: [(digest: Digest, fileExtension: String)]
  /// The objects that such links had in the earlier build.
  package var relinkedObjects: [(digest: Digest, fileExtension: String)]
  /// The changed files.
  package var changed: [ContentTree.SourceFile]
  /// The number of objects of the build.
  package var objectCount: Int
  package var state: CompiledState
  /// The entries that the build was made from, for callers that delay their deallocation.
  package var retained: RetainedEntries

  /// The entries of a recompilation.
  ///
  /// Their deallocation takes longer than the exit of a process. A class, so that a caller can keep
  /// them by one reference.
  package final class RetainedEntries: Sendable {
    private let tree: ContentTree
    private let ledger: EntryLedger
    private let images: [[EntryImage]]

    init(of tree: ContentTree, ledger: EntryLedger, images: [[EntryImage]]) {
      (self.tree, self.ledger, self.images) = (tree, ledger, images)
    }
  }
}

/// Recompiles the bundles that an edit of entries affects, and takes the rest from an earlier
/// build.
///
/// 1. Refuse an edit of other files, and one that may change the earlier warnings.
/// 2. In a narrow scope, read only the changed entries, and replace them in their bundles.
/// 3. If this is not possible, read all entries of the affected bundles: a wide scope.
/// 4. Make the bundles, the indexes, the record and config.
///
/// `changed` has the paths of the changed files, and `assets` those of all files below `assets/`.
/// `stored` returns the bytes of an object of the earlier build. The earlier build had the
/// `warnings`, and this build has the same.
///
/// Returns `nil` if a full build is necessary: if the edit affects more than the texts of entries,
/// the content has a problem, or a warning is about a changed file.
///
/// - Throws: errors of `emit`.
package func recompile(
  _ state: CompiledState, warnings: [Diagnostic] = [], changed: [String], assets: [String],
  in folder: ContentFolder,
  at instant: Instant,
  stored: @escaping @Sendable (_ digest: Digest, _ fileExtension: String) -> [UInt8]?,
  emit: @escaping @Sendable (OutputObject) throws -> Void
) throws -> Recompilation? {
  // 1.
  guard changed.allSatisfy(\.isOfEntries), warnings.allSatisfy({ $0.stays(changed, in: folder) })
  else { return nil }
  let ledger = ObjectLedger(emit: emit)
  func prepared(narrowedBy part: ContentPart?) -> Edit? {
    var edit = Edit(
      of: changed, after: state, narrowedBy: part, assets: assets, warnings: Set(warnings),
      in: folder, at: instant)
    return edit?.encodeBundles(into: ledger, stored: stored) == true ? edit : nil
  }
  // 2 and 3.
  guard
    var edit = prepared(narrowedBy: ContentPart(opening: changed, in: folder))
      ?? prepared(narrowedBy: nil)
  else { return nil }
  // 4.
  let new = try edit.finish(into: ledger, stored: stored)
  let parts = new.map { $0.state.limitedParts(config: $0.config) } ?? []
  let known = warnings.filter { $0.rule.traits.contains(.limitsSizeOfEntries) }
  return Set(LimitedPart.problems(of: parts, in: folder)) == Set(known) ? new : nil
}

extension CompiledState {
  /// The parts whose size has a limit, and that depend on entries.
  fileprivate func limitedParts(config: OutputFile) -> [LimitedPart] {
    let lists = selections.flatMap { state in
      state.lists.map { LimitedPart(.list, of: state.name, bytes: $0.size) }
    }
    let tiles = selections.filter { $0.tile != nil }.flatMap { state in
      LimitedPart.tiles(named: state.name, state.whole)
    }
    return [LimitedPart(.config, bytes: config.bytes.count)] + lists + tiles
      + zip(contexts, indexes).map { LimitedPart(.index, of: $0.name, bytes: $1.size) }
  }
}

extension Diagnostic {
  /// Returns `true` if the diagnostic does not change with some files: it names none of them, and is
  /// not about the keys of catalogs while a catalog changes.
  fileprivate func stays(_ changed: [String], in folder: ContentFolder) -> Bool {
    if rule.traits.contains(.comparesCatalogs),
      changed.contains(where: { $0.hasBytePrefix("strings/") })
    {
      return false
    }
    let prefix = folder.shownPath("")
    return ([location] + notes.map(\.location)).compactMap(\.self).allSatisfy { location in
      // A location with another prefix is in another folder.
      guard location.path.hasPrefix(prefix) else { return false }
      let path = location.path.text.dropping(prefix)
      return !changed.contains { $0.hasSameBytes(as: path) }
    }
  }
}
