import ArgumentParser
import ContentSource
import Diagnostics

/// Shows the staleness bounds of channels, layer by layer.
struct Staleness: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "staleness",
    abstract:
      "Show how long readers can see old content, layer by layer, with the rule behind each "
      + "number.",
    discussion: help(
      """
      Covers corrections, purges and maintenance switches. Reads content.yaml only and contacts no \
      server.
      """))

  static let examples = """
    contentc staleness
    contentc staleness production --json
    """
  static let reads: Set<CommandSource> = [.content]
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.gate, "a bound exceeds 'stalenessLimit'")
  ]
  static let result: [ResultRow] = [
    .paragraph("All times are in seconds."),
    ResultRow(
      ["channels.*.*.seconds": .integer],
      "until the last reader has it; the second `*` is `correction`, `purge` or `maintenance`"),
    ResultRow(["channels.*.*.originFails": .integer], "the same while the origin does not answer"),
    ResultRow(
      ["channels.*.*.layers[].layer": .string, "channels.*.*.layers[].seconds": .integer],
      "a layer, and its share"),
    ResultRow(
      [
        "channels.*.*.layers[].terms[].name": .string,
        "channels.*.*.layers[].terms[].seconds": .integer,
      ],
      "a term of the share"),
    ResultRow(["channels.*.*.layers[].terms[].rule": .string], "and the rule behind it"),
    ResultRow(
      ["channels.*.validFor?": .integer],
      "in a signed channel, the seconds after which an app that is kept from all news says "
        + "that its content is stale"),
    ResultRow(
      [
        "channels.*.offline": .integer, "channels.*.limit?": .integer,
        "channels.*.purged[]": .string,
      ],
      "`ttl.offline`, `stalenessLimit`, and the caches that a purge reaches"),
  ]

  static let uses: Set<ProjectSetting> = [
    .app, .format, .ttl, .stalenessLimit, .target, .url, .cdn, .originTimeout, .signing,
  ]

  @Argument(help: "A channel of content.yaml. Default: all of them.", completion: .channels)
  var channel: String?
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    var report = try delivery.report(on: channel, using: Self.uses) { channel, project, report in
      let page = StalenessPage(
        channel, of: project, purgeTime: project.purgeTime(of: channel))
      report.text += page.text
      report.diagnostics += page.diagnostics
      return page.members
    }
    if report.status == nil, report.diagnostics.hasErrors { report.status = .gate }
    return report
  }
}
