import ArgumentParser
import ContentCompiler
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import HTTPTransport
import System

/// Removes content from every reader.
struct PurgeCommand: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Remove an entry from every reader, including caches and apps.",
    discussion: help(
      """
      Works on the live release; of the content folder, only content.yaml is read. Publishes a \
      release without the entry, purges the caches, reads back what readers get, removes the \
      objects that showed the entry, and prints when the last app has dropped it. After an \
      interruption, run the same command again, or 'contentc purge' alone. Afterwards, 'publish' \
      and 'promote' refuse the purged content, unless --unpurge names it.
      """))

  static let examples = """
    contentc purge qa product/country-charm --reason "A swear word"
    contentc purge qa 'product/*-basket' --locale fr --dry-run --reason "Prices"
    contentc purge qa product/bonsai --field care --dry-run --reason "Advice"
    contentc purge qa --release 2 --reason "Published by mistake" --dry-run
    contentc purge qa product/country-charm --restore --dry-run --reason "Prices"
    contentc purge qa --caches    # after a cache of content.yaml was corrected
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = true
  static let needsSigners = false
  static let exitStatuses: [CommandStatus] = [
    CommandStatus(.notNotified, "the release is live, but a 'notify' command failed"),
    CommandStatus(.unavailable, "not all is done yet: run the command again"),
  ]
  static let result = purgeKeys + [ResultRow].notifications + planKeys

  private static let purgeKeys: [ResultRow] = [
    ResultRow(
      [
        "purges[].sequence?": .integer, "purges[].release?": .integer,
        "purges[].entries[]?": .string,
      ],
      "a purge, its release, and what it took away"),
    ResultRow(
      ["purges[].objects?": .integer, "purges[].removed?": .integer, "purges[].kept?": .integer],
      "numbers of objects: to go, gone, and still shown elsewhere"),
    ResultRow(["purges[].done?": .boolean], "whether all is done"),
    ResultRow(["purges[].left[]?": .string], "the remaining steps"),
    ResultRow(
      ["purges[].online?": .moment, "purges[].offline?": .moment],
      "the moments by which the last reader has let go"),
    ResultRow(
      ["purges[].readBack?": .integer, "purges[].freshSeconds?": .number],
      "how many forms of removed files (gzip, br, plain) no cache has any more, and after how "
        + "long readers got the release"),
    ResultRow(
      [
        "purges[].caches[].name?": .string, "purges[].caches[].requests?": .integer,
        "purges[].caches[].seconds?": .number, "purges[].caches[].ok?": .boolean,
      ],
      ""),
    ResultRow(
      ["sent.purges[]?": .integer, "sent.objects?": .integer, "sent.done?": .boolean],
      "with `--caches`: the numbers of the finished purges that were sent to caches again, how "
        + "many objects these had, and whether every cache confirmed them"),
    ResultRow(
      [
        "sent.caches[].name?": .string, "sent.caches[].requests?": .integer,
        "sent.caches[].seconds?": .number, "sent.caches[].ok?": .boolean,
      ],
      "each cache's part"),
    ResultRow(
      ["sent.left[]?": .string, "sent.readBack?": .integer, "sent.freshSeconds?": .number],
      "as for a purge"),
  ]

  private static let planKeys: [ResultRow] = [
    .paragraph("With `--dry-run`:"),
    ResultRow(["entries.*[]?": .string], "by entry: the contexts it goes from"),
    ResultRow(
      ["objects[]?": .string, "urls[]?": .string, "unlisted[]?": .string],
      "removed objects and addresses, and entries whose lists lose an item"),
    ResultRow(
      ["bound?": .integer],
      "seconds until the last reader has let go, besides the purge itself"),
    ResultRow(["unrestored.*[]?": .string], "by entry: the contexts in which it is not restored"),
    ResultRow(
      [
        "changes[].id?": .string, "changes[].kind?": .string, "changes[].contexts[]?": .string,
        "changes[].fields[].path?": .string, "changes[].fields[].contexts[]?": .string,
        "changes[].fields[].old?": .any, "changes[].fields[].new?": .any,
      ],
      "with `--restore`: what readers get, as in `diff`"),
    ResultRow(
      ["restoredFrom?": .integer, "sources.*[]?": .integer, "withdrawn.*[]?": .string],
      "releases that the good form comes from, and bundles that are withdrawn whole"),
    ResultRow(
      [
        "caches[].name?": .string, "caches[].requests?": .integer, "caches[].units?": .integer,
        "caches[].seconds?": .number, "caches[].selectors[]?": .string,
      ],
      "each cache's part"),
    ResultRow(
      ["caches[].quotas.*.atOnce?": .integer, "caches[].quotas.*.perSecond?": .number],
      "its vendor's limits"),
    ResultRow(
      [
        "signers.*.threshold?": .integer, "signers.*.isMet?": .boolean,
        "signers.*.keys[]?": .string, "signers.*.problems[]?": .string,
      ],
      "in a signed channel, as for `status`"),
  ]

  static let uses = Set<ProjectSetting>.ofRelease

  @Argument(
    help: ArgumentHelp(
      "Ids, or globs such as 'product/*'; a word without a slash is the channel. Default: finish earlier purges.",
      valueName: "entries"), completion: .purged)
  var entries: [String] = []
  @OptionGroup(title: HelpGroup.what) var what: PurgedContentOptions
  @OptionGroup(title: HelpGroup.how) var how: PurgingOptions
  @OptionGroup(title: HelpGroup.how) var settings: SettingsOptions
  @OptionGroup(title: HelpGroup.signatures) var drafting: DraftOption
  @OptionGroup var delivery: PurgeDeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup(title: HelpGroup.output) var common: CommonOptions

  mutating func validate() throws {
    try takeChannel()
    try validateCaches()
    let subjects = [!entries.isEmpty, what.release != nil, what.asset != nil].count { $0 }
    if subjects > 1 {
      throw ValidationError("Name entries, a --release or an --asset, only one of them.")
    }
    if !what.field.isEmpty, how.replace != nil {
      throw ValidationError("--replace lists its own fields and cannot be combined with --field.")
    }
    if how.restore, how.replace != nil {
      throw ValidationError("--restore and --replace cannot be combined.")
    }
    if subjects == 1, !how.dryRun, how.reason?.allSatisfy(\.isWhitespace) ?? true {
      throw ValidationError("Give a reason for the record: --reason \"…\".")
    }
    if what.history, entries.isEmpty || how.restore || how.replace != nil || !what.field.isEmpty {
      throw ValidationError(
        "--history needs whole entries, without --field, --restore and --replace.")
    }
    if how.again, subjects == 0 {
      throw ValidationError("--again needs what the unfinished purge named.")
    }
    if !how.unpurge.isEmpty, !how.restore, how.replace == nil {
      throw ValidationError("--unpurge needs --restore or --replace.")
    }
    if entries.isEmpty,
      how.restore || how.replace != nil || !what.field.isEmpty || !what.locale.isEmpty
    {
      throw ValidationError("--field, --locale, --restore and --replace need entries.")
    }
  }

  /// Uses the word that cannot be an entry as the channel's name.
  ///
  /// Ids have a slash, and globs have a star.
  private mutating func takeChannel() throws {
    let words = entries.filter {
      !$0.contains("/") && !$0.contains("*") && $0 != EntryID.maintenance.text
    }
    guard let word = words.first else { return }
    if words.count > 1 || delivery.channelOption.named.map({ !$0.hasSameBytes(as: word) }) == true {
      let word = words.last ?? word
      throw ValidationError("'\(word)' is not an entry: ids have two parts\(example(for: word))")
    }
    delivery.channelOption.named = word
    entries.removeAll { $0.hasSameBytes(as: word) }
  }

  private func open() throws -> OpenChannel {
    do {
      var opened = try delivery.open(
        nil, using: Self.uses, writes: !how.dryRun, settings: settings,
        drafting: drafting.request(by: "purge"), emergency: .telling, notes: common.waitNotes)
      opened.canBeRepeated = true
      opened.clockRule = .correct
      return opened
    } catch let failure
      as Failure
    {
      guard failure.diagnostic.rule == .unknownChannel else { throw failure }
      let word = delivery.channelOption.named ?? ""
      throw failure.noting("entries have ids of two parts\(example(for: word))")
    }
  }

  /// The end of a sentence: the entry that a word without a slash probably means, or an example.
  private func example(for word: String) -> String {
    // An emergency must not wait while thousands of files are parsed.
    let ids = (try? delivery.input.open())?.ids(like: word) ?? []
    return word.meant(among: ids).map { "; did you mean '\($0)'?" } ?? ", such as product/rose"
  }

  func perform() throws -> Report {
    try writeSentencesOnRemovedOptions()
    let opened = try open()
    try checkWithout(opened)
    let library = opened.site == nil || how.dryRun ? nil : BackgroundTask { HTTPClient.prepare() }
    // A process must not end while the HTTP library is being loaded.
    defer { _ = library?.value }
    guard let live = try opened.live() else {
      throw DeliveryError(.unknown, try opened.reasonForNoConfig())
    }
    try opened.place.requireSigned(live)
    let list = try opened.waiting { try PurgeList(opened.place, live: live) }
    // Config names the `begun` that may be lost. The purge makes config name another `begun`.
    let missing = (try? list.lost(readingAll: false)) ?? []
    let planner = planner(in: opened, live: live, list: list)
    if how.dryRun {
      let warnings = list.leftAloneWarnings + opened.warning(of: missing, in: list)
      return try dryRun(in: opened, by: planner, warnings: warnings)
    }
    // A purge does not end the state of a restored config. If this check fails, `missedAfter` in config
    // tells of that state once a purge is live.
    var isRestored = (try? opened.restoredConfig(list)) != nil
    let console = PurgeConsole(opened.notes)
    defer { console.bar.end() }
    let purge = opened.makePurge(console, without: how.omittedCaches)
    if let request = opened.drafting {
      return try write(request, in: opened, by: purge, planner: planner)
    }
    let (command, later) = try askingForLaterContent(planner, console: console)
    var ownRecord: Digest?
    var warnings: [Diagnostic] = []
    // If config was restored, the number after `--above` in the warnings depends on the purge's
    // release.
    var listAfter = list
    // The steps are numbered at `Purge`: `planAndBegin` takes 1 and 2, `finish` the others.
    let session = purge.beginAndFinishAll(
      in: list, live: live, commandWords: (try? commandWords(remedy().words)) ?? [],
      watch: opened.watch(console)
    ) { list, live in
      if command.how.caches { return nil }
      let known = try command.planAndBegin(
        in: opened, by: purge, planner: self.planner(in: opened, live: live, list: list),
        console: console, reportingIn: &warnings)
      ownRecord = known?.begun.record
      return known
    }
    if let live = try? opened.place.live() {
      isRestored = isRestored || live.purge?["missedAfter"] != nil
      opened.remember(live, isOwn: live.record.digest == ownRecord)
      warnings += opened.signingWarnings(live)
      warnings += opened.diagnostics(ofNumbersIn: live, .warning)
      if isRestored, let list = try? PurgeList(opened.place, live: live, after: list) {
        warnings += opened.restoredConfigWarning(list)
        listAfter = list
      }
    }
    warnings = listAfter.leftAloneWarnings + warnings + opened.warning(of: missing, in: listAfter)
    if session.error is TargetError { opened.memory.forget(opened.place.target) }
    var report = try report(
      on: session, later: later, after: live, in: opened, by: purge, console: console)
    report.diagnostics += warnings
    notify(of: session.outcomes.map(\.begun), in: opened, reportingIn: &report)
    // A finished purge has waited for other commands that remove objects.
    if !session.outcomes.allSatisfy(\.isRecorded) {
      opened.lookAfter(purge.endangered, reportingIn: &report)
    }
    return report
  }

  private func writeSentencesOnRemovedOptions() throws {
    if common.quiet || common.json { return }
    for sentence in delivery.sentencesOnRemovedOptions {
      try Terminal.error.write(sentence + "\n")
    }
  }

  private func dryRun(
    in opened: OpenChannel, by planner: PurgePlanner, warnings: [Diagnostic]
  ) throws -> Report {
    var report: Report
    do {
      report =
        how.caches
        ? try plannedCaches(in: opened, planner.list, live: planner.live)
        : try planned(in: opened, by: planner)
    } catch  where !warnings.isEmpty {
      report = try PurgePage(opened, outcomes: []).report(of: error)
    }
    report.diagnostics += warnings
    opened.addSigners(settings, to: &report)
    return settings.notifier(of: opened).planned(report)
  }

  /// Makes the round of `--caches` after a session, and returns the report on both.
  private func report(
    on session: PurgeSession, later: LaterContent?, after live: LiveRelease,
    in opened: OpenChannel, by purge: Purge, console: PurgeConsole
  ) throws -> Report {
    var page = PurgePage(opened, outcomes: session.outcomes)
    page.onlyFinishes = !namesSubject
    var error = session.error
    if how.caches, error == nil {
      do { try sendAgain(in: opened, by: purge, console: console, to: &page) } catch let failure {
        error = failure
      }
    }
    if let denied = error, session.outcomes.isEmpty, !how.caches {
      error = opened.failure(ofDenied: denied, after: live) ?? denied
    }
    var report = try error.map { try page.report(of: $0) } ?? page.report
    if let later {
      report.diagnostics.append(later.diagnostic)
      // A purge that is still unfinished needs the same command again.
      report.status = report.status ?? .gate
    }
    return report
  }

  /// Runs the machine's `notify` commands, if the session has worked on purges.
  private func notify(of purges: [Begun], in opened: OpenChannel, reportingIn report: inout Report)
  {
    guard let release = purges.map(\.release).max() else { return }
    let isKnown = purges.allSatisfy { !$0.entries.isEmpty }
    settings.notifier(of: opened).notify(
      .purge, release: release, changed: isKnown ? purges.flatMap(\.entries) : nil,
      reportingIn: &report)
  }

  private func planned(
    in opened: OpenChannel, by planner: PurgePlanner
  ) throws -> Report {
    let (list, live) = (planner.list, planner.live)
    let left = list.unfinished
    guard let (_, plan) = try plan(by: planner) else {
      var report = PurgePlanPage.nothing(left: left, isNamed: namesSubject)
      if let later = try laterContent(planner) {
        report.diagnostics.append(later.diagnostic)
        report.status = .gate
      }
      return report
    }
    let older = try OlderCopies(opened.place, of: plan.contents, besides: plan.gone)
    var report = PurgePlanPage(
      opened, plan: plan, live: live, left: left, older: older.objects
    ).report
    report.diagnostics += older.problems.map {
      .warning(.leftAlone, at: nil, message: "an older release cannot be read: \($0)")
    }
    report.diagnostics += requiredFieldWarnings()
    return report
  }

  /// Returns warnings about purged fields that their datatype requires.
  private func requiredFieldWarnings() -> [Diagnostic] {
    // Only a purge without '--restore' and '--replace' removes fields.
    let paths = how.restore || how.replace != nil ? [] : what.field
    guard let folder = try? delivery.input.unlisted() else { return [] }
    return RequiredFields(in: folder).warnings(paths, of: entries)
  }

  /// Plans the purge, and publishes the release without the content; `nil` if there is nothing to begin.
  private func planAndBegin(
    in opened: OpenChannel, by purge: Purge, planner: PurgePlanner, console: PurgeConsole,
    reportingIn warnings: inout [Diagnostic]
  ) throws -> KnownPurge? {
    guard let (order, plan) = try plan(by: planner) else { return nil }
    let page = PurgePlanPage(opened, plan: plan, live: planner.live, left: [])
    for line in [page.headline] + page.restoredLines + page.withdrawals + page.sharedAssets {
      console.say(line)
    }
    if let warning = warningOfReturnedEntries(in: opened, by: planner) { console.say(warning) }
    let required = requiredFieldWarnings() + page.warnings
    if let refusal = common.refusal(for: required + opened.unpurgedWarnings) {
      throw RaisedWarnings(refusal)
    }
    warnings += required
    return try purge.begin(
      order, as: plan, in: planner.list, after: planner.live, through: opened.publisher,
      watch: console.watch
    ) { now, list in
      try self.plan(by: self.planner(in: opened, live: now, list: list))
    }
  }

  /// Writes what must be signed for the requested purge.
  private func write(
    _ request: DraftRequest, in opened: OpenChannel, by purge: Purge, planner: PurgePlanner
  ) throws -> Report {
    guard let (order, plan) = try plan(by: planner) else {
      throw Failure(
        .usage, .nothingNamed, "this purge needs no signatures: it is done, or has begun",
        notes: ["the same command without --draft finishes it"])
    }
    let page = PurgePlanPage(opened, plan: plan, live: planner.live, left: [])
    let lines = [page.headline] + page.restoredLines + page.withdrawals + page.sharedAssets
    let draft = try purge.draft(order, as: plan, in: planner.list, after: planner.live)
    var report = try opened.write(draft, by: request, after: planner.live, texts: lines)
    report.text = lines.map { $0 + "\n" }.joined() + report.text
    report.diagnostics += requiredFieldWarnings() + page.warnings
    return report
  }

  /// Plans the requested purge; `nil` if the command only finishes earlier purges, or if the purge
  /// is done or unfinished already.
  private func plan(by planner: PurgePlanner) throws -> (order: PurgeOrder, plan: PurgePlan)? {
    do {
      guard let order = try order(planner: planner) else { return nil }
      guard let plan = try planner.list.planUnlessRepeated(order, by: planner) else { return nil }
      try planner.list.place.requireRoomForPurge(after: planner.live)
      return (order, plan)
    } catch let refusal as ReplacementRefusal {
      throw try how.replace.map { try ReplacementFile(path: $0).mistakes(for: refusal) } ?? refusal
    } catch let error as DeliveryError where error.kind == .missing {
      // After config was restored, 'publish --repair' is refused.
      throw (try? RestoredConfig(planner.list))?.refusalOfPurge(because: error) ?? error
    }
  }

  /// Refuses names in `--without` that are not caches of the channel.
  private func checkWithout(_ opened: OpenChannel) throws {
    let caches = opened.channel.caches
    for omitted in how.omittedCaches {
      let known = caches.map(\.name.rawValue)
      guard known.contains(omitted.cache) else {
        throw Failure(.usage, unknown: .unknownCache, omitted.cache, known: known)
      }
      let nodes = caches.filter { $0.name.rawValue == omitted.cache }.flatMap(\.nodeHosts)
      guard let node = omitted.node, !nodes.contains(node) else { continue }
      throw Failure(
        .usage, unknown: .unknownCache, omitted.word, known: nodes.map { "\(omitted.cache)@\($0)" })
    }
  }

  /// Returns the line about a config that was restored from a backup, with the entries that the release
  /// shows again; `nil` if config follows all purges.
  private func warningOfReturnedEntries(
    in opened: OpenChannel, by planner: PurgePlanner
  ) -> String? {
    guard let restored = try? opened.restoredConfig(planner.list),
      let ids = try? restored.entries(shownIn: planner.reader)
    else { return nil }
    if ids.isEmpty { return "  WARNING: \(restored.sentence): \(restored.hiding)" }
    let others = ids.count > 3 ? " and \(ids.count - 3) others" : ""
    return "  WARNING: config was restored from a backup, so readers may see "
      + ids.prefix(3).joined(separator: ", ") + others + " again: \(restored.hiding)"
  }

  private func planner(
    in opened: OpenChannel, live: LiveRelease, list: PurgeList
  ) -> PurgePlanner {
    PurgePlanner(opened.place, live: live, list: list) {
      [content = delivery.input.content] object in
      ContentFolder.asset(with: object.digest, size: object.size, below: content)
    }
  }
}
