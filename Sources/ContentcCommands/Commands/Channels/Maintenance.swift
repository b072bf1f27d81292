import ArgumentParser
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import Diagnostics
import System

/// Switches maintenance of a channel on or off, or shows its status.
struct Maintenance: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "maintenance",
    abstract: "Tell readers that the service is down, or up again.",
    discussion: help(
      """
      Publishes the live content again, as a release whose config announces the maintenance and \
      its times. Purges config from the caches and reads it back, and repeats this once the origin \
      can no longer deliver an older answer. Times are as in content, or local: \
      2026-11-21T10:30, or 10:30 for the next one, unless 10:30 was within the last 12 hours.
      """))

  static let examples = """
    contentc maintenance on qa --until 10:30
    contentc maintenance on qa --from 22:00 --until 02:00 --retry-after 5m
    contentc maintenance on qa --message screen/home --reason "Storm damage"
    contentc maintenance off qa
    contentc maintenance status
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = true
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.notNotified, "the release is live, but a 'notify' command failed")
  ]
  static let result =
    keys + [ResultRow].cacheRound + [ResultRow].notifications + statusKeys

  private static let keys: [ResultRow] = [
    ResultRow(
      ["channel?": .string, "target?": .string, "release?": .integer],
      "the channel and its live release"),
    ResultRow(
      ["state?": .string, "active?": .boolean],
      "`off`, `on`, `scheduled` or `over`, and whether it is switched on"),
    ResultRow(
      ["from?": .moment, "until?": .moment, "since?": .moment, "retryAfter?": .integer],
      "the window, and after how many seconds readers ask again"),
    ResultRow(["texts.*.*?": .any], "by locale: what readers see"),
  ]

  private static let statusKeys: [ResultRow] = [
    ResultRow(
      [
        "channels.*.channel?": .string, "channels.*.target?": .string,
        "channels.*.release?": .integer,
      ],
      "`status` only: the same for each channel"),
    ResultRow(
      [
        "channels.*.state?": .string, "channels.*.active?": .boolean, "channels.*.texts.*.*?": .any,
      ],
      ""),
    ResultRow(
      [
        "channels.*.from?": .moment, "channels.*.until?": .moment, "channels.*.since?": .moment,
        "channels.*.retryAfter?": .integer,
      ],
      ""),
    ResultRow(
      ["channels.*.error?": .string],
      "the reason why this channel cannot be read, as for `status`"),
  ]

  static let uses = Set<ProjectSetting>.ofRelease

  enum Action: String, ExpressibleByArgument, CaseIterable {
    case on, off, status
  }

  @Argument(help: "Switch maintenance on or off, or show its status.")
  var action: Action
  @Argument(
    help: "A channel of content.yaml. Default: the only one; for 'status', all of them.",
    completion: .channels)
  var channel: String?
  @OptionGroup var wanted: MaintenanceOptions
  @Option(help: "The reason, for 'history'. Default: none.")
  var reason: String?
  @Option(help: Author.help)
  var by: String?
  @Flag(help: "Show what would be published; change nothing.")
  var dryRun = false
  @OptionGroup var drafting: DraftOption
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if action != .on, !wanted.isEmpty {
      throw ValidationError(
        "--from, --until, --retry-after and --message need 'maintenance on'.")
    }
    if action == .status, drafting.draft != nil {
      throw ValidationError("--draft needs 'maintenance on' or 'off'.")
    }
  }

  func perform() throws -> Report {
    if action == .status { return try status() }
    var opened = try delivery.open(
      channel, using: Self.uses, writes: !dryRun, settings: settings,
      drafting: drafting.request(by: "maintenance"), emergency: .telling, notes: common.waitNotes)
    opened.canBeRepeated = true
    if action == .on { opened.clockRule = .correct }
    return try change(opened)
  }

  /// Switches maintenance on or off in an open channel, or shows what would be published.
  func change(_ opened: OpenChannel) throws -> Report {
    guard let live = try opened.live() else {
      throw DeliveryError(.unknown, try opened.reasonForNoConfig())
    }
    try opened.place.requireSigned(live)
    var report = try changed(after: live, in: opened)
    let now = (try? opened.live()) ?? live
    if !dryRun, let list = try? PurgeList(opened.place, live: now) {
      report.diagnostics += opened.restoredConfigWarning(list, hidesContent: action == .on)
      report.diagnostics += opened.missingPurgeWarning(list)
    }
    report.diagnostics += opened.signingWarnings(now)
    if action == .on { report.diagnostics += opened.diagnostics(ofNumbersIn: now, .warning) }
    return report
  }

  private func changed(after live: LiveRelease, in opened: OpenChannel) throws -> Report {
    let now = try opened.publisher.issueTime(after: live)
    if action == .off, !MaintenanceSwitch(live.maintenance).isActive {
      if opened.drafting != nil {
        return Report(
          text: "Nothing to sign: maintenance is off already in '\(opened.channel.name)'\n",
          json: ["channel": .string(opened.channel.name)])
      }
      return confirmOff(after: live, in: opened, MaintenancePage(opened, live: live, now: now))
    }
    let (draft, page) = try planned(after: live, in: opened, now: now)
    if dryRun {
      try opened.publisher.check(draft, after: live)
      return settings.notifier(of: opened).planned(
        Report(
          text: page.text + "Nothing was changed: --dry-run\n", json: page.members,
          isResult: true))
    }
    if let request = opened.drafting {
      return try opened.write(
        draft, by: request, after: live, texts: [page.text], issued: now,
        until: draft.maintenance?.until)
    }
    return try publish(draft, showing: page, after: live, in: opened, now: now)
  }

  /// Returns the release after the live one that has the switch, and its page.
  func planned(
    after live: LiveRelease, in opened: OpenChannel, now: Instant
  ) throws -> (draft: Draft, page: MaintenancePage) {
    var draft = Draft(
      content: live.content(at: opened.place.target, without: MaintenanceSwitch(live.maintenance)),
      of: live.record.contentRelease,
      message: "maintenance \(action.rawValue)" + (reason.map { ": \($0)" } ?? ""),
      by: Author.name(by, content: delivery.input.content),
      maintenance: .off)
    if action == .on { draft.maintenance = try order(addingTo: &draft, in: opened, now: now) }
    var preview = live
    preview.members["maintenance"] = draft.maintenanceBlock(after: live)
    return (
      draft, MaintenancePage(opened, live: preview, now: now, content: draft.content, isDry: dryRun)
    )
  }

  /// Announces again that maintenance is off, because a cache may have missed the change.
  private func confirmOff(after live: LiveRelease, in opened: OpenChannel, _ page: MaintenancePage)
    -> Report
  {
    let sentence = "Maintenance is off already in '\(opened.channel.name)'"
    guard opened.site != nil || !opened.channel.caches.isEmpty, !dryRun else {
      return Report(
        text: "Nothing to do: maintenance is off in '\(opened.channel.name)'\n", json: page.members)
    }
    return announce(
      live.record.identity, headline: "\(sentence); checking caches and readers", showing: page,
      in: opened)
  }

  /// Returns the maintenance switch, and adds the texts of its message to the content of a draft.
  private func order(addingTo draft: inout Draft, in opened: OpenChannel, now: Instant) throws
    -> MaintenanceSwitch
  {
    var order = try wanted.order(at: now)
    if let until = order.until, until <= max(now, Clock.now) {
      throw Failure(
        .usage, .badWindow, "this maintenance is impossible: it ended at \(until.rfc3339)",
        notes: ["nothing was changed"])
    }
    guard let entry = wanted.entry else { return order }
    let reader = ReleaseReader(draft.content)
    guard
      let message = try MaintenanceMessage(entry: entry, of: reader, retryAfter: order.retryAfter)
    else {
      var failure = Failure(.missingInput, unknown: .unknownEntry, entry, known: try reader.ids())
      failure.diagnostic.message =
        "'--message' takes the id of an entry: \(failure.diagnostic.message)"
      throw failure.noting("without '--message', readers get the text of 'maintenance.yaml'")
    }
    order.payloads = message.payloads
    draft.content = message.added(to: draft.content)
    return order
  }

  private func status() throws -> Report {
    let notes = common.waitNotes
    return try delivery.report(on: channel, using: .ofTarget) { channel, project, report in
      let opened = try delivery.open(channel, of: project, writes: false, notes: notes)
      let page = MaintenancePage(opened, live: try opened.live(), now: Clock.now)
      report.text += page.text
      return page.members
    }
  }
}
