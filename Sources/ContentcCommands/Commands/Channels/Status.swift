import ArgumentParser
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import PropertyLists
import SiteFormat
import System

/// Shows the live release of each channel.
struct Status: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Show what is live in each channel.",
    discussion: help(
      """
      A channel that cannot be read, for example for lack of credentials, does not hide the \
      others. It is a warning if no channel was named. It is an error with status 69 if the \
      channel was named, if no channel can be shown, or if the channel is signed and \
      --fail-under is given. In a signed channel that was named, it \
      says which signers answer on this machine, and asks each of them for a signature.
      """))

  static let examples = """
    contentc status
    contentc status qa --json
    contentc status --fail-under 25%    # for a monitoring job
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = false
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(
      .gate,
      "config was restored, the numbers of a signed channel have no room, or less time is "
        + "left than --fail-under requires")
  ]
  static let result: [ResultRow] = [
    ResultRow(["channels.*.target?": .string, "channels.*.url?": .string], "where the channel is"),
    ResultRow(
      ["channels.*.release?": .integer, "channels.*.of?": .integer, "channels.*.record?": .string],
      "the live release, once there is one; a warning (`restored-config`) says if config is "
        + "gone although there were releases"),
    ResultRow(
      [
        "channels.*.issued?": .moment, "channels.*.message?": .string, "channels.*.by?": .string,
        "channels.*.commit?": .string, "channels.*.objects?": .integer,
        "channels.*.bytes?": .integer,
      ],
      ""),
    .rollout(below: "channels.*."),
    ResultRow(
      ["channels.*.staleness?": .integer],
      "seconds until the last reader has a correction"),
    ResultRow(["channels.*.maintenance?": .string], "`off`, `on`, `scheduled` or `over`"),
    ResultRow(
      ["channels.*.nextDate?": .moment, "channels.*.embargoUntil?": .moment],
      "as for `publish`"),
    ResultRow(["channels.*.purges?": .integer], "how many purges there were"),
    ResultRow(
      [
        "channels.*.unfinishedPurges[].sequence?": .integer,
        "channels.*.unfinishedPurges[].release?": .integer,
        "channels.*.unfinishedPurges[].reason?": .string,
      ],
      ""),
    ResultRow(
      [
        "channels.*.unconfirmedCaches[].name?": .string,
        "channels.*.unconfirmedCaches[].purges[]?": .integer,
      ],
      "a cache that has [not confirmed](purges.md#a-cache-that-missed-a-purge) finished purges "
        + "with its present settings, and their numbers"),
    ResultRow(
      ["channels.*.missingPurges[]?": .integer],
      "the numbers of purges whose [file is missing](purges.md#missing-files), so that nothing "
        + "refuses what they removed"),
    ResultRow(
      ["channels.*.restoredConfig.missedPurges[]?": .integer],
      "the numbers of purges that config does not follow, because it [was "
        + "restored](purges.md#restored-configs) or removed; the status is then 2"),
    ResultRow(
      ["channels.*.restoredConfig.above?": .integer],
      "the number for `publish --above`, which ends that state"),
    ResultRow(
      [
        "channels.*.signing.signed?": .boolean, "channels.*.signing.expires?": .moment,
        "channels.*.signing.validity?": .number,
      ],
      "of a signed channel: whether config is signed, until when it is current, and the part "
        + "of that time that is left, from 0 to 1"),
    ResultRow(
      [
        "channels.*.signing.keyDocument?": .integer,
        "channels.*.signing.keyDocumentExpires?": .moment,
      ],
      "the version of the newest key document, and its end"),
    ResultRow(
      [
        "channels.*.signing.signers.*.threshold?": .integer,
        "channels.*.signing.signers.*.isMet?": .boolean,
      ],
      "if the channel is named, by role: how many keys must sign, and whether the signers of "
        + "this machine are enough"),
    ResultRow(
      [
        "channels.*.signing.signers.*.keys[]?": .string,
        "channels.*.signing.signers.*.problems[]?": .string,
      ],
      "the keys of the signers that answer, and why others do not"),
    ResultRow(["channels.*.error?": .string], "the reason why this channel cannot be read"),
    .paragraph(
      "A channel that cannot be read is a warning, with status 0, if no channel was named "
        + "and another one can be shown. It is an error with status 69 if it was named, or if no "
        + "channel can be shown."),
  ]

  static let uses = Set<ProjectSetting>.ofTarget.union([.url, .cdn, .ttl])

  @Argument(help: "A channel of content.yaml. Default: all of them.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "Fail with status 2 if less of the time is left for which a signed config is current, such as "
        + "25%. Default: 0%.", valueName: "share"),
    transform: Share.init)
  var failUnder: Share?
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: ReadingOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let notes = common.waitNotes
    // A monitoring job must not overlook a signed channel that does not verify.
    return try delivery.report(
      on: channel, using: Self.uses, needing: { failUnder != nil && $0.signing != nil }
    ) { channel, project, report in
      let opened = try delivery.open(channel, of: project, writes: false, notes: notes)
      let live = try opened.live()
      let list = try PurgeList(opened.place, live: live)
      let restored = try opened.restoredConfig(list)
      let next = NextInstants(of: live?.record)
      let caches = try CacheConfirmations(of: list, by: opened.channel.purgeableCaches).caches
      // Agents and programs may ask their owner for each signature.
      let isNamed = try delivery.name(self.channel) != nil
      let signers = isNamed ? opened.signersAtHand(settings, reportingIn: &report) : nil
      report.text += try text(
        of: opened, live: live, list: list, restored: restored, caches: caches, next: next,
        signers: signers?.lines ?? [])
      report.diagnostics += next.diagnostics(of: channel.name)
      report.diagnostics += opened.signingWarnings(live, failUnder: failUnder)
      let numbers = opened.diagnostics(ofNumbersIn: live, .error)
      report.diagnostics += numbers
      report.diagnostics += try diagnostics(of: opened, live: live, restored: restored)
      // Without config, the text says the same. Other channels must not wait for slow sites.
      if isNamed, let live { report.diagnostics += opened.foreignReleaseWarning(after: live) }
      if restored != nil || !numbers.isEmpty { report.status = report.status ?? .gate }
      report.diagnostics += list.leftAloneWarnings
      let missing = try missingPurges(in: list)
      report.diagnostics += opened.warning(of: missing, in: list)
      if (try? list.mayHaveReturnedObjects()) == true {
        report.diagnostics += opened.returnedObjectsWarning()
      }
      var members = try members(
        of: opened, live: live, list: list, restored: restored, next: next)
      members["unconfirmedCaches"] = .array(caches.map(\.value))
      members["missingPurges"] = .array(missing.map { .integer(Int64($0.number)) })
      if var signing = members["signing"]?.members {
        signing["signers"] = signers?.value
        members["signing"] = .dictionary(signing)
      }
      return members
    }
  }

  /// Returns the purges whose files are missing.
  private func missingPurges(in list: PurgeList) throws -> [LostPurge] {
    do { return try list.lost() } catch is DeliveryError {
      // A newer version wrote one of the other files.
      return try list.lost(readingAll: false)
    }
  }

  /// Returns an error if config was restored from a backup of before a purge, and a warning if it was
  /// restored from one of before another release, or is gone.
  private func diagnostics(
    of opened: OpenChannel, live: LiveRelease?, restored: RestoredConfig?
  ) throws -> [Diagnostic] {
    if let restored {
      let refusal = restored.refusal
      return [
        Diagnostic(
          .error, rule: .restoredConfig, at: nil, message: refusal.description,
          notes: refusal.notes.map { Diagnostic.Note($0) })
      ]
    }
    let place = opened.place
    let sentence: String? =
      if let live {
        try place.releaseLost(after: live)
      } else {
        try place.hasReleases() ? place.reasonForNoConfig() : nil
      }
    return sentence.map { [.warning(.restoredConfig, at: nil, message: $0)] } ?? []
  }

  private func text(
    of opened: OpenChannel, live: LiveRelease?, list: PurgeList, restored: RestoredConfig?,
    caches: [CacheConfirmations.Cache], next: NextInstants, signers: [String]
  ) throws -> String {
    let name = "\(opened.channel.name) at \(opened.place.target.name)"
    guard let live else { return "\(name)\n  \(try opened.reasonForNoConfig())\n" }
    let size = live.record.objects.map(\.size).reduce(0, +)
    var lines = [
      name, "  release  \(ReleasePage(record: live.record).line)",
      "  objects  \(live.record.objects.count.grouped), \(size.asByteCount)",
      "  bound    \(opened.bound.sentence)",
    ]
    lines += live.signingLines(by: opened.place.signing) + signers
    lines += next.lines(of: opened.channel.name)
    switch MaintenanceSwitch(live.maintenance).phase(at: Clock.now) {
    case .on: lines.append("  MAINTENANCE is on")
    case .scheduled:
      lines.append("  maintenance is scheduled: 'contentc maintenance status' shows the times")
    case .off, .over: break
    }
    if let sequence = live.purge?["sequence"]?.number, sequence > 0 {
      lines.append("  purges   \(sequence)")
    }
    let finishing = "'contentc purge --channel \(opened.channel.name)' finishes it"
    let mending = restored.map { "'\($0.command)' must come first" } ?? finishing
    for (purges, next) in [(list.unfinished, finishing), (list.missedUnfinished, mending)] {
      lines += purges.map(\.begun).map { purge in
        "  PURGE \(purge.number) is not finished (\(purge.reason.harmless)): \(next)"
      }
    }
    lines += caches.map { cache in
      "  caches   \(cache.sentence); 'contentc purge \(opened.channel.name) --caches' purges it"
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func members(
    of opened: OpenChannel, live: LiveRelease?, list: PurgeList, restored: RestoredConfig?,
    next: NextInstants
  ) throws -> Members {
    var members = live.map { ReleasePage(record: $0.record).members } ?? Members()
    for (name, value) in next.members { members[name] = value }
    members["target"] = .string(opened.place.target.name)
    members["url"] = opened.configURL.map(Value.string)
    members["staleness"] = .integer(Int64(opened.bound.correction.seconds))
    members["maintenance"] = .string(
      MaintenanceSwitch(live?.maintenance).phase(at: Clock.now).rawValue)
    members["purges"] = .integer(Int64(live?.purge?["sequence"]?.number ?? 0))
    members["unfinishedPurges"] = .array(
      (list.unfinished + list.missedUnfinished).map { purge in
        [
          "sequence": .integer(Int64(purge.begun.number)),
          "release": .integer(Int64(purge.begun.release)),
          "reason": .string(purge.begun.reason),
        ]
      })
    members["signing"] = live?.signingValue(by: opened.place.signing)
    members["restoredConfig"] = restored?.value
    return members
  }
}
