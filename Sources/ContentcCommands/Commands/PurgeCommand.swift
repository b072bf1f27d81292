import Hashing
import PropertyLists
import Parallel
import ArgumentParser
import ContentModel
import ContentPurging
import ContentReleases
import ContentSource
import ContentTargets
import Diagnostics
import HTTPTransport

/// Takes something away from every reader.
struct PurgeCommand: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Remove an entry from every reader, including caches and apps.",
    discussion: """
      Works on the live release; of the content folder, only content.yaml is read. Publishes a \
      release without the entry, purges the caches, reads back what readers get, removes the \
      objects that showed the entry, and prints when the last app has dropped it. After an \
      interruption, run the same command again, or 'contentc purge' alone; the exit status is 69 \
      until all is done. Afterwards, 'publish' and 'promote' refuse the purged content, unless \
      --unpurge names it.

      Examples:
        contentc purge qa product/country-charm --reason "A swear word"
        contentc purge qa 'product/*-basket' --locale fr --dry-run --reason "Prices"
        contentc purge qa product/bonsai --field care --dry-run --reason "Advice"
        contentc purge qa --release 2 --reason "Published by mistake" --dry-run
        contentc purge qa product/country-charm --restore --dry-run --reason "Prices"
      """)

  @Argument(
    help: ArgumentHelp(
      "Ids, or globs such as 'product/*'; a word without a slash is the channel. Default: finish earlier purges.",
      valueName: "entries"))
  var entries: [String] = []
  @Option(help: "The reason, for everyone who looks at the record later. Required.")
  var reason: String?
  @Option(help: Author.help)
  var by: String?
  @Option(
    help: ArgumentHelp(
      "Purge only this field, such as title or badges.new.label; may be repeated. Default: all.",
      valueName: "path"))
  var field: [String] = []
  @Option(
    help: ArgumentHelp(
      "Purge only for readers of this locale and of those that fall back to it; may be "
        + "repeated. Default: all.",
      valueName: "tag"
    ))
  var locale: [String] = []
  @Option(
    help: ArgumentHelp(
      "Purge everything that this release brought, unless a later one shows a part of it. "
        + "Default: none.",
      valueName: "number"))
  var release: Int?
  @Option(help: ArgumentHelp("Purge the asset with this hash. Default: none.", valueName: "hash"))
  var asset: String?
  @Flag(help: "Give each reader the value of the last release in which it differed.")
  var restore = false
  @Option(
    help: ArgumentHelp(
      "Give readers the fields of this YAML or property-list file instead. Default: none.",
      valueName: "file"))
  var replace: String?
  @Flag(help: "Also purge all earlier forms of the entries, back to the last release without them.")
  var history = false
  @Flag(help: "Purge entries even if fields of other entries refer to them.")
  var leaveReferences = false
  @Option(
    help: ArgumentHelp(
      "Finish without this cache of content.yaml, which is out of service for good; may be "
        + "repeated. Default: none.",
      valueName: "cache"))
  var without: [String] = []
  @Flag(help: "Show what would happen; change nothing.")
  var dryRun = false
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  mutating func validate() throws {
    try takeChannel()
    let subjects = [!entries.isEmpty, release != nil, asset != nil].count { $0 }
    if subjects > 1 {
      throw ValidationError("Name entries, a --release or an --asset, only one of them.")
    }
    if !field.isEmpty, replace != nil {
      throw ValidationError("--replace lists its own fields and cannot be combined with --field.")
    }
    if restore, replace != nil {
      throw ValidationError("--restore and --replace cannot be combined.")
    }
    if subjects == 1, !dryRun, reason?.allSatisfy(\.isWhitespace) ?? true {
      throw ValidationError("Give a reason for the record: --reason \"…\".")
    }
    if history, entries.isEmpty || restore || replace != nil || !field.isEmpty {
      throw ValidationError("--history needs whole entries, without --field and --locale.")
    }
    if entries.isEmpty, restore || replace != nil || !field.isEmpty || !locale.isEmpty {
      throw ValidationError("--field, --locale, --restore and --replace need entries.")
    }
  }

  /// Takes a word that can be no entry as the channel's name: ids have a slash, and globs a star.
  private mutating func takeChannel() throws {
    let words = entries.filter {
      !$0.contains("/") && !$0.contains("*") && $0 != EntryID.maintenance.text
    }
    guard let word = words.first else { return }
    if words.count > 1 || delivery.channelOption.named.map({ $0 != word }) == true {
      let word = words.last ?? word
      let example = meantEntry(word).map { "; did you mean '\($0)'?" } ?? ", such as product/rose."
      throw ValidationError("'\(word)' is not an entry: ids have two parts\(example)")
    }
    delivery.channelOption.named = word
    entries.removeAll { $0 == word }
  }

  private func open() throws -> OpenChannel {
    do { return try delivery.open(nil, writes: !dryRun, emergency: .telling) } catch let failure
      as Failure
    {
      guard failure.diagnostic.id == "unknown-channel" else { throw failure }
      let meant = delivery.channelOption.named.flatMap(meantEntry)
      throw failure.noting(
        "entries have ids of two parts"
          + (meant.map { "; did you mean '\($0)'?" } ?? ", such as product/rose"))
    }
  }

  /// The entry of the content folder that a word without a slash probably means.
  private func meantEntry(_ word: String) -> String? {
    guard let folder = try? delivery.input.open() else { return nil }
    return word.meant(among: ContentReader.read(folder).output?.entries.map(\.id.text) ?? [])
  }

  func perform() throws -> Report {
    let opened = try open()
    try checkWithout(opened)
    let library = opened.site == nil || dryRun ? nil : BackgroundTask { HTTPClient.prepare() }
    // A process must not end while it is loaded.
    defer { _ = library?.value }
    guard let live = try opened.place.live() else {
      throw DeliveryError(.unknown, "nothing is published in '\(opened.channel.name)' yet")
    }
    let ledger = try PurgeLedger(opened.place, live: live)
    let planner = PurgePlanner(opened.place, live)
    if dryRun { return try planned(in: opened, planner: planner, ledger: ledger) }
    let console = PurgeConsole(isWanted: !common.quiet && !common.json)
    defer { console.bar.end() }
    let purge = opened.purge(console, without: without)
    // What cannot be tidied up is no reason to wait.
    try? purge.sweep(ledger)
    // A new purge does not wait until earlier ones are finished.
    var warnings = ledger.warnings.map {
      Diagnostic(.warning, id: "left-alone", at: nil, message: $0)
    }
    let begun = Result {
      try self.begun(
        in: opened, by: purge, planner: planner, ledger: ledger, console: console,
        reportingIn: &warnings)
    }
    if case .failure(let error) = begun, !ledger.unfinished.isEmpty {
      console.say("NOT begun: \((error as? Failure)?.diagnostic.message ?? "\(error)")")
    }
    let now = (try? opened.place.live()) ?? live
    var outcomes = ledger.unfinished.map { left in
      console.say(
        "Finishing purge \(left.sequence) (\(left.reason.harmless)), release \(left.release)")
      return purge.finish(left, live: now, watch: console.watch)
    }
    func page() -> PurgePage { PurgePage(opened, outcomes: outcomes, steps: console.text) }
    var report: Report
    do {
      if let new = try begun.get() {
        guard let now = try opened.place.live() else {
          throw DeliveryError(.lost, "config was removed; run again")
        }
        outcomes.append(purge.finish(new, live: now, watch: console.watch))
      }
      report = page().report
      if let left = unfinished(ledger), try !ledger.isUntouched(since: left, opened.place) {
        report.diagnostics.append(publishedSince(left))
      }
    } catch let gate as ClosedGate {
      report = page().report(gate)
    } catch let error as TargetError {
      opened.memory.forget(opened.place.target)
      let next =
        "run the same command again to continue; 'contentc status' shows what is live"
      report = page().report(Failure(error).noting(next))
    } catch let error as DeliveryError {
      report = page().report(Failure(error))
    } catch let failure as Failure {
      report = page().report(failure)
    }
    report.diagnostics += warnings
    return report
  }

  /// The purge that was begun by the same words, and is not finished: it is not begun once more.
  private func unfinished(_ ledger: PurgeLedger) -> PurgeManifest? {
    guard let words = try? asked(remedy().words), !words.isEmpty else { return nil }
    return ledger.unfinished.last { $0.asked == words }
  }

  private func publishedSince(_ left: PurgeManifest) -> Diagnostic {
    Diagnostic(
      .warning, id: "published-since", at: nil,
      message:
        "a release was published after purge \(left.sequence) began and was not changed: it may be the correction",
      notes: [Diagnostic.Note("if it is bad, too, run the same command again")])
  }

  private func planned(
    in opened: OpenChannel, planner: PurgePlanner, ledger: PurgeLedger
  ) throws -> Report {
    guard let order = try order(at: opened.place, planner: planner, ledger: ledger) else {
      return PurgePlanPage.nothing(left: ledger.unfinished)
    }
    let plan = try planner.plan(order)
    let older = try OlderCopies(opened.place, of: plan.contents, besides: plan.gone)
    var report = PurgePlanPage(
      opened, plan: plan, live: planner.live, left: ledger.unfinished, older: older.objects
    ).report
    report.diagnostics += older.problems.map {
      .warning("left-alone", at: nil, message: "an older release cannot be read: \($0)")
    }
    report.diagnostics += requiredFieldWarnings()
    return report
  }

  /// Fields that are to go although their datatype requires them.
  private func requiredFieldWarnings() -> [Diagnostic] {
    // A replacement names fields and their values.
    let paths = restore || replace != nil ? [] : field
    return RequiredFields(delivery.input)?.warnings(paths, of: entries) ?? []
  }

  /// The purge that is asked for, its release live; `nil` if there is nothing to begin.
  private func begun(
    in opened: OpenChannel, by purge: Purge, planner: PurgePlanner, ledger: PurgeLedger,
    console: PurgeConsole, reportingIn warnings: inout [Diagnostic]
  ) throws -> PurgeManifest? {
    guard let order = try order(at: opened.place, planner: planner, ledger: ledger) else {
      return nil
    }
    let plan = try planner.plan(order)
    let page = PurgePlanPage(opened, plan: plan, live: planner.live, left: [])
    for line in [page.headline] + page.withdrawals { console.say(line) }
    let required = requiredFieldWarnings()
    if let report = common.closedGate(required + opened.unpurgedWarnings) {
      throw ClosedGate(report)
    }
    warnings += required
    return try purge.begin(order, plan, after: planner.live, opened.publisher, watch: console.watch)
    { now in
      let planner = PurgePlanner(opened.place, now)
      guard
        let order = try self.order(
          at: opened.place, planner: planner, ledger: PurgeLedger(opened.place, live: now))
      else { return nil }
      return (order, try planner.plan(order))
    }
  }

  /// Refuses names in `--without` that are not caches of the channel.
  private func checkWithout(_ opened: OpenChannel) throws {
    let known = opened.channel.caches.map(\.name)
    for name in without where !known.contains(name) {
      throw Failure(.usage, unknown: "cache", name, known: known)
    }
  }

  /// `true` if whole entries are purged for all readers.
  ///
  /// Then live entries show that the purge was not done before.
  private var isPlain: Bool {
    !entries.isEmpty && !restore && replace == nil && field.isEmpty && locale.isEmpty
  }

  /// Returns the requested purge; `nil` if the command only finishes earlier purges or was done
  /// already.
  private func order(at place: ChannelPlace, planner: PurgePlanner, ledger: PurgeLedger) throws
    -> PurgeOrder?
  {
    let remedy = try remedy()
    var order = PurgeOrder(
      .entries([]), fields: try field.map(path), locales: locale, remedy: remedy.remedy,
      leavesReferences: leaveReferences, reason: reason ?? "",
      by: Author.name(by, content: delivery.input.content))
    order.takesHistory = history
    order.asked = asked(remedy.words)
    if unfinished(ledger) != nil { return nil }
    if try !isPlain && ledger.done(order.asked, live: planner.live, place) != nil { return nil }
    if let release {
      order.subject = .release(release)
    } else if let asset {
      guard let digest = Digest(hex: asset.lowercased()) else {
        throw Failure(.usage, "bad-hash", "'\(asset)' is not a SHA-256 in hex")
      }
      order.subject = .asset(digest)
    } else {
      let ids = try ids(planner: planner, ledger: ledger)
      if ids.isEmpty { return try finished(ledger) }
      order.subject = .entries(ids)
    }
    return order
  }

  /// The command in canonical form: two commands with the same meaning give the same words.
  private func asked(_ remedy: [String]) -> [String] {
    let subject =
      release.map { ["--release", "\($0)"] } ?? asset.map { ["--asset", $0.lowercased()] }
      ?? entries.sorted()
    let options =
      field.sorted().flatMap { ["--field", $0] } + locale.sorted().flatMap { ["--locale", $0] }
    let flags = (history ? ["--history"] : []) + (leaveReferences ? ["--leave-references"] : [])
    return subject.isEmpty ? [] : subject + options + remedy + flags
  }

  private func finished(_ ledger: PurgeLedger) throws -> PurgeOrder? {
    guard entries.isEmpty, ledger.isEmpty else { return nil }
    throw Failure(.usage, "nothing-named", "name what to purge: entries, --release or --asset")
  }

  /// The live entries that are meant; none where all of them are gone already.
  private func ids(planner: PurgePlanner, ledger: PurgeLedger) throws -> [String] {
    let known = try planner.reader.ids()
    return try entries.flatMap { pattern -> [String] in
      guard let glob = Glob(pattern) else {
        throw Failure(.usage, "bad-pattern", "'\(pattern)' is neither an id nor a glob")
      }
      let ids = known.filter(glob.matches)
      if !ids.isEmpty { return ids }
      guard let purge = try ledger.last(where: { $0.entries.contains(where: glob.matches) }) else {
        throw Failure(.missingInput, unknown: "entry", pattern, known: known)
      }
      // A purged entry can return in another form.
      return restore || replace != nil ? purge.entries.filter(glob.matches) : []
    }
  }

  private func path(_ text: String) throws -> FieldPath {
    guard let path = FieldPath(text) else {
      throw Failure(.usage, "bad-field", "'\(text)' is not a path such as badges.new.label")
    }
    return path
  }

  private func remedy() throws -> (remedy: PurgeOrder.Remedy, words: [String]) {
    if restore { return (.restoration, ["--restore"]) }
    guard let replace else { return (.nothing, []) }
    let bytes = try InputFile(path: replace).read()
    let read = ConvertSource(guessedFrom: replace).read(bytes, path: replace)
    if let first = read.diagnostics.first(where: { $0.severity == .error }) {
      throw Failure(.contentErrors, first.id, first.message, at: replace)
    }
    guard let members = read.output?.members, !members.isEmpty else {
      throw Failure(.contentErrors, "wrong-type", "the file must map fields to values", at: replace)
    }
    let hash = Digest(of: bytes).hex
    let values = try members.map {
      (name: $0.key, value: try $0.value.readingItemDates(at: replace))
    }
    return (.replacement(values), ["--replace", hash])
  }
}
