import ArgumentParser
import ContentModel
import ContentReleases
import Diagnostics
import SiteFormat

/// Leaves earlier key documents out of configs.
struct KeysDrop: KeysCommand {
  static let configuration = CommandConfiguration(
    commandName: "drop",
    abstract: "Leave early key documents out of configs, to make room for later ones.",
    discussion: help(
      """
      A config carries at most 32 key documents, of 48 kB together. With --below N, it carries only \
      those from N on. Apps that last trusted a document below N − 1 can follow the channel no \
      longer, and stay for ever at what they show; an update that pins a later document helps them. \
      The files stay, 'dropped.json' beside them says N, and the next publication or 'resign' \
      begins with it.
      """))

  static let examples = """
    contentc keys drop production --below 20
    """
  static let result: [ResultRow] = [
    ResultRow(
      ["channel": .string, "below": .integer],
      "the channel, and the first document that configs still carry")
  ]

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "The first key document that configs still carry; required.", valueName: "number"))
  var below: Int
  @Flag(help: "Do not ask: the apps that freeze are known.")
  var yes = false
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let keys = try channelKeys()
    let last = keys.folder.trusted.count
    guard last >= 2, (2...last).contains(below) else {
      throw Failure(
        .usage, .keyDocument,
        last < 2
          ? "the channel '\(keys.channel)' has \(last.counted("signed key document")), of which none can be dropped"
          : "--below must be from 2 to \(last), the newest signed key document of '\(keys.channel)'"
      )
    }
    guard below > keys.folder.base + 1 else {
      throw Failure(
        .usage, .keyDocument,
        "configs of '\(keys.channel)' carry no key document below \(keys.folder.base + 1) already")
    }
    let frozen =
      keys.folder.base == below - 2
      ? "document \(below - 2)" : "a document from \(keys.folder.base) to \(below - 2)"
    let effect =
      "apps that last trusted \(frozen) freeze for ever: they follow '\(keys.channel)' only after an update that "
      + "pins document \(below - 1) or a later one"
    if !yes {
      try Terminal.error.write("\(effect)\n")
      guard let answer = try Terminal.confirms("Drop the key documents below \(below)?") else {
        throw Failure(
          .usage, .keyDocument, "nobody here can confirm that \(effect)",
          notes: ["if that is meant, add --yes", "nothing was changed"])
      }
      guard answer else {
        throw Failure(.usage, .keyDocument, "nothing was changed, as you answered")
      }
    }
    do throws(KeyFolder.Problem) { try keys.folder.drop(below: below) } catch {
      throw Failure(error)
    }
    return Report(
      text: "Dropped the key documents below \(below) of '\(keys.channel)' from its next config\n"
        + "  \(effect)\n",
      json: ["channel": .string(keys.channel), "below": .integer(Int64(below))])
  }
}
