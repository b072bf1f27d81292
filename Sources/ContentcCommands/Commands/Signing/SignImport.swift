import ArgumentParser
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import SiteFormat
import System

/// Publishes a signed draft.
struct SignImport: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Publish a signed draft.",
    discussion: help(
      """
      Takes from the folder only what the signatures prove: the release, its objects, and the work \
      of a purge. Nothing is built or planned. The target, the caches and their settings are those \
      of content.yaml. The draft is refused if another config is live than the one that it was made \
      after. After an interruption, run the command again: once the release is live, it finishes \
      the caches, and a purge.
      """))

  static let examples = """
    contentc sign import draft
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = true
  static let needsSigners = true
  // The command that made the draft has checked 'stalenessLimit'.
  static let exitStatuses = Publication.exitStatuses.filter { $0.status != .gate }
  static let result: [ResultRow] = [
    .paragraph(
      "Prints what the command that made the draft would print after it published: what "
        + "`publish`, `purge`, `maintenance` or `resign` prints.")
  ]

  static let uses = Set<ProjectSetting>.ofRelease

  @Argument(help: "The folder that a command with --draft wrote.", completion: .directory)
  var folder: String
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  private static let consequence = "nothing was changed"

  func perform() throws -> Report {
    let folder = DraftFolder(self.folder.withoutTrailingSlashes)
    let draft = try folder.read(otherwise: Self.consequence)
    do {
      return try publish(draft, in: folder, watch: Stopwatch())
    } catch let refusal as SigningDraft.Refusal {
      throw Failure(refusal, in: folder, otherwise: Self.consequence)
    }
  }

  private func publish(
    _ draft: SigningDraft, in folder: DraftFolder, watch: Stopwatch
  ) throws -> Report {
    let facts = draft.facts
    let (channel, project) = try delivery.channel(facts.channel, using: Self.uses)
    guard project.app == facts.app else {
      throw Failure(
        .usage, .signingDraft,
        "the draft is of the app '\(facts.app.harmless)', not of '\(project.app)'", at: folder.path,
        notes: [Self.consequence])
    }
    var opened = try delivery.open(
      channel, of: project, writes: true, emergency: draft.isUrgent ? .telling : nil,
      notes: common.waitNotes)
    opened.canBeRepeated = true
    guard let signing = opened.place.signing else {
      throw Failure(
        .usage, .unsignedChannel, "channel '\(channel.name)' has no 'signing' in content.yaml",
        notes: [Self.consequence])
    }
    try requireSignatures(of: draft, in: folder, by: signing.newest)
    guard facts.until > Clock.now else {
      throw Failure(
        .unavailable, .signingDraft, "the draft ended at \(facts.until.rfc3339)", at: folder.path,
        notes: ["make it again; \(Self.consequence)"])
    }
    let notifier = settings.notifier(of: opened)
    if let refusal = notifier.refusal { return refusal }
    let signed = try SignedDraft(draft, in: folder, of: opened.place)
    if draft.isResigning {
      try opened.requireMemory(by: "contentc sign import \(folder.path.shellWord)")
      try opened.refuseRestoredConfig(opened.live())
      let live = try opened.publisher.resign(signed)
      return opened.reportOfResigning(live)
    }
    if let begun = signed.begun {
      return try purge(by: signed, begun: begun, in: opened, notifier: notifier)
    }
    // Config may have been restored since the draft was made. Without a release before it, the draft
    // replaces whatever is there.
    if signed.record.previous != nil, let live = try opened.live(), !signed.onlyHides(live) {
      try opened.refuseRestoredConfig(live)
    }
    let endangered = EndangeredObjects()
    let progress = Progress("Importing", isWanted: !common.quiet)
    defer { progress.finish() }
    let outcome = try opened.publish(
      signed, endangered: endangered, progress: { progress.advance(bytes: $0) })
    if let live = try? opened.place.live() { try? opened.place.noteLosses(acceptedBy: live) }
    var report = opened.announceAndReport(
      PublicationPage(opened: opened, outcome: outcome, verb: "Imported", seconds: watch.seconds),
      finishesCaches: true)
    if let kind = draft.notification {
      notifier.notify(
        kind, release: facts.release, changed: kind == .maintenance ? [] : nil,
        reportingIn: &report)
    }
    opened.lookAfter(endangered, reportingIn: &report)
    return report
  }

  /// Refuses a draft that lacks signatures, and names the keys that may still sign.
  private func requireSignatures(
    of draft: SigningDraft, in folder: DraftFolder, by document: KeyDocument
  ) throws(Failure) {
    let lacking = draft.statements.signatures(by: document).filter { !$0.isEnough }
    guard !lacking.isEmpty else { return }
    throw Failure(
      .unavailable, .signer,
      "the draft \(lacking.map { draft.sentence(on: $0) }.joined(separator: ", and "))",
      at: folder.path,
      notes: [
        "'contentc sign \(folder.path.shellWord) --expect \(draft.hash.hex)' adds them",
        Self.consequence,
      ])
  }

  /// Publishes the release of a purge, and finishes the purge and all earlier ones.
  private func purge(
    by signed: SignedDraft, begun: [UInt8], in opened: OpenChannel, notifier: Notifier
  ) throws -> Report {
    guard let live = try opened.live() else {
      throw DeliveryError(.unknown, try opened.reasonForNoConfig())
    }
    let console = PurgeConsole(opened.notes)
    defer { console.bar.end() }
    let purge = opened.makePurge(console)
    let session = purge.beginAndFinishAll(
      in: try opened.waiting { try PurgeList(opened.place, live: live) }, live: live,
      commandWords: [], watch: opened.watch(console)
    ) { _, _ in
      try purge.begin(signed, work: begun, through: opened.publisher, watch: console.watch)
    }
    if session.error is TargetError { opened.memory.forget(opened.place.target) }
    if let refusal = session.error as? SigningDraft.Refusal { throw refusal }
    var page = PurgePage(opened, outcomes: session.outcomes)
    page.onlyFinishes = true
    let denied =
      session.outcomes.isEmpty
      ? session.error.flatMap { opened.failure(ofDenied: $0, importing: signed) } : nil
    var report = try (denied ?? session.error).map { try page.report(of: $0) } ?? page.report
    guard let now = try? opened.place.live() else { return report }
    try? opened.place.noteLosses(acceptedBy: now)
    let isLive = now.record.digest == signed.record.digest
    opened.remember(now, isOwn: isLive)
    report.diagnostics += opened.signingWarnings(now)
    if isLive {
      notifier.notify(.purge, release: now.number, changed: nil, reportingIn: &report)
    }
    // A finished purge has waited for other commands that remove objects.
    if !session.outcomes.allSatisfy(\.isRecorded) {
      opened.lookAfter(purge.endangered, reportingIn: &report)
    }
    return report
  }
}

extension SigningDraft {
  /// `true` if the command that made the draft is one of emergencies, whose writes have priority.
  fileprivate var isUrgent: Bool { ["purge", "rollback", "maintenance"].contains(facts.command) }

  /// The kind of the notification about the release; `nil` for an unknown command.
  fileprivate var notification: Notification.Kind? {
    // The draft of an abort names 'rollback'.
    facts.command == "rollout" || facts.command.hasBytePrefix("keys ")
      ? .publish : Notification.Kind(rawValue: facts.command)
  }
}
