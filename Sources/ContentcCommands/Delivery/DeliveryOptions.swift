import ArgumentParser

/// The channel of a command, which an argument or `--channel` names.
struct ChannelOption: ParsableArguments {
  @Option(
    name: .customLong("channel"),
    help: ArgumentHelp(
      "The channel, as an option instead of an argument. Default: the argument.", valueName: "name"),
    completion: .channels)
  var named: String?
}

/// The option about other publishers.
struct WriterOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "State that no other publisher runs meanwhile, for targets without conditional writes."
    ))
  var singleWriter = false
}

/// The option about the machine's clock.
struct ClockOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "State that this machine's clock is right although the live config or the target shows a "
        + "later time. Without effect for 'maintenance on', which never refuses."
    )
  )
  var clockIsRight = false
}

/// The options of a command that writes to a channel's target.
struct DeliveryOptions: ChannelAccess {
  @OptionGroup var input: ContentOptions
  @OptionGroup var channelOption: ChannelOption
  @OptionGroup private var writer: WriterOptions
  @OptionGroup private var clock: ClockOptions
  @OptionGroup var trust: TrustOptions

  var singleWriter: Bool { writer.singleWriter }
  var clockIsRight: Bool { clock.clockIsRight }

  func validate() throws { try trust.refuseRemoved() }
}

/// The same options, in the groups that the help of 'publish' has.
struct PublishDeliveryOptions: ChannelAccess {
  @OptionGroup(title: HelpGroup.what) var input: ContentOptions
  @OptionGroup(title: HelpGroup.what) var channelOption: ChannelOption
  @OptionGroup(title: HelpGroup.how) private var writer: WriterOptions
  @OptionGroup(title: HelpGroup.signatures) private var clock: ClockOptions
  @OptionGroup(title: HelpGroup.signatures) var trust: TrustOptions

  var singleWriter: Bool { writer.singleWriter }
  var clockIsRight: Bool { clock.clockIsRight }

  func validate() throws { try trust.refuseRemoved() }
}

/// The groups in the help of commands with many options.
enum HelpGroup {
  static let what = "What"
  static let how = "How"
  static let signatures = "Signatures"
  static let output = "Output"
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

  func validate() throws { try trust.refuseRemoved() }
}
