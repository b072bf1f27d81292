import ContentModel
import HTTPTransport
import Synchronization
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The purge of cached config files after a new one is live.
@Suite struct ConfigAnnouncementTests {
  let target = MemoryTarget()
  let clock = SimulatedClock()
  var place: ChannelPlace { ChannelPlace(target) }
  static let url = "https://content.example.com/v1"

  init() throws {
    try place.publish(Shelf(["rose": "Rose"]))
  }

  /// Announces a release with the live record, through a cache that keeps config until purged.
  private func announce(
    _ cache: FakeCache, release: Int = 2, before origin: MemoryTarget? = nil,
    caches: [any CDN]? = nil, originTimeout: Int? = nil,
    returned: [ReleaseObject] = [], sent: [ReleaseObject] = [],
    watch: (PurgeEvent) -> Void = { _ in }
  ) throws -> ConfigAnnouncement.Outcome {
    let nodes = CacheNodes(["http://varnish:6081"], token: nil)
    let send: PublicSite.Send = { [target] request throws(HTTPFailure) in
      cache.answer(request, origin ?? target)
    }
    let record = try #require(try place.live()).record
    return ConfigAnnouncement(
      place,
      caches: CachePurge(
        caches ?? [VarnishCDN(nodes, hasKeys: false)], send: send, environment: clock.environment),
      site: PublicSite(Self.url, send: send, environment: clock.environment),
      environment: clock.environment
    ).run(
      release: ReleaseRecord.Identity(number: release, record: record.digest), format: .binary,
      returned: returned, sent: sent,
      times: ConfigAnnouncement.Times(
        cacheDeadline: 5, verification: 2, originTimeout: originTimeout), watch: watch)
  }

  @Test func purgesConfigUntilItIsFresh() throws {
    let cache = FakeCache()
    #expect(try announce(cache, release: 1).problem == nil)
    try place.publish(Shelf(["rose": "Rosa"]))
    let outcome = try announce(cache)
    #expect(outcome.problem == nil && outcome.failures.isEmpty && outcome.freshSeconds != nil)
    #expect(cache.purges.withLock { $0 } == 2)
  }

  /// The site shows a release of another target, such as that of another clone of the project.
  @Test(arguments: [1, 2]) func reportsAReleaseOfAnotherTarget(number: Int) throws {
    let other = MemoryTarget()
    for number in 1...number {
      try ChannelPlace(other).publish(Shelf(["rose": "Another rose \(number)"]))
    }
    let outcome = try announce(FakeCache(), release: 1, before: other)
    let problem = outcome.problem ?? ""
    #expect(problem.contains("answers with release \(number), which "), "\(problem)")
    #expect(problem.contains("this is another target than the one behind 'url'"), "\(problem)")
    #expect(outcome.freshSeconds == nil)
  }

  /// Other publishers were faster: readers get their release, or an earlier one of theirs.
  @Test(arguments: [1, 2]) func acceptsALaterReleaseOfTheTarget(later: Int) throws {
    let first = try #require(try place.live()).record.identity
    let cache = FakeCache()
    try place.publish(Shelf(["rose": "Rosa"]))
    let url = "\(Self.url)/\(place.configKey(.binary))"
    #expect(cache.answer(HTTPRequest(.get, url), target).status == 200)
    if later == 2 { try place.publish(Shelf(["rose": "Rosie"])) }
    let site = PublicSite(
      Self.url, send: { [target] request throws(HTTPFailure) in cache.answer(request, target) },
      environment: clock.environment)
    let key = place.configKey(.binary)
    #expect(site.problem(showing: first, of: place, at: key, within: 0) == nil)
    #expect(site.foreignRelease(above: 1, in: place, format: .binary) == nil)
  }

