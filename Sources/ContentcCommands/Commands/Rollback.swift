import ArgumentParser
import ContentDelivery
import ContentModel

/// Makes an older release's content the live one again.
struct Rollback: ChannelCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make the content of an older release the live one again.",
    discussion: """
      A rollback is a new release with an older one's content: numbers only rise, so that no reader takes it for something \
      that it has seen. Nothing is built and hardly anything sent. A purge and a maintenance that are in force stay.

      Examples:
        contentc rollback qa           # to the content before the live one
        contentc rollback qa --to 1    # to that of release 1
      """)

  @Argument(help: "A channel of content.yaml. Default: the only one.")
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "The release whose content is wanted; 'history' lists them. Default: the content before the live one.",
      valueName: "number"))
  var to: Int?
  @OptionGroup var release: ReleaseOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let watch = Stopwatch()
    let opened = try delivery.open(channel, writes: !release.dryRun, emergency: .telling).withinLimit()
    let earlier = try opened.place.rollbackTarget(to)
    let content = earlier.content(at: opened.place.target)
    let live = try opened.place.live()
    if let closed = common.closedGate(opened.knownWarnings(live)) { return closed }
    if release.dryRun {
      let page = DiffPage(diff: try difference(from: live, to: content, opened.place))
      return Report(
        text: "To the content of release \(earlier.of):\n\(page.text)Nothing was changed: --dry-run\n",
        json: page.members, isResult: true)
    }
    let outcome = try opened.publish(patience: .telling) { _ in
      Draft(
        content: content, of: earlier.of, message: release.message,
        by: Author.name(release.by, content: delivery.input.content))
    }
    let page = PublicationPage(
      opened: opened, outcome: outcome, verb: "Rolled back to the content of \(earlier.of) as", seconds: watch.seconds)
    return page.report
  }
}
