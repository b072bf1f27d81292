import ArgumentParser
import ContentDelivery
import ContentModel

/// Lists a channel's releases.
struct History: ContentcCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the releases of a channel, the live one first.",
    discussion: """
      Examples:
        contentc history
        contentc history production --limit 5
      """)

  @Argument(help: "A channel of content.yaml; may be left out where there is only one.")
  var channel: String?
  @Option(help: ArgumentHelp("How many releases to list.", valueName: "count"))
  var limit = 20
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if limit < 1 { throw ValidationError("--limit must be at least 1") }
  }

  func perform() throws -> Report {
    let opened = try delivery.open(channel, writes: false)
    let records = try opened.place.history(limit: limit)
    let pages = records.map { ReleasePage(record: $0) }
    let text = pages.isEmpty ? "nothing is published yet\n" : pages.map { $0.line + "\n" }.joined()
    return Report(
      text: text, json: ["releases": .array(pages.map { .dictionary($0.members) })], isResult: true)
  }
}
