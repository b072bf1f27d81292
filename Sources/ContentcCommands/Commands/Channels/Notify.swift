import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import PropertyLists

/// Sends the notification of the live release again.
struct Notify: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "notify",
    abstract: "Run the machine's 'notify' commands for the live release again.",
    discussion: help(
      """
      publish, promote, rollback, purge and maintenance run these commands when their release is \
      live. After one of them failed, this command runs all of them again. The changed entries are \
      unknown then: the notification says that everything may have changed. The commands are in \
      the settings of the machine; docs/reference/publishing.md describes them.
      """))

  static let examples = """
    contentc notify qa
    contentc notify qa --dry-run
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.notNotified, "a 'notify' command failed")
  ]
  static let result = keys + [ResultRow].notifications

  private static let keys: [ResultRow] = [
    ResultRow(
      ["channel": .string, "release": .integer, "kind": .string],
      "the channel, its live release, and the kind of the notification")
  ]

  static let uses = Set<ProjectSetting>.ofTarget

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Flag(help: "Show which programs would run; run none.")
  var dryRun = false
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let opened = try delivery.open(
      channel, using: Self.uses, writes: false, notes: common.waitNotes)
    let notifier = settings.notifier(of: opened)
    if let refusal = notifier.refusal { return refusal }
    guard let live = try opened.live() else {
      throw DeliveryError(.unknown, try opened.reasonForNoConfig())
    }
    let kind = Notification.Kind(of: live)
    let title = "release \(live.number) of '\(opened.channel.name)'"
    var report = Report(
      text: notifier.commands.isEmpty
        ? "Nothing to do: the settings have no 'notify' command for '\(opened.channel.name)'\n"
        : "Notification of \(title) (\(kind.rawValue))\n",
      json: [
        "channel": .string(opened.channel.name), "release": .integer(Int64(live.number)),
        "kind": .string(kind.rawValue),
      ])
    if dryRun {
      report.isResult = true
      return notifier.planned(report)
    }
    notifier.notify(kind, release: live.number, changed: nil, reportingIn: &report)
    return report
  }
}

extension Notification.Kind {
  /// The kind that a release's record suggests; that of a promotion is `publish`.
  fileprivate init(of live: LiveRelease) {
    let message = live.record.message ?? ""
    if message.hasBytePrefix("purge \(live.purge?["sequence"]?.number ?? 0): ") {
      self = .purge
    } else if live.record.contentRelease == live.number {
      self = .publish
    } else {
      let isMaintenance = ["maintenance on", "maintenance off"].contains {
        message.hasBytePrefix($0)
      }
      // The beginning and the steps of a rollout have the number of the stable content.
      self = isMaintenance ? .maintenance : live.rollout != nil ? .publish : .rollback
    }
  }
}

extension SettingsOptions {
  /// Reads the `notify` commands for a channel.
  func notifier(of opened: OpenChannel) -> Notifier {
    notifier(app: opened.project.app, channel: opened.channel.name)
  }
}
