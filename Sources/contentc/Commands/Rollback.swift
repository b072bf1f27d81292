import ArgumentParser
import ContentDelivery
import ContentModel

/// Makes an older release's content the live one again.
struct Rollback: ContentcCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the content of an older release the live one again.",
    discussion: """
      A rollback is a new release with an older one's content: numbers only rise, so that no reader takes it for something \
      that it has seen. Nothing is built and hardly anything sent. A purge and a maintenance that are in force stay.

      Examples:
        contentc rollback                 to the content before the live one
        contentc rollback production --to 38
      """)

  @Argument(help: "A channel of content.yaml; may be left out where there is only one.")
  var channel: String?
  @Option(help: ArgumentHelp("The release whose content is wanted; 'history' lists them.", valueName: "number"))
  var to: Int?
  @Option(name: [.long, .short], help: "Why, for 'history'.")
  var message: String?
  @Option(help: "Who does it, for 'history'; nobody unless told.")
  var by: String?
  @Flag(help: "Only say what would change.")
  var dryRun = false
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let watch = Stopwatch()
    let opened = try delivery.open(channel, writes: !dryRun)
    let earlier = try opened.place.rollbackTarget(to)
    let content = earlier.content(at: opened.place.target)
    if dryRun {
      let page = DiffPage(diff: try difference(from: try opened.place.live(), to: content, opened.place))
      return Report(
        text: "To the content of release \(earlier.of):\n\(page.text)Nothing was changed: --dry-run\n",
        json: page.members, isResult: true)
    }
    let outcome = try opened.publisher.publish { _ in
      Draft(content: content, of: earlier.of, message: message, by: by)
    }
    let page = PublicationPage(
      opened: opened, outcome: outcome, verb: "Rolled back to the content of \(earlier.of) as", seconds: watch.seconds)
    return page.report
  }
}
