import ContentModel
package import ContentSource
package import Diagnostics
import YAML

/// The changes that write the translations of files into a content folder.
package struct TranslationImport: Sendable {
  /// The files to replace or add, by path below the content folder.
  package let files: [EditedFile]
  /// The number of texts that get another translation, or their first one.
  package let changed: Int
  /// The number of texts that have the translation already.
  package let unchanged: Int
  /// The number of units without a translation.
  package let missing: Int
  /// The number of units whose translation in the file equals a source text with a letter.
  package let equal: Int
  /// The number of translations that are left out; a warning gives the reason.
  package let skipped: Int
  /// The number of units that are left out because of a mistake; an error names each.
  package let refused: Int

  /// The options of an import.
  package struct Options: Sendable {
    /// `true` if a unit that the content does not have is a warning, not an error.
    package var skipsUnknown: Bool
    /// The meaning of translations that equal their source text; `nil` if the states of the file
    /// decide.
    package var equalAs: EqualMeaning?

    package init(skipsUnknown: Bool = false, equalAs: EqualMeaning? = nil) {
      (self.skipsUnknown, self.equalAs) = (skipsUnknown, equalAs)
    }
  }

  /// The limit of attempts, each without the units that had errors in earlier attempts.
  private static let mostRounds = 10

  /// Plans the import of files into a content folder.
  ///
  /// 1. The units of the files are matched with the texts of the content.
  /// 2. The YAML files are edited in memory.
  /// 3. The edited folder is read and checked like any other, and an error of a translation is
  ///    reported at its place in the imported file.
  /// 4. If there is such an error, its unit is left out, and steps 2 and 3 are repeated, so
  ///    that all other translations are imported.
  /// 5. The lock gets the source text of each translation.
  ///
  /// The tree must be that of the folder, without errors. `check` returns all problems of a folder
  /// that was read. The plan is `nil` if an error belongs to no unit, because nothing can be
  /// imported then.
  package static func plan(
    _ files: [TranslationFile], into folder: ContentFolder, tree: ContentTree,
    lock: TranslationLock?, options: Options = Options(),
    check: (ContentInput) throws -> [Diagnostic] = \.diagnostics
  ) rethrows -> Diagnosed<TranslationImport?> {
    let project = TranslationProject(of: tree, lock: lock)
    let imported = ImportedUnits(files, in: project, options: options)
    var plan = Diagnosed<TranslationImport?>(nil, diagnostics: imported.diagnostics)
    var refused: Set<ImportedUnit.Key> = []
    for _ in 0..<mostRounds {
      let selection = imported.selection(without: refused)
      let changes = selection.units.filter(\.isChange)
      let edits = EditedFolder(changes, in: folder, tree: tree, project: project)
      let problems = try edits.problems + edits.problems(of: changes, foundBy: check)
      let errors = problems.filter { $0.diagnostic.severity == .error }
      plan.diagnostics += errors.map(\.diagnostic)
      if errors.contains(where: \.units.isEmpty) { break }
      refused.formUnion(errors.flatMap(\.units).map(\.key))
      guard errors.isEmpty else { continue }

      plan.diagnostics += problems.map(\.diagnostic) + selection.diagnostics
      var edited = edits.files
      let newLock = project.lock(after: selection.units).encoded
      if !selection.units.isEmpty, newLock != lock?.file {
        edited.append(EditedFile(path: TranslationLock.fileName, old: lock?.file, new: newLock))
      }
      plan.output = TranslationImport(
        files: edited, changed: changes.count, unchanged: selection.units.count - changes.count,
        missing: imported.missing, equal: imported.equal,
        skipped: imported.skipped + selection.skipped,
        refused: files.reduce(0) { $0 + $1.damaged } + imported.refused.union(refused).count)
      break
    }
    plan.diagnostics = plan.diagnostics.groupedByDeclaration()
    return plan
  }
}

/// A file of a content folder, before and after a change.
package struct EditedFile: Sendable {
  /// The path below the content folder.
  package var path: String
  /// The bytes before; `nil` for a new file.
  package var old: [UInt8]?
  /// The bytes after.
  package var new: [UInt8]

  package init(path: String, old: [UInt8]?, new: [UInt8]) {
    (self.path, self.old, self.new) = (path, old, new)
  }
}

extension TranslationProject {
  /// The lock with the rows of imported translations.
  ///
  /// Without a lock, all translations count as current, and each gets a row.
  fileprivate func lock(after units: [ImportedUnit]) -> TranslationLock {
    var lock = lock ?? baseline
    for imported in units {
      if let row = imported.lockRow { lock[imported.unit.id, imported.locale] = row }
    }
    return lock
  }
}
