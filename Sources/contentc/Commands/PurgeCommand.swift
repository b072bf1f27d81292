import ArgumentParser
import ContentDelivery
import ContentModel
import ContentSource
import Diagnostics
import HTTPTransport

/// Takes something away from every reader.
struct PurgeCommand: ContentcCommand {
  static let configuration = CommandConfiguration(
    commandName: "purge",
    abstract: "Take an entry away from every reader, caches and apps included.",
    discussion: """
      Works from what is live; of the content folder only content.yaml is read. Publishes a release without it, makes the \
      caches forget, reads back what readers get, removes what showed it, and says when the last app has let go. Whatever \
      stops it, the same command again finishes it; the exit status is 69 until all is done.

      Examples:
        contentc purge product/country-charm --reason "A swear word"
        contentc purge 'product/*-charm' --locale fr --restore --reason "Wrong prices"
        contentc purge product/country-charm --field care --reason "Wrong advice" --dry-run
        contentc purge --release 41 --reason "Published by mistake"
        contentc purge --asset 3fa9… --reason "Not our picture"
      """)

  @Argument(help: "Entries: ids, or globs such as 'product/*'.")
  var entries: [String] = []
  @Option(help: ArgumentHelp("The channel; may be left out where there is only one.", valueName: "name"))
  var channel: String?
  @Option(help: "Why, for everyone who looks later. Must be given.")
  var reason: String?
  @Option(help: "Who does it; nobody unless told.")
  var by: String?
  @Option(
    help: ArgumentHelp("Only this field, as in title or badges.new.label; may be given again.", valueName: "path"))
  var field: [String] = []
  @Option(help: ArgumentHelp("Only for readers of this locale and those that fall back to it.", valueName: "tag"))
  var locale: [String] = []
  @Option(help: ArgumentHelp("All that a release brought.", valueName: "number"))
  var release: Int?
  @Option(help: ArgumentHelp("An asset, by its hash.", valueName: "hash"))
  var asset: String?
  @Flag(help: "Give readers what the last release had in which it was something else.")
  var restore = false
  @Option(help: ArgumentHelp("Give readers the fields that stand in a YAML or property-list file.", valueName: "file"))
  var replace: String?
  @Flag(help: "Remove it though fields of other entries name it.")
  var leaveReferences = false
  @Flag(help: "Only say what would happen.")
  var dryRun = false
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    let subjects = [!entries.isEmpty, release != nil, asset != nil].count { $0 }
    if subjects > 1 { throw ValidationError("Name entries, or a --release, or an --asset.") }
    if restore, replace != nil { throw ValidationError("--restore and --replace do not go together.") }
    if subjects == 1, reason?.allSatisfy(\.isWhitespace) ?? true {
      throw ValidationError("Say why, for everyone who looks later: --reason \"…\".")
    }
    if entries.isEmpty, restore || replace != nil || !field.isEmpty || !locale.isEmpty {
      throw ValidationError("--field, --locale, --restore and --replace need entries.")
    }
  }

  func perform() throws -> Report {
    Heap.growInLargeSteps()
    let opened = try delivery.open(channel, writes: !dryRun)
    if opened.site != nil, !dryRun { HTTPClient.prepare() }
    guard let live = try opened.place.live() else {
      throw DeliveryError(.unknown, "nothing is published in '\(opened.channel.name)' yet")
    }
    let ledger = try PurgeLedger(opened.place, live: live)
    let purge = try opened.purge()
    let console = PurgeConsole(isWanted: !common.quiet && !common.json)
    var outcomes: [Purge.Outcome] = []
    if !dryRun {
      for left in ledger.unfinished {
        console.say("Finishing purge \(left.sequence), release \(left.release): \(left.reason)")
        outcomes.append(purge.finish(left, live: live, watch: console.watch))
      }
    }
    let planner = PurgePlanner(opened.place, live)
    guard let order = try order(planner, ledger) else { return PurgePage(opened, outcomes, console.text).report }
    let plan = try planner.plan(order)
    if dryRun { return PurgePlanPage(opened, plan, live, try opened.cachePurge()).report }
    console.say(PurgePlanPage(opened, plan, live, try opened.cachePurge()).headline)
    let manifest = try purge.begin(order, plan, after: live, opened.publisher, watch: console.watch)
    guard let now = try opened.place.live() else { throw DeliveryError(.lost, "config was removed; run again") }
    outcomes.append(purge.finish(manifest, live: now, watch: console.watch))
    return PurgePage(opened, outcomes, console.text).report
  }

  /// What is asked for; `nil` if that is only to finish what was begun.
  private func order(_ planner: PurgePlanner, _ ledger: PurgeLedger) throws -> PurgeOrder? {
    var order = PurgeOrder(
      .entries([]), fields: try field.map(path), locales: locale, remedy: try remedy(),
      leavesReferences: leaveReferences, reason: reason ?? "", by: by)
    if let release {
      if ledger.all.contains(where: { $0.subject == "release \(release)" }) { return nil }
      order.subject = .release(release)
    } else if let asset {
      guard let digest = Digest(hex: asset.lowercased()) else {
        throw Failure(.usage, "bad-hash", "'\(asset)' is no SHA-256 in hex")
      }
      if ledger.all.contains(where: { $0.assets.contains(digest) }) { return nil }
      order.subject = .asset(digest)
    } else {
      let ids = try ids(planner, ledger)
      if ids.isEmpty { return try finished(ledger) }
      order.subject = .entries(ids)
    }
    return order
  }

  private func finished(_ ledger: PurgeLedger) throws -> PurgeOrder? {
    guard entries.isEmpty, ledger.all.isEmpty else { return nil }
    throw Failure(.usage, "nothing-named", "name what is to go: entries, --release or --asset")
  }

  /// The live entries that are meant; none where all of them are gone already.
  private func ids(_ planner: PurgePlanner, _ ledger: PurgeLedger) throws -> [String] {
    let known = try planner.reader.ids()
    return try entries.flatMap { pattern -> [String] in
      guard let glob = Glob(pattern) else { throw Failure(.usage, "bad-pattern", "'\(pattern)' is no id or glob") }
      let ids = known.filter(glob.matches)
      let isPurged = ledger.all.contains { $0.entries.contains(where: glob.matches) }
      if ids.isEmpty, !isPurged { throw Failure(.missingInput, unknown: "entry", pattern, known: known) }
      return ids
    }
  }

  private func path(_ text: String) throws -> FieldPath {
    guard let path = FieldPath(text) else {
      throw Failure(.usage, "bad-field", "'\(text)' is no path such as badges.new.label")
    }
    return path
  }

  private func remedy() throws -> PurgeOrder.Remedy {
    if restore { return .restoration }
    guard let replace else { return .nothing }
    let read = ConvertSource(guessedFrom: replace).read(try InputFile(path: replace).read(), path: replace)
    if let first = read.diagnostics.first(where: { $0.severity == .error }) {
      throw Failure(.contentErrors, first.id, first.message, at: replace)
    }
    guard let members = read.output?.members, !members.isEmpty else {
      throw Failure(.contentErrors, "wrong-type", "the file must map fields to values", at: replace)
    }
    return .replacement(members.map { (name: $0.key, value: $0.value) })
  }
}
