import ContentModel
import Dispatch
import HTTPTransport
import Synchronization
import System
import TestReaders
import TestServers
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges while other publishers work at the same target.
@Suite struct PurgeRaceTests {
  private let memory: MemoryTarget
  private let place: ChannelPlace
  private let staging: ChannelPlace
  /// The content that production shows before the purge and that a publisher is about to promote.
  private let bad: ReleaseContent

  init() throws { try self.init(MemoryTarget()) }

  /// If it `isSigned`, production is, and staging is not.
  private init(_ memory: MemoryTarget, isSigned: Bool = false) throws {
    self.memory = memory
    let target = UnlockedTarget(target: memory)
    memory.setClock(to: Instant(secondsSince1970: 1_800_000_000))
    place = try isSigned ? SignedPlace().place(target) : ChannelPlace(target)
    staging = ChannelPlace(target, channel: "staging")
    try Shop().publish(to: staging)
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(to: place)
    bad = try #require(try place.live()).content(at: target)
  }

  private func beginPurge() throws -> (Purge, KnownPurge, LiveRelease) {
    let live = try #require(try place.live())
    let clock = SimulatedClock()
    let purge = Purge(
      place, caches: CachePurge([], send: Self.nobody, environment: clock.environment), site: nil,
      times: Purge.Times(originTimeout: 1, app: 600, origin: 0, offline: 3_600),
      environment: clock.environment)
    let order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    let begun = try purge.begin(order, after: live, through: place.publisher(run: "purge"))
    return (purge, begun, try #require(try place.live()))
  }

  /// A promotion at one target, which sends no objects.
  private var promotion: Draft { Draft(content: bad, assumedAtTarget: Set(bad.objects)) }

  private static let nobody: CachePurge.Send = { _ throws(HTTPFailure) in
    throw HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "nobody")
  }