  /// After config was restored, the next release has the number of the one that the cache keeps.
  @Test func reportsAnotherReleaseOfTheSameNumber() throws {
    let config = try #require(target.read(place.configKey(.binary))).bytes
    try place.publish(Shelf(["rose": "A swear word"]))
    let cache = FakeCache()
    let key = place.configKey(.binary)
    #expect(cache.answer(HTTPRequest(.get, "\(Self.url)/\(key)"), target).status == 200)
    target.overwrite(key, with: config)
    try place.publish(Shelf(["rose": "Rosa"]))
    let live = try #require(try place.live()).record.identity
    #expect(live.number == 2)
    let site = PublicSite(
      Self.url, send: { [target] request throws(HTTPFailure) in cache.answer(request, target) },
      environment: clock.environment)
    #expect(
      site.problem(showing: live, of: place, at: key, within: 0)
        == "\(Self.url)/\(key) still answers with another release 2, from before config was restored"
    )
    #expect(site.isBehind(live, of: place, format: .binary))
    #expect(try announce(cache).problem == nil)
    #expect(!site.isBehind(live, of: place, format: .binary))
  }

  @Test func namesAForeignReleaseOnlyAboveTheLiveOne() throws {
    let other = MemoryTarget()
    try ChannelPlace(other).publish(Shelf(["rose": "Another rose"]))
    let site = PublicSite(
      Self.url,
      send: { request throws(HTTPFailure) in FakeCache().answer(request, other) },
      environment: clock.environment)
    let sentence = site.foreignRelease(above: 1, in: place, format: .binary) ?? ""
    #expect(sentence.contains("config.plist answers with release 1, which "), "\(sentence)")
    // A cache may keep a release whose record a prune has removed.
    #expect(site.foreignRelease(above: 2, in: place, format: .binary) == nil)
    var bakery = place
    bakery.app = "bakery"
    #expect(site.foreignRelease(above: 1, in: bakery, format: .binary) == nil)
  }

  @Test func purgesAgainAfterTheOriginTimeout() throws {
    let cache = FakeCache()
    let outcome = try announce(cache, release: 1, originTimeout: 10)
    #expect(cache.purges.withLock { $0 } == 2 && outcome.caches.count == 2)
    #expect(clock.milliseconds >= 10_000)
  }

  @Test func reportsStaleConfigWithoutCachesToPurge() throws {
    let cache = FakeCache()
    #expect(try announce(cache, release: 1, caches: []).problem == nil)
    try place.publish(Shelf(["rose": "Rosa"]))
    let outcome = try announce(cache, caches: [], originTimeout: 10)
    #expect(outcome.problem?.contains("still answers with release 1") ?? false)
    #expect(outcome.freshSeconds == nil && outcome.caches.isEmpty && clock.milliseconds < 10_000)
  }

  /// Readers asked for an object while it was missing, and the cache keeps the answer.
  @Test(arguments: [true, false])
  func purgesObjectsThatReadersDoNotGet(isKnown: Bool) throws {
    let cache = FakeCache()
    let object = try #require(try place.live()).record.objects[0]
    let bytes = try #require(target.read(object.key)).bytes
    target.remove(object.key)
    let url = "\(Self.url)/\(object.key)"
    #expect(cache.answer(HTTPRequest(.head, url), target).status == 404)
    #expect(target.create(object.key, as: OutgoingFile(bytes: bytes)))
    #expect(cache.answer(HTTPRequest(.head, url), target).status == 404)
    let outcome = try announce(
      cache, release: 1, originTimeout: 10, returned: isKnown ? [object] : [],
      sent: isKnown ? [] : [object])
    #expect(outcome.objectProblem == nil && outcome.problem == nil)
    #expect(cache.answer(HTTPRequest(.head, url), target).status == 200)
    #expect(cache.purged.withLock { $0 }.contains { $0.hasSuffix(object.key) })
  }

  /// Objects are requested again after the origin's longest answer, and only then are they delivered.
  @Test func reportsReturnedObjectsOnce() throws {
    let object = try #require(try place.live()).record.objects[0]
    var steps: [PurgeEvent.Step] = []
    let outcome = try announce(
      FakeCache(), release: 1, originTimeout: 10, returned: [object],
      watch: { steps.append($0.step) })
    #expect(outcome.objectProblem == nil)
    let delivered = steps.indices.filter { if case .delivered = steps[$0] { true } else { false } }
    #expect(delivered == [steps.count - 1])
  }

  @Test func reportsObjectsThatReadersDoNotGet() throws {
    let cache = FakeCache()
    let object = try #require(try place.live()).record.objects[0]
    target.remove(object.key)
    let outcome = try announce(cache, release: 1, returned: [object])
    let problem = outcome.objectProblem ?? ""
    #expect(problem.contains("readers do not get '\(object.key)' of release 1"), "\(problem)")
    #expect(problem.contains("answers with status 404"), "\(problem)")
    #expect(outcome.problem == nil && outcome.freshSeconds != nil)
  }

  @Test func reportsWhyAPurgeOfACacheFailed() throws {
    let cache = FakeCache()
    #expect(try announce(cache, release: 1).problem == nil)
    try place.publish(Shelf(["rose": "Rosa"]))
    cache.refuses.withLock { $0 = true }
    var reasons: [String] = []
    let outcome = try announce(cache) { event in
      if case .lagging(let reason) = event.step { reasons.append(reason) }
    }
    #expect(reasons.count == 1 && reasons.first?.contains("still answers with release 1") == true)
    #expect(outcome.failures.count == 1 && outcome.failures[0].contains("varnish"))
    #expect(outcome.problem?.contains("release 1") ?? false)
  }
}

/// A cache whose copies never expire.
private final class FakeCache: Sendable {
  /// The copies; `nil` for the answer that a file is missing.
  private let kept = Mutex<[String: [UInt8]?]>([:])
  let purges = Mutex(0)
  let purged = Mutex<[String]>([])
  let refuses = Mutex(false)

  func answer(_ request: HTTPRequest, _ target: MemoryTarget) -> HTTPAnswer {
    if request.url.hasPrefix("http://varnish:6081") {
      if refuses.withLock({ $0 }) { return HTTPAnswer(status: 403, headers: [], body: []) }
      purges.withLock { $0 += 1 }
      purged.withLock { $0.append(request.url) }
      kept.withLock { kept in
        for key in kept.keys where request.url.hasSuffix(key) { kept[key] = nil }
      }
      return HTTPAnswer(status: 200, headers: [], body: [])
    }
    let key = String(request.url.dropFirst(ConfigAnnouncementTests.url.count + 1))
    let bytes = kept.withLock { kept in
      if let known = kept[key] { return known }
      let bytes = target.read(key)?.bytes
      kept[key] = .some(bytes)
      return bytes
    }
    return HTTPAnswer(status: bytes == nil ? 404 : 200, headers: [], body: bytes ?? [])
  }
}
