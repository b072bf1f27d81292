import ContentModel
import HTTPTransport
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets

/// A test of one command at a store that gives a false answer to one of its calls.
///
/// The drill compares the command's report with the store's actual state.
struct LyingDrill {
  enum Command: String, CaseIterable, Sendable {
    case publish, promote, rollback, purge, maintenance, prune
    /// Changes of a rollout.
    case start, step, replaceNext, finish, abort
    /// Commands that change both sides of a rollout.
    case purgeOfBothSides, maintenanceOfBothSides, pruneInRollout

    /// The change of a rollout; `nil` for other commands.
    fileprivate var action: RolloutAction? { RolloutAction(rawValue: rawValue) }

    /// `true` if a rollout is on when the command begins.
    var isInRollout: Bool {
      switch self {
      case .publish, .promote, .rollback, .purge, .maintenance, .prune, .start: false
      default: true
      }
    }

    /// `true` for a command that is tried without a rollout, too.
    var isTriedTwice: Bool {
      [.purgeOfBothSides, .maintenanceOfBothSides, .pruneInRollout].contains(self)
    }

    fileprivate var isPurge: Bool { self == .purge || self == .purgeOfBothSides }
    fileprivate var isPrune: Bool { self == .prune || self == .pruneInRollout }
  }

  let command: Command
  /// A store with two releases of `production`, the second one live, and a third release in `qa`.
  ///
  /// In a rollout, a third release of `production` shows some readers the content `Next`.
  let store: MemoryTarget
  private let fourth: ReleaseContent

  init(_ command: Command) throws {
    self.command = command
    store = MemoryTarget()
    func shop(_ title: String) throws -> ReleaseContent {
      try Shop(PurgeDrill.few.merging(["entries/product/rose.yaml": "title: \(title)\n"]) { $1 })
        .content()
    }
    fourth = try shop("Fourth")
    for (run, channel, content) in [
      ("first", "production", try shop("First")), ("second", "production", try shop("Second")),
      ("other", "qa", try shop("Third")),
    ] {
      _ = try ChannelPlace(store, channel: channel).publisher(run: run).publish { _ in
        Draft(content: content)
      }
    }
    if command.isInRollout {
      try RolloutAction.start.publish(
        shop("Next"), through: ChannelPlace(store).publisher(run: "begin"))
    }
    if command.isPrune { _ = try Prune(store, keep: 1, grace: .days(1), now: Self.marking).run() }
  }

  /// Runs the command at `lying`, checks the same store through `sound`, and runs it again there.
  func run(_ lying: any Target, sound: any Target, _ situation: Comment) throws {
    let place = ChannelPlace(sound)
    let before = try seen(place)
    let outcome = Result { try perform(ChannelPlace(lying), run: "lied to") }
    let situation: Comment = "\(situation): \(outcome)"
    try expectWhole(place, situation)
    switch outcome {
    case .success: #expect(try isDone(place), situation)
    case .failure(let error):
      let now = try seen(place)
      let isAsBefore = now == before
      #expect(try isAsBefore || isDone(place) || isHidden(place), situation)
      if "\(error)".contains("nothing was changed") { #expect(isAsBefore, situation) }
    }
    if try command.isPurge || !isDone(place) {
      #expect(throws: Never.self, situation) { try perform(place, run: "again") }
    }
    try expectWhole(place, situation)
    #expect(try isDone(place), situation)
  }

  /// The error for a command that did only part of its work.
  private struct Unfinished: Error, CustomStringConvertible { let description: String }

  /// Runs the command.
  ///
  /// - Throws: The failure that the command reports.
  func perform(_ place: ChannelPlace, run: String) throws {
    var publisher = place.publisher(run: run)
    publisher.sleep = { _ in }
    switch command {
    case .start, .step, .replaceNext, .finish, .abort:
      try command.action?.publish(fourth, through: publisher)
    case .publish: _ = try publisher.publish { _ in Draft(content: fourth) }
    case .promote:
      let live = try known(ChannelPlace(place.target, channel: "qa").live())
      _ = try publisher.publish { _ in
        Draft(content: live.content(at: place.target), assumedAtTarget: Set(live.record.objects))
      }
    case .rollback:
      let live = try known(place.live())
      let earlier = try place.rollbackTarget(1)
      _ = try publisher.publishUrgently(after: live, endangered: EndangeredObjects()) { _ in
        Draft(content: earlier.content(at: place.target), of: earlier.contentRelease)
      }
    case .maintenance, .maintenanceOfBothSides:
      let live = try known(place.live())
      _ = try publisher.publishUrgently(after: live, endangered: EndangeredObjects()) { live in
        Draft(
          content: live.content(at: place.target), of: live.record.contentRelease,
          maintenance: MaintenanceSwitch(isActive: true))
      }
    case .prune, .pruneInRollout:
      // In the second run, an unreleased lock has expired, and objects that had to be marked again
      // may be removed.
      let later = Self.marking.secondsSinceReferenceDate + (run == "again" ? 300_000 : 200_000)
      let prune = Prune(
        place.target, keep: 1, grace: .days(1), now: Instant(secondsSinceReferenceDate: later))
      let outcome = try prune.run()
      if outcome.removed == 0 { throw Unfinished(description: "\(outcome)") }
    case .purge, .purgeOfBothSides: try purge(place, publisher)
    }
  }

  private func known(_ live: LiveRelease?) throws -> LiveRelease {
    guard let live else { throw DeliveryError(.unknown, "nothing is published") }
    return live
  }

  private func purge(_ place: ChannelPlace, _ publisher: Publisher) throws {
    let environment = SimulatedClock().environment
    let send: CachePurge.Send = { _ throws(HTTPFailure) in
      throw HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "no network")
    }
    let purge = Purge(
      place, caches: CachePurge([], send: send, environment: environment), site: nil,
      times: Purge.Times(originTimeout: 1, app: 600, origin: 0, offline: 3_600),
      environment: environment)
    let live = try known(place.live())
    var order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    order.commandWords = ["product/rose"]
    let session = purge.beginAndFinishAll(
      in: try PurgeList(place, live: live), live: live, commandWords: order.commandWords,
      watch: { _ in }
    ) { list, live in
      try purge.beginIfNeeded(order, in: list, after: live, through: publisher)
    }
    let failures = session.outcomes.flatMap(\.failures)
    #expect(session.outcomes.allSatisfy { $0.isRecorded == $0.failures.isEmpty })
    if let error = session.error { throw error }
    if !failures.isEmpty { throw Unfinished(description: failures.joined(separator: "; ")) }
  }

