import ArgumentParser
import CommandParts
import CommandReports
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import ContentTrust
import Diagnostics
import Notifications
import Platform

/// Publishes the content to a channel.
struct Publish: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "publish",
    abstract: "Build the content and make it the live release of a channel.",
    discussion: """
      Builds the content, reports what readers will see change, sends the objects that the target \
      lacks, and replaces the channel's config last. At every moment, readers see either the \
      complete old release or the complete new one. After an interruption, run the command again. \
      If another publisher is faster, nothing changes and the exit status is 75.

      Examples:
        contentc publish qa
        contentc publish qa --message "Christmas prices"
        contentc publish qa --dry-run    # what would change and be sent
        contentc publish qa --built      # 'out' as it is
        contentc publish qa --if-due     # from cron: only when an embargo has ended
      """)

  static let uses = Set<ProjectSetting>.ofRelease.union([.stalenessLimit, .pseudo, .locales])

  @Argument(help: "A channel of content.yaml. Default: the only one.")
  var channel: String?
  @Flag(
    help: "Publish the output folder as it is; refused if the content changed since the build.")
  var built = false
  @Flag(
    help: "Publish only if an embargo of the live release has ended.")
  var ifDue = false
  @Flag(help: "Check every object at the target, and send missing ones again.")
  var repair = false
  @Option(
    help: ArgumentHelp(
      "Allow an entry, an asset or 'all' to return after a purge; may be repeated. Default: none.",
      valueName: "id"))
  var unpurge: [String] = []
  @Option(
    help: ArgumentHelp(
      "Give the release a number above this one, which apps have seen, after config or the whole "
        + "target was restored from a backup; check every object. Default: the next number.",
      valueName: "number"))
  var above: Int?
  @Flag(
    help: "Sign a channel whose configs were not signed; apps that read format 1 stop following.")
  var toSigned = false
  @Flag(help: "No longer sign a channel; apps that pin a key stop following.")
  var toUnsigned = false
  @Flag(
    help: "Replace a config that does not verify, without reading it: purges and maintenance end.")
  var replaceUnverified = false
  @Flag(help: "Replace config after 'keys recover', with the numbers of that key document.")
  var recover = false
  @OptionGroup var output: OutputOptions
  @OptionGroup var release: ReleaseOptions
  @OptionGroup var drafting: DraftOption
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var common: CommonOptions

  /// `true` if every object at the target is checked.
  private var repairs: Bool { repair || above != nil }

  func validate() throws {
    if let above, !(1...SerialNumber.highest / 2).contains(above) {
      throw ValidationError("--above must be from 1 to \(SerialNumber.highest / 2).")
    }
    if ifDue, built {
      throw ValidationError(
        "--if-due builds the content folder and cannot be combined with --built.")
    }
  }

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

  func perform() throws -> Report {
    let watch = Stopwatch()
    var opened = try delivery.open(
      channel, using: Self.uses, writes: !release.dryRun, settings: settings,
      drafting: drafting.request(by: "publish"), notes: common.waitNotes
    ).withinLimit()
    (opened.changesSigning, opened.replacesUnverified) = (
      toSigned || toUnsigned, replaceUnverified || recover
    )
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
    let live = try opened.replacesUnverified ? nil : opened.live()
    if let refusal = common.refusal(for: found.diagnostics + opened.knownWarnings(live)) {
      return refusal
    }
    var draft = Draft(
      content: content, message: release.message,
      by: Author.name(release.by, content: delivery.input.content))
    draft.commit = Author.commit(content: delivery.input.content)
    draft.readmitted = Set(unpurge)
    draft.above = above
    if opened.replacesUnverified, let signing = opened.place.signing {
      draft.above = max(above ?? 0, recover ? signing.lastBeforeRecovery : signing.knownRelease)
      // A recovery names the last purge. Otherwise an attacker may have raised the number; readers
      // accept that, but refuse a number below theirs.
      draft.lastPurge =
        try recover
        ? signing.lastPurge
        : max(signing.lastPurge, PurgeList(opened.place, live: nil).nextNumber() - 1)
    }
    if release.dryRun {
      var report = try opened.dryRun(of: draft, after: live, repairs: repairs) { page in
        var page = page
        page.cutOff = cutOff(after: live, in: opened)
        return page.text + "Nothing was published: --dry-run\n"
      }
      addTakenOver(live, to: &report)
      return notifier.planned(report)
    }
    if let request = opened.drafting {
      var report = try opened.write(
        draft, by: request, after: live, repairs: repairs,
        texts: [cutOff(after: live, in: opened), opened.summary(from: live, to: content)?.text]
          .compactMap(\.self))
      report.diagnostics += found.diagnostics
      addTakenOver(live, to: &report)
      return report
    }
    // A quiet run does not fetch the live bundles that only the summary needs.
    var page = common.quiet && !common.json ? nil : opened.summary(from: live, to: content)
    page?.cutOff = cutOff(after: live, in: opened)
    let lacking =
      repairs ? [] : page.flatMap { try? opened.missingObjectsWarning(live, in: $0.diff) } ?? []
    if let refusal = common.refusal(for: lacking) { return refusal }
    let progress = Progress("Publishing", isWanted: !common.quiet)
    progress.expect(content.objects.lacking(in: repairs ? nil : live))
    defer { progress.finish() }
    let outcome = try opened.publish(
      known: live, repairs: repairs, progress: { progress.advance(bytes: $0) }
    ) { [draft] _ in draft }
    let publication = PublicationPage(
      opened: opened, outcome: outcome, verb: "Published", seconds: watch.seconds)
    if toUnsigned { opened.forgetSigned() }
    var report = opened.announceAndReport(publication)
    // What the build has reported is not reported again, such as a part that is nearly too large.
    let known = Set(names: found.diagnostics.map(\.id))
    report.diagnostics.removeAll { known.contains($0.id) }
    report.diagnostics += found.diagnostics
    report.sources = found.sources
    if case .released(let record, let sent) = outcome {
      if let first = sent.firstMissedPurge {
        report.text += "  purges  config was older than purge \(first), and follows it now\n"
      }
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
}

extension Publish {
  /// Refuses flags that do not fit the channel's `signing`.
  private func checkSigning(_ opened: OpenChannel) throws(Failure) {
    let name = opened.channel.name
    guard let signing = opened.place.signing else {
      guard !toSigned, !replaceUnverified, !recover else {
        throw Failure(
          .usage, "unsigned-channel", "channel '\(name)' has no 'signing' in content.yaml",
          notes: ["add, for example: signing: {keys: keys/\(name)}"])
      }
      return
    }
    if toUnsigned {
      throw Failure(
        .usage, "unsigned-channel", "channel '\(name)' still has 'signing' in content.yaml",
        notes: ["remove it there first"])
    }
    if replaceUnverified || recover { try refuseOtherDocument(opened, by: signing) }
    if replaceUnverified, above == nil, signing.knownRelease == 0 {
      throw Failure(
        .usage, "usage", "this machine knows no release of '\(name)'",
        notes: ["say the last one that apps have seen: --not-below N"])
    }
    if recover, signing.newFloors == nil {
      throw Failure(
        .usage, "key-document", "the newest key document of '\(name)' is no recovery",
        notes: ["'contentc keys recover \(name) --release N --purge S' makes one"])
    }
    if recover, let signed = try? opened.place.live()?.signed,
      signing.hasNewestKeys(signed)
    {
      throw Failure(
        .usage, "key-document", "the recovery of '\(name)' is published already",
        notes: ["'contentc publish \(name)' publishes what follows"])
    }
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
      .unavailable, "refused",
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
    guard toSigned, let live, !live.isSigned else { return }
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

  /// Returns the report of `--if-due` if it publishes nothing; `nil` if an embargo has ended.
  private func reportUnlessDue(_ opened: OpenChannel) throws -> Report? {
    let live = try opened.live()
    // An embargo of the release that is gone may have ended.
    if live == nil, try opened.place.hasReleases() {
      throw DeliveryError(.unknown, try opened.place.reasonForNoConfig())
    }
    let next = NextInstants(of: live?.record)
    if let report = next.reportUnlessDue(opened.channel.name) { return report }
    return try opened.place.isRolledBack() ? next.reportOfRollback(opened.channel.name) : nil
  }
}
