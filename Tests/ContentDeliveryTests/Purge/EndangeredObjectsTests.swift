import ContentModel
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The objects that an emergency watches, many at a time.
@Suite struct EndangeredObjectsTests {
  private let memory = MemoryTarget()
  private let place: ChannelPlace
  private let clock = SimulatedClock()
  /// The objects of the first release that the live one does not show.
  private let needed: [ReleaseObject]
  private let first: ReleaseRecord

  init() throws {
    memory.setClock(to: Instant(secondsSince1970: 1_800_000_000))
    place = ChannelPlace(UnlockedTarget(target: memory))
    let files = (0..<20).map { ("entries/product/n\($0).yaml", "title: Note \($0)\n") }
    try Shop(Dictionary(uniqueKeysWithValues: files)).publish(to: place)
    try Shop().publish(to: place)
    first = try place.rollbackTarget(1)
    let shown = Set(try #require(try place.live()).record.objects)
    needed = first.objects.filter { !shown.contains($0) }
  }

  /// Rolls back to the first release, which keeps the objects that `endangered` returns.
  private func rollBack() throws -> EndangeredObjects {
    let endangered = EndangeredObjects()
    _ = try Shop().publisher(of: place, run: "rollback").publish(endangered: endangered) { _ in
      Draft(content: first.content(at: memory), of: first.contentRelease)
    }
    return endangered
  }

  private func leaveLockWithoutPlan() throws {
    let lock: Value = [
      "expires": .date(Instant(secondsSince1970: 1_800_000_120)), "owner": "a prune", "token": "1",
    ]
    let file = OutgoingFile(
      bytes: try PropertyListBytes.binary(lock))
    #expect(memory.create(RemovalLock.key, as: file))
  }

  @Test func aLockWithoutAPlanEndangersEveryNeededObject() throws {
    try leaveLockWithoutPlan()
    #expect(try rollBack().objects == needed && needed.count > 20)
  }

  @Test func areReadConcurrently() throws {
    let gauge = ReadGauge(memory)
    let endangered = EndangeredObjects()
    try endangered.keep(needed, of: first.content(at: gauge))
    #expect(endangered.objects == needed && gauge.most > 4)
  }

  @Test func areComparedAndSentAgainConcurrently() throws {
    try leaveLockWithoutPlan()
    let endangered = try rollBack()
    for object in needed { memory.remove(object.key) }
    let gauge = ReadGauge(memory)
    try endangered.putBack(at: ChannelPlace(gauge))
    #expect(gauge.most > 4)
    #expect(needed.allSatisfy { memory.read($0.key) != nil })
  }

  /// After an interruption, assets of any size may be endangered.
  @Test func areSoughtConcurrentlyWithoutTheirBytes() throws {
    try leaveLockWithoutPlan()
    _ = try rollBack()
    var begun = Begun(1, because: "A swear word", by: nil, after: try place.live(), at: place)
    begun.atRisk = needed
    let listed = ListedPurge(PurgeFolder(number: 1, of: begun.record))
    let gauge = ReadGauge(memory)
    let purge = Purge(withoutCachesAt: ChannelPlace(gauge), environment: clock.environment)
    let run = PurgeRun(
      of: purge, for: KnownPurge(listed: listed, begun: begun), watch: { _ in })
    try run.putBackEndangered()
    #expect(gauge.most > 4 && !gauge.read.contains { $0.hasPrefix("objects/") })
    // A longer name is that of another file.
    let missing = needed[needed.count / 2]
    let other = OutgoingFile(bytes: [])
    #expect(memory.create(missing.key + ".old", as: other))
    memory.remove(missing.key)
    let error = #expect(throws: DeliveryError.self) { try run.putBackEndangered() }
    #expect(error?.description.contains(missing.key) == true)
  }
}