  /// Expects that every object of every channel is present and intact.
  private func expectWhole(_ place: ChannelPlace, _ situation: Comment) throws {
    for channel in ["production", "qa"] {
      #expect(try ChannelPlace(place.target, channel: channel).broken() == [], situation)
    }
  }

  /// The titles that readers see, the states of the maintenance switch, and the rollout.
  private func seen(_ place: ChannelPlace) throws -> [String] {
    let live = try place.live()
    return try titles(place).sorted() + ["maintenance: \(switches(live))"]
      + [live?.rollout.map { "rollout: \($0.name), \($0.below)" } ?? "no rollout"]
  }

  /// Returns whether maintenance is on for the readers of each side.
  private func switches(_ live: LiveRelease?) -> [Bool] {
    [live?.members, live?.members.nextSide].compactMap(\.self).map {
      $0["maintenance"]?["active"]?.flag == true
    }
  }

  private func titles(_ place: ChannelPlace) throws -> Set<String> {
    Set(try place.values("product/rose", "title").compactMap(\.text))
  }

  /// Returns `true` if the store has everything that the command adds and nothing that it removes.
  func isDone(_ place: ChannelPlace) throws -> Bool {
    let live = try place.live()
    let rollout = live?.rollout
    // The command leaves a rollout alone, unless it ends or begins one.
    switch command {
    case .publish, .promote, .rollback, .purge, .maintenance, .prune, .finish, .abort:
      if rollout != nil { return false }
    default: if rollout == nil { return false }
    }
    let titles = try titles(place)
    return switch command {
    case .publish: titles.contains("Fourth")
    case .promote: titles.contains("Third")
    case .rollback: titles.contains("First")
    case .start, .replaceNext: titles.isSuperset(of: ["Second", "Fourth"])
    case .step: rollout?.below == RolloutAction.half
    case .finish: titles.contains("Next")
    case .abort: titles.contains("Second")
    case .maintenance, .maintenanceOfBothSides: !switches(live).contains(false)
    case .prune, .pruneInRollout: try place.files(holding: "First").isEmpty
    case .purge, .purgeOfBothSides:
      try isHidden(place)
        && ["Second", "Next"].allSatisfy { try place.files(holding: $0).isEmpty }
        && PurgeList(place, live: live).unfinished.isEmpty
    }
  }

  /// Returns `true` if readers no longer see the purged entry.
  private func isHidden(_ place: ChannelPlace) throws -> Bool {
    try command.isPurge && titles(place).isEmpty
  }

  private static let marking = Instant(secondsSince1970: 1_900_000_000)
}
