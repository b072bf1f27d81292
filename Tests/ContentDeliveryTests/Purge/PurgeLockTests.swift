import ContentModel
import Platform
import Synchronization
import TestReaders
import TestServers
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Purges and rollbacks at a target with the lock of a prune, at work or killed.
@Suite struct PurgeLockTests {
  private static let bad = ["entries/product/rose.yaml": "title: Swear word\n"]
  private let memory = MemoryTarget()
  private let place: ChannelPlace
  private let clock = SimulatedClock()
  private let order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")

  init() throws {
    memory.setClock(to: Instant(secondsSince1970: 1_800_000_000))
    place = ChannelPlace(UnlockedTarget(target: memory))
    try Shop().publish(to: place)
    try Shop(Self.bad).publish(to: place)
  }

  private var purge: Purge { Purge(withoutCachesAt: place, environment: clock.environment) }

  private func begin(_ order: PurgeOrder, _ purge: Purge) throws -> PurgeManifest {
    let live = try #require(try place.live())
    return try purge.begin(
      order, after: live, through: Shop().publisher(of: place, run: "purge"))
  }

  /// Leaves a lock of a prune that names `plan` and ends after `seconds`, and marks that list
  /// `objects`.
  private func leaveLock(
    plan: String?, marking objects: [ReleaseObject] = [], seconds: Int64 = 120
  ) throws {
    var lock: Members = [
      "expires": .date(Instant(secondsSince1970: 1_800_000_000 + seconds)), "owner": "a prune",
      "token": "1",
    ]
    lock["plan"] = plan.map(Value.string)
    let marks: Value = [
      "marked": .dictionary(
        Members(objects.map { ($0.key, .date(Instant(secondsSince1970: 1_799_000_000))) }))
    ]
    for (key, value) in [(RemovalLock.key, Value.dictionary(lock)), (Prune.marksKey, marks)] {
      let file = OutgoingFile(
        bytes: try PropertyListBytes.binary(value),
        headers: FileHeaders(contentType: "x", cacheControl: "y"))
      #expect(memory.create(key, as: file))
    }
  }

  /// Returns the objects that a purge needs and that the live release does not show.
  private func objects(of order: PurgeOrder, besides live: LiveRelease) throws -> [ReleaseObject] {
    let shown = Set(live.record.objects)
    return try PurgePlanner(place, live: live).plan(order).content.objects.filter {
      !shown.contains($0)
    }
  }

