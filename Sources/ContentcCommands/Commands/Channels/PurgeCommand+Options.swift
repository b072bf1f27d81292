import ArgumentParser
import ContentModel

/// The options that say what is purged.
struct PurgedContentOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Purge only this field, such as title or badges.new.label; may be repeated. Default: all.",
      valueName: "path"))
  var field: [String] = []
  @Option(
    help: ArgumentHelp(
      "Purge only for readers of this locale and of those that fall back to it (for the source locale: only its own); may be "
        + "repeated. Default: all.",
      valueName: "tag"
    ), completion: .locales)
  var locale: [String] = []
  @Flag(help: "Also purge all earlier forms of the entries, back to the last release without them.")
  var history = false
  @Option(
    help: ArgumentHelp(
      "Purge everything that this release brought, unless a later one shows a part of it. "
        + "Default: none.",
      valueName: "number"))
  var release: Int?
  @Option(
    help: ArgumentHelp(
      "Purge this file below assets/, with all of its scales, or the asset with this hash. "
        + "Default: none.",
      valueName: "asset"))
  var asset: String?
}

/// The options that say how content is purged.
struct PurgingOptions: ParsableArguments {
  @Option(help: "The reason, for everyone who looks at the record later. Required.")
  var reason: String?
  @Option(help: Author.help)
  var by: String?
  @Flag(help: "Give each reader the value of the last release in which it differed.")
  var restore = false
  @Option(
    help: ArgumentHelp(
      "Give readers the fields of this YAML or property-list file instead. Default: none.",
      valueName: "file"), completion: .file())
  var replace: String?
  @Option(
    help: ArgumentHelp(
      "Let --restore or --replace send this removed asset again; may be repeated. Default: none.",
      valueName: "hash"))
  var unpurge: [String] = []
  @Flag(
    help:
      "Also purge what was published in another form since the same purge began, which is unfinished."
  )
  var again = false
  @Option(
    help: ArgumentHelp(
      "Finish without this cache of content.yaml, which is out of service for good, or without "
        + "one of its nodes, as in varnish@10.0.0.7:6081; may be repeated. Default: none.",
      valueName: "cache"), completion: .caches)
  var without: [String] = []
  @Flag(
    help:
      "Send each finished purge that a cache has not confirmed to all caches again, or else the newest one."
  )
  var caches = false
  @Flag(help: "Show what would happen; change nothing.")
  var dryRun = false

  /// The caches and machines of `--without`.
  var omittedCaches: [OmittedCache] { without.map(OmittedCache.init) }
}

/// The options of `purge` about a channel's target, in the groups of its help.
///
/// Options that it had before are accepted until the next major version.
struct PurgeDeliveryOptions: ChannelAccess {
  @OptionGroup(title: HelpGroup.what) var input: ContentOptions
  @OptionGroup(title: HelpGroup.what) var channelOption: ChannelOption
  @OptionGroup(title: HelpGroup.how) private var writer: WriterOptions
  @OptionGroup(visibility: .hidden) private var clock: ClockOptions
  @OptionGroup(visibility: .hidden) var trust: TrustOptions
  /// The default since fields that refer to a purged entry refuse no purge.
  @Flag(help: .hidden)
  private var leaveReferences = false

  var singleWriter: Bool { writer.singleWriter }
  var clockIsRight: Bool { clock.clockIsRight }

  func validate() throws {
    if let accept = trust.accept, Digest(hex: accept) == nil {
      throw ValidationError("--accept takes the 64 digits of a SHA-256.")
    }
  }

  /// What to say about the former options that were given.
  var sentencesOnRemovedOptions: [String] {
    let end = "the next major version refuses it here"
    return [
      leaveReferences ? "--leave-references is the default now, and changes nothing" : nil,
      clockIsRight
        ? "--clock-is-right changes nothing: 'purge' never refuses because of a clock" : nil,
      trust.notBelow.map {
        "--not-below is an option of other commands, such as 'contentc status --not-below \($0)', which remembers "
          + "the release; \(end)"
      },
      trust.accept.map { _ in
        "--accept HASH is now a command, 'contentc keys accept CHANNEL FILE'; \(end)"
      },
    ].compactMap(\.self)
  }
}
