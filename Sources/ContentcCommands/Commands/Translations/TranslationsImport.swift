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
    abstract: "Write the translations of files into the YAML files of the content.",
    discussion: """
      Tells the format by the content of each file. Changes the texts only: comments, order, quotes \
      and all else in the YAML files stay as they are. Records the source text of each translation \
      in translations.lock. Texts without a translation in the files are \
      left alone. If there is one mistake in one of the files, nothing is changed.

      Examples:
        contentc translations import fr.xliff --dry-run   # shows the changes
        contentc translations import fr.xliff ja.csv
      """)

  @Argument(help: ArgumentHelp("The files to read; '-' is standard input.", valueName: "file"))
  var files: [String]
  @Flag(help: "Show the changes of the YAML files, and change nothing.")
  var dryRun = false
  @Flag(help: "Leave out texts that the content does not have, instead of refusing the files.")
  var skipUnknown = false
  @OptionGroup var input: ContentOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if files.filter({ $0 == "-" }).count > 1 {
      throw ValidationError("'-' is standard input, which can be read once only")
    }
  }

  func perform() throws -> Report {
    let inputs = files.map(InputFile.init)
    let imported: [TranslatedContent.ImportedFile] = try inputs.map {
      ($0.shownPath, try $0.read())
    }
    let folder = try input.open()
    let read = TranslatedContent.read(folder)
    guard let content = read.output else {
      return Report(
        diagnostics: read.diagnostics.noting("no file was changed"), sources: SourceTexts(folder))
    }
    let plan = try content.importing(imported, skipsUnknown: skipUnknown)
    let sources = SourceTexts(files: imported)
    let diagnostics = common.judge(plan.diagnostics)
    guard let planned = plan.output, !diagnostics.hasErrors else {
      return Report(diagnostics: diagnostics.noting("no file was changed"), sources: sources)
    }
    if !dryRun { try ContentFiles(folder).replace(planned.files) }
    let names = inputs.map(\.shownPath).joined(separator: ", ")
    var report = planned.report(of: names, below: folder.name, isDry: dryRun)
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
