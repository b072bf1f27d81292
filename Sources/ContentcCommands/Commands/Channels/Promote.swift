import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import System

/// Publishes the live content of one channel to another.
struct Promote: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "promote",
    abstract: "Publish the live content of one channel to another, byte for byte.",
    discussion: help(
      """
      Builds nothing: readers get exactly what was tested. Objects are sent only if the two \
      channels have different targets.
      """))

  static let examples = """
    contentc promote qa production --message "Tested on Friday"
    contentc promote qa production --to 10%    # to a part of the readers first
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = true
  static let needsSigners = false
  static let exitStatuses = Publication.exitStatuses
  static let result = Publication.result

  static let uses = Set<ProjectSetting>.ofRelease.union([.stalenessLimit, .pseudo, .locales])

  @Argument(help: "The channel to copy from.", completion: .channels)
  var from: String
  @Argument(help: "The channel to publish to; also as --channel NAME.", completion: .channels)
  var to: String?
  @Option(
    help: ArgumentHelp(
      "Allow an entry, an asset or 'all' to return after a purge; may be repeated. Default: none.",
      valueName: "id"), completion: .unpurged)
  var unpurge: [String] = []
  @OptionGroup var rollout: RolloutOptions
  @OptionGroup var release: ReleaseOptions
  @OptionGroup var drafting: DraftOption
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var output: OutputOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if to == nil, delivery.channelOption.named == nil {
      throw ValidationError("Name the channel to publish to: contentc promote \(from) CHANNEL")
    }
  }

  func perform() throws -> Report {
    let watch = Stopwatch()
    let (copied, project) = try delivery.channel(named: from, using: .ofTarget)
    let notes = common.waitNotes
    let source = try delivery.open(
      copied, of: project, writes: false, isSource: true, notes: notes)
    let opened = try delivery.open(
      to, using: Self.uses, writes: !release.dryRun, settings: settings,
      drafting: drafting.request(by: "promote"), notes: notes
    ).withinLimit()
    let notifier = settings.notifier(of: opened)
    if let refusal = notifier.refusal { return refusal }
    try delivery.refuseTarget(
      of: opened.channel, inside: output.folder(delivery.input))
    guard let live = try source.live() else {
      throw DeliveryError(.unknown, try source.reasonForNoConfig())
    }
    try source.refuseRestoredConfig(live)
    if let running = live.rollout { throw running.refusal(in: from) }
    guard source.place.signing == nil && opened.place.signing == nil || live.signed != nil else {
      throw DeliveryError(
        .refused,
        "config of '\(from)' is not signed: who writes there would choose what '\(opened.channel.name)' signs; sign '\(from)', too; "
          + "nothing was changed")
    }
    let content = live.content(at: source.place.target)
    try content.refusePseudoLocales(
      for: opened.channel, declared: opened.project.locales, from: from)
    let before = try opened.live()
    if let refusal = common.refusal(for: opened.knownWarnings(before)) { return refusal }
    let isSameTarget = source.channel.target.hasSameBytes(as: opened.channel.target)
    var plain = Draft(
      content: content, message: release.message ?? "\(from) \(live.number)",
      by: Author.name(release.by, content: delivery.input.content),
      assumedAtTarget: isSameTarget ? Set(content.objects) : [])
    plain.readmitted = Set(unpurge)
    plain.command = Contentc.given
    let returned = ReturnedEntryWarnings(&plain, common)
    let next: (LiveRelease?) throws -> Draft = { [plain, place = opened.place] now in
      try rollout.apply(to: plain, after: now, in: place)
    }
    let draft = try next(before)
    if release.dryRun {
      var report = try opened.dryRun(of: draft, after: before) { page in
        page.text + "Nothing was published: --dry-run\n"
      }
      report.diagnostics += returned.warnings
      return notifier.planned(report)
    }
    if let request = opened.drafting {
      let changes = opened.summary(from: before, to: draft.content)?.text
      var report = try opened.write(
        draft, by: request, after: before,
        texts: ["release \(live.number) of '\(from)'"] + [changes].compactMap(\.self))
      report.diagnostics += returned.warnings
      return report
    }
    let progress = Progress("Promoting", isWanted: !common.quiet)
    progress.expect(isSameTarget ? 0 : content.objects.lacking(in: before))
    defer { progress.finish() }
    let outcome = try opened.publish(known: before, progress: { progress.advance(bytes: $0) }) {
      now in now?.record.digest == before?.record.digest ? draft : try next(now)
    }
    let page = PublicationPage(
      opened: opened, outcome: outcome, verb: "Promoted release \(live.number) of '\(from)' to",
      seconds: watch.seconds)
    var report = opened.announceAndReport(
      page,
      again: outcome.record.rollout.map { opened.command(for: $0) }
        ?? "contentc promote \(from) \(opened.channel.name)")
    report.diagnostics += source.signingWarnings(live) + returned.warnings
    let summary = opened.summary(from: before, to: draft.content)
    report.text = (summary?.text ?? "") + report.text
    if source.channel.name == opened.channel.name {
      report.text += "'\(from)' was promoted to itself: release \(live.number) was live already\n"
    }
    if case .released(let record, _) = outcome {
      notifier.notify(
        .promote, release: record.number, changed: summary?.ids, reportingIn: &report)
    }
    return report
  }
}
