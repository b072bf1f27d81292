package import ContentCompiler
package import ContentModel
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
  package var outdated: @Sendable (_ tree: ContentTree) -> Outdated?
  /// Returns the bytes of a file for translators.
  package var export: @Sendable (_ export: Export) -> Result<[UInt8], Problems>
  /// Imports a file into the content, or reports what an import would change.
  package var importFile: @Sendable (_ file: ImportedFile, _ isDryRun: Bool) -> ImportReport
  /// Writes one translation into the content; `nil` if the page must not change files.
  package var save: (@Sendable (_ edit: Edit) -> ImportReport)?

  package init(
    list: @escaping @Sendable (_ locale: LocaleTag?) -> List?,
    outdated: @escaping @Sendable (_ tree: ContentTree) -> Outdated?,
    export: @escaping @Sendable (_ export: Export) -> Result<[UInt8], Problems>,
    importFile: @escaping @Sendable (_ file: ImportedFile, _ isDryRun: Bool) -> ImportReport,
    save: (@Sendable (_ edit: Edit) -> ImportReport)? = nil
  ) {
    (self.list, self.outdated, self.export) = (list, outdated, export)
    (self.importFile, self.save) = (importFile, save)
  }

  /// The translations whose source text has changed since.
  package struct Outdated: Sendable {
    package var texts: OutdatedTexts
    /// `false` if outdated translations are unknown, because the content does not record the source
    /// texts of its translations.
    package var isLocked: Bool

    package init(texts: OutdatedTexts, isLocked: Bool) {
      (self.texts, self.isLocked) = (texts, isLocked)
    }
  }

  /// The locales of translations, and the units of one of them.
  package struct List: Sendable {
    package var source: LocaleTag
    /// The locales that the source texts are translated into.
    package var targets: [LocaleTag]
    /// `true` if the content records the source text of each translation; without these records,
    /// no translation is known to be outdated.
    package var isLocked: Bool
    /// In their order; empty if the list is of no locale.
    package var units: [Unit]

    package init(source: LocaleTag, targets: [LocaleTag], isLocked: Bool, units: [Unit]) {
      (self.source, self.targets) = (source, targets)
      (self.isLocked, self.units) = (isLocked, units)
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
    /// The meaning of translations that equal their source text; `nil` if the file's states decide.
    package var equalAs: EqualMeaning?

    package init(name: String, bytes: [UInt8], equalAs: EqualMeaning? = nil) {
      (self.name, self.bytes, self.equalAs) = (name, bytes, equalAs)
    }
  }

  /// The meaning of a translation that equals its source text.
  package enum EqualMeaning: String, CaseIterable, Sendable {
    case missing, translated
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
    /// The number of texts that are left out because of an error in `diagnostics`.
    package var refusedUnits: Int
    /// The number of texts whose file has the source text as translation.
    package var equalUnits: Int
    /// The changes as a unified diff.
    package var diff: String
    package var diagnostics: [Diagnostic]
    /// `true` if nothing was written because of the diagnostics.
    package var isRefused: Bool

    package init(
      changedFiles: [String] = [], changedUnits: Int = 0, refusedUnits: Int = 0,
      equalUnits: Int = 0, diff: String = "", diagnostics: [Diagnostic] = [],
      isRefused: Bool = false
    ) {
      (self.changedFiles, self.changedUnits, self.diff) = (changedFiles, changedUnits, diff)
      (self.refusedUnits, self.equalUnits) = (refusedUnits, equalUnits)
      (self.diagnostics, self.isRefused) = (diagnostics, isRefused)
    }
  }
}
