import ContentModel
package import ContentSource
package import Diagnostics
package import TranslationFiles
import YAMLEditing

/// The changes of a content folder by which it gets the translations of a file.
package struct TranslationImport: Sendable {
  /// The files to replace or add, by path below the content folder.
  package let files: [EditedFile]
  /// The number of texts that get another translation, or their first one.
  package let changed: Int
  /// The number of texts that have the translation already.
  package let unchanged: Int
  /// The number of units without a translation.
  package let missing: Int
  /// The number of translations that are left out; a warning tells why.
  package let skipped: Int

  /// Plans the import of files into a content folder; the plan is `nil` if there is an error.
  ///
  /// 1. The units of the files are matched with the texts of the content.
  /// 2. The YAML files are edited in memory.
  /// 3. The edited folder is read and checked like any other, and an error of a translation is
  ///    reported at its place in the imported file.
  /// 4. The lock gets the source text of each translation.
  ///
  /// The tree must be that of the folder, without errors. With `skipsUnknown`, units that the
  /// content does not have are warnings. `check` returns all problems of a folder that was read.
  package static func plan(
    _ files: [TranslationFile], into folder: ContentFolder, tree: ContentTree,
    lock: TranslationLock?, skipsUnknown: Bool = false,
    check: (ContentInput) throws -> [Diagnostic] = \.diagnostics
  ) rethrows -> Diagnosed<TranslationImport?> {
    let project = TranslationProject(of: tree, lock: lock)
    let imported = ImportedUnits(files, in: project, skipsUnknown: skipsUnknown)
    var plan = Diagnosed<TranslationImport?>(nil, diagnostics: imported.diagnostics)
    let changes = imported.units.filter(\.isChange)
    let edits = EditedFolder(changes, in: folder, tree: tree, project: project)
    plan.diagnostics += edits.diagnostics
    plan.diagnostics += try edits.problems(of: changes, foundBy: check)
    guard !plan.hasErrors else { return plan }

    var edited = edits.files
    let newLock = project.lock(after: imported.units).encoded
    if !imported.units.isEmpty, newLock != lock?.file {
      edited.append(EditedFile(path: TranslationLock.fileName, old: lock?.file, new: newLock))
    }
    plan.output = TranslationImport(
      files: edited, changed: changes.count, unchanged: imported.units.count - changes.count,
      missing: imported.missing, skipped: imported.skipped)
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
  /// Without a lock, all translations were current until now, and get rows.
  fileprivate func lock(after units: [ImportedUnit]) -> TranslationLock {
    var lock = lock ?? baseline
    for imported in units {
      if let row = imported.lockRow { lock[imported.unit.id, imported.locale] = row }
    }
    return lock
  }
}