  @Test func keepsObjectsOfAReleaseInProgress() throws {
    let (purge, begun, live) = try beginPurge()
    var outcome: Purge.Outcome?
    _ = try staging.publisher(run: "promote").publish(
      beforeSwap: { _ in outcome = purge.finish(begun, live: live, watch: { _ in }) }
    ) { _ in promotion }
    #expect(try staging.broken() == [])
    #expect(try staging.shown("product/rose")["en"] == "Swear word")
    let first = try #require(outcome)
    #expect(
      first.failures.count == 1 && first.failures[0].contains("'staging'") && !first.isRecorded)
    // The objects of a live release are kept, and the outcome lists them.
    let again = purge.finish(begun, live: live, watch: { _ in })
    #expect(again.failures == [] && again.isRecorded && !again.kept.isEmpty)
    #expect(try staging.broken() == [])
  }

  @Test func refusesToPromoteRemovedObjects() throws {
    let (purge, begun, live) = try beginPurge()
    #expect(purge.finish(begun, live: live, watch: { _ in }).isRecorded)
    let error = #expect(throws: DeliveryError.self) {
      _ = try staging.publisher(run: "promote").publish { _ in promotion }
    }
    #expect(error?.description.contains("meanwhile") == true)
    #expect(try staging.live()?.number == 1 && staging.broken() == [])
  }

  @Test func continuesAfterAKilledPublication() throws {
    let (purge, begun, live) = try beginPurge()
    let killed = ChannelPlace(FaultyTarget(place.target, .killedAfter, at: 0), channel: "staging")
    #expect(throws: (any Error).self) {
      _ = try killed.publisher(run: "promote").publish { _ in promotion }
    }
    #expect(!purge.finish(begun, live: live, watch: { _ in }).isRecorded)
    try Shop(["entries/product/lily.yaml": "title: Lilly\n"]).publish(to: staging)
    let outcome = purge.finish(begun, live: live, watch: { _ in })
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(try place.files(holding: "Swear word") == [])
  }

  // MARK: A store without conditional writes

  /// A store that ignores conditions: the last write wins.
  private struct CarelessTarget: Target {
    let memory: MemoryTarget

    var name: String { memory.name }
    var hasLock: Bool { false }
    func honorsConditions() -> Bool { false }
    func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }
    func read(_ key: String) -> StoredFile? { memory.read(key) }
    func create(_ key: String, as file: OutgoingFile) -> Bool {
      replace(key, with: file, tagged: nil)
    }
    func replace(_ key: String, with file: OutgoingFile, tagged: String?) -> Bool {
      memory.replace(key, with: file, tagged: memory.read(key)?.tag)
    }
    func holds(_ key: String, as file: OutgoingFile) -> Bool { memory.holds(key, as: file) }
    func remove(_ key: String) { memory.remove(key) }
    func list(below prefix: String) -> [ListedFile] { memory.list(below: prefix) }
  }

  /// Two operators who have read the same state: the swap of `second` replaces that of `first`, and
  /// both take the number 1.
  ///
  /// The first one sees its release live before the second swap, or not any more.
  private func purgeTwice(
    _ first: PurgeOrder, _ second: PurgeOrder, isSeenLive: Bool
  ) throws -> (first: Result<KnownPurge?, any Error>, second: KnownPurge) {
    let careless = CarelessTarget(memory: memory)
    let place = ChannelPlace(careless)
    let live = try #require(try place.live())
    let list = try PurgeList(place, live: live)
    let planner = PurgePlanner(place, live: live, list: list)
    let plans = (try planner.plan(first), try planner.plan(second))
    @Sendable func begin(
      _ order: PurgeOrder, as plan: PurgePlan, at target: any Target, run: String
    ) throws -> KnownPurge? {
      let place = ChannelPlace(target)
      var publisher = place.publisher(run: run)
      publisher.sleep = { _ in }
      return try Purge(withoutCachesAt: place).begin(
        order, as: plan, in: list, after: live, through: publisher, watch: { _ in }
      ) { _, _ in nil }
    }
    let inner = Mutex<Result<KnownPurge?, any Error>?>(nil)
    func target(running order: PurgeOrder, as plan: PurgePlan, afterSwap: Bool) -> ScriptedTarget {
      ScriptedTarget(careless) { write, work throws(TargetError) in
        guard write.key == "production/config.plist" else { return try work() }
        if afterSwap { _ = try work() }
        let result = Result { try begin(order, as: plan, at: careless, run: "inner") }
        inner.withLock { $0 = result }
        if afterSwap { return true }
        return try work()
      }
    }
    let outer = target(
      running: isSeenLive ? first : second, as: isSeenLive ? plans.0 : plans.1,
      afterSwap: !isSeenLive)
    let result = Result {
      try begin(
        isSeenLive ? second : first, as: isSeenLive ? plans.1 : plans.0, at: outer, run: "outer")
    }
    let other = try #require(inner.withLock { $0 })
    return isSeenLive
      ? (other, try #require(try result.get())) : (result, try #require(try other.get()))
  }

  private let rose = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
  private let lily = PurgeOrder(.entries(["product/lily"]), reason: "Another word")

  /// Readers see the rose again, although its operator saw it go.
  @Test func aPurgeIsMissedIfItsReleaseIsOverwritten() throws {
    let (result, second) = try purgeTwice(rose, lily, isSeenLive: true)
    let first = try #require(try result.get())
    let place = ChannelPlace(CarelessTarget(memory: memory))
    #expect(first.begun.number == 1 && second.begun.number == 1)
    #expect(try place.notes(of: first.listed.folder) == [.begun, .live])
    let list = try PurgeList(place, live: try place.live())
    #expect(list.missedUnfinished.map(\.listed.folder) == [first.listed.folder])
    #expect(list.unfinished.map(\.listed.folder) == [second.listed.folder])
    #expect(try place.restoredConfig()?.value["missedPurges"] == [1])
    let fine = Shop(["entries/product/rose.yaml": "title: Fine\n"])
    let error = #expect(throws: DeliveryError.self) { try fine.publish(to: place) }
    #expect(error?.description.contains("is older than purge 1") == true)
    // An emergency goes on, and only a publication above all releases ends the state.
    #expect(try place.purge(rose).begun.number == 2)
    #expect(try place.shown("product/rose") == [:] && place.restoredConfig() != nil)
    try place.publishAboveAll(fine, unpurged: ["all"])
    #expect(try place.restoredConfig() == nil && place.live()?.purge?["sequence"]?.number == 3)
  }

  @Test func aPurgeIsVoidIfItsReleaseIsOverwrittenBeforeItIsSeen() throws {
    let (result, second) = try purgeTwice(rose, lily, isSeenLive: false)
    let error = #expect(throws: TargetError.self) { _ = try result.get() }
    #expect(error?.description.contains("whether release 2 is live is unknown") == true)
    let place = ChannelPlace(CarelessTarget(memory: memory))
    let list = try PurgeList(place, live: try place.live())
    let first = try #require(list.purges.first { $0.folder != second.listed.folder })
    #expect(first.folder.number == 1 && first.notes == [.begun] && first.state == .void)
    #expect(list.unfinished.map(\.listed.folder) == [second.listed.folder])
    #expect(try place.restoredConfig() == nil)
    // The same command does the work.
    let again = try place.purge(rose)
    #expect(again.isRecorded && again.begun.number == 2, "\(again.failures)")
    #expect(try place.files(holding: "Swear word") == [])
  }

  // MARK: Concurrent publishers

  @Test(arguments: [true, false])
  func breaksNoReleaseOfAConcurrentPublisher(isSigned: Bool) throws {
    var (released, refused) = (0, 0)
    for round in 0..<30 {
      let scene = try Self(MemoryTarget(), isSigned: isSigned)
      let (purge, begun, live) = try scene.beginPurge()
      let made = Mutex<Result<Publisher.Outcome, any Error>?>(nil)
      DispatchQueue.concurrentPerform(iterations: 2) { worker in
        if worker == 0 {
          let result = Result {
            try scene.staging.publisher(run: "promote").publish { _ in scene.promotion }
          }
          made.withLock { $0 = result }
        } else {
          _ = purge.finish(begun, live: live, watch: { _ in })
        }
      }
      switch try #require(made.withLock { $0 }) {
      case .success: released += 1
      case .failure(let error):
        refused += 1
        // Removed objects cannot be sent, either.
        #expect(error is DeliveryError, "\(error)")
      }
      #expect(try scene.staging.broken() == [], "round \(round)")
      #expect(try scene.place.broken() == [], "round \(round)")
    }
    print("promoted beside a purge: \(released) released, \(refused) refused")
  }

  @Test func isBlockedByARunningPrune() throws {
    let (purge, begun, live) = try beginPurge()
    // The holder renews the lock as long as it works.
    let clock = SimulatedClock()
    clock.environment.sleep(1_000_000)
    let lock = RemovalLock(at: place.target, owner: "a prune", environment: clock.environment)
    try lock.hold {
      let outcome = purge.finish(begun, live: live, watch: { _ in })
      #expect(outcome.removed == nil && outcome.failures.count == 1)
      #expect(
        outcome.failures.first?.contains("a prune (if it was killed, its lock ends at") == true)
    }
    #expect(purge.finish(begun, live: live, watch: { _ in }).isRecorded)
    #expect(memory.isReleased)
  }

  /// The answer to the release is lost, and another command takes the lock before the repeated request.
  @Test func keepsTheNextLockDespiteARepeatedRelease() throws {
    let clock = SimulatedClock()
    let next = RemovalLock(at: place.target, owner: "a purge", environment: clock.environment)
    let writes = Counter()
    let isKept = Mutex(false)
    let target = ScriptedTarget(place.target) { write, work throws(TargetError) in
      guard write.key == RemovalLock.key, writes.next() == 2 else { return try work() }
      _ = try work()
      do {
        try next.hold {
          _ = try work()
          try next.renew(isDue: true)
          isKept.withLock { $0 = true }
        }
      } catch { throw TargetError(.failed, "\(error)") }
      return false
    }
    let lock = RemovalLock(at: target, owner: "a prune", environment: clock.environment)
    try lock.hold {}
    #expect(isKept.withLock { $0 } && memory.isReleased && clock.milliseconds < 60_000)
  }

  @Test func waitsForALeftoverLock() throws {
    let (purge, begun, live) = try beginPurge()
    try leaveLock(at: place.target)
    #expect(purge.finish(begun, live: live, watch: { _ in }).isRecorded)
    #expect(memory.isReleased)
  }

  @Test func ignoresALeftoverLockAtALockingTarget() throws {
    try leaveLock(at: memory)
    // The target's own lock excludes all other processes.
    try Shop(["entries/product/lily.yaml": "title: Lilly\n"]).publish(to: ChannelPlace(memory))
    _ = try Prune(memory, keep: 1, grace: .days(1), now: Instant(secondsSince1970: 1_800_000_001))
      .run()
  }

  @Test func switchesMaintenanceDespiteALock() throws {
    try leaveLock(at: place.target)
    let live = try #require(try place.live())
    _ = try place.publisher(run: "switch").publish { _ in
      Draft(
        content: live.content(at: place.target), of: live.record.contentRelease,
        purged: Draft.Purged(entries: ["product/x"], objects: []))
    }
    #expect(try place.live()?.number == 2)
  }

  @Test func keepsALockTakenByAnotherProcess() throws {
    let clock = SimulatedClock()
    var numbers = clock.environment
    numbers.random = { 7 }
    let first = RemovalLock(at: place.target, owner: "a prune", environment: numbers)
    let second = RemovalLock(at: place.target, owner: "a purge", environment: clock.environment)
    try first.hold {
      _ = clock.environment.milliseconds()
      clock.environment.sleep(200_000)
      try second.hold {
        #expect(throws: DeliveryError.self) { try first.renew() }
        #expect(throws: TargetError.self) { try first.remove("objects/00/0.plist") }
        // The first lock's release must leave the second lock in place.
        try first.inParts(of: [Int]()) { _ in }
      }
      memory.remove(RemovalLock.key)
      try leaveLock(at: place.target)
    }
    #expect(!memory.isReleased)
  }

  @Test func renewsItsLockDuringALongRemoval() throws {
    let clock = SimulatedClock()
    let lock = RemovalLock(at: place.target, owner: "a purge", environment: clock.environment)
    var removed = 0
    try lock.hold {
      try lock.inParts(of: Array(0..<10 * RemovalLock.part)) { part in
        removed += part.count
        _ = clock.environment.milliseconds()
        clock.environment.sleep(100_000)
        let now = Instant(secondsSince1970: clock.environment.now())
        let holder = try RemovalHolder(at: place.target, now: now)
        #expect(holder != nil)
      }
    }
    #expect(removed == 10 * RemovalLock.part && memory.isReleased)
  }

  @Test func stopsAfterItsLockExpires() throws {
    let clock = SimulatedClock()
    let lock = RemovalLock(at: place.target, owner: "a prune", environment: clock.environment)
    var parts: [Int] = []
    let keys = (0..<5 * RemovalLock.part).map { "objects/00/\($0).plist" }
    let error = #expect(throws: DeliveryError.self) {
      try lock.hold {
        try lock.inParts(of: keys) { part in
          parts.append(part.startIndex / RemovalLock.part)
          // The lock is renewed in time twice, and then too late.
          _ = clock.environment.milliseconds()
          clock.environment.sleep(parts.count < 3 ? 50_000 : 200_000)
        }
      }
    }
    #expect(parts == [0, 1, 2] && error?.kind == .lost)
    // Another process may hold the lock by now.
    #expect(throws: TargetError.self) { try lock.remove("objects/00/0.plist") }
  }

  /// The stored lock has the same owner, and an earlier end.
  @Test func stopsIfARenewalIsDropped() throws {
    let (clock, writes) = (SimulatedClock(), Counter())
    let target = ScriptedTarget(memory) { write, work throws(TargetError) in
      if case .replace(RemovalLock.key) = write, writes.next() > 1 { return true }
      return try work()
    }
    let lock = RemovalLock(at: target, owner: "a prune", environment: clock.environment)
    var removed = 0
    let error = #expect(throws: DeliveryError.self) {
      try lock.hold {
        try lock.inParts(of: Array(0..<3 * RemovalLock.part)) { part in
          removed += part.count
          _ = clock.environment.milliseconds()
          clock.environment.sleep(100_000)
        }
      }
    }
    #expect(error?.description.contains("says that it took 'prune/lock.plist'") == true)
    #expect(removed == RemovalLock.part)
  }

  /// A late copy of the request that took the lock must not fit the released file.
  @Test func releasedLocksOfOneOwnerDiffer() throws {
    var environment = SimulatedClock().environment
    var released: [[UInt8]] = []
    for token in [UInt64(1), 2] {
      environment.random = { token }
      try RemovalLock(at: place.target, owner: "a prune", environment: environment).hold {}
      released.append(try #require(memory.read(RemovalLock.key)).bytes)
    }
    #expect(released[0] != released[1] && memory.isReleased)
  }

  @Test(arguments: ["a lock", "a failure"])
  func removesTheRecordOfARefusedPublication(_ why: String) throws {
    let (purge, begun, live) = try beginPurge()
    if why == "a lock" { try leaveLock(at: place.target) }
    let records = memory.list(below: "staging/releases/").map(\.key)
    let target = why == "a lock" ? place.target : FaultyTarget(place.target, .failedBefore, at: 1)
    #expect(throws: (any Error).self) {
      _ = try Shop().publisher(of: ChannelPlace(target, channel: "staging"), run: "promote").publish
      { _ in
        Draft(content: bad, assumedAtTarget: why == "a lock" ? Set(bad.objects) : [])
      }
    }
    #expect(memory.list(below: "staging/releases/").map(\.key) == records)
    #expect(purge.finish(begun, live: live, watch: { _ in }).isRecorded)
    #expect(try place.files(holding: "Swear word") == [])
  }

  private func leaveLock(at target: any Target) throws {
    let lock: Value = [
      "expires": .date(Instant(secondsSince1970: 1_800_000_120)), "owner": "a prune", "token": "1",
    ]
    let file = OutgoingFile(
      bytes: try PropertyListBytes.binary(lock))
    #expect(try target.create(RemovalLock.key, as: file))
  }
}
