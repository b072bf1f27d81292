import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics
import System

/// Makes the content of an older release live again.
struct Rollback: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollback",
    abstract: "Make the content of an older release live again.",
    discussion: help(
      """
      A rollback is a new release with older content. Release numbers only rise, so that readers \
      do not mistake it for a release that they have. Nothing is built and almost nothing is sent. \
      A purge or a maintenance that is in force stays.
      """))

  static let examples = """
    contentc rollback qa           # to the content before the live one
    contentc rollback qa --to 1    # to that of release 1
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = true
  static let needsSigners = false
  // A bound that exceeds 'stalenessLimit' is only a warning here.
  static let exitStatuses = Publication.exitStatuses.filter { $0.status != .gate }
  static let result = Publication.result

  static let uses = Set<ProjectSetting>.ofRelease.union([.stalenessLimit])

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Option(
    help: ArgumentHelp(
      "The release whose content to publish; 'history' lists releases. Default: the content "
        + "before the live one.",
      valueName: "number"))
  var to: Int?
  @OptionGroup var release: ReleaseOptions
  @OptionGroup var drafting: DraftOption
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func perform() throws -> Report {
    let opened = try delivery.open(
      channel, using: Self.uses, writes: !release.dryRun, settings: settings,
      drafting: drafting.request(by: "rollback"),
      emergency: .telling, notes: common.waitNotes)
    do { return try rollBack(opened) } catch let error as DeliveryError where error.kind != .lost {
      // A restored config or a missing purge may be the reason, and only its end helps then.
      try opened.requireKnownPurges(opened.place.live())
      guard [.refused, .missing].contains(error.kind), opened.hasPurges() else { throw error }
      let channel = opened.channel.name
      throw Failure(error).noting(
        "after a purge, an earlier release seldom returns as a whole: correct the entry and run "
          + "'contentc publish \(channel)', with '--unpurge ID' if its form was not bad; or run "
          + "'contentc purge \(channel) ID --restore --reason …'")
    }
  }

  /// Publishes the older content in an open channel, or shows the changes.
  func rollBack(_ opened: OpenChannel) throws -> Report {
    let watch = Stopwatch()
    let live = try opened.live()
    // During a rollout, the content before is that of the other readers.
    let aborted = to == nil ? live.flatMap { $0.rollout == nil ? nil : $0 } : nil
    let earlier = try aborted?.record ?? opened.place.rollbackTarget(to)
    let content = try
      (aborted?.content(at: opened.place.target) ?? earlier.content(at: opened.place.target))
      .stableSide()
    if let refusal = common.refusal(for: opened.knownWarnings(live)) { return refusal }
    var draft = Draft(
      content: content, of: earlier.contentRelease, message: release.message,
      by: Author.name(release.by, content: delivery.input.content))
    draft.decidesRollout = true
    let returned = ReturnedEntryWarnings(&draft, common, canUnpurge: false)
    if release.dryRun {
      var report = try opened.dryRun(of: draft, after: live) { page in
        "To the content of release \(earlier.contentRelease):\n\(page.text)Nothing was changed: --dry-run\n"
      }
      report.diagnostics += returned.warnings
      return settings.notifier(of: opened).planned(report)
    }
    guard let live else {
      throw DeliveryError(.unknown, try opened.reasonForNoConfig())
    }
    if let request = opened.drafting {
      let changes = opened.summary(from: live, to: content)?.text
      var report = try opened.write(
        draft, by: request, after: live, texts: [changes].compactMap(\.self))
      report.diagnostics += returned.warnings
      return report
    }
    let endangered = EndangeredObjects()
    // A release that was published meanwhile is rolled back, too.
    let outcome = try opened.publishUrgently(after: live, endangered: endangered) {
      [draft] now in
      guard aborted != nil, now.rollout != nil, now.record.digest != live.record.digest else {
        return draft
      }
      // A purge may have changed the stable side.
      var next = draft
      next.content = try now.content(at: opened.place.target).stableSide()
      next.contentRelease = now.record.contentRelease
      return next
    }
    let page = PublicationPage(
      opened: opened, outcome: outcome,
      verb: "Rolled back to the content of \(earlier.contentRelease) as",
      seconds: watch.seconds)
    // Another rollback would show the content before.
    var report = opened.announceAndReport(
      page, again: "contentc promote \(opened.channel.name) \(opened.channel.name)")
    report.diagnostics += returned.warnings
    // The limit of staleness does not stop a rollback, which is an emergency.
    if let warning = opened.limitWarning { report.diagnostics.append(warning) }
    if case .released(let record, _) = outcome, record.previous != live.record.digest,
      record.number > live.number + 1
    {
      report.diagnostics.append(
        publishedMeanwhile(live.number + 1..<record.number, in: opened.channel.name))
    }
    if case .released(let record, _) = outcome {
      settings.notifier(of: opened).notify(
        .rollback, release: record.number, changed: nil, reportingIn: &report)
    }
    opened.lookAfter(endangered, reportingIn: &report)
    return report
  }

  /// Returns the warning about releases that were published while this command ran.
  private func publishedMeanwhile(_ releases: Range<Int>, in channel: String) -> Diagnostic {
    let last = releases.upperBound - 1
    let subject =
      releases.count == 1
      ? "release \(last) was published meanwhile and is"
      : "releases \(releases.lowerBound) to \(last) were published meanwhile and are"
    return Diagnostic(
      .warning, rule: .publishedSince, at: nil, message: "\(subject) rolled back, too",
      notes: [
        Diagnostic.Note("'contentc rollback \(channel) --to \(last)' shows the last of them again")
      ])
  }
}
