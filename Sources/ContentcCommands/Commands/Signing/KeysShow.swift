import ArgumentParser
import ContentModel
import ContentReleases
import SiteFormat

/// Shows the key documents.
struct KeysShow: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show the key documents of a channel, and what they lack.",
    discussion: """
      Example:
        contentc keys show production
      """)

  @Argument(help: "A channel of content.yaml. Default: the only one.")
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
