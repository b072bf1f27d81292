import ArgumentParser
import ContentCompiler
import ContentModel
import ContentSource
import Diagnostics
import Translations

/// Counts the translated texts.
struct CoverageCommand: ContentCommand {
  static let configuration = CommandConfiguration(
    commandName: "coverage",
    abstract: "Show the share of texts that readers see in their language, by locale and datatype.",
    discussion: help(
      """
      Counts the localized texts of each entry once per locale, as the device 'any' sees them. A \
      text counts as covered if the locale or one of its parents has it, such as 'fr' for 'fr-CA'. \
      Texts of the source locale cover only that locale and its regional variants. With --locale \
      or --datatype, lists the texts that are not covered and the outdated ones, whose source text \
      has changed since translations.lock was written, the entries with the most first. \
      '--fail-on outdated' needs translations.lock.
      """))

  static let examples = """
    contentc coverage
    contentc coverage --locale fr-CA --datatype product
    contentc coverage --fail-under 5                       # a gate for CI
    """
  static let reads: Set<CommandSource> = [.content]
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.gate, "the limit of --fail-under or --fail-on is not met")
  ]
  static let result: [ResultRow] = [
    ResultRow(["sourceLocale": .string, "datatypes[]": .string], "the scope"),
    ResultRow(["share": .number], "the share of texts that are covered, of 1"),
    ResultRow(
      ["isLocked": .boolean],
      "`false` if outdated translations are unknown, because there is no `translations.lock`"),
    ResultRow(["locales[].locale": .string, "locales[].share": .number], "each locale"),
    ResultRow(
      [
        "locales[].translated": .integer, "locales[].inherited": .integer,
        "locales[].fallback": .integer, "locales[].missing": .integer,
      ],
      "numbers of texts"),
    ResultRow(
      ["locales[].outdated": .integer],
      "the number of translated and inherited texts whose source text has changed since"),
    ResultRow(["locales[].datatypes.*.share": .number], "the same by datatype"),
    ResultRow(
      [
        "locales[].datatypes.*.translated": .integer, "locales[].datatypes.*.inherited": .integer,
        "locales[].datatypes.*.fallback": .integer, "locales[].datatypes.*.missing": .integer,
        "locales[].datatypes.*.outdated": .integer,
      ],
      ""),
    ResultRow(
      ["entries[].entry?": .string],
      "with `--locale` or `--datatype`: the entries with something left"),
    ResultRow(
      ["entries[].fields[].path?": .string, "entries[].fields[].state?": .string],
      "a field, and whether it falls back, is missing or outdated"),
    ResultRow(
      ["entries[].fields[].from?": .string, "entries[].fields[].location?": .string],
      "the locale that readers see instead, and its place"),
    ResultRow(["entries[].fields[].locale?": .string], "the locale it is about"),
  ]

  @Option(
    help: ArgumentHelp(
      "Count only this declared locale, and list its missing texts. Default: all locales.",
      valueName: "locale"), completion: .locales)
  var locale: String?
  @Option(
    help: ArgumentHelp(
      "Count only this datatype, and list its missing texts. Default: all datatypes.",
      valueName: "datatype"), completion: .datatypes)
  var datatype: String?
  @Option(
    help: ArgumentHelp(
      "Exit with status 2 if the share of any counted locale is lower, in percent. Default: 0.",
      valueName: "percent")
  )
  var failUnder: Double?
  @Option(help: "Exit with status 2 if any counted locale has such texts. Default: none.")
  var failOn: FailOn?
  @OptionGroup var input: ContentOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  enum FailOn: String, ExpressibleByArgument, CaseIterable { case outdated }

  func validate() throws {
    if let failUnder, !(0...100).contains(failUnder) {
      throw ValidationError("--fail-under must be between 0 and 100")
    }
  }

  func perform() throws -> Report {
    let source = try ContentInput.read(input)
    // Files that cannot be read would be missing from every count.
    guard let tree = source.tree, !source.diagnostics.hasErrors else {
      return Report(diagnostics: source.diagnostics, sources: source.sources)
    }
    let scope = try scope(in: tree)
    let lock = TranslationLock.read(in: tree.folder)
    guard !lock.hasErrors else { return Report(diagnostics: lock.diagnostics) }
    let project = TranslationProject(of: tree, lock: lock.output)
    let coverage = coverage(of: tree, scope, outdated: project.outdated)
    let page = CoveragePage(coverage: coverage, scope: scope, isLocked: project.isLocked)
    var report = Report(text: page.text, json: coverage.members(scope), isResult: true)
    report.json["isLocked"] = .boolean(project.isLocked)
    report.diagnostics = failUnder.map(page.shortfalls) ?? []
    if failOn == .outdated { report.diagnostics += page.outdatedProblems }
    if report.diagnostics.hasErrors { report.status = .gate }
    return report
  }

  private func scope(in tree: ContentTree) throws(Failure) -> CoverageScope {
    do throws(CoverageScope.UnknownName) {
      return try CoverageScope(locale: locale, datatype: datatype, in: tree)
    } catch {
      throw Failure(.usage, unknown: error.rule, error.name, known: error.known)
    }
  }
}
