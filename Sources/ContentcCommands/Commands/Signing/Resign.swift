import ArgumentParser
import CommandParts
import CommandReports
import ContentModel
import ContentReleases
import ContentSource
import ContentTrust
import Hashing
import Notifications
import Platform

/// Signs the live release of a channel again.
struct Resign: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "resign",
    abstract: "Sign the live release of a channel again, so that readers accept it for longer.",
    discussion: """
      Only the signatures change: the release and its number stay. Run it from cron, on a machine \
      with a 'fresh' key. With --if-below, it does nothing while more of the time is left. A new \
      key document goes live with it, too.

      Examples:
        contentc resign production
        contentc resign production --if-below 50%
      """)

  static let uses = Set<ProjectSetting>.ofTarget.union([.ttl])

  @Argument(help: "A channel of content.yaml. Default: the only one.")
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "Sign only if less of the time is left, such as 50%. Default: always.", valueName: "share"),
    transform: Share.init)
  var ifBelow: Share?
  @OptionGroup var offline: OfflineOptions
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let (channel, project) = try delivery.channel(self.channel, using: Self.uses)
    // The target of a channel that is not signed is not touched.
    _ = try ChannelKeys(channel, of: project, beside: delivery.input.content)
    let opened = try delivery.open(
      channel, of: project, writes: true, settings: settings, offline: offline.of("resign"),
      notes: common.waitNotes)
    // Before `OpenChannel.live`, which remembers whatever is live.
    try requireMemory(of: opened)
    let known = try opened.live()
    // A clock that is behind sees more time left than there is.
    _ = try opened.publisher.issueTime(after: known)
    if let ifBelow, let signed = known?.signed,
      signed.validity(at: Clock.now) >= ifBelow.part,
      opened.place.signing?.hasNewestKeys(signed) ?? true
    {
      let left = Int((signed.validity(at: Clock.now) * 100).rounded())
      return Report(
        text:
          "Nothing to do: \(left) % of the time is left, until \(signed.fresh.expires.rfc3339)\n",
        json: members(of: opened, expires: signed.fresh.expires, isNew: false))
    }
    if let preparation = opened.preparation {
      guard let live = known else {
        throw DeliveryError(.unknown, try opened.place.reasonForNoConfig())
      }
      return try preparation.write(opened.publisher.prepareResigning(live))
    }
    let live = try opened.publisher.resign()
    opened.remember(live, isOwn: false)
    let expires = live.signed?.fresh.expires ?? Clock.now
    let report = Report(
      text:
        "Signed release \(live.number) of '\(opened.channel.name)' again, until \(expires.rfc3339)\n",
      json: members(of: opened, expires: expires, isNew: true))
    var warned = report
    warned.diagnostics += opened.signingWarnings(live)
    return warned
  }

  /// Refuses to sign if nothing tells the live config from an earlier one, which a thief of the
  /// target's credentials may have put back, and whose old signatures are still valid.
  private func requireMemory(of opened: OpenChannel) throws {
    guard let signing = opened.place.signing, signing.prepared == nil, signing.knownRelease == 0,
      let live = try opened.place.live(), !signing.acceptedConfigs.contains(Digest(of: live.config))
    else { return }
    let name = opened.channel.name
    throw Failure(
      .usage, "usage",
      "this machine remembers no release of '\(name)', so an earlier config in its place would be signed as current",
      notes: [
        "keep the folder '.contentc' beside the content between runs, or say the last release: "
          + "contentc resign \(name) --not-below N",
        "'contentc history \(name)' on the machine that published lists its releases",
      ])
  }

  private func members(of opened: OpenChannel, expires: Instant, isNew: Bool) -> Members {
    [
      "channel": .string(opened.channel.name), "expires": .string(expires.rfc3339),
      "signed": .boolean(isNew),
    ]
  }
}
