import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import SiteFormat
import System

/// A publication of the content folder, which may change how the channel is signed.
struct Publication {
  /// A change of the signatures that a channel's config has.
  enum SigningChange {
    case none
    /// Config was not signed before.
    case on
    /// Config is not signed any more.
    case off
    /// The live config does not verify, and is not read.
    case replace
    /// A recovery follows a live config that is not read.
    case recovered

    /// `true` if the release follows a config that is not read.
    fileprivate var replacesUnread: Bool { self == .replace || self == .recovered }
  }

  var change = SigningChange.none
  /// The channel in the arguments; `nil` for the only one.
  var channel: String?
  /// `true` if the output folder is published as it is.
  var built = false
  /// `true` if nothing is published unless an embargo of the live release has ended.
  var ifDue = false
  var repair = false
  var above: Int?
  /// The purged content that may be published again.
  var unpurge: [String]
  /// The rollout that the publication begins, or whose content it replaces; `nil` for a change of the
  /// signatures.
  var rollout: PublishRolloutOptions?
  var release: ReleaseOptions
  var output: OutputOptions
  var drafting: DraftRequest?
  var settings: SettingsOptions
  var delivery: any ChannelAccess
  var common: CommonOptions

  /// The settings of `content.yaml` that a publication uses.
  static let uses = Set<ProjectSetting>.ofRelease.union([.stalenessLimit, .pseudo, .locales])

  /// The exit statuses with a specific meaning for a publication.
  static let exitStatuses = [
    CommandStatus(.gate, "a bound exceeds 'stalenessLimit'"),
    CommandStatus(.notNotified, "the release is live, but a 'notify' command failed"),
    CommandStatus(
      .tryAgain,
      "another build still runs after 5 s, or another publisher was faster: run the command again"),
  ]

  /// The keys of the JSON result of a publication.
  static let result = keys + [ResultRow].cacheRound + [ResultRow].notifications + otherResults

  private static let otherResults: [ResultRow] = [
    .paragraph(
      "With `--dry-run`, these commands print what `diff` prints. With `--draft`, they, `purge`, "
        + "`maintenance` and `resign` print what `sign` prints. If `publish --if-due` publishes "
        + "nothing, it prints only `channel`, `changed`, `due` and the two dates.")
  ]

  private static let keys: [ResultRow] = [
    ResultRow(
      ["channel": .string, "target": .string, "url?": .string],
      "where it was published, and where apps find config"),
    ResultRow(
      ["changed": .boolean],
      "whether there is a new release; if not, the live one shows this content already"),
    ResultRow(
      ["release": .integer, "of": .integer],
      "the release's number, and that of the release whose content it has"),
    ResultRow(
      [
        "record": .string, "issued": .moment, "message?": .string, "by?": .string,
        "commit?": .string,
      ],
      "the release's record"),
    .rollout(below: ""),
    ResultRow(
      ["unit.number?": .integer, "unit.isIn?": .boolean],
      "`rollout --unit` only: the reader's number, and whether the reader gets the next content"),
    ResultRow(["objects": .integer, "bytes": .integer], "all objects of the release"),
    ResultRow(["objectsSent": .integer, "bytesSent": .integer], "what the target lacked"),
    ResultRow(
      ["signed?": .boolean],
      "of a signed channel, where nothing changed: whether the live release was signed again"),
    ResultRow(
      ["entries.added?": .integer, "entries.changed?": .integer, "entries.removed?": .integer],
      "`publish` only: numbers of entries that readers see change; no keys if they are unknown"),
    ResultRow(
      [
        "takenOver.release?": .integer, "takenOver.purge?": .integer,
        "takenOver.maintenance?": .boolean,
      ],
      "`keys on` only: the numbers and the maintenance that were taken over from a config "
        + "without signatures"),
    ResultRow(["staleness": .integer], "seconds until the last reader has it"),
    ResultRow(
      ["nextDate?": .moment, "embargoUntil?": .moment],
      "the next date that readers apply, and the end of the next embargo"),
    ResultRow(
      ["due?": .boolean],
      "with `--if-due`, where nothing was published: whether an embargo has ended"),
    ResultRow(
      ["traffic.requests?": .integer, "traffic.sent?": .integer, "traffic.received?": .integer],
      "what a bucket was asked"),
    ResultRow(["seconds": .number], "how long it took"),
  ]

  /// `true` if every object at the target is checked.
  private var repairs: Bool { repair || above != nil }

  /// Builds the content folder; the report has errors if there is no content.
  private func newContent(
    in out: String, for channel: Channel
  ) throws -> (Report, ReleaseContent?) {
    let build = try BuiltContent.build(delivery.input, into: out, for: channel, common: common)
    if build.diagnostics.hasErrors { return (build, nil) }
    var content = try BuiltContent(folder: out.withoutTrailingSlashes).content()
    content.dates = build.dates
    return (build, content)
  }

