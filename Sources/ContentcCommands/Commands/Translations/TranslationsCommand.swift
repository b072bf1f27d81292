import ArgumentParser
import ContentModel
import ContentSource
import Diagnostics
import Translations

/// Exchanges texts with translators.
struct TranslationsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "translations",
    abstract: "Export texts for translators, and import their translations into the YAML files.",
    discussion: """
      Translators work with XLIFF, string catalogs of Xcode or spreadsheets. 'import' writes their \
      translations into the content and leaves everything else in its files as it is. The file \
      translations.lock beside content.yaml records the source text that each translation was made \
      from, so that 'coverage' and 'export' know which ones are outdated. docs/guides/translating.md \
      shows the steps, and docs/reference/translations.md describes all of it.

      Examples:
        contentc translations export --locale fr --to xliff -o fr.xliff
        contentc translations import fr.xliff --dry-run
        contentc translations lock
      """,
    subcommands: [TranslationsExport.self, TranslationsImport.self, TranslationsLock.self])
}

extension TranslationFormat: ExpressibleByArgument {
  package init?(argument: String) { self.init(named: argument) }
  package static var allValueStrings: [String] { allCases.map(\.name) }
}

extension EqualMeaning: ExpressibleByArgument {}
