import ArgumentParser
import ContentBuild
import ContentModel
import ContentSource
import Diagnostics
import System
import Translations

/// Writes the texts of a locale for translators.
struct TranslationsExport: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write the texts of a locale into a file for translators.",
    discussion: help(
      """
      Each text has its source, its translation, the description of its field, its maximum length \
      and its bundles. A translation whose source text has changed since is marked 'needs-review'.
      """))

  static let examples = """
    contentc translations export --locale fr --to xliff -o fr.xliff
    contentc translations export --locale ja --to csv --missing > ja.csv
    """
  static let reads: Set<CommandSource> = [.content]
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(
      ["output?": .string, "format?": .string, "texts?": .integer],
      "the file that was written, and its number of texts"),
    ResultRow(
      ["missing?": .integer, "outdated?": .integer],
      "numbers of texts without a translation, and with an outdated one"),
  ]

  @Option(
    help: ArgumentHelp("The locale to translate into.", valueName: "locale"),
    completion: .translatedLocales)
  var locale: String
  @Option(help: ArgumentHelp("The format of the file.", valueName: "format"))
  var to: TranslationFormat
  @Flag(help: "Write only texts without a translation and those whose translation is outdated.")
  var missing = false
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write. Default: standard output.", valueName: "file"),
    completion: .file())
  var output: String?
  @OptionGroup var input: ContentOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if common.json, output == nil || output == "-" {
      throw ValidationError("'--json' describes the written file: name one with '--output'")
    }
  }

  func perform() throws -> Report {
    let folder = try input.open()
    let read = TranslatedContent.read(folder)
    guard let content = read.output else {
      return Report(diagnostics: read.diagnostics, sources: SourceTexts(folder))
    }
    let target = try content.target(locale)
    let file = content.project.file(to, into: target, onlyOpen: missing)
    let encoded = file.encoded()
    var report = Report(diagnostics: encoded.diagnostics, sources: SourceTexts(folder))
    guard !encoded.hasErrors else { return report }
    guard let output, output != "-" else {
      try Terminal.output.write(data: encoded.output)
      return report
    }
    try write(encoded.output, to: output, besides: folder.name)
    let inheriting = Set(
      content.project.units(into: target).filter { $0.inherited != nil }.map(\.unit.id))
    let inherited = file.units.count { inheriting.contains($0.id) }
    let open = file.units.count { $0.state == .new } - inherited
    let outdated = file.units.count { $0.state == .needsReview }
    report.text =
      "Wrote \(output): \(file.units.count.counted("text")), "
      + "\(open.grouped) without a translation, \(outdated.grouped) outdated"
      + (inherited > 0 ? ", \(inherited.grouped) inherited from a parent locale\n" : "\n")
    report.json = [
      "output": .string(output), "format": .string(to.name),
      "texts": .integer(Int64(file.units.count)), "missing": .integer(Int64(open)),
      "outdated": .integer(Int64(outdated)),
    ]
    return report
  }

  private func write(
    _ bytes: [UInt8], to path: String, besides content: String
  ) throws(Failure) {
    guard !ResolvedPath(path).isInside(ResolvedPath(content)) else {
      throw Failure(
        .usage, .outputInContent, "the file must be outside of the content folder", at: path)
    }
    do { try NamedOutput(path).write(bytes) } catch { throw Failure(writing: path, error) }
  }
}
