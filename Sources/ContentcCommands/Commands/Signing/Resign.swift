import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import SiteFormat
import System

/// Signs the live release of a channel again.
struct Resign: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "resign",
    abstract: "Sign the live release of a channel again, so that readers accept it for longer.",
    discussion: help(
      """
      Only the signatures change: the release and its number stay. Run it from cron, on a machine \
      with a 'fresh' key. With --if-below, it does nothing while more of the time is left. A new \
      key document goes live with it, too.
      """))

  static let examples = """
    contentc resign production
    contentc resign production --if-below 50%
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = true
  static let needsSigners = true
  static let exitStatuses: [CommandStatus] = []
  static let result: [ResultRow] = [
    ResultRow(
      ["channel": .string, "expires": .moment, "signed": .boolean],
      "the channel, until when its config is current, and whether it was signed now")
  ]

  static let uses = Set<ProjectSetting>.ofTarget.union([.ttl])

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "Sign only if less of the time is left, such as 50%. Default: always.", valueName: "share"),
    transform: Share.init)
  var ifBelow: Share?
  @OptionGroup var drafting: DraftOption
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let (channel, project) = try delivery.channel(self.channel, using: Self.uses)
    // The target of a channel that is not signed is not touched.
    _ = try ChannelKeys(channel, of: project, beside: delivery.input.content)
    let opened = try delivery.open(
      channel, of: project, writes: true, settings: settings,
      drafting: drafting.request(by: "resign"), notes: common.waitNotes)
    // Before `OpenChannel.live`, which remembers whatever is live.
    try opened.requireMemory(by: "contentc resign \(channel.name)")
    let known = try opened.live()
    try opened.refuseRestoredConfig(known)
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
        json: opened.membersOfResigning(expires: signed.fresh.expires, isNew: false))
    }
    if let request = opened.drafting {
      guard let live = known else {
        throw DeliveryError(.unknown, try opened.reasonForNoConfig())
      }
      return try request.write(opened.publisher.draftedResigning(live))
    }
    return opened.reportOfResigning(try opened.publisher.resign())
  }
}