  /// Rolls back to a release whose objects a prune has marked; returns those that the live release
  /// did not show.
  private func rollBackToMarkedObjects() throws -> (
    needed: [ReleaseObject], endangered: EndangeredObjects
  ) {
    let shown = Set(try #require(try place.live()).record.objects)
    let earlier = try place.rollbackTarget(1)
    let needed = earlier.objects.filter { !shown.contains($0) }
    try leaveLock(plan: Prune.marksKey, marking: needed)
    let endangered = EndangeredObjects()
    _ = try Shop().publisher(of: place, run: "rollback").publish(endangered: endangered) { _ in
      Draft(content: earlier.content(at: memory), of: earlier.of)
    }
    return (needed, endangered)
  }

  @Test(
    arguments: [nil, Prune.marksKey, "production/purges/9-0123456789abcdef.plist"], [false, true])
  func goesLiveAtOnceDespiteALeftoverLock(plan: String?, restores: Bool) throws {
    try leaveLock(plan: plan)
    var order = order
    if restores { order.remedy = .restoration }
    let purge = purge
    let manifest = try begin(order, purge)
    #expect(clock.milliseconds < 2_000 && manifest.release == 3)
    #expect(try place.shown("product/rose")["en"] == (restores ? "Rose" : nil))
    // Only removals wait for the lock.
    let outcome = purge.finish(manifest, live: try #require(try place.live()), watch: { _ in })
    #expect(outcome.isRecorded && clock.milliseconds >= 120_000)
    #expect(try place.files(holding: "Swear word") == [] && place.broken() == [])
  }

  @Test func resendsObjectsThatARunningPruneRemoves() throws {
    var order = order
    order.remedy = .restoration
    // A prune has marked all objects that the purge's release needs and the live one does not.
    let live = try #require(try place.live())
    let needed = try objects(of: order, besides: live)
    try leaveLock(plan: Prune.marksKey, marking: needed)
    let purge = purge
    let manifest = try begin(order, purge)
    #expect(clock.milliseconds < 2_000 && !needed.isEmpty)
    for object in needed { memory.remove(object.key) }
    #expect((try? place.broken()) != [])
    let outcome = purge.finish(manifest, live: try #require(try place.live()), watch: { _ in })
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(try place.broken() == [] && place.shown("product/rose")["en"] == "Rose")
  }

  // MARK: Wrong clocks

  /// The prune runs on a machine whose clock is years ahead, and may still remove objects for two
  /// minutes.
  @Test func waitsForTheHolderOfALockOfAWrongClock() throws {
    try leaveLock(plan: Prune.marksKey, seconds: 5 * 365 * 86_400)
    let purge = purge
    let manifest = try begin(order, purge)
    #expect(clock.milliseconds < 2_000)
    var removals: [Int64] = []
    var holders: [String] = []
    let outcome = purge.finish(manifest, live: try #require(try place.live())) { event in
      if case .removed = event.step { removals.append(clock.milliseconds) }
      if case .held(let holder) = event.step { holders.append(holder) }
    }
    #expect(outcome.isRecorded, "\(outcome.failures)")
    #expect(removals.count == 1 && removals[0] >= 120_000 && removals[0] < 130_000, "\(removals)")
    #expect(holders.count == 1 && outcome.warnings.count == 1)
    let warning = outcome.warnings.first ?? ""
    #expect(
      warning.contains("the lock of a prune") && warning.contains("ends at 2032-")
        && warning.contains("the clock of the machine that wrote it, or of this one, is wrong"))
    #expect(try place.files(holding: "Swear word") == [])
    #expect(memory.isReleased)
  }

  /// Until that time is over, any object may be removed.
  @Test func publishersHeedTheReplacedHolder() throws {
    try leaveLock(plan: Prune.marksKey, seconds: 5 * 365 * 86_400)
    let next = try Shop(["entries/product/lily.yaml": "title: Lillian\n"]).content()
    var environment = clock.environment
    let errors = Mutex<[DeliveryError?]>([])
    environment.sleep = { [clock, place] wait in
      clock.environment.sleep(wait)
      if errors.withLock({ !$0.isEmpty }) { return }
      let error = #expect(throws: DeliveryError.self) {
        _ = try Shop().publisher(of: place).publish { _ in Draft(content: next) }
      }
      errors.withLock { $0.append(error) }
    }
    let lock = RemovalLock(
      at: place.target, owner: "a purge", plan: Prune.marksKey, environment: environment)
    try lock.hold {
      #expect(errors.withLock { $0 }.map { $0?.kind } == [.lost])
      // Nothing is marked.
      _ = try Shop().publisher(of: place).publish { _ in Draft(content: next) }
    }
    #expect(try place.live()?.number == 3)
  }

  /// To a machine whose clock is a day behind, the lock of a prune at work seems to end in a day.
  @Test func leavesALockInPlaceIfOnlyItsOwnClockIsWrong() throws {
    let day: Int64 = 86_400
    memory.setClock(to: Instant(secondsSince1970: 1_800_000_000 + day))
    try leaveLock(plan: nil, seconds: day + 120)
    let lock = memory.read(RemovalLock.key)?.bytes
    let purge = purge
    let manifest = try begin(order, purge)
    let outcome = purge.finish(manifest, live: try #require(try place.live()), watch: { _ in })
    #expect(!outcome.isRecorded && outcome.failures.count == 1)
    let failure = outcome.failures.first ?? ""
    #expect(
      failure.contains("the clock of this machine is more than an hour behind")
        && failure.contains("set the clock, and run again"), "\(failure)")
    #expect(memory.read(RemovalLock.key)?.bytes == lock)
  }

  /// The clock of this machine is four minutes ahead, so that a lock seems to have ended.
  @Test(arguments: [false, true]) func waitsForTheHolderOfALockThatHasJustBeenRenewed(
    isRecent: Bool
  ) throws {
    try leaveLock(plan: nil, seconds: -60)
    memory.setClock(to: Instant(secondsSince1970: 1_800_000_000 + (isRecent ? 10 : 200)))
    let lock = RemovalLock(at: place.target, owner: "a prune", environment: clock.environment)
    try lock.hold { #expect((clock.milliseconds >= 120_000) == isRecent) }
  }

  /// The holder of such a lock may be at work.
  @Test func namesTheCommandThatReplacesALockOfAWrongClock() throws {
    try leaveLock(plan: nil, seconds: 5 * 365 * 86_400)
    let lily = Shop(["entries/product/lily.yaml": "title: Lilly\n"])
    let error = #expect(throws: DeliveryError.self) { try lily.publish(to: place) }
    #expect(
      error?.description.contains("'contentc prune production' replaces that lock") == true)
    var prune = Prune(
      place.target, keep: 20, grace: .days(1), now: Instant(secondsSince1970: 1_800_000_000))
    prune.environment = clock.environment
    #expect(try prune.run().warnings.count == 1 && clock.milliseconds >= 120_000)
    try lily.publish(to: place)
    #expect(try place.live()?.number == 3)
  }

  /// A prune with a wrong clock removes an object that the purge's release needs.
  @Test func resendsObjectsWhileItWaitsForTheHolder() throws {
    let live = try #require(try place.live())
    var order = order
    order.remedy = .restoration
    let needed = try objects(of: order, besides: live)
    try leaveLock(plan: Prune.marksKey, marking: needed, seconds: 5 * 365 * 86_400)
    var environment = clock.environment
    let seen = Mutex<[Bool]>([])
    environment.sleep = { [clock, memory] wait in
      clock.environment.sleep(wait)
      seen.withLock { seen in
        seen.append(needed.allSatisfy { memory.read($0.key) != nil })
        if seen.count == 2 { for object in needed { memory.remove(object.key) } }
      }
    }
    let purge = Purge(withoutCachesAt: place, environment: environment)
    let manifest = try begin(order, purge)
    let outcome = purge.finish(manifest, live: try #require(try place.live()), watch: { _ in })
    #expect(outcome.isRecorded && outcome.failures == [] && !needed.isEmpty)
    // The objects are back within a second.
    #expect(seen.withLock { $0.prefix(5) } == [true, true, true, true, true])
  }

  @Test(arguments: ["a failure", "a lost answer"])
  func releasesAReplacedLock(after what: String) throws {
    try leaveLock(plan: nil, seconds: 5 * 365 * 86_400)
    let writes = Counter()
    let target = ScriptedTarget(place.target) { write, work throws(TargetError) in
      guard case .replace(RemovalLock.key) = write, writes.next() == 2 else { return try work() }
      if what == "a failure" { throw TargetError(.unreachable, "no answer") }
      // A repeated request is refused, because the first one was carried out.
      _ = try work()
      return false
    }
    let lock = RemovalLock(at: target, owner: "a purge", environment: clock.environment)
    let result = Result { try lock.hold { memory.read(RemovalLock.key) != nil } }
    #expect((try? result.get()) == (what == "a failure" ? nil : true))
    #expect(memory.isReleased)
  }

  /// While the purge removes objects, the clock is set back by a day, or the machine is suspended.
  ///
  /// The monotonic clock does not count the time of a suspension.
  @Test(arguments: [false, true]) func endsWithItsLock(isSuspended: Bool) throws {
    let offset = Mutex<Int64>(86_400)
    var environment = clock.environment
    environment.now = { [clock] in clock.environment.now() + offset.withLock { $0 } }
    let lock = RemovalLock(at: place.target, owner: "a purge", environment: environment)
    try lock.hold {
      try lock.remove("objects/00/0.plist")
      offset.withLock { $0 = isSuspended ? 86_600 : 0 }
      _ = clock.environment.milliseconds()
      if !isSuspended { clock.environment.sleep(200_000) }
      #expect(throws: TargetError.self) { try lock.remove("objects/00/0.plist") }
    }
  }

  // MARK: Objects sent again

  private func replaceConfig(with bytes: [UInt8]) {
    let headers = FileHeaders(contentType: "x", cacheControl: "y")
    let tag = memory.read("production/config.plist")?.tag
    #expect(
      memory.replace(
        "production/config.plist", with: OutgoingFile(bytes: bytes, headers: headers), tagged: tag))
  }

  /// The target answers with an old config, and a later purge may have removed the objects.
  @Test func sendsNothingToATargetWithAnOldConfig() throws {
    let old = try #require(memory.read("production/config.plist")).bytes
    let (needed, endangered) = try rollBackToMarkedObjects()
    let config = try #require(memory.read("production/config.plist")).bytes
    for object in needed { memory.remove(object.key) }
    replaceConfig(with: old)
    let error = #expect(throws: DeliveryError.self) { try endangered.putBack(at: place) }
    #expect(error?.kind == .lost && error?.description.contains("does not show release 3") == true)
    #expect(needed.allSatisfy { memory.read($0.key) == nil })
    replaceConfig(with: config)
    try endangered.putBack(at: place)
    #expect(!needed.isEmpty && needed.allSatisfy { memory.read($0.key) != nil })
  }

  /// Its objects must not return while earlier purges are finished.
  @Test func sendsNoObjectsOfAReleaseThatCouldNotBegin() throws {
    let earlier = try begin(PurgeOrder(.entries(["product/lily"]), reason: "Another word"), purge)
    let live = try #require(try place.live())
    var order = order
    order.remedy = .restoration
    let needed = try objects(of: order, besides: live)
    try leaveLock(plan: Prune.marksKey, marking: needed)
    let target = ScriptedTarget(place.target) { write, work throws(TargetError) in
      if case .create(let key) = write, key.contains("/purges/2-") {
        throw TargetError(.unreachable, "no answer")
      }
      return try work()
    }
    let failing = ChannelPlace(target)
    let purge = Purge(withoutCachesAt: failing, environment: clock.environment)
    let session = purge.finishAll(
      in: try PurgeLedger(failing, live: live), live: live, commandWords: [], watch: { _ in }
    ) { _, live in
      defer { for object in needed { memory.remove(object.key) } }
      return try purge.begin(
        order, after: live, through: Shop().publisher(of: failing, run: "failing"))
    }
    #expect(session.error is TargetError && !needed.isEmpty)
    #expect(session.outcomes.map(\.manifest.sequence) == [earlier.sequence])
    #expect(session.outcomes.map(\.failures) == [[]])
    #expect(needed.allSatisfy { memory.read($0.key) == nil })
  }

  /// Another operator was faster with the same rollback, and was killed.
  @Test func keepsObjectsOfALostAttempt() throws {
    let (needed, endangered) = try rollBackToMarkedObjects()
    let earlier = try place.rollbackTarget(1)
    _ = try Shop().publisher(of: place, run: "again").publish(endangered: endangered) { live in
      var draft = Draft(content: earlier.content(at: memory), of: earlier.of)
      draft.above = live?.number
      return draft
    }
    #expect(endangered.objects == needed)
  }

  /// A later purge or publication no longer shows the objects.
  @Test func leavesObjectsThatTheLiveReleaseDoesNotShow() throws {
    let (needed, endangered) = try rollBackToMarkedObjects()
    memory.remove(RemovalLock.key)
    try Shop(["entries/product/lily.yaml": "title: Lillian\n"]).publish(to: place)
    let shown = Set(try #require(try place.live()).record.objects)
    let unshown = needed.filter { !shown.contains($0) }
    for object in needed { memory.remove(object.key) }
    try endangered.putBack(at: place)
    #expect(!unshown.isEmpty && unshown.allSatisfy { memory.read($0.key) == nil })
    #expect(needed.allSatisfy { unshown.contains($0) || memory.read($0.key) != nil })
  }

  /// The target refuses to store removed objects again, and the command ends.
  @Test func staysUnfinishedUntilRemovedObjectsAreThere() throws {
    var order = order
    order.remedy = .restoration
    let live = try #require(try place.live())
    let needed = try objects(of: order, besides: live)
    try leaveLock(plan: Prune.marksKey, marking: needed)
    let isFull = Mutex(false)
    let full = ChannelPlace(
      ScriptedTarget(place.target) { write, work throws(TargetError) in
        if case .create(let key) = write, key.hasPrefix("objects/"), isFull.withLock({ $0 }) {
          throw TargetError(.failed, "the disk is full")
        }
        return try work()
      })
    let first = Purge(withoutCachesAt: full, environment: clock.environment)
    let manifest = try first.begin(
      order, after: live, through: Shop().publisher(of: full, run: "purge"))
    let files = try needed.map { ($0.key, try #require(memory.read($0.key)).bytes) }
    for object in needed { memory.remove(object.key) }
    isFull.withLock { $0 = true }
    let half = first.finish(manifest, live: try #require(try place.live()), watch: { _ in })
    #expect(!half.isRecorded && half.failures.allSatisfy { $0.contains("the disk is full") })

    // Another command no longer has the bytes.
    func finish() throws -> Purge.Outcome {
      let live = try #require(try place.live())
      let left = try #require(try PurgeLedger(place, live: live).unfinished.first)
      return purge.finish(left, live: live, watch: { _ in })
    }
    let again = try finish()
    #expect(!again.isRecorded)
    #expect(again.failures.allSatisfy { $0.contains("'contentc publish --repair' sends it again") })
    let headers = FileHeaders(contentType: "x", cacheControl: "y")
    for (key, bytes) in files {
      #expect(memory.create(key, as: OutgoingFile(bytes: bytes, headers: headers)))
    }
    #expect(try finish().isRecorded)
    #expect(try place.broken() == [] && place.shown("product/rose")["en"] == "Rose")
  }

  @Test func reportsAnObjectThatCannotBeSentAgain() throws {
    let (needed, endangered) = try rollBackToMarkedObjects()
    for object in needed { memory.remove(object.key) }
    let dropping = ScriptedTarget(memory) { write, work throws(TargetError) in
      if case .create = write { return true }
      return try work()
    }
    let error = #expect(throws: DeliveryError.self) {
      try endangered.putBackUntilSafe(
        at: ChannelPlace(dropping), RemovalPatience(clock.environment) { _ in })
    }
    #expect(error?.description.contains("'contentc publish --repair' sends it again") == true)
    // A failure during the wait is repeated.
    #expect(clock.milliseconds >= 120_000)
    try endangered.putBack(at: place)
    #expect(try place.broken() == [])
  }

  @Test func rollsBackAtOnceAndResendsRemovedObjects() throws {
    let (needed, endangered) = try rollBackToMarkedObjects()
    #expect(try place.live()?.number == 3 && clock.milliseconds == 0 && !needed.isEmpty)
    for object in needed { memory.remove(object.key) }
    var holders: [String] = []
    try endangered.putBackUntilSafe(
      at: place, RemovalPatience(clock.environment) { holders.append($0) })
    #expect(holders.count == 1 && clock.milliseconds >= 120_000)
    #expect(try place.broken() == [] && place.shown("product/rose")["en"] == "Rose")
  }

  @Test func blocksOnlyPublishersThatNeedMarkedObjects() throws {
    try leaveLock(plan: Prune.marksKey)
    try Shop(["entries/product/lily.yaml": "title: Lilly\n"]).publish(to: place)
    #expect(try place.live()?.number == 3)
    memory.remove(RemovalLock.key)
    memory.remove(Prune.marksKey)
    let next = try Shop(["entries/product/lily.yaml": "title: Lillian\n"]).content()
    try leaveLock(plan: Prune.marksKey, marking: next.objects)
    let error = #expect(throws: DeliveryError.self) {
      _ = try Shop().publisher(of: place).publish { _ in Draft(content: next) }
    }
    #expect(error?.kind == .lost && error?.description.contains("may remove 'objects/") == true)
  }
}
