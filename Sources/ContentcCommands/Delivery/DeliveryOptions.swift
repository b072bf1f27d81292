import ArgumentParser
import CommandParts

/// The channel of a command, which an argument or `--channel` names.
struct ChannelOption: ParsableArguments {
  @Option(
    name: .customLong("channel"),
    help: ArgumentHelp(
      "The channel, as an option instead of an argument. Default: the argument.", valueName: "name")
  )
  var named: String?
}

/// The options of a command that writes to a channel's target.
struct DeliveryOptions: ChannelAccess {
  @OptionGroup var input: ContentOptions
  @OptionGroup var channelOption: ChannelOption
  @Flag(
    help: ArgumentHelp(
      "State that no other publisher runs meanwhile, for targets without conditional writes."
    ))
  var singleWriter = false
  @Flag(
    help: ArgumentHelp(
      "State that this machine's clock is right although the live config or the target shows a "
        + "later time. Without effect for 'purge' and 'maintenance on', which never refuse."
    )
  )
  var clockIsRight = false
  @OptionGroup var trust: TrustOptions
}

/// The options of a command that publishes a release.
struct ReleaseOptions: ParsableArguments {
  @Option(
    name: [.long, .short], help: "A description of the release, for 'history'. Default: none.")
  var message: String?
  @Option(help: Author.help)
  var by: String?
  @Flag(help: "Show what would change and be sent; change nothing.")
  var dryRun = false
}

/// The options of a command that only reads from a channel's target.
struct ReadingOptions: ChannelAccess {
  @OptionGroup var input: ContentOptions
  @OptionGroup var channelOption: ChannelOption
  /// Options without effect, so that all commands accept the same options.
  @Flag(help: .hidden)
  var singleWriter = false
  @Flag(help: .hidden)
  var clockIsRight = false
  @OptionGroup var trust: TrustOptions
}
