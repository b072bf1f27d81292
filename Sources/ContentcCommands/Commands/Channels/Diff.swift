import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics

/// Compares the content with the live release.
struct Diff: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show what a publication would change for readers: entries, fields, contexts, bytes.",
    discussion: help(
      """
      Builds the content and compares it with the live release. --fail-on is a gate for CI. With \
      '--diagnostics github', the job summary gets all changes, for all contexts.
      """))

  static let examples = """
    contentc diff qa
    contentc diff qa --json
    contentc diff qa --fail-on removed    # a gate for CI
    contentc diff qa --base content --error-on changed-address
    """
  static let reads: Set<CommandSource> = [.content, .output, .target]
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(
      .gate,
      "with --fail-on: entries were added, removed or changed, or the target lacks objects "
        + "of the live release, so that some changes are unknown"),
    CommandStatus(.tryAgain, "another build still runs after 5 s: run the command again"),
  ]
  static let result: [ResultRow] = [
    ResultRow(
      ["entries[].id?": .string, "entries[].kind?": .string, "entries[].contexts[]?": .string],
      "an entry that is `added`, `removed` or `changed`, and for which contexts"),
    ResultRow(
      ["entries[].fields[].path?": .string, "entries[].fields[].contexts[]?": .string],
      "a field that differs"),
    ResultRow(
      ["entries[].fields[].old?": .any, "entries[].fields[].new?": .any],
      "its values; no key where there is none"),
    ResultRow(
      ["isComplete": .boolean],
      "`false` if some changes are unknown, because the target lacks objects of the live release"),
    ResultRow(["bytes.*?": .integer], "by context: what a reader fetches"),
    ResultRow(["newObjects": .integer, "newBytes": .integer], "what a publication would send"),
    ResultRow(
      ["sends[].kind?": .string, "sends[].objects?": .integer, "sends[].bytes?": .integer],
      "the objects of one kind that a publication sends: "
        + ReleaseDiff.SentPart.Kind.allCases.map { "`\($0.rawValue)`" }.joined(separator: ", ")),
    ResultRow(["sends[].bundles.*?": .integer], "by bundle: how many of them"),
    ResultRow(
      ["settings.*?": .string],
      "`diff` only: the channel's `target`, `url` and `cdn`, each in one line"),
  ]

  static let uses = Set<ProjectSetting>.ofTarget.union([.url, .cdn, .pseudo])
  private static let addresses: Set<ProjectSetting> = [.target, .url, .cdn]

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "Exit with status 2 if entries are added, removed or changed: any of these words, "
        + "separated by commas. Default: never.",
      valueName: "kinds"),
    completion: .changes, transform: Diff.kinds)
  var failOn: [ReleaseDiff.Kind] = []
  @Flag(help: "Compare the output folder as it is; refused if the content changed since the build.")
  var built = false
  @Option(
    help: ArgumentHelp(
      "Another content folder, such as the main branch's, to compare the channel's addresses "
        + "with. Default: none.", valueName: "folder"), completion: .directory)
  var base: String?
  @OptionGroup var output: OutputOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let opened = try delivery.open(
      channel, using: Self.uses, writes: false, notes: common.waitNotes)
    let out = output.folder(delivery.input)
    if !built {
      let report = try BuiltContent.build(
        delivery.input, into: out, for: opened.channel, common: common)
      if report.diagnostics.hasErrors { return report }
    }
    let folder = BuiltContent(folder: out.withoutTrailingSlashes)
    let content = try folder.content()
    if built { try BuildCheck(folder, content: content, input: delivery.input).requireUnchanged() }
    let live = try opened.live()
    let page = DiffPage(diff: try opened.difference(from: live, to: content))
    let settings = ChannelSettings(opened.channel)
    var report = Report(text: settings.text + page.text, json: page.members, isResult: true)
    report.json["settings"] = .dictionary(
      Members(settings.lines.map { ($0.key, .string($0.text)) }))
    report.jobSummary = { [name = opened.channel.name] in page.jobSummary(of: name, settings) }
    report.diagnostics = try changedAddresses(settings, of: opened, live: live)
    report.diagnostics += try opened.missingObjectsWarning(live, in: page.diff)
    for kind in failOn {
      let entries = page.diff.entries.filter { $0.kinds.contains(kind) }.map(\.id)
      if entries.isEmpty { continue }
      let list = entries.prefix(5).joined(separator: ", ") + (entries.count > 5 ? ", …" : "")
      report.diagnostics.append(
        Diagnostic(
          .error, rule: kind.rule, at: nil,
          message:
            "\(entries.count.counted("entry", plural: "entries")) \(kind.rawValue): \(list)"))
    }
    if !failOn.isEmpty, !page.diff.isComplete {
      report.diagnostics.append(
        .error(
          .diffUnknown, at: nil,
          message: "without all objects of the live release, some changes are unknown"))
    }
    return report
  }

  private func changedAddresses(
    _ settings: ChannelSettings, of opened: OpenChannel, live: LiveRelease?
  ) throws -> [Diagnostic] {
    guard let base else { return live.map { settings.warnings(against: $0.record) } ?? [] }
    let before = try ContentPlace(path: base).projectFile().channel(
      opened.channel.name, using: Self.addresses)
    return settings.warnings(against: before?.channel)
  }

  private static func kinds(_ text: String) throws -> [ReleaseDiff.Kind] {
    try text.split(separator: ",").map { word in
      guard let kind = ReleaseDiff.Kind(rawValue: String(word)) else {
        let known = ReleaseDiff.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw ValidationError("'\(word)' is not one of \(known)")
      }
      return kind
    }
  }
}

extension ReleaseDiff.Kind {
  /// The gate that `--fail-on` closes for changes of this kind.
  fileprivate var rule: Rule {
    switch self {
    case .added: .diffAdded
    case .removed: .diffRemoved
    case .changed: .diffChanged
    }
  }
}
