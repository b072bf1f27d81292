import ArgumentParser
import ContentBuild
import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import System

/// Converts a file to another format.
struct Convert: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "convert",
    abstract: "Convert a property list, a JSON file or a YAML file to another format.",
    discussion: help(
      """
      Detects the format of the file by its content; YAML by the ending .yaml or .yml, or by \
      --from. The output is canonical: keys are sorted, and equal input gives equal bytes. \
      Property lists have no null: a YAML key whose value is null is omitted, and a null in a list \
      is an error. OpenStep has only strings, data, lists and dictionaries; JSON has no dates and \
      no data. Other values become text.
      """))

  static let examples = """
    contentc convert out/preview/config.plist --to json
    contentc convert content/content.yaml --to binary -o content.plist
    contentc convert - --to xml < out/preview/config.plist
    """
  static let reads: Set<CommandSource> = []
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.contentErrors, "the file has mistakes"),
    CommandStatus(.missingInput, "there is no such file"),
  ]
  static let result: [ResultRow] = [
    .paragraph("Only with `--output`."),
    ResultRow(
      ["output": .string, "format": .string, "bytes": .integer],
      "the file that was written"),
  ]

  @Argument(
    help: ArgumentHelp("The file to read; '-' is standard input.", valueName: "file"),
    completion: .file())
  var file: String
  @Option(help: "The format to write.")
  var to: PropertyListFormat
  @Option(help: "The format of the file. Default: detected.")
  var from: ConvertSource?
  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file to write. Default: standard output.", valueName: "file"),
    completion: .file())
  var output: String?
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if common.json, output == nil || output == "-" {
      throw ValidationError("'--json' describes the written file: name one with '--output'")
    }
  }

  func perform() throws -> Report {
    let input = InputFile(path: file)
    let bytes = try input.read()
    let read = (from ?? ConvertSource(guessedFrom: file)).read(bytes, path: input.shownPath)
    let diagnostics = common.judge(read.diagnostics)
    var report = Report(
      diagnostics: diagnostics, sources: SourceTexts(files: [(input.shownPath, bytes)]))
    guard !diagnostics.hasErrors, let value = read.output else { return report }
    try write(try encoded(value), reportingIn: &report)
    return report
  }

  private func encoded(_ value: Value) throws(Failure) -> [UInt8] {
    do { return try PropertyList.encode(value, as: to) } catch {
      throw Failure(
        .contentErrors, .unencodable, error.description, at: InputFile(path: file).shownPath)
    }
  }

  private func write(_ bytes: [UInt8], reportingIn report: inout Report) throws {
    guard let output, output != "-" else {
      if to == .binary, Terminal.output.isInteractive {
        throw Failure(
          .usage, .binaryToTerminal, "a binary property list would garble the terminal",
          notes: ["write it to a file with '--output'"])
      }
      if to == .json, Terminal.output.isInteractive {
        // Escapes keep the text's meaning, so that it may be copied from the terminal.
        return try Terminal.output.write(json: bytes + [UInt8(ascii: "\n")])
      }
      try Terminal.output.write(
        data: to == .binary || bytes.last == UInt8(ascii: "\n")
          ? bytes : bytes + [UInt8(ascii: "\n")])
      return
    }
    try AtomicFile(output).write(bytes)
    report.text = "Wrote \(output) (\(to.rawValue), \(bytes.count.asByteCount))\n"
    report.json = Members([
      ("output", .string(output)), ("format", .string(to.rawValue)),
      ("bytes", .integer(Int64(bytes.count))),
    ])
  }
}
