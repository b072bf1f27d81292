import ContentModel
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

/// The objects that a purge or rollback sends again, since a prune may have removed them.
@Suite struct ResentObjectsTests {
  private let scene: PurgeScene

  init() throws { scene = try PurgeScene() }

  /// The target answers with an old config, and a later purge may have removed the objects.
  @Test func sendsNothingToATargetWithAnOldConfig() throws {
    let old = try #require(scene.memory.read("production/config.plist")).bytes
    let (needed, endangered) = try scene.rollBackToMarkedObjects()
    let config = try #require(scene.memory.read("production/config.plist")).bytes
    for object in needed { scene.memory.remove(object.key) }
    scene.memory.restore(config: old)
    let error = #expect(throws: DeliveryError.self) { try endangered.putBack(at: scene.place) }
    #expect(error?.kind == .lost && error?.description.contains("does not show release 3") == true)
    #expect(needed.allSatisfy { scene.memory.read($0.key) == nil })
    scene.memory.restore(config: config)
    try endangered.putBack(at: scene.place)
    #expect(!needed.isEmpty && needed.allSatisfy { scene.memory.read($0.key) != nil })
  }

  /// Its objects must not return while earlier purges are finished.
  @Test func sendsNoObjectsOfAReleaseThatCouldNotBegin() throws {
    let earlier = try scene.begin(
      PurgeOrder(.entries(["product/lily"]), reason: "Another word"), scene.purge)
    let live = try #require(try scene.place.live())
    var order = scene.order
    order.remedy = .restoration
    let needed = try scene.objects(of: order, besides: live)
    try scene.leaveLock(plan: Prune.marksKey, marking: needed)
    let target = ScriptedTarget(scene.place.target) { write, work throws(TargetError) in
      if write.key.contains("/purges/2-") { throw TargetError(.unreachable, "no answer") }
      return try work()
    }
    let failing = ChannelPlace(target)
    let purge = Purge(withoutCachesAt: failing, environment: scene.clock.environment)
    let session = purge.beginAndFinishAll(
      in: try PurgeList(failing, live: live), live: live, commandWords: [], watch: { _ in }
    ) { _, live in
      defer { for object in needed { scene.memory.remove(object.key) } }
      return try purge.begin(
        order, after: live, through: Shop().publisher(of: failing, run: "failing"))
    }
    #expect(session.error is TargetError && !needed.isEmpty)
    #expect(session.outcomes.map(\.begun.number) == [earlier.begun.number])
    #expect(session.outcomes.map(\.failures) == [[]])
    #expect(needed.allSatisfy { scene.memory.read($0.key) == nil })
  }

  /// Another operator was faster with the same rollback, and was killed.
  @Test func keepsObjectsOfALostAttempt() throws {
    let (needed, endangered) = try scene.rollBackToMarkedObjects()
    let earlier = try scene.place.rollbackTarget(1)
    _ = try Shop().publisher(of: scene.place, run: "again").publish(endangered: endangered) {
      live in
      var draft = Draft(content: earlier.content(at: scene.memory), of: earlier.contentRelease)
      draft.above = live?.number
      return draft
    }
    #expect(endangered.objects == needed)
  }

