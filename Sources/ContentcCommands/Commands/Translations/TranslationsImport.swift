import ArgumentParser
import CommandParts
import CommandReports
import ContentModel
import ContentSource
import ContentTranslations
import Diagnostics

/// Writes translations into the content.
struct TranslationsImport: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Write the translations of a file into the YAML files of the content.",
    discussion: """
      Tells the format by the content of the file. Changes the texts only: comments, order, quotes \
      and all else in the YAML files stay as they are. Records the source text of each translation \
      in translations.lock. Texts without a translation in the file are \
      left alone. If there is one mistake, no file is changed.

      Examples:
        contentc translations import fr.xliff --dry-run   # shows the changes
        contentc translations import ja.csv
      """)

  @Argument(help: ArgumentHelp("The file to read; '-' is standard input.", valueName: "file"))
  var file: String
  @Flag(help: "Show the changes of the YAML files, and change nothing.")
  var dryRun = false
  @Flag(help: "Leave out texts that the content does not have, instead of refusing the file.")
  var skipUnknown = false
  @OptionGroup var input: ContentOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let source = InputFile(path: file)
    let bytes = try source.read()
    let folder = try input.open()
    let read = TranslatedContent.read(folder)
    guard let content = read.output else {
      return Report(
        diagnostics: read.diagnostics.noting("no file was changed"), sources: SourceTexts(folder))
    }
    let plan = try content.importing(bytes, path: source.shownPath, skipsUnknown: skipUnknown)
    let sources = SourceTexts(path: source.shownPath, bytes: bytes)
    let diagnostics = common.judge(plan.diagnostics)
    guard let planned = plan.output, !diagnostics.hasErrors else {
      return Report(diagnostics: diagnostics.noting("no file was changed"), sources: sources)
    }
    if !dryRun { try ContentFiles(folder).replace(planned.files) }
    var report = planned.report(of: source.shownPath, below: folder.name, isDry: dryRun)
    (report.diagnostics, report.sources) = (plan.diagnostics, sources)
    return report
  }
}

extension [Diagnostic] {
  /// The diagnostics, with a note at the last error.
  fileprivate func noting(_ note: String) -> [Diagnostic] {
    var noted = self
    if let last = noted.lastIndex(where: { $0.severity == .error }) {
      noted[last].notes.append(Diagnostic.Note(note))
    }
    return noted
  }
}
