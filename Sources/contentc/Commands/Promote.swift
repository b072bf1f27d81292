import ArgumentParser
import ContentDelivery
import ContentModel
import ContentSource

/// Makes what one channel shows the live release of another one.
struct Promote: ContentcCommand {
  static let configuration = CommandConfiguration(
    abstract: "Make what one channel shows the live release of another one, byte for byte.",
    discussion: """
      Nothing is built: what was tested is what goes out. Objects are sent only where the two channels have different \
      targets.

      Example:
        contentc promote qa production --message "Tested on Friday"
      """)

  @Argument(help: "The channel whose content is wanted.")
  var from: String
  @Argument(help: "The channel that is to show it.")
  var to: String
  @Option(name: [.long, .short], help: "What the release is about, for 'history'.")
  var message: String?
  @Option(help: "Who does it, for 'history'; nobody unless told.")
  var by: String?
  @Flag(help: "Only say what would change and be sent.")
  var dryRun = false
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let watch = Stopwatch()
    let source = try delivery.open(from, writes: false)
    let opened = try delivery.open(to, writes: !dryRun)
    guard let live = try source.place.live() else {
      throw DeliveryError(.unknown, "nothing is published in '\(from)' yet")
    }
    let content = live.content(at: source.place.target)
    let before = try opened.place.live()
    if dryRun {
      let diff = DiffPage(diff: try difference(from: before, to: content, opened.place))
      return Report(text: diff.text + "Nothing was published: --dry-run\n", json: diff.members, isResult: true)
    }
    let isSameTarget = source.channel.target == opened.channel.target
    let progress = Progress("Promoting", isWanted: !common.quiet)
    defer { progress.finish() }
    let outcome = try opened.publisher.publish(known: before, progress: { _ in progress.advance() }) { _ in
      Draft(
        content: content, message: message ?? "\(from) \(live.number)", by: by,
        present: isSameTarget ? Set(content.objects) : [])
    }
    let page = PublicationPage(
      opened: opened, outcome: outcome, verb: "Promoted release \(live.number) of '\(from)' to", seconds: watch.seconds)
    var report = page.report
    report.text = (summary(from: before, to: content, opened.place)?.text ?? "") + report.text
    return report
  }
}