  /// A later purge or publication no longer shows the objects.
  @Test func leavesObjectsThatTheLiveReleaseDoesNotShow() throws {
    let (needed, endangered) = try scene.rollBackToMarkedObjects()
    scene.memory.remove(RemovalLock.key)
    try Shop(["entries/product/lily.yaml": "title: Lillian\n"]).publish(to: scene.place)
    let shown = Set(try #require(try scene.place.live()).record.objects)
    let unshown = needed.filter { !shown.contains($0) }
    for object in needed { scene.memory.remove(object.key) }
    try endangered.putBack(at: scene.place)
    #expect(!unshown.isEmpty && unshown.allSatisfy { scene.memory.read($0.key) == nil })
    #expect(needed.allSatisfy { unshown.contains($0) || scene.memory.read($0.key) != nil })
  }

  /// The target refuses to store removed objects again, and the command ends.
  @Test func staysUnfinishedUntilRemovedObjectsAreThere() throws {
    var order = scene.order
    order.remedy = .restoration
    let live = try #require(try scene.place.live())
    let needed = try scene.objects(of: order, besides: live)
    try scene.leaveLock(plan: Prune.marksKey, marking: needed)
    let isFull = Mutex(false)
    let full = ChannelPlace(
      ScriptedTarget(scene.place.target) { write, work throws(TargetError) in
        if case .create(let key) = write, key.hasPrefix("objects/"), isFull.withLock({ $0 }) {
          throw TargetError(.failed, "the disk is full")
        }
        return try work()
      })
    let first = Purge(withoutCachesAt: full, environment: scene.clock.environment)
    let begun = try first.begin(
      order, after: live, through: Shop().publisher(of: full, run: "purge"))
    let files = try needed.map { ($0.key, try #require(scene.memory.read($0.key)).bytes) }
    for object in needed { scene.memory.remove(object.key) }
    isFull.withLock { $0 = true }
    let half = first.finish(begun, live: try #require(try scene.place.live()), watch: { _ in })
    #expect(!half.isRecorded && half.failures.allSatisfy { $0.contains("the disk is full") })

    // Another command no longer has the bytes.
    func finish() throws -> Purge.Outcome {
      let live = try #require(try scene.place.live())
      let left = try #require(try PurgeList(scene.place, live: live).unfinished.first)
      return scene.purge.finish(left, live: live, watch: { _ in })
    }
    let again = try finish()
    #expect(!again.isRecorded)
    #expect(again.failures.allSatisfy { $0.contains("'contentc publish --repair' sends it again") })
    for (key, bytes) in files {
      #expect(scene.memory.create(key, as: OutgoingFile(bytes: bytes)))
    }
    #expect(try finish().isRecorded)
    #expect(try scene.place.broken() == [] && scene.place.shown("product/rose")["en"] == "Rose")
  }

  /// Readers asked for the objects while they were missing, and caches may keep that answer.
  @Test func purgesResentObjectsInAllCaches() throws {
    let chain = FakeCacheChain(before: scene.memory)
    let send: CachePurge.Send = { request throws(HTTPFailure) in try chain.send(request) }
    let environment = scene.clock.environment
    var purge = Purge(
      scene.place,
      caches: CachePurge(FakeCacheChain.caches, send: send, environment: environment),
      site: PublicSite(FakeCacheChain.site, send: send, environment: environment),
      times: Purge.Times(originTimeout: 1, app: 600, origin: 0, offline: 3_600),
      environment: environment)
    purge.layers = FakeCacheChain.layers
    var order = scene.order
    order.remedy = .restoration
    let live = try #require(try scene.place.live())
    let needed = try scene.objects(of: order, besides: live)
    try scene.leaveLock(plan: Prune.marksKey, marking: needed)
    let begun = try scene.begin(order, purge)
    for object in needed { scene.memory.remove(object.key) }
    let outcome = purge.finish(
      begun, live: try #require(try scene.place.live()), watch: { _ in })
    #expect(outcome.failures == [] && !needed.isEmpty)
    for cache in ["shield", "edge", "other"] {
      for object in needed {
        #expect(chain.events.contains(.forgot(cache: cache, key: object.key)), "\(cache)")
      }
    }
  }

  @Test func reportsAnObjectThatCannotBeSentAgain() throws {
    let (needed, endangered) = try scene.rollBackToMarkedObjects()
    for object in needed { scene.memory.remove(object.key) }
    let dropping = ScriptedTarget(scene.memory) { write, work throws(TargetError) in
      if case .create = write { return true }
      return try work()
    }
    let error = #expect(throws: DeliveryError.self) {
      try endangered.putBackUntilSafe(
        at: ChannelPlace(dropping), RemovalPatience(scene.clock.environment) { _ in })
    }
    #expect(error?.description.contains("'contentc publish --repair' sends it again") == true)
    // A failure during the wait is repeated.
    #expect(scene.clock.milliseconds >= 120_000)
    try endangered.putBack(at: scene.place)
    #expect(try scene.place.broken() == [])
  }

  @Test func rollsBackAtOnceAndResendsRemovedObjects() throws {
    let (needed, endangered) = try scene.rollBackToMarkedObjects()
    #expect(try scene.place.live()?.number == 3 && scene.clock.milliseconds == 0 && !needed.isEmpty)
    for object in needed { scene.memory.remove(object.key) }
    var holders: [String] = []
    try endangered.putBackUntilSafe(
      at: scene.place, RemovalPatience(scene.clock.environment) { holders.append($0) })
    #expect(holders.count == 1 && scene.clock.milliseconds >= 120_000)
    #expect(try scene.place.broken() == [] && scene.place.shown("product/rose")["en"] == "Rose")
  }

  @Test func blocksOnlyPublishersThatNeedMarkedObjects() throws {
    try scene.leaveLock(plan: Prune.marksKey)
    try Shop(["entries/product/lily.yaml": "title: Lilly\n"]).publish(to: scene.place)
    #expect(try scene.place.live()?.number == 3)
    scene.memory.remove(RemovalLock.key)
    scene.memory.remove(Prune.marksKey)
    let next = try Shop(["entries/product/lily.yaml": "title: Lillian\n"]).content()
    try scene.leaveLock(plan: Prune.marksKey, marking: next.objects)
    let error = #expect(throws: DeliveryError.self) {
      _ = try Shop().publisher(of: scene.place).publish { _ in Draft(content: next) }
    }
    #expect(error?.kind == .lost && error?.description.contains("may remove 'objects/") == true)
  }
}
