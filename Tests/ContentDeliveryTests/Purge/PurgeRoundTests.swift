import ContentModel
import HTTPTransport
import Hashing
import Synchronization
import TestReaders
import Testing

@testable import ContentCaches
@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// The times at which a purge tells caches and removes objects.
@Suite struct PurgeRoundTests {
  private let place = ChannelPlace(MemoryTarget())
  private let clock = SimulatedClock()
  private let chain: FakeCacheChain

  init() throws {
    chain = FakeCacheChain(before: place.target)
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(to: place)
  }

  private func purge(_ caches: [any CDN], send: @escaping CachePurge.Send, originTimeout: Int = 10)
    -> Purge
  {
    Purge(
      place, caches: CachePurge(caches, send: send, environment: clock.environment),
      site: PublicSite(FakeCacheChain.site, send: send, environment: clock.environment),
      times: Purge.Times(originTimeout: originTimeout, app: 600, origin: 0, offline: 3_600),
      environment: clock.environment)
  }

  private func begin(_ purge: Purge) throws -> (PurgeManifest, LiveRelease) {
    let live = try #require(try place.live())
    let order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    let manifest = try purge.begin(order, after: live, through: place.publisher(run: "purge"))
    return (manifest, try #require(try place.live()))
  }

  @Test func waitsForLateAnswersBeforeRemovingObjects() throws {
    let old = try #require(try place.target.read("production/config.plist")).bytes
    let purge = purge(FakeCacheChain.caches) { [chain] request throws(HTTPFailure) in
      try chain.send(request)
    }
    let (manifest, live) = try begin(purge)
    var isLate = false
    var seen: [Bool] = []
    let outcome = purge.finish(manifest, live: live) { [chain] event in
      // The late answer arrives after readers were seen to get the new config.
      if case .fresh = event.step, !isLate {
        isLate = true
        chain.bringBack("production/config.plist", old)
      }
      if case .removed = event.step {
        seen.append((try? chain.read("production/config.plist")) != old)
      }
    }
    #expect(isLate && seen == [true])
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(chain.copies(holding: "Swear word") == [])
  }

  @Test func purgesCachesOfObjectsKeptForAnotherChannel() throws {
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(
      to: ChannelPlace(place.target, channel: "qa"))
    let live = try #require(try place.live())
    for object in live.record.objects {
      chain.bringBack(object.key, try #require(try place.target.read(object.key)).bytes)
    }
    let purge = purge(FakeCacheChain.caches) { [chain] request throws(HTTPFailure) in
      try chain.send(request)
    }
    let (manifest, now) = try begin(purge)
    let outcome = purge.finish(manifest, live: now, watch: { _ in })
    #expect(
      outcome.failures == [] && !outcome.kept.isEmpty
        && outcome.kept.allSatisfy { $0.channels == ["qa"] })
    #expect(chain.copies(holding: "Swear word") == [])
  }

  @Test func purgesObjectsThatALateAnswerCachedAgain() throws {
    let purge = purge(FakeCacheChain.caches) { [chain] request throws(HTTPFailure) in
      try chain.send(request)
    }
    let (manifest, live) = try begin(purge)
    let bad = try manifest.objects.map {
      ($0.key, try #require(try place.target.read($0.key)).bytes)
    }
    let outcome = purge.finish(manifest, live: live) { [chain] event in
      if case .purged(_, what: "removed objects") = event.step {
        for (key, bytes) in bad { chain.bringBack(key, bytes) }
      }
    }
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(chain.copies(holding: "Swear word") == [])
  }

  @Test(arguments: ["content.yaml names a cache, and A_TOKEN is not set", nil])
  func removesNothingUntilEveryCacheIsPurged(problem: String?) throws {
    if problem == nil { chain.set(.otherDown) }
    var purge = purge(FakeCacheChain.caches) { [chain] request throws(HTTPFailure) in
      try chain.send(request)
    }
    purge.problems = [problem].compactMap(\.self)
    let (manifest, live) = try begin(purge)
    let half = purge.finish(manifest, live: live, watch: { _ in })
    #expect(half.freshSeconds != nil && half.removed == nil && !half.isRecorded)
    #expect(
      half.failures.last?.hasPrefix(
        "no object is removed, because readers behind a cache that was not purged") == true)
    for object in manifest.objects { #expect(try place.target.read(object.key) != nil) }
    chain.set(.none)
    purge.problems = []
    #expect(purge.finish(manifest, live: live, watch: { _ in }).isRecorded)
    #expect(try place.files(holding: "Swear word") == [])
  }

  // MARK: Two commands

  private var chained: Purge {
    purge(FakeCacheChain.caches) { [chain] request throws(HTTPFailure) in try chain.send(request) }
  }

  /// Publishes another release with the bad rose, and fills the caches with all its copies.
  private func publishBadRoseAgain() throws {
    try Shop([
      "entries/product/rose.yaml": "title: Swear word\n", "entries/product/iris.yaml": "title: I\n",
    ]).publish(to: place)
    for key in try place.files(holding: "Swear word") { _ = try chain.read(key) }
  }

  /// The first command removes copies of an earlier release, and is killed before caches know.
  ///
  /// The second one has read the manifest before, and finds no such copies any more.
  @Test func takesOverCopiesOfAKilledCommand() throws {
    try publishBadRoseAgain()
    let (manifest, live) = try begin(chained)
    let half = chained.finish(manifest, live: live) { [chain] event in
      if case .removed = event.step { chain.set(.bothDown) }
    }
    #expect(!half.isRecorded && half.manifest.objects.count > manifest.objects.count)
    #expect(try place.files(holding: "Swear word") == [])
    #expect(chain.copies(holding: "Swear word") != [])
    chain.set(.none)
    let outcome = chained.finish(manifest, live: live, watch: { _ in })
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(chain.copies(holding: "Swear word") == [])
  }

  /// Another command adds copies while this one removes others.
  @Test func staysUnfinishedIfAnotherCommandFindsMoreCopies() throws {
    let (manifest, live) = try begin(chained)
    var more = manifest
    more.objects.append(ReleaseObject(digest: Digest(of: [1]), fileExtension: "plist", size: 1))
    let (key, file) = (more.pendingKey(place.channel), try more.file)
    let outcome = chained.finish(manifest, live: live) { [place] event in
      guard case .removed = event.step else { return }
      let tag = try? place.target.read(key)?.tag
      #expect(try! place.target.replace(key, with: file, tagged: tag))
    }
    #expect(!outcome.isRecorded)
    #expect(outcome.failures.last?.contains("another command has found more copies") == true)
    #expect(chained.finish(manifest, live: live, watch: { _ in }).isRecorded)
  }

  /// A purge that was finished meanwhile gets no pending manifest again.
  @Test func leavesNoPendingManifestOfAFinishedPurge() throws {
    try publishBadRoseAgain()
    let (manifest, live) = try begin(chained)
    let key = manifest.pendingKey(place.channel)
    var isFirst = true
    let outcome = chained.finish(manifest, live: live) { [chained, place] event in
      if case .removing = event.step, isFirst {
        isFirst = false
        // The copies of the earlier release stay, so that both commands find them.
        let older = try! OlderCopies(place, of: manifest.contents, besides: manifest.objects)
        let copies = older.objects.map { ($0.key, try! place.target.read($0.key)!.bytes) }
        #expect(chained.finish(manifest, live: live, watch: { _ in }).isRecorded)
        for (key, bytes) in copies {
          #expect(try! place.target.create(key, as: OutgoingFile(bytes: bytes)))
        }
        #expect(!copies.isEmpty)
      }
      if case .removed = event.step { #expect((try? place.target.read(key)) == nil) }
    }
    #expect(outcome.isRecorded, "\(outcome.failures)")
    #expect(try place.files(holding: "Swear word") == [])
  }

  /// A purge that is killed while caches do not answer must be known once config is restored.
  @Test func notesThatItIsLiveBeforeCachesAreTold() throws {
    let target = MuteTarget(place.target, chain)
    let place = ChannelPlace(target)
    let send: CachePurge.Send = { [chain] request throws(HTTPFailure) in try chain.send(request) }
    let purge = Purge(
      place,
      caches: CachePurge(FakeCacheChain.caches, send: send, environment: clock.environment),
      site: PublicSite(FakeCacheChain.site, send: send, environment: clock.environment),
      times: Purge.Times(originTimeout: 1, app: 600, origin: 0, offline: 3_600),
      environment: clock.environment)
    let manifest = try purge.begin(
      PurgeOrder(.entries(["product/rose"]), reason: "A swear word"),
      after: try #require(try place.live()), through: place.publisher(run: "purge")
    ) { [chain] event in
      if case .published(let release) = event.step { chain.note(.saw(release: release)) }
    }
    #expect(target.eventsAtNotes == [[.saw(release: 2)]] && !manifest.wasLive)
    let outcome = purge.finish(
      manifest, live: try #require(try place.live()), watch: { _ in })
    let events = chain.events
    for cache in ["shield", "edge", "other"] {
      #expect(events.contains(.forgot(cache: cache, key: "production/config.plist")), "\(cache)")
    }
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(chain.copies(holding: "Swear word") == [])
  }

  /// A target that does not answer when a purge's manifest is replaced.
  ///
  /// A class because it keeps the events before each of these requests.
  private final class MuteTarget: Target {
    private let target: any Target
    private let chain: FakeCacheChain
    private let events = Mutex<[[FakeCacheChain.Event]]>([])

    init(_ target: any Target, _ chain: FakeCacheChain) {
      (self.target, self.chain) = (target, chain)
    }

    var eventsAtNotes: [[FakeCacheChain.Event]] { events.withLock { $0 } }

    var name: String { target.name }
    var hasLock: Bool { target.hasLock }
    func honorsConditions() throws(TargetError) -> Bool { try target.honorsConditions() }
    func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
      try target.exclusively(work)
    }
    func read(_ key: String) throws(TargetError) -> StoredFile? { try target.read(key) }
    func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
      try target.create(key, as: file)
    }
    func replace(
      _ key: String, with file: OutgoingFile, tagged: String?
    ) throws(TargetError) -> Bool {
      guard key.hasPrefix("production/purges/") else {
        return try target.replace(key, with: file, tagged: tagged)
      }
      events.withLock { $0.append(chain.events) }
      throw TargetError(.unreachable, "no answer")
    }
    func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
      try target.holds(key, as: file)
    }
    func remove(_ key: String) throws(TargetError) { try target.remove(key) }
    func list(below prefix: String) throws(TargetError) -> [ListedFile] {
      try target.list(below: prefix)
    }
  }

  // MARK: Vendors' limits

  @Test func staysWithinAQuotaAcrossRounds() throws {
    let fake = FakeCDN(CDNCase.cloudflare("free").rules, clock: clock)
    let cdn = CloudflareCDN(
      zone: "023e105f4ecef8ad9ca31a8372d0c353",
      token: CDNSecret(variable: "CF_TOKEN", value: CDNCase.secret))
    let purge = purge([SequentialCDN(cdn)]) { [chain] request throws(HTTPFailure) in
      request.url.hasPrefix("https://api.cloudflare.com")
        ? try fake.send(request) : try chain.send(request)
    }
    var (manifest, live) = try begin(purge)
    // Config is read from the target, as from a cache without a copy.
    manifest.objects += (0..<1_600).map { number in
      ReleaseObject(
        digest: Digest(of: Array("\(number)".utf8)), fileExtension: "plist", size: 1)
    }
    let outcome = purge.finish(manifest, live: live, watch: { _ in })
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(fake.refusals == [] && fake.requests > 25)
  }

  @Test func waitsBetweenRoundsAsTheVendorRequires() throws {
    let fastly = FastlyCDN(service: "a", token: CDNSecret(variable: "T", value: "t"))
    let send: CachePurge.Send = { [chain] request throws(HTTPFailure) in
      request.url.hasPrefix("https://api.fastly.com")
        ? HTTPAnswer(status: 200) : try chain.send(request)
    }
    let caches = CachePurge(
      [fastly, VarnishCDN(CacheNodes(["http://a"]))], send: send, environment: clock.environment)
    #expect(
      caches.gapSeconds([CDNCase.scope(1)]) == 2 && caches.gapSeconds([CDNCase.scope(25_000)]) == 30
    )
    let purge = purge([fastly], send: send, originTimeout: 1)
    let (manifest, live) = try begin(purge)
    #expect(purge.finish(manifest, live: live, watch: { _ in }).isRecorded)
    #expect((4_000..<6_000).contains(clock.milliseconds))
  }
}