  /// Returns the content that was built before; the report has errors if there is none.
  private func builtContent(in out: String) throws -> (Report, ReleaseContent?) {
    let folder = BuiltContent(folder: out.withoutTrailingSlashes)
    var content = try folder.content()
    let check = try BuildCheck(folder, content: content, input: delivery.input)
    let found = try check.requirePublishable(common)
    if found.diagnostics.hasErrors { return (found, nil) }
    content.dates = try check.dates()
    return (found, content)
  }

  /// Publishes the content, or does what the options say instead.
  func perform() throws -> Report {
    let watch = Stopwatch()
    var opened = try delivery.open(
      channel, using: Self.uses, writes: !release.dryRun, settings: settings, drafting: drafting,
      notes: common.waitNotes
    ).withinLimit()
    opened.changesSigning = change == .on || change == .off
    opened.replacesUnverified = change.replacesUnread
    try checkSigning(opened)
    if ifDue, let report = try reportUnlessDue(opened) { return report }
    let notifier = settings.notifier(of: opened)
    if let refusal = notifier.refusal { return refusal }
    let out = output.folder(delivery.input)
    try delivery.refuseTarget(of: opened.channel, inside: out)
    let (found, content) =
      try built ? builtContent(in: out) : newContent(in: out, for: opened.channel)
    guard let content else { return found }
    try content.refusePseudoLocales(
      for: opened.channel, declared: opened.project.locales)
    let live = try change.replacesUnread ? nil : opened.live()
    if let refusal = common.refusal(for: found.diagnostics + opened.knownWarnings(live)) {
      return refusal
    }
    var plain = draft(of: content, in: opened)
    let returned = ReturnedEntryWarnings(&plain, common)
    let next: (LiveRelease?) throws -> Draft = { [plain, place = opened.place] now in
      try rollout?.apply(to: plain, after: now, in: place, known: live?.rollout) ?? plain
    }
    let draft = try next(live)
    if release.dryRun {
      var report = try opened.dryRun(of: draft, after: live, repairs: repairs) { page in
        var page = page
        page.cutOff = cutOff(after: live, in: opened)
        return page.text + "Nothing was published: --dry-run\n"
      }
      report.diagnostics += returned.warnings
      addTakenOver(live, to: &report)
      return notifier.planned(report)
    }
    if let request = opened.drafting {
      var report = try opened.write(
        draft, by: request, after: live, repairs: repairs,
        texts: [
          cutOff(after: live, in: opened), opened.summary(from: live, to: draft.content)?.text,
        ]
        .compactMap(\.self))
      report.diagnostics += found.diagnostics + returned.warnings
      addTakenOver(live, to: &report)
      return report
    }
    // A quiet run does not fetch the live bundles that only the summary needs.
    var page = common.quiet && !common.json ? nil : opened.summary(from: live, to: draft.content)
    page?.cutOff = cutOff(after: live, in: opened)
    let lacking =
      repairs ? [] : page.flatMap { try? opened.missingObjectsWarning(live, in: $0.diff) } ?? []
    if let refusal = common.refusal(for: lacking) { return refusal }
    let progress = Progress("Publishing", isWanted: !common.quiet)
    progress.expect(content.objects.lacking(in: repairs ? nil : live))
    defer { progress.finish() }
    let outcome = try opened.publish(
      known: live, repairs: repairs, progress: { progress.advance(bytes: $0) }
    ) { now in now?.record.digest == live?.record.digest ? draft : try next(now) }
    let publication = PublicationPage(
      opened: opened, outcome: outcome, verb: "Published", seconds: watch.seconds)
    var report = opened.announceAndReport(
      publication,
      again: outcome.record.rollout.map { opened.command(for: $0) }
        ?? "contentc publish \(opened.channel.name)")
    // What the build has reported is not reported again, such as a part that is nearly too large.
    let known = Set(found.diagnostics.map(\.rule))
    report.diagnostics.removeAll { known.contains($0.rule) }
    report.diagnostics += found.diagnostics + returned.warnings
    // With config, a backup may have brought objects back.
    if above != nil || change.replacesUnread {
      report.diagnostics += opened.returnedObjectsWarning()
    }
    report.sources = found.sources
    if case .released(let record, _) = outcome {
      addTakenOver(live, to: &report)
      report.text =
        (page?.text
          ?? "The changes are not listed: there are too many, or the release before lacks objects\n")
        + report.text
      if let diff = page?.diff, diff.isComplete {
        report.json["entries"] = .dictionary(
          Members(ReleaseDiff.Kind.allCases.map { ($0.rawValue, .integer(Int64(diff.count($0)))) }))
      }
      report.diagnostics += lacking
      notifier.notify(
        .publish, release: record.number, changed: page?.ids, reportingIn: &report)
    }
    return report
  }

  /// Returns the release of the content, before it has a number.
  private func draft(of content: ReleaseContent, in opened: OpenChannel) -> Draft {
    var draft = Draft(
      content: content, message: release.message,
      by: Author.name(release.by, content: delivery.input.content))
    draft.commit = Author.commit(content: delivery.input.content)
    draft.readmitted = Set(unpurge)
    draft.command = Contentc.given
    draft.above = above
    // No release says the last numbers. The list of purges may know higher ones.
    if change.replacesUnread {
      let place = opened.place
      let recovered = change == .recovered ? place.signing?.newFloors?.release : nil
      draft.above = max(place.seen.release, (recovered ?? 1) - 1)
      draft.lastPurge = place.lastPurge
    }
    return draft
  }

