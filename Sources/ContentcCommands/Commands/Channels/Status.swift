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
    discussion: """
      A channel that cannot be read, for example for lack of credentials, does not hide the \
      others. It is a warning if no channel was named. It is an error with status 69 if the \
      channel was named, if no channel can be shown, or if the channel is signed and \
      --fail-under is given. In a signed channel that was named, it \
      says which signers answer on this machine, and asks each of them for a signature.

      Examples:
        contentc status
        contentc status qa --json
        contentc status --fail-under 25%    # for a monitoring job
      """)

  static let uses = Set<ProjectSetting>.ofTarget.union([.url, .cdn, .ttl])

  @Argument(help: "A channel of content.yaml. Default: all of them.")
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
      if restored != nil || !numbers.isEmpty { report.status = report.status ?? .gate }
      report.diagnostics += list.warnings.map { .warning(.leftAlone, at: nil, message: $0) }
      let missing = try missingPurges(in: list)
      report.diagnostics += opened.warning(of: missing, in: list)
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
