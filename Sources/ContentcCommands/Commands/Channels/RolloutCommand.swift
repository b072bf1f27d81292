import ArgumentParser
import ContentModel
import ContentReleases
import ContentSource
import Diagnostics
import SiteFormat
import System

/// Continues, finishes or takes back a rollout.
struct RolloutCommand: ChannelCommand {
  static let configuration = CommandConfiguration(
    commandName: "rollout",
    abstract: "Give a release to more readers, to all of them, or take it back.",
    discussion: help(
      """
      'contentc publish --to 10%' begins a rollout: a tenth of the readers get the new content, and \
      the others keep the one that they have. Each app decides by a number of its own which side it \
      is on, and nobody changes back while the percentage grows. 'contentc rollout qa 50%' is the next \
      step; '--finish' and '--abort' end the rollout. Without a step, the command shows the rollout.
      """))

  static let examples = """
    contentc rollout qa
    contentc rollout qa --unit 1234    # is this reader in?
    """
  static let reads: Set<CommandSource> = [.content, .target]
  static let changesChannel = true
  static let needsSigners = false
  static let exitStatuses = Publication.exitStatuses.filter { $0.status != .gate }
  static let result = Publication.result

  static let uses = Set<ProjectSetting>.ofRelease

  @Argument(help: "A channel of content.yaml. Default: the only one.", completion: .channels)
  var channel: String?
  @Argument(
    help: ArgumentHelp(
      "The part of the readers from now on, such as 50%. Default: the present one.",
      valueName: "percent"), transform: RolloutStep.init)
  var to: RolloutStep?
  @Flag(help: "Give the next content to all readers, and end the rollout.")
  var finish = false
  @Flag(help: "Give the stable content to all readers, and end the rollout.")
  var abort = false
  @Option(
    help: ArgumentHelp(
      "Show which content the reader with this unit gets. Default: no reader.", valueName: "unit"))
  var unit: String?
  @OptionGroup var testers: TesterOptions
  @OptionGroup var release: ReleaseOptions
  @OptionGroup var drafting: DraftOption
  @OptionGroup var settings: SettingsOptions
  @OptionGroup var delivery: DeliveryOptions
  @OptionGroup(visibility: .hidden) var unused: UnusedOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    let steps = [to != nil || !testers.tester.isEmpty, finish, abort].count { $0 }
    if steps > 1 {
      throw ValidationError("Give one of a percentage, --finish and --abort.")
    }
    if let unit {
      if steps > 0 { throw ValidationError("--unit only shows the rollout, and changes nothing.") }
      guard Rollout.isUnit(unit) else {
        throw ValidationError(
          "--unit must be 1 to 64 characters of A-Z, a-z, 0-9, '.', '_' and '-'.")
      }
    }
  }

  /// `true` if the command only shows the rollout.
  private var onlyShows: Bool { to == nil && testers.tester.isEmpty && !finish && !abort }

  func perform() throws -> Report {
    let watch = Stopwatch()
    let opened = try delivery.open(
      channel, using: Self.uses, writes: !release.dryRun && !onlyShows, settings: settings,
      drafting: drafting.request(by: abort ? "rollback" : "rollout"),
      emergency: abort ? .telling : nil, notes: common.waitNotes)
    guard let live = try opened.live() else {
      throw DeliveryError(.unknown, try opened.reasonForNoConfig())
    }
    if onlyShows { return shown(live, in: opened, watch) }
    if let refusal = common.refusal(for: opened.knownWarnings(live)) { return refusal }
    return try change(live, in: opened, watch)
  }

  /// Returns the rollout after the step.
  ///
  /// - Throws: A failure if the step would take the content from readers who have it.
  private func changed(_ rollout: Rollout, in opened: OpenChannel) throws(Failure) -> Rollout {
    var next = rollout
    if let to {
      guard to.below >= rollout.below else {
        let channel = opened.channel.name
        throw Failure(
          .usage, .usage, "\(rollout.sentence(in: channel)) already, and a step only adds readers",
          notes: ["'contentc rollout \(channel) --abort' takes it back from all of them"])
      }
      next.below = to.below
    }
    next.add(testers.tester)
    guard next.testers.count <= Rollout.mostTesters else {
      throw Failure(
        .usage, .usage,
        "the rollout would have \(next.testers.count) testers, and at most \(Rollout.mostTesters) are possible"
      )
    }
    return next
  }

  /// Returns the release after a live one.
  private func draft(after live: LiveRelease, in opened: OpenChannel) throws -> Draft {
    guard let rollout = live.rollout else { throw Rollout.absence(in: opened.channel.name) }
    let what = "release \(rollout.release)"
    let (change, message): (Draft.RolloutChange, String) =
      if finish {
        (.finish, "\(what) for all readers")
      } else if abort {
        (.abort, "\(what) taken back")
      } else {
        (.step(try changed(rollout, in: opened)), "another step of \(what)")
      }
    var draft = try Draft.changing(live, of: opened.place, by: change)
    draft.message = release.message ?? message
    // The commit is that of the next content.
    if !abort { draft.commit = live.record.commit }
    draft.by = Author.name(release.by, content: delivery.input.content)
    return draft
  }

  private func change(
    _ live: LiveRelease, in opened: OpenChannel, _ watch: Stopwatch
  ) throws -> Report {
    var draft = try draft(after: live, in: opened)
    let returned = ReturnedEntryWarnings(&draft, common, canUnpurge: false)
    if release.dryRun {
      var report = try opened.dryRun(of: draft, after: live) { page in
        "\(page.text)Nothing was changed: --dry-run\n"
      }
      report.diagnostics += returned.warnings
      return settings.notifier(of: opened).planned(report)
    }
    if let request = opened.drafting {
      var report = try opened.write(
        draft, by: request, after: live, texts: [draft.message].compactMap(\.self))
      report.diagnostics += returned.warnings
      return report
    }
    let endangered = EndangeredObjects()
    let next: (LiveRelease) throws -> Draft = { [draft] now in
      if now.record.digest == live.record.digest { return draft }
      // Another rollout may have begun, whose content nobody meant.
      if !abort {
        try now.rollout?.requireSameContent(
          as: live.rollout, in: opened.channel.name, otherwise: .lost)
      }
      return try self.draft(after: now, in: opened)
    }
    let outcome =
      abort
      ? try opened.publishUrgently(after: live, endangered: endangered, next)
      : try opened.publish(known: live) { now in
        guard let now else { throw DeliveryError.removedConfig(of: opened.channel.name) }
        return try next(now)
      }
    let page = PublicationPage(
      opened: opened, outcome: outcome, verb: verb(after: live), seconds: watch.seconds)
    var report = opened.announceAndReport(
      page,
      again: outcome.record.rollout.map { opened.command(for: $0) }
        ?? "contentc promote \(opened.channel.name) \(opened.channel.name)")
    report.diagnostics += returned.warnings
    if case .released(let record, _) = outcome {
      settings.notifier(of: opened).notify(
        abort ? .rollback : .publish, release: record.number, changed: nil, reportingIn: &report)
    }
    opened.lookAfter(endangered, reportingIn: &report)
    return report
  }

  /// Returns the beginning of the report, before `release 9 of 'production'`.
  private func verb(after live: LiveRelease) -> String {
    let next = live.rollout.map { "release \($0.release)" } ?? "the next content"
    if finish { return "All readers get \(next) as" }
    return abort ? "Took back \(next) as" : "Gave \(next) to more readers as"
  }

  private func shown(_ live: LiveRelease, in opened: OpenChannel, _ watch: Stopwatch) -> Report {
    let channel = opened.channel.name
    var members = PublicationPage(
      opened: opened, outcome: .unchanged(live.record, sent: Publisher.Sent()), verb: "Shown:",
      seconds: watch.seconds
    ).members
    guard let rollout = live.rollout else {
      return Report(
        text: "No rollout is on in '\(channel)': all readers get release \(live.number)\n",
        json: members, isResult: true)
    }
    var text =
      "\(rollout.sentence(in: channel)); the others get the content of "
      + "\(live.record.contentRelease)\n"
    text = text.prefix(1).uppercased() + text.dropFirst()
    if !rollout.testers.isEmpty {
      text += "  testers  \(rollout.testers.count)\n"
    }
    if let unit {
      text += "  unit     \(unit) \(rollout.includes(unit) ? "is in" : "is not in")\n"
      members["unit"] = .dictionary([
        "number": .integer(Int64(Rollout.number(of: unit, in: rollout.name))),
        "isIn": .boolean(rollout.includes(unit)),
      ])
    }
    return Report(text: text, json: members, isResult: true)
  }
}

extension OpenChannel {
  /// Returns the command that announces the present step of a rollout again.
  func command(for rollout: Rollout) -> String {
    "contentc rollout \(channel.name) \(rollout.percent.filter { $0 != " " })"
  }
}

extension Rollout {
  /// The JSON of a rollout.
  var members: Members {
    [
      "name": .string(name), "release": .integer(Int64(release)), "below": .integer(Int64(below)),
      "percent": .real(Double(below) * 100 / Double(Self.everyone)),
      "testers": .integer(Int64(testers.count)),
    ]
  }
}

extension ResultRow {
  /// The keys of a rollout, after the words of a path such as `channels.*.`.
  static func rollout(below path: String) -> ResultRow {
    ResultRow(
      [
        "\(path)rollout.name?": .string, "\(path)rollout.release?": .integer,
        "\(path)rollout.below?": .integer, "\(path)rollout.percent?": .number,
        "\(path)rollout.testers?": .integer,
      ],
      "the rollout, if one is on: its name, the release that some readers get, the number below which they are, "
        + "and their percentage")
  }
}
