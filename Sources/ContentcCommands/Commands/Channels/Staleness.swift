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
    discussion: """
      Covers corrections, purges and maintenance switches. Reads content.yaml only and contacts no \
      server. The exit status is 2 if a bound exceeds 'stalenessLimit'.

      Examples:
        contentc staleness
        contentc staleness production --json
      """)

  static let uses: Set<ProjectSetting> = [
    .app, .format, .ttl, .stalenessLimit, .target, .url, .cdn, .originTimeout, .signing,
  ]

  @Argument(help: "A channel of content.yaml. Default: all of them.")
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
