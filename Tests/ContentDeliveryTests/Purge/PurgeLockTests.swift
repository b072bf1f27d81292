import ContentModel
import PropertyLists
import Synchronization
import System
import TestReaders
import TestServers
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges and rollbacks at a target with the lock of a prune, at work or killed.
@Suite struct PurgeLockTests {
  private let scene: PurgeScene

  init() throws { scene = try PurgeScene() }

  @Test(
    arguments: [
      nil, Prune.marksKey, "production/purges/9-0123456789abcdef/copies-0123456789abcdef",
    ], [false, true])
  func goesLiveAtOnceDespiteALeftoverLock(plan: String?, restores: Bool) throws {
    try scene.leaveLock(plan: plan)
    var order = scene.order
    if restores { order.remedy = .restoration }
    let purge = scene.purge
    let begun = try scene.begin(order, purge)
    #expect(scene.clock.milliseconds < 2_000 && begun.begun.release == 3)
    #expect(try scene.place.shown("product/rose")["en"] == (restores ? "Rose" : nil))
    // Only removals wait for the lock.
    let outcome = purge.finish(
      begun, live: try #require(try scene.place.live()), watch: { _ in })
    #expect(outcome.isRecorded && scene.clock.milliseconds >= 120_000)
    #expect(try scene.place.files(holding: "Swear word") == [] && scene.place.broken() == [])
  }

  @Test func resendsObjectsThatARunningPruneRemoves() throws {
    var order = scene.order
    order.remedy = .restoration
    // A prune has marked all objects that the purge's release needs and the live one does not.
    let live = try #require(try scene.place.live())
    let needed = try scene.objects(of: order, besides: live)
    try scene.leaveLock(plan: Prune.marksKey, marking: needed)
    let purge = scene.purge
    let begun = try scene.begin(order, purge)
    #expect(scene.clock.milliseconds < 2_000 && !needed.isEmpty)
    for object in needed { scene.memory.remove(object.key) }
    #expect((try? scene.place.broken()) != [])
    let outcome = purge.finish(
      begun, live: try #require(try scene.place.live()), watch: { _ in })
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(try scene.place.broken() == [] && scene.place.shown("product/rose")["en"] == "Rose")
  }

  /// Publishers read the rows of that file, also those of contentc that knows only manifests.
  @Test func namesTheListOfCopiesInItsLock() throws {
    try Shop(PurgeScene.bad.merging(["entries/product/iris.yaml": "title: I\n"]) { $1 })
      .publish(to: scene.place)
    let begun = try scene.begin(scene.order, scene.purge)
    let memory = scene.memory
    let seen = Mutex<[(plan: String?, listed: [ReleaseObject], removed: String)]>([])
    let target = ScriptedTarget(scene.place.target) { write, work throws(TargetError) in
      if case .remove(let key) = write, key.hasPrefix("objects/") {
        let lock = memory.read(RemovalLock.key).flatMap { try? PropertyList.decode($0.bytes).value }
        let plan = lock?["plan"]?.text
        let rows = plan.flatMap(memory.read).flatMap { try? PropertyList.decode($0.bytes).value }
        seen.withLock { $0.append((plan, ReleaseObject.readAll(rows?["objects"]) ?? [], key)) }
      }
      return try work()
    }
    let outcome = scene.purge(at: ChannelPlace(target)).finish(
      begun, live: try #require(try scene.place.live()), watch: { _ in })
    #expect(outcome.isRecorded, "\(outcome.failures)")
    let copies = try #require(try scene.place.notes(of: begun.listed.folder).copies.first)
    let key = PurgeName.note(copies, in: begun.listed.folder).key(in: "production")
    let removals = seen.withLock { $0 }
    // Copies in an earlier release, too.
    #expect(removals.count > begun.begun.objects.count)
    for removal in removals {
      #expect(removal.plan == key && removal.listed.contains { $0.key == removal.removed })
    }
  }

  // MARK: Wrong clocks

  /// The prune runs on a machine whose clock is years ahead, and may still remove objects for two
  /// minutes.
  @Test func waitsForTheHolderOfALockOfAWrongClock() throws {
    try scene.leaveLock(plan: Prune.marksKey, seconds: 5 * 365 * 86_400)
    let purge = scene.purge
    let begun = try scene.begin(scene.order, purge)
    #expect(scene.clock.milliseconds < 2_000)
    var removals: [Int64] = []
    var holders: [String] = []
    let outcome = purge.finish(begun, live: try #require(try scene.place.live())) { event in
      if case .removed = event.step { removals.append(scene.clock.milliseconds) }
      if case .held(let holder) = event.step { holders.append(holder) }
    }
    #expect(outcome.isRecorded, "\(outcome.failures)")
    #expect(removals.count == 1 && removals[0] >= 120_000 && removals[0] < 130_000, "\(removals)")
    #expect(holders.count == 1 && outcome.warnings.count == 1)
    let warning = outcome.warnings.first ?? ""
    #expect(
      warning.contains("the lock of a prune") && warning.contains("ends at 2032-")
        && warning.contains(
          "the clock of the machine that wrote it, or of this one, is wrong")
    )
    #expect(try scene.place.files(holding: "Swear word") == [])
    #expect(scene.memory.isReleased)
  }

  /// Until that time is over, any object may be removed.
  @Test func publishersHeedTheReplacedHolder() throws {
    try scene.leaveLock(plan: Prune.marksKey, seconds: 5 * 365 * 86_400)
    let next = try Shop(["entries/product/lily.yaml": "title: Lillian\n"]).content()
    var environment = scene.clock.environment
    let errors = Mutex<[DeliveryError?]>([])
    environment.sleep = { [scene] wait in
      scene.clock.environment.sleep(wait)
      if errors.withLock({ !$0.isEmpty }) { return }
      let error = #expect(throws: DeliveryError.self) {
        _ = try Shop().publisher(of: scene.place).publish { _ in Draft(content: next) }
      }
      errors.withLock { $0.append(error) }
    }
    let lock = RemovalLock(
      at: scene.place.target, owner: "a purge", plan: Prune.marksKey, environment: environment)
    try lock.hold {
      #expect(errors.withLock { $0 }.map { $0?.kind } == [.lost])
      // Nothing is marked.
      _ = try Shop().publisher(of: scene.place).publish { _ in Draft(content: next) }
    }
    #expect(try scene.place.live()?.number == 3)
  }

  /// To a machine whose clock is a day behind, the lock of a prune at work seems to end in a day.
  @Test func leavesALockInPlaceIfOnlyItsOwnClockIsWrong() throws {
    let day: Int64 = 86_400
    scene.memory.setClock(to: Instant(secondsSince1970: 1_800_000_000 + day))
    try scene.leaveLock(plan: nil, seconds: day + 120)
    let lock = scene.memory.read(RemovalLock.key)?.bytes
    let purge = scene.purge
    let begun = try scene.begin(scene.order, purge)
    let outcome = purge.finish(
      begun, live: try #require(try scene.place.live()), watch: { _ in })
    #expect(!outcome.isRecorded && outcome.failures.count == 1)
    let failure = outcome.failures.first ?? ""
    #expect(
      failure.contains("the clock of this machine is more than an hour behind")
        && failure.contains("set the clock, and run again"), "\(failure)")
    #expect(scene.memory.read(RemovalLock.key)?.bytes == lock)
  }

  /// The clock of this machine is four minutes ahead, so that a lock seems to have ended.
  @Test(arguments: [false, true]) func waitsForTheHolderOfALockThatHasJustBeenRenewed(
    isRecent: Bool
  ) throws {
    try scene.leaveLock(plan: nil, seconds: -60)
    scene.memory.setClock(to: Instant(secondsSince1970: 1_800_000_000 + (isRecent ? 10 : 200)))
    let lock = RemovalLock(
      at: scene.place.target, owner: "a prune", environment: scene.clock.environment)
    try lock.hold { #expect((scene.clock.milliseconds >= 120_000) == isRecent) }
  }

  /// The holder of such a lock may be at work.
  @Test func namesTheCommandThatReplacesALockOfAWrongClock() throws {
    try scene.leaveLock(plan: nil, seconds: 5 * 365 * 86_400)
    let lily = Shop(["entries/product/lily.yaml": "title: Lilly\n"])
    let error = #expect(throws: DeliveryError.self) { try lily.publish(to: scene.place) }
    #expect(
      error?.description.contains("'contentc prune production' replaces that lock") == true)
    var prune = Prune(
      scene.place.target, keep: 20, grace: .days(1), now: Instant(secondsSince1970: 1_800_000_000))
    prune.environment = scene.clock.environment
    #expect(try prune.run().warnings.count == 1 && scene.clock.milliseconds >= 120_000)
    try lily.publish(to: scene.place)
    #expect(try scene.place.live()?.number == 3)
  }

  /// A prune with a wrong clock removes an object that the purge's release needs.
  @Test func resendsObjectsWhileItWaitsForTheHolder() throws {
    let live = try #require(try scene.place.live())
    var order = scene.order
    order.remedy = .restoration
    let needed = try scene.objects(of: order, besides: live)
    try scene.leaveLock(plan: Prune.marksKey, marking: needed, seconds: 5 * 365 * 86_400)
    var environment = scene.clock.environment
    let seen = Mutex<[Bool]>([])
    environment.sleep = { [scene] wait in
      scene.clock.environment.sleep(wait)
      seen.withLock { seen in
        seen.append(needed.allSatisfy { scene.memory.read($0.key) != nil })
        if seen.count == 2 { for object in needed { scene.memory.remove(object.key) } }
      }
    }
    let purge = Purge(withoutCachesAt: scene.place, environment: environment)
    let begun = try scene.begin(order, purge)
    let outcome = purge.finish(
      begun, live: try #require(try scene.place.live()), watch: { _ in })
    #expect(outcome.isRecorded && outcome.failures == [] && !needed.isEmpty)
    // The objects are back within a second.
    #expect(seen.withLock { $0.prefix(5) } == [true, true, true, true, true])
  }

  @Test(arguments: ["a failure", "a lost answer"])
  func releasesAReplacedLock(after what: String) throws {
    try scene.leaveLock(plan: nil, seconds: 5 * 365 * 86_400)
    let writes = Counter()
    let target = ScriptedTarget(scene.place.target) { write, work throws(TargetError) in
      guard case .replace(RemovalLock.key) = write, writes.next() == 2 else { return try work() }
      if what == "a failure" { throw TargetError(.unreachable, "no answer") }
      // A repeated request is refused, because the first one was carried out.
      _ = try work()
      return false
    }
    let lock = RemovalLock(at: target, owner: "a purge", environment: scene.clock.environment)
    let result = Result { try lock.hold { scene.memory.read(RemovalLock.key) != nil } }
    #expect((try? result.get()) == (what == "a failure" ? nil : true))
    #expect(scene.memory.isReleased)
  }

  /// While the purge removes objects, the clock is set back by a day, or the machine is suspended.
  ///
  /// The monotonic clock does not count the time of a suspension.
  @Test(arguments: [false, true]) func endsWithItsLock(isSuspended: Bool) throws {
    let offset = Mutex<Int64>(86_400)
    var environment = scene.clock.environment
    environment.now = { [scene] in scene.clock.environment.now() + offset.withLock { $0 } }
    let lock = RemovalLock(at: scene.place.target, owner: "a purge", environment: environment)
    try lock.hold {
      try lock.remove("objects/00/0.plist")
      offset.withLock { $0 = isSuspended ? 86_600 : 0 }
      _ = scene.clock.environment.milliseconds()
      if !isSuspended { scene.clock.environment.sleep(200_000) }
      #expect(throws: TargetError.self) { try lock.remove("objects/00/0.plist") }
    }
  }
}
