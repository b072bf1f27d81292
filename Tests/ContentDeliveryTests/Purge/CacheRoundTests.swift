import ContentModel
import ContentSource
import HTTPTransport
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// Finished purges that all caches are told to forget again.
@Suite struct CacheRoundTests {
  private let place = ChannelPlace(MemoryTarget())
  private let clock = SimulatedClock()
  private let chain: FakeCacheChain
  /// The keys and bytes of the objects before the purges.
  private let bad: [(key: String, bytes: [UInt8])]

  init() throws {
    chain = FakeCacheChain(before: place.target)
    try Shop([
      "entries/product/rose.yaml": "title: Swear word\n",
      "entries/product/lily.yaml": "title: Swear word, too\n",
    ]).publish(to: place)
    let target = place.target
    bad = try place.files(holding: "Swear word").map { key in
      (key, try #require(try target.read(key)).bytes)
    }
  }

  /// Returns the purge of a channel whose content.yaml names some of the caches.
  private func purge(_ indexes: [Int] = [0, 1, 2]) -> Purge {
    let send: CachePurge.Send = { [chain] request throws(HTTPFailure) in try chain.send(request) }
    let caches = FakeCacheChain.caches
    var purge = Purge(
      place,
      caches: CachePurge(indexes.map { caches[$0] }, send: send, environment: clock.environment),
      site: PublicSite(FakeCacheChain.site, send: send, environment: clock.environment),
      times: Purge.Times(originTimeout: 10, app: 600, origin: 0, offline: 3_600),
      environment: clock.environment)
    purge.layers = indexes.map { FakeCacheChain.layers[$0] }
    return purge
  }

  private func finish(_ id: String, by purge: Purge) throws {
    let live = try #require(try place.live())
    let begun = try purge.begin(
      PurgeOrder(.entries([id]), reason: "A swear word"), after: live,
      through: place.publisher(run: id))
    let outcome = purge.finish(begun, live: try #require(try place.live()), watch: { _ in })
    #expect(outcome.failures == [] && outcome.isRecorded)
  }

  /// Finishes two purges without one of the caches, which keeps what the purges removed.
  private func finishWithoutSquid() throws {
    for key in bad.map(\.key) { _ = try chain.readOther(key) }
    for id in ["product/rose", "product/lily"] { try finish(id, by: purge([0, 1])) }
    #expect(chain.copies(holding: "Swear word") == Set(bad.map(\.key)))
    #expect(try unconfirmed() == ["squid": [1, 2]])
  }

  private var list: PurgeList { get throws { try PurgeList(place, live: place.live()) } }

  /// Returns the numbers of the purges that a cache has not confirmed.
  private func unconfirmed() throws -> [String: [Int]] {
    let found = try CacheConfirmations(of: list, by: FakeCacheChain.layers).caches
    return Dictionary(uniqueKeysWithValues: found.map { ($0.name.rawValue, $0.purges) })
  }

  private func sendAgain(by purge: Purge? = nil) throws -> CacheRound? {
    let purge = purge ?? self.purge()
    let (purges, problems) = try list.purgesToSendAgain(to: FakeCacheChain.layers, orNewest: true)
    return purge.sendAgain(
      purges, besides: problems, live: try #require(try place.live()), watch: { _ in })
  }

  @Test func sendsAllUnconfirmedPurgesInOneRound() throws {
    try finishWithoutSquid()
    let (events, start) = (chain.events.count, clock.milliseconds)
    let round = try #require(try sendAgain())
    #expect(round.isConfirmed && round.purges.map(\.begun.number) == [1, 2], "\(round)")
    #expect(chain.copies(holding: "Swear word") == [])
    #expect(try unconfirmed() == [:])
    // Config and each object twice, each time with the pause between: once for both purges.
    let forgot = chain.events.dropFirst(events)
    for key in bad.map(\.key) + ["production/config.plist"] {
      #expect(forgot.count { $0 == .forgot(cache: "shield", key: key) } == 2, "\(key)")
    }
    #expect((20_000..<25_000).contains(clock.milliseconds - start))
  }

  /// Whoever mistrusts a cache can send the newest purge again.
  @Test func sendsTheNewestPurgeIfAllAreConfirmed() throws {
    for id in ["product/rose", "product/lily"] { try finish(id, by: purge()) }
    #expect(try unconfirmed() == [:])
    let round = try #require(try sendAgain())
    #expect(round.isConfirmed && round.purges.map(\.begun.number) == [2])
    #expect(try list.purgesToSendAgain(to: FakeCacheChain.layers, orNewest: false).purges.isEmpty)
  }

  @Test func notesOnlyCachesThatConfirmed() throws {
    try finishWithoutSquid()
    try forgetConfirmations()
    chain.set(.otherDown)
    let half = try #require(try sendAgain())
    #expect(!half.isConfirmed && half.outcome.failures.contains { $0.hasPrefix("squid") })
    #expect(try unconfirmed() == ["squid": [1, 2]])
    chain.set(.none)
    #expect(try sendAgain()?.isConfirmed == true)
    #expect(try unconfirmed() == [:])
  }

  /// A cache without its credential is not told, and has confirmed nothing.
  @Test func aProblemIsAFailure() throws {
    try finishWithoutSquid()
    var purge = purge([0, 1])
    purge.problems = ["squid is not purged: A_TOKEN is not set"]
    #expect(try sendAgain(by: purge)?.outcome.failures == purge.problems)
    #expect(try unconfirmed() == ["squid": [1, 2]])
  }

  @Test func aCacheThatKeepsItsCopiesHasConfirmedNothing() throws {
    try finishWithoutSquid()
    for (key, bytes) in bad { chain.bringBack(key, bytes) }
    chain.set(.keepsObjects)
    let half = try #require(try sendAgain())
    #expect(half.outcome.failures.count == 1 && half.outcome.failures[0].contains("is still there"))
    #expect(try unconfirmed() == ["squid": [1, 2]])
    chain.set(.none)
    #expect(try sendAgain()?.isConfirmed == true)
    #expect(try unconfirmed() == [:] && chain.copies(holding: "Swear word") == [])
  }

  /// Readers may get an object that was published again.
  @Test func objectsThatReturnedAreNotRequested() throws {
    try finishWithoutSquid()
    let rose = ["entries/product/rose.yaml": "title: Swear word\n"]
    try Shop(rose).publish(to: place, unpurged: ["product/rose"])
    let round = try #require(try sendAgain())
    #expect(round.isConfirmed && round.outcome.readBack > 0, "\(round.outcome.failures)")
    #expect(try unconfirmed() == [:])
  }

  @Test func otherPurgesAreSentIfAFileIsDamaged() throws {
    try finishWithoutSquid()
    let purges = try list.purges
    for (index, isCopies) in [(0, true), (1, false)] {
      let damaged = isCopies ? try #require(purges[index].notes.copies.first) : PurgeNote.begun
      let key = PurgeName.note(damaged, in: purges[index].folder).key(in: "production")
      let whole = try #require(try place.target.read(key)).bytes
      try place.target.remove(key)
      #expect(try place.target.create(key, as: OutgoingFile(bytes: [1])))
      let round = try #require(try sendAgain())
      #expect(
        round.outcome.failures.count == 1
          && round.outcome.failures[0].contains("'\(key)'")
          && round.outcome.failures[0].contains("purge \(index + 1) is not sent"),
        "\(round.outcome.failures)")
      try place.target.remove(key)
      #expect(try place.target.create(key, as: OutgoingFile(bytes: whole)))
      #expect(try unconfirmed()["squid"] == [index + 1])
      // The other one is unconfirmed again.
      if isCopies { try forgetConfirmations() }
    }
  }

  private func forgetConfirmations() throws {
    for key in try place.target.names(below: "production/purges/") where key.contains("/cache-") {
      try place.target.remove(key)
    }
  }
}
