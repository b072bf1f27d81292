package import ContentModel
package import Diagnostics
package import Translations

/// The translations of the previewed content: all that the page's view of them needs.
///
/// Calls do not overlap.
package struct PreviewTranslations: Sendable {
  /// Returns the locales, and the units of one of them; `nil` if the content cannot be read.
  package var list: @Sendable (_ locale: LocaleTag?) -> List?
  /// Returns the bytes of a file for translators, or `nil` and the reasons; with `onlyOpen`, the file
  /// has no translated texts.
  package var export:
    @Sendable (_ format: TranslationFormat, _ locale: LocaleTag, _ onlyOpen: Bool)
      -> Diagnosed<[UInt8]?>
  /// Imports a file into the content, or reports what an import would change.
  package var importFile: @Sendable (_ file: ImportedFile, _ isDryRun: Bool) -> ImportReport
  /// Writes one translation into the content; `nil` if the page must not change files.
  package var save: (@Sendable (_ edit: Edit) -> ImportReport)?

  package init(
    list: @escaping @Sendable (_ locale: LocaleTag?) -> List?,
    export:
      @escaping @Sendable (TranslationFormat, LocaleTag, _ onlyOpen: Bool)
      -> Diagnosed<[UInt8]?>,
    importFile: @escaping @Sendable (_ file: ImportedFile, _ isDryRun: Bool) -> ImportReport,
    save: (@Sendable (_ edit: Edit) -> ImportReport)? = nil
  ) {
    (self.list, self.export, self.importFile, self.save) = (list, export, importFile, save)
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

  /// A translation that a person has typed.
  package struct Edit: Sendable {
    package var locale: LocaleTag
    /// The unit's id.
    package var id: ExactString
    /// The source text that the person saw; the edit is refused if the content has another one.
    package var source: String
    /// The translation that the page showed; the edit is refused if the content has another one.
    package var previous: String?
    package var target: String
    /// The other typed texts of the same plural or list, which is written as a whole.
    package var others: [Edit]

    package init(
      locale: LocaleTag, id: ExactString, source: String, previous: String? = nil, target: String,
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