  /// Returns the report of `--if-due` if it publishes nothing; `nil` if an embargo has ended.
  private func reportUnlessDue(_ opened: OpenChannel) throws -> Report? {
    let live = try opened.live()
    // An embargo of the release that is gone may have ended.
    if live == nil, try opened.place.hasReleases() {
      throw DeliveryError(.unknown, try opened.reasonForNoConfig())
    }
    let next = NextInstants(of: live?.record)
    if let report = next.reportUnlessDue(opened.channel.name) { return report }
    return try opened.place.isRolledBack() ? next.reportOfRollback(opened.channel.name) : nil
  }
}

/// Changes of a channel's signatures.
extension Publication {
  /// Refuses a change that does not fit the channel's `signing`.
  private func checkSigning(_ opened: OpenChannel) throws(Failure) {
    let name = opened.channel.name
    guard let signing = opened.place.signing else {
      guard change == .none || change == .off else {
        throw Failure(
          .usage, .unsignedChannel, "channel '\(name)' has no 'signing' in content.yaml",
          notes: ["add, for example: signing: {keys: keys/\(name)}"])
      }
      return
    }
    if change == .off {
      throw Failure(
        .usage, .unsignedChannel, "channel '\(name)' still has 'signing' in content.yaml",
        notes: ["remove it there first"])
    }
    if change.replacesUnread { try refuseOtherDocument(opened, by: signing) }
    if change == .replace { try refuseUnknownNumber(opened) }
    if change == .recovered, signing.newFloors == nil {
      throw Failure(
        .usage, .keyDocument, "the newest key document of '\(name)' is no recovery",
        notes: ["'contentc keys recover \(name) --release N --purge S' makes one"])
    }
    if change == .recovered, let signed = try? opened.place.live()?.signed,
      signing.hasNewestKeys(signed)
    {
      throw Failure(
        .usage, .keyDocument, "the recovery of '\(name)' is published already",
        notes: ["'contentc publish \(name)' publishes what follows"])
    }
  }

  /// Refuses to replace config if this machine does not know above which number, or if no number is
  /// left.
  private func refuseUnknownNumber(_ opened: OpenChannel) throws(Failure) {
    let (name, last) = (opened.channel.name, opened.place.seen.release)
    guard last > 0 else {
      throw Failure(
        .usage, .usage, "this machine knows no release of '\(name)'",
        notes: ["say the last one that apps have seen: --not-below N"])
    }
    guard last >= SerialNumber.highest else { return }
    throw Failure(
      .unavailable, .refused,
      "release \(last) of '\(name)', which this machine saw, leaves no room for later ones",
      notes: [
        "'contentc keys recover \(name) --release N --purge S --discard-live' begins the recovery in docs/reference/trust.md",
        "nothing was changed",
      ])
  }

  /// Returns a line about the apps that stop following the channel with this release.
  private func cutOff(after live: LiveRelease?, in opened: OpenChannel) -> String? {
    guard let live, live.isSigned != (opened.place.signing != nil) else { return nil }
    let apps = live.isSigned ? "apps that pin a key" : "apps that read format 1"
    return "From this release on, \(apps) no longer follow '\(opened.channel.name)'"
  }

  /// Refuses to replace a config whose key documents are those of another branch, unread: apps that
  /// adopted one of them would follow no other.
  private func refuseOtherDocument(
    _ opened: OpenChannel, by signing: ChannelSigning
  ) throws(Failure) {
    let stored = opened.place.configKeys.lazy.compactMap { key in
      try? opened.place.target.readAny(key)
    }.first
    guard let stored, let version = signing.otherDocument(in: stored.bytes, of: opened.place) else {
      return
    }
    throw Failure(
      .unavailable, .refused,
      "the live config has another key document \(version) than the content folder, and document \(version - 1) "
        + "accepts both: apps that saw it would never follow the other",
      notes: [
        "take over its \(version).json, of another branch, and make the later change again as document \(version + 1)",
        "nothing was changed",
      ])
  }

  /// Reports what a first signed release takes over from a config without signatures, which only
  /// people can check.
  private func addTakenOver(_ live: LiveRelease?, to report: inout Report) {
    guard change == .on, let live, !live.isSigned else { return }
    let purge = live.purge?["sequence"]?.number ?? 0
    let isInMaintenance = live.maintenance?["active"] == true
    report.text =
      "Taken over without verification: the number of release \(live.number), "
      + (purge == 0 ? "no purge" : "purges up to \(purge)")
      + ", maintenance \(isInMaintenance ? "on" : "off")\n" + report.text
    report.json["takenOver"] = [
      "release": .integer(Int64(live.number)), "purge": .integer(Int64(purge)),
      "maintenance": .boolean(isInMaintenance),
    ]
  }
}
