import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import SiteFormat

/// Publishes the content to a channel.
struct Publish: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Build the content and make it the live release of a channel.",
    discussion: help(
      """
      Builds the content, reports what readers will see change, sends the objects that the target \
      lacks, and replaces the channel's config last. At every moment, readers see either the \
      complete old release or the complete new one. After an interruption, run the command again. \
      If another publisher is faster, nothing changes.
      """))

  static let examples = """
    contentc publish qa
    contentc publish qa --message "Christmas prices"
    contentc publish qa --dry-run    # what would change and be sent
    contentc publish qa --built      # 'out' as it is
    contentc publish qa --if-due     # from cron: only when an embargo has ended
    contentc publish qa --to 10%     # to a part of the readers first
    """
  static let reads: Set<CommandSource> = [.content, .output, .target]
  static let changesChannel = true
  static let needsSigners = false
  static let exitStatuses = Publication.exitStatuses
  static let result = Publication.result

  static let uses = Publication.uses

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @OptionGroup(title: HelpGroup.what) var content: PublishedContentOptions
  @OptionGroup(title: HelpGroup.what) var output: OutputOptions
  @OptionGroup(title: HelpGroup.how) var manner: PublishingOptions
  @OptionGroup(title: HelpGroup.how) var rollout: PublishRolloutOptions
  @OptionGroup(title: HelpGroup.how) var release: ReleaseOptions
  @OptionGroup(title: HelpGroup.how) var settings: SettingsOptions
  @OptionGroup(title: HelpGroup.signatures) var drafting: DraftOption
  @OptionGroup var delivery: PublishDeliveryOptions
  @OptionGroup(title: HelpGroup.output) var common: CommonOptions
  @OptionGroup(visibility: .hidden) var removed: RemovedPublishOptions

  func validate() throws {
    if manner.ifDue, content.built {
      throw ValidationError(
        "--if-due builds the content folder and cannot be combined with --built.")
    }
  }

  func perform() throws -> Report {
    try Publication(
      channel: channel, built: content.built, ifDue: manner.ifDue, repair: manner.repair,
      above: manner.number.above, unpurge: content.unpurge, rollout: rollout, release: release,
      output: output,
      drafting: drafting.request(by: "publish"), settings: settings, delivery: delivery,
      common: common
    ).perform()
  }
}

/// The options that say what is published.
struct PublishedContentOptions: ParsableArguments {
  @Flag(
    help: "Publish the output folder as it is; refused if the content changed since the build.")
  var built = false
  @Option(
    help: ArgumentHelp(
      "Allow an entry, an asset or 'all' to return after a purge, or accept by 'purge-N' that the file of "
        + "purge N is lost; may be repeated. Default: none.",
      valueName: "id"), completion: .unpurged)
  var unpurge: [String] = []
}

/// The options that say when and how content is published.
struct PublishingOptions: ParsableArguments {
  @Flag(
    help: "Publish only if an embargo of the live release has ended.")
  var ifDue = false
  @Flag(help: "Check every object at the target, and send missing ones again.")
  var repair = false
  @OptionGroup var number: AboveOption
}

/// The options that begin a rollout, or replace its content.
struct PublishRolloutOptions: ParsableArguments {
  @OptionGroup var start: RolloutOptions
  @Flag(help: "Replace the next content of the rollout; the same readers get it.")
  var replaceNext = false

  func validate() throws {
    if replaceNext, start.to != nil {
      throw ValidationError("--replace-next keeps the percentage: leave out --to.")
    }
  }

  /// Makes a draft the next content of a rollout after the live release, if the options ask for it.
  ///
  /// `known` is the rollout that the command found when it began.
  ///
  /// - Throws: `DeliveryError`; a failure if an earlier rollout had the name; `TargetError`.
  func apply(
    to draft: Draft, after live: LiveRelease?, in place: ChannelPlace, known: Rollout?
  ) throws -> Draft {
    try replaceNext
      ? draft.replacingNext(after: live, of: place, known: known)
      : start.apply(to: draft, after: live, in: place)
  }
}

/// The option that ends the state after config was restored from a backup.
struct AboveOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Give the release a number above this one, which apps have seen, after config or the whole "
        + "target was restored from a backup; check every object. Default: the next number.",
      valueName: "number"))
  var above: Int?

  func validate() throws {
    if let above, !(1...SerialNumber.highest / 2).contains(above) {
      throw ValidationError("--above must be from 1 to \(SerialNumber.highest / 2).")
    }
  }
}

/// The former options of `publish`, which commands of `keys` replace.
struct RemovedPublishOptions: ParsableArguments {
  @Flag(help: .hidden)
  private var toSigned = false
  @Flag(help: .hidden)
  private var toUnsigned = false
  @Flag(help: .hidden)
  private var replaceUnverified = false
  @Flag(help: .hidden)
  private var recover = false

  func validate() throws {
    let given = [
      (toSigned, "--to-signed", "on"), (toUnsigned, "--to-unsigned", "off"),
      (replaceUnverified, "--replace-unverified", "replace"), (recover, "--recover", "recovered"),
    ]
    if let (_, option, command) = given.first(where: \.0) {
      throw ValidationError("\(option) is now a command: contentc keys \(command) CHANNEL")
    }
  }
}
