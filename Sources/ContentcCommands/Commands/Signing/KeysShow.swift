import ArgumentParser
import ContentModel
import ContentReleases
import SiteFormat

/// Shows the key documents.
struct KeysShow: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the key documents of a channel, and what they lack.",
    discussion: help())

  static let examples = """
    contentc keys show production
    """
  static let result: [ResultRow] = [
    ResultRow(["app": .string, "channel": .string], "the channel"),
    ResultRow(
      [
        "documents[].version?": .integer, "documents[].issued?": .moment,
        "documents[].expires?": .moment, "documents[].isSigned?": .boolean,
        "documents[].sha256?": .string,
      ],
      "a document, whether enough keys signed it, and the SHA-256 of its text"),
    ResultRow(
      [
        "documents[].roles.*.threshold?": .integer, "documents[].roles.*.keys[].id?": .string,
        "documents[].roles.*.keys[].name?": .string,
      ],
      "by role: how many keys must sign, and the keys"),
    ResultRow(
      [
        "documents[].floors.version?": .integer, "documents[].floors.release?": .integer,
        "documents[].floors.purge?": .integer,
      ],
      "after a recovery: the version of the document that set the lowest numbers which apps accept, and these numbers"
    ),
  ]

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let keys = try channelKeys()
    _ = try keys.newest()
    var report = Report(text: keys.text(), isResult: true)
    report.json = [
      "app": .string(keys.app), "channel": .string(keys.channel),
      "documents": .array(keys.folder.documents.map { .dictionary(keys.members(of: $0)) }),
    ]
    return report
  }
}
