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
    discussion: """
      Builds the content and compares it with the live release. With --fail-on, the exit status is \
      2 if entries were added, removed or changed, or if the target lacks objects of the live \
      release, so that some changes are unknown: a gate for CI.

      Examples:
        contentc diff qa
        contentc diff qa --json
        contentc diff qa --fail-on removed    # a gate for CI
        contentc diff qa --base content --error-on changed-address
      """)

  static let uses = Set<ProjectSetting>.ofTarget.union([.url, .cdn, .pseudo])
  private static let addresses: Set<ProjectSetting> = [.target, .url, .cdn]

  @Argument(help: "A channel of content.yaml. Default: the only one.")
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "Exit with status 2 if entries are added, removed or changed: any of these words, "
        + "separated by commas. Default: never.",
      valueName: "kinds"),
    transform: Diff.kinds)
  var failOn: [ReleaseDiff.Kind] = []
  @Flag(help: "Compare the output folder as it is; refused if the content changed since the build.")
  var built = false
  @Option(
    help: ArgumentHelp(
      "Another content folder, such as the main branch's, to compare the channel's addresses "
        + "with. Default: none.", valueName: "folder"))
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
