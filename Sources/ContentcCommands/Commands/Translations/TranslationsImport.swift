import ArgumentParser
import ContentModel
import ContentSource
import Diagnostics
import Translations

/// Writes translations into the content.
struct TranslationsImport: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Write the translations of files into the YAML files of the content.",
    discussion: help(
      """
      Tells the format by the content of each file. Changes the texts only: comments, order, quotes \
      and all else in the YAML files stay as they are. Records the source text of each translation \
      in translations.lock. Texts without a translation in the files are \
      left alone. A translation with a mistake is left out with an error, and the exit status is 1; \
      all others are imported. A warning that a flag raises to an error stops the whole import.
      """))

  static let examples = """
    contentc translations import fr.xliff --dry-run   # shows the changes
    contentc translations import fr.xliff ja.csv
    """
  static let reads: Set<CommandSource> = [.content]
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(
      .contentErrors,
      "a translation with a mistake was left out, or the content has mistakes"),
    CommandStatus(.tryAgain, "a file has changed meanwhile: run the command again"),
  ]
  static let result: [ResultRow] = [
    ResultRow(
      ["changed": .integer, "unchanged": .integer, "skipped": .integer],
      "numbers of texts with another translation, with the same one, and left out with a warning"),
    ResultRow(
      ["refused": .integer, "equal": .integer],
      "numbers of texts left out with an error, and of those whose translation equals their "
        + "source"),
    ResultRow(["missing": .integer], "the number of texts without a translation"),
    ResultRow(
      ["files[]": .string, "dryRun": .boolean, "diff?": .string],
      "the changed files, whether they were left as they are, and with `--dry-run` the changes, "
        + "which `git apply -p0` takes"),
  ]

  @Argument(
    help: ArgumentHelp("The files to read; '-' is standard input.", valueName: "file"),
    completion: .file())
  var files: [String]
  @Flag(help: "Show the changes of the YAML files, and change nothing.")
  var dryRun = false
  @Flag(help: "Warn of texts that the content does not have. Default: an error for each.")
  var skipUnknown = false
  @Option(
    help: ArgumentHelp(
      "Count translations that equal their source text as missing or as translated. Default: as the "
        + "states in the file say.", valueName: "missing|translated"))
  var equalAs: EqualMeaning?
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
    let plan = try content.importing(
      imported, options: TranslationImport.Options(skipsUnknown: skipUnknown, equalAs: equalAs))
    let sources = SourceTexts(files: imported)
    let isStopped = common.judge(plan.diagnostics.filter { $0.severity == .warning }).hasErrors
    guard let planned = plan.output, !isStopped else {
      let judged = common.judge(plan.diagnostics)
      return Report(diagnostics: judged.noting("no file was changed"), sources: sources)
    }
    if !dryRun { try ContentFiles(folder).replace(planned.files) }
    let names = inputs.map(\.shownPath).joined(separator: ", ")
    var report = planned.report(of: names, below: folder.name, isDry: dryRun)
    (report.diagnostics, report.sources) = (plan.diagnostics, sources)
    // The summary of a partial import is printed, too.
    if plan.hasErrors { report.status = .contentErrors }
    if planned.files.isEmpty {
      report.diagnostics = report.diagnostics.noting("no file was changed")
    }
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
