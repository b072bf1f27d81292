package import ContentModel
package import ContentSource
package import Diagnostics
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
  package var retained: RetainedEntries

  /// Hundreds of trees, which take longer to give back piece by piece than a process that ends
  /// needs.
  ///
  /// A class, since a reference to it is all that a caller needs to keep.
  package final class RetainedEntries: Sendable {
    private let tree: ContentTree
    private let ledger: EntryLedger
    private let images: [[EntryImage]]

    init(_ tree: ContentTree, _ ledger: EntryLedger, _ images: [[EntryImage]]) {
      (self.tree, self.ledger, self.images) = (tree, ledger, images)
    }
  }
}

/// Compiles again what an edit of entries reaches, and takes the rest from an earlier build.
///
/// `changed` are the paths of the files that changed, `assets` those of all files below `assets/`.
/// `stored` gives the bytes of an object of the earlier build, which had the `warnings`; they are
/// those of this build as well. The result is `nil` where the edit reaches further than the texts
/// of entries, or something is wrong with it, or a warning is about a file that changed: then
/// everything must be compiled.
///
/// - Throws: what `emit` throws.
package func recompile(
  _ state: CompiledState, warnings: [Diagnostic] = [], changed: [String], assets: [String],
  in folder: ContentFolder,
  at instant: Instant,
  stored: @escaping @Sendable (_ digest: Digest, _ fileExtension: String) -> [UInt8]?,
  emit: @escaping @Sendable (OutputObject) throws -> Void
) throws -> Recompilation? {
  guard changed.allSatisfy(\.isOfEntries), warnings.allSatisfy({ $0.stays(changed, in: folder) })
  else { return nil }
  let ledger = ObjectLedger(emit: emit)
  // Single entries exchanged in their bundles, or, where one of those is not made so, all their
  // entries made anew.
  for part in [ContentPart(opening: changed, in: folder), nil] {
    guard
      var edit = Edit(
        state, changed: changed, part, assets: assets, warnings: Set(warnings), in: folder,
        at: instant)
    else {
      continue
    }
    guard let bundles = edit.bundles(ledger, stored) else { continue }
    return try edit.recompilation(of: bundles, ledger, stored)
  }
  return nil
}

extension Diagnostic {
  /// Whether neither it nor a note of it is about one of some files of a folder: then it is the
  /// same once these changed.
  fileprivate func stays(_ changed: [String], in folder: ContentFolder) -> Bool {
    if id == CatalogKeys.rule, changed.contains(where: { $0.hasPrefix("strings/") }) {
      return false
    }
    let prefix = folder.shownPath("")
    return ([location] + notes.map(\.location)).compactMap(\.self).allSatisfy { location in
      // One that knows the folder by another name is from elsewhere.
      location.path.hasPrefix(prefix) && !changed.contains(location.path.dropping(prefix))
    }
  }
}
