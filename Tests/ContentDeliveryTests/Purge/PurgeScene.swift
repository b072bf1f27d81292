import ContentModel
import TestReaders
import Testing

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// A shop at a target without a lock whose second release has a swear word, and the purge of it.
struct PurgeScene {
  static let bad = ["entries/product/rose.yaml": "title: Swear word\n"]
  let memory = MemoryTarget()
  let place: ChannelPlace
  let clock = SimulatedClock()
  let order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")

  init() throws {
    memory.setClock(to: Instant(secondsSince1970: 1_800_000_000))
    place = ChannelPlace(UnlockedTarget(target: memory))
    try Shop().publish(to: place)
    try Shop(Self.bad).publish(to: place)
  }

  var purge: Purge { purge(at: place) }

  func purge(at place: ChannelPlace) -> Purge {
    Purge(withoutCachesAt: place, environment: clock.environment)
  }

  /// Makes the release of a purge live.
  func begin(_ order: PurgeOrder, _ purge: Purge) throws -> KnownPurge {
    let live = try #require(try place.live())
    return try purge.begin(
      order, after: live, through: Shop().publisher(of: place, run: "purge"))
  }

  /// Leaves a lock of a prune that names `plan` and ends after `seconds`, and marks that list
  /// `objects`.
  func leaveLock(
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
        bytes: try PropertyListBytes.binary(value))
      #expect(memory.create(key, as: file))
    }
  }

  /// Returns the objects that a purge needs and that the live release does not show.
  func objects(of order: PurgeOrder, besides live: LiveRelease) throws -> [ReleaseObject] {
    let shown = Set(live.record.objects)
    return try PurgePlanner(place, live: live).plan(order).content.objects.filter {
      !shown.contains($0)
    }
  }

  /// Rolls back to a release whose objects a prune has marked; returns those that the live release
  /// did not show.
  func rollBackToMarkedObjects() throws -> (
    needed: [ReleaseObject], endangered: EndangeredObjects
  ) {
    let shown = Set(try #require(try place.live()).record.objects)
    let earlier = try place.rollbackTarget(1)
    let needed = earlier.objects.filter { !shown.contains($0) }
    try leaveLock(plan: Prune.marksKey, marking: needed)
    let endangered = EndangeredObjects()
    _ = try Shop().publisher(of: place, run: "rollback").publish(endangered: endangered) { _ in
      Draft(content: earlier.content(at: memory), of: earlier.contentRelease)
    }
    return (needed, endangered)
  }
}
