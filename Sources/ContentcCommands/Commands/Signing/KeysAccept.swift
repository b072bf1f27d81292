import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics
import SiteFormat

/// Accepts a config that was published before keys were removed.
struct KeysAccept: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept a config that was published before its keys were removed.",
    discussion: help(
      """
      Once a key document removed the key that signed the live config, only the machine that \
      published that config accepts it. This command lets another machine accept it, too. FILE is a \
      copy that you trust, for example from the machine that published it, or from before a theft. \
      Never take it from the target, where a thief may have replaced it. The command writes into \
      '.contentc' beside the content, and asks the target nothing.
      """))

  static let examples = """
    contentc keys accept production config.plist
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let result: [ResultRow] = [
    ResultRow(
      ["channel": .string, "release": .integer, "config": .string],
      "the channel, the accepted release, and the SHA-256 of its config inside the signatures")
  ]

  /// Unlike other commands about keys, it remembers a config of a target.
  static let uses = Set<ProjectSetting>.ofTarget

  @Argument(
    help: ArgumentHelp("A channel of content.yaml.", valueName: "channel"), completion: .channels)
  var channelName: String
  @Argument(help: "A copy of the channel's config that you trust.", completion: .file())
  var file: String
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  var channel: String? { channelName }

  func perform() throws -> Report {
    _ = try channelKeys()
    let opened = try delivery.open(
      channel, using: Self.uses, writes: false, notes: common.waitNotes)
    let copy = try InputFile(path: file).read()
    let fresh = try opened.accept(copy, at: file).fresh
    return Report(
      text:
        "Release \(fresh.release) of '\(opened.channel.name)' is accepted as in \(file.harmless)\n",
      json: [
        "channel": .string(opened.channel.name), "release": .integer(Int64(fresh.release)),
        "config": .string(fresh.config.hex),
      ])
  }
}
