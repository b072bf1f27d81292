import ContentModel
import SiteFormat
import TestReaders
import TestServers
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// A purge and a change of a rollout at the same time, at a target without a lock.
@Suite struct RolloutRaceTests {
  private let memory = MemoryTarget()
  private let place: ChannelPlace
  private let order = PurgePlanTests.order(["product/rose"])
  private static let bad = [
    "entries/product/rose.yaml": "title: Rosa\ncare: Swear word.\nprice: 1\n"
  ]
  private static let corrected = [
    "entries/product/rose.yaml": "title: Rosa\ncare: Water it.\nprice: 1\n"
  ]

  init() throws {
    memory.setClock(to: Instant(secondsSince1970: 1_800_000_000))
    place = ChannelPlace(UnlockedTarget(target: memory))
    try Shop(Self.bad).publish(to: place)
  }

  /// Returns a shop with the bad entry, and an iris by which it differs from others.
  private func badContent(iris: String) throws -> ReleaseContent {
    try Shop(Self.bad.merging(["entries/product/iris.yaml": "title: \(iris)\n"]) { $1 }).content()
  }

  /// Begins the rollout that an action changes, with the bad entry on both sides.
  private func begin(before action: RolloutAction) throws {
    if action == .start { return }
    try RolloutAction.start.publish(
      badContent(iris: "Next"), through: place.publisher(run: "begin"))
  }

  /// Returns the channel for an operator, before whose first swap of config another one acts.
  private func place(racedBy other: @escaping @Sendable () throws -> Void) -> ChannelPlace {
    let swaps = Counter()
    return ChannelPlace(
      ScriptedTarget(place.target) { write, work throws(TargetError) in
        guard write.key == "production/config.plist", swaps.next() == 1 else { return try work() }
        do { try other() } catch { throw TargetError(.failed, "\(error)") }
        return try work()
      })
  }

  private func expectPurged(_ rollout: Rollout?) throws {
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
    #expect(try place.live()?.rollout == rollout)
  }

  @Test(arguments: RolloutAction.allCases)
  func aPurgeFollowsAFasterChange(action: RolloutAction) throws {
    try begin(before: action)
    let content = try badContent(iris: "Other")
    let raced = place { [place] in
      try action.publish(content, through: place.publisher(run: "faster"))
    }
    let outcome = try raced.purge(order)
    #expect(outcome.isRecorded && outcome.failures == [], "\(outcome.failures)")
    #expect(try place.values("product/rose", "title") == [])
    let rollout: Rollout? =
      switch action {
      case .start: Rollout(name: "r2", below: RolloutAction.tenth, release: 2)
      case .step: Rollout(name: "r2", below: RolloutAction.half, release: 2)
      case .replaceNext: Rollout(name: "r2", below: RolloutAction.tenth, release: 3)
      case .finish, .abort: nil
      }
    try expectPurged(rollout)
  }

  /// The slower change is lost.
  ///
  /// An abort is an emergency, and tries again by itself.
  @Test(arguments: RolloutAction.allCases)
  func aChangeFollowsAFasterPurge(action: RolloutAction) throws {
    try begin(before: action)
    let content = try Shop(Self.corrected).content()
    let raced = place { [place, order] in
      let outcome = try place.purge(order)
      #expect(outcome.isRecorded && outcome.failures == [], "\(outcome.failures)")
    }
    if action == .abort {
      try action.publish(content, through: raced.publisher(run: "slower"))
    } else {
      let error = #expect(throws: DeliveryError.self) {
        try action.publish(content, through: raced.publisher(run: "slower"))
      }
      #expect(error?.kind == .lost)
      try action.publish(content, through: place.publisher(run: "again"))
    }
    let rollout: Rollout? =
      switch action {
      case .start: Rollout(name: "r3", below: RolloutAction.tenth, release: 3)
      case .step: Rollout(name: "r2", below: RolloutAction.half, release: 2)
      case .replaceNext: Rollout(name: "r2", below: RolloutAction.tenth, release: 4)
      case .finish, .abort: nil
      }
    try expectPurged(rollout)
    let shown = try place.values("product/rose", "care").compactMap(\.text)
    #expect(shown == ([.start, .replaceNext].contains(action) ? ["Water it."] : []))
  }
}
