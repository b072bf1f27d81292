package import ContentModel
package import ContentReports
package import ContentSource
package import Diagnostics

/// The translations of the previewed content: all that the page's view of them needs.
///
/// Calls do not overlap, except for those of `outdated`.
package struct PreviewTranslations: Sendable {
  /// Returns the locales, and the units of one of them; `nil` if the content cannot be read.
  package var list: @Sendable (_ locale: LocaleTag?) -> List?
  /// Returns the translations in a tree whose source text has changed since; `nil` if the lock file
  /// is damaged.
  package var outdated: @Sendable (_ tree: ContentTree) -> OutdatedTexts?
  /// Returns the bytes of a file for translators.
  package var export: @Sendable (_ export: Export) -> Result<[UInt8], Problems>
  /// Imports a file into the content, or reports what an import would change.
  package var importFile: @Sendable (_ file: ImportedFile, _ isDryRun: Bool) -> ImportReport
  /// Writes one translation into the content; `nil` if the page must not change files.
  package var save: (@Sendable (_ edit: Edit) -> ImportReport)?

  package init(
    list: @escaping @Sendable (_ locale: LocaleTag?) -> List?,
    outdated: @escaping @Sendable (_ tree: ContentTree) -> OutdatedTexts?,
    export: @escaping @Sendable (_ export: Export) -> Result<[UInt8], Problems>,
    importFile: @escaping @Sendable (_ file: ImportedFile, _ isDryRun: Bool) -> ImportReport,
    save: (@Sendable (_ edit: Edit) -> ImportReport)? = nil
  ) {
    (self.list, self.outdated, self.export) = (list, outdated, export)
    (self.importFile, self.save) = (importFile, save)
  }

  /// The locales of translations, and the units of one of them.
  package struct List: Sendable {
    package var source: LocaleTag
    /// The locales that the source texts are translated into.
    package var targets: [LocaleTag]
    /// In their order; empty if the list is of no locale.
    package var units: [Unit]

    package init(source: LocaleTag, targets: [LocaleTag], units: [Unit]) {
      (self.source, self.targets, self.units) = (source, targets, units)
    }
  }

  /// The formats of files for translators.
  package enum FileFormat: String, CaseIterable, Sendable {
    case xliff, xcstrings, csv
  }

  /// A file to export.
  package struct Export: Sendable {
    package var locale: LocaleTag
    package var format: FileFormat
    /// `true` to leave out translated texts.
    package var isMissingOnly: Bool

    package init(locale: LocaleTag, format: FileFormat, isMissingOnly: Bool) {
      (self.locale, self.format, self.isMissingOnly) = (locale, format, isMissingOnly)
    }
  }

  /// The reasons why a file cannot be exported.
  package struct Problems: Error {
    package var diagnostics: [Diagnostic]

    package init(_ diagnostics: [Diagnostic]) { self.diagnostics = diagnostics }
  }

  /// A file that a translator returns.
  package struct ImportedFile: Sendable {
    /// The file's name on the translator's machine, which is no path here.
    package var name: String
    package var bytes: [UInt8]

    package init(name: String, bytes: [UInt8]) { (self.name, self.bytes) = (name, bytes) }
  }

  /// A translation that a person has typed.
  package struct Edit: Sendable {
    package var locale: LocaleTag
    /// The unit's id.
    package var id: String
    /// The source text that the person saw; the edit is refused if the content has another one.
    package var source: String
    /// The translation that the page showed; the edit is refused if the content has another one.
    package var previous: String?
    package var target: String
    /// The other typed texts of the same plural or list, which is written as a whole.
    package var others: [Edit]

    package init(
      locale: LocaleTag, id: String, source: String, previous: String? = nil, target: String,
      others: [Edit] = []
    ) {
      self.others = others
      (self.locale, self.id, self.source) = (locale, id, source)
      (self.previous, self.target) = (previous, target)
    }
  }

  /// The result of an import, of its dry run, or of a saved edit.
  package struct ImportReport: Sendable {
    /// The paths of the changed files.
    package var changedFiles: [String]
    package var changedUnits: Int
    /// The changes as a unified diff.
    package var diff: String
    package var diagnostics: [Diagnostic]
    /// `true` if nothing was written because of the diagnostics.
    package var isRefused: Bool

    package init(
      changedFiles: [String] = [], changedUnits: Int = 0, diff: String = "",
      diagnostics: [Diagnostic] = [], isRefused: Bool = false
    ) {
      (self.changedFiles, self.changedUnits, self.diff) = (changedFiles, changedUnits, diff)
      (self.diagnostics, self.isRefused) = (diagnostics, isRefused)
    }
  }
}
