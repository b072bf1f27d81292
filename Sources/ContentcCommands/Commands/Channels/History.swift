import ArgumentParser
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource

/// Lists a channel's releases.
struct History: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "history",
    abstract: "List the releases of a channel, the live one first.",
    discussion: help(
      """
      A release is marked 'purged' if a purge removed some of its objects and no later release \
      has brought them back. A rollback to it is impossible.
      """))

  static let examples = """
    contentc history qa
    contentc history qa --limit 5
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(
      [
        "releases[].release": .integer, "releases[].of": .integer, "releases[].record": .string,
        "releases[].issued": .moment,
      ],
      "the live release first"),
    ResultRow(
      [
        "releases[].message?": .string, "releases[].by?": .string, "releases[].commit?": .string,
        "releases[].objects": .integer, "releases[].bytes": .integer,
      ],
      ""),
    .rollout(below: "releases[]."),
    ResultRow(
      ["releases[].purged?": .boolean],
      "there, and true, where the target lacks objects that a purge took away"),
  ]

  static let uses = Set<ProjectSetting>.ofTarget

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(help: ArgumentHelp("The number of releases to list.", valueName: "count"))
  var limit = 20
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  func perform() throws -> Report {
    let opened = try delivery.open(
      channel, using: Self.uses, writes: false, notes: common.waitNotes)
    var purged = try PurgedReleases(PurgeList(opened.place, live: opened.live()))
    var chain = try opened.place.chain()
    var text = ""
    var releases: [Value] = []
    while releases.count < limit, let record = try chain.next() {
      let page = ReleasePage(record: record, isPurged: try purged.contains(record))
      text += page.line + "\n"
      releases.append(.dictionary(page.members))
    }
    if releases.isEmpty { text = "\(try opened.reasonForNoConfig())\n" }
    return Report(text: text, json: ["releases": .array(releases)], isResult: true)
  }
}
