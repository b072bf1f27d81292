import ContentModel
import ContentSource
import HTTPTransport
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

  private func purge(
    _ caches: [any CDN], in layers: [CacheLayer], send: @escaping CachePurge.Send,
    originTimeout: Int = 10
  ) -> Purge {
    var purge = Purge(
      place, caches: CachePurge(caches, send: send, environment: clock.environment),
      site: PublicSite(FakeCacheChain.site, send: send, environment: clock.environment),
      times: Purge.Times(originTimeout: originTimeout, app: 600, origin: 0, offline: 3_600),
      environment: clock.environment)
    purge.layers = layers
    return purge
  }

  /// A purge of the caches of the chain.
  private var chained: Purge {
    purge(FakeCacheChain.caches, in: FakeCacheChain.layers) { [chain] request throws(HTTPFailure) in
      try chain.send(request)
    }
  }

  private func begin(_ purge: Purge) throws -> (KnownPurge, LiveRelease) {
    let live = try #require(try place.live())
    let order = PurgeOrder(.entries(["product/rose"]), reason: "A swear word")
    let begun = try purge.begin(order, after: live, through: place.publisher(run: "purge"))
    return (begun, try #require(try place.live()))
  }

  @Test func waitsForLateAnswersBeforeRemovingObjects() throws {
    let old = try #require(try place.target.read("production/config.plist")).bytes
    let purge = chained
    let (begun, live) = try begin(purge)
    var isLate = false
    var seen: [Bool] = []
    let outcome = purge.finish(begun, live: live) { [chain] event in
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

  /// Readers cannot get the release before the copies of the caches expire.
  @Test func doesNotWaitForReadersIfNoCacheCanBePurged() throws {
    _ = try chain.read("production/config.plist")
    var purge = purge([], in: []) { [chain] request throws(HTTPFailure) in
      try chain.send(request)
    }
    purge.problems = ["PURGE_TOKEN is not set"]
    let (begun, live) = try begin(purge)
    let start = clock.milliseconds
    let outcome = purge.finish(begun, live: live, watch: { _ in })
    #expect(clock.milliseconds - start < 2_000)
    #expect(outcome.failures.count == 2 && outcome.failures[0] == "PURGE_TOKEN is not set")
    #expect(outcome.failures[1].contains("still answers with release"), "\(outcome.failures)")
  }

  @Test func purgesCachesOfObjectsKeptForAnotherChannel() throws {
    try Shop(["entries/product/rose.yaml": "title: Swear word\n"]).publish(
      to: ChannelPlace(place.target, channel: "qa"))
    let live = try #require(try place.live())
    for object in live.record.objects {
      chain.bringBack(object.key, try #require(try place.target.read(object.key)).bytes)
    }
    let purge = chained
    let (begun, now) = try begin(purge)
    let outcome = purge.finish(begun, live: now, watch: { _ in })
    #expect(
      outcome.failures == [] && !outcome.kept.isEmpty
        && outcome.kept.allSatisfy { $0.channels == ["qa"] })
    #expect(chain.copies(holding: "Swear word") == [])
  }

  @Test func purgesObjectsThatALateAnswerCachedAgain() throws {
    let purge = chained
    let (begun, live) = try begin(purge)
    let bad = try begun.begun.objects.map {
      ($0.key, try #require(try place.target.read($0.key)).bytes)
    }
    let outcome = purge.finish(begun, live: live) { [chain] event in
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
    var purge = chained
    purge.problems = [problem].compactMap(\.self)
    let (begun, live) = try begin(purge)
    let half = purge.finish(begun, live: live, watch: { _ in })
    #expect(half.freshSeconds != nil && half.removed == nil && !half.isRecorded)
    #expect(
      half.failures.last?.hasPrefix(
        "no object is removed, because readers behind a cache that was not purged") == true)
    for object in begun.begun.objects { #expect(try place.target.read(object.key) != nil) }
    chain.set(.none)
    purge.problems = []
    #expect(purge.finish(begun, live: live, watch: { _ in }).isRecorded)
    #expect(try place.files(holding: "Swear word") == [])
  }

  // MARK: Two commands

  /// Publishes another release with the bad rose, and fills the caches with all its copies.
  private func publishBadRoseAgain() throws {
    try Shop([
      "entries/product/rose.yaml": "title: Swear word\n", "entries/product/iris.yaml": "title: I\n",
    ]).publish(to: place)
    for key in try place.files(holding: "Swear word") { _ = try chain.read(key) }
  }

  /// Returns the notes of a purge at the target.
  private func notes(of purge: KnownPurge) throws -> Set<PurgeNote> {
    try place.notes(of: purge.listed.folder)
  }

  /// The first command removes copies of an earlier release, and is killed before caches know.
  ///
  /// The second one has listed the purge before, and finds no such copies any more.
  @Test func takesOverCopiesOfAKilledCommand() throws {
    try publishBadRoseAgain()
    let (begun, live) = try begin(chained)
    let half = chained.finish(begun, live: live) { [chain] event in
      if case .removed = event.step { chain.set(.bothDown) }
    }
    #expect(!half.isRecorded && half.objects.count > begun.begun.objects.count)
    #expect(try place.files(holding: "Swear word") == [])
    #expect(chain.copies(holding: "Swear word") != [])
    let copies = try notes(of: begun).copies
    #expect(copies.count == 1)
    chain.set(.none)
    let outcome = chained.finish(begun, live: live, watch: { _ in })
    #expect(outcome.isRecorded && outcome.failures == [])
    #expect(Set(outcome.objects) == Set(half.objects))
    #expect(chain.copies(holding: "Swear word") == [])
    // The same objects have the same note.
    #expect(try notes(of: begun).copies == copies)
  }

  /// Another command adds copies while this one removes others.
  @Test func staysUnfinishedIfAnotherCommandFindsMoreCopies() throws {
    let (begun, live) = try begin(chained)
    let more = ReleaseObject(digest: Digest(of: [1]), fileExtension: "plist", size: 1)
    let outcome = chained.finish(begun, live: live) { [place] event in
      guard case .removed = event.step else { return }
      var other = begun.listed
      _ = try! place.noteCopies(begun.begun.objects + [more], of: &other)
    }
    #expect(!outcome.isRecorded)
    #expect(outcome.failures.count == 1)
    #expect(outcome.failures.last?.contains("another command has found more copies") == true)
    #expect(try !notes(of: begun).contains { $0.isDone })
    #expect(try PurgeList(place, live: live).unfinished.count == 1)
    let again = chained.finish(begun, live: live, watch: { _ in })
    #expect(again.isRecorded && again.objects.contains(more), "\(again.failures)")
    let notes = try notes(of: begun)
    #expect(notes.copies.count == 2)
    #expect(notes.filter(\.isDone) == [.done(naming: notes.copies)])
    #expect(try PurgeList(place, live: live).unfinished.isEmpty)
  }

  /// Another command finishes the purge while this one removes objects.
  @Test func writesNoteOfAFinishedPurgeOnce() throws {
    try publishBadRoseAgain()
    let (begun, live) = try begin(chained)
    var isFirst = true
    var finished: Set<PurgeNote> = []
    let outcome = chained.finish(begun, live: live) { [chained, place] event in
      guard case .removing = event.step, isFirst else { return }
      isFirst = false
      // The copies of the earlier release stay, so that both commands find them.
      let older = try! OlderCopies(
        place, of: begun.begun.contents, besides: begun.begun.objects)
      let copies = older.objects.map { ($0.key, try! place.target.read($0.key)!.bytes) }
      #expect(chained.finish(begun, live: live, watch: { _ in }).isRecorded)
      for (key, bytes) in copies {
        #expect(try! place.target.create(key, as: OutgoingFile(bytes: bytes)))
      }
      #expect(!copies.isEmpty)
      finished = try! place.notes(of: begun.listed.folder)
    }
    #expect(outcome.isRecorded, "\(outcome.failures)")
    #expect(try place.files(holding: "Swear word") == [])
    #expect(finished.count(where: \.isDone) == 1)
    #expect(try notes(of: begun) == finished)
  }

  /// A failure cuts the list of copies, and the command ends.
  @Test func writesACutListOfCopiesAgain() throws {
    try publishBadRoseAgain()
    let cuts = Mutex<[String]>([])
    let target = ScriptedTarget(place.target) { [place] write, work throws(TargetError) in
      guard write.key.contains("/copies-"), cuts.withLock({ $0.isEmpty }) else {
        return try work()
      }
      _ = try work()
      cuts.withLock { $0.append(write.key) }
      let stored = try place.target.read(write.key)
      let half = OutgoingFile(bytes: Array(stored?.bytes.prefix(40) ?? []))
      _ = try place.target.replace(write.key, with: half, tagged: stored?.tag)
      throw TargetError(.unreachable, "no answer")
    }
    let (begun, live) = try begin(chained)
    let failing = Purge(
      withoutCachesAt: ChannelPlace(target), environment: clock.environment)
    let half = failing.finish(begun, live: live, watch: { _ in })
    #expect(!half.isRecorded && half.removed == nil)
    let left = try #require(try PurgeList(place, live: live).unfinished.first)
    #expect(left.listed.notes.copies.count == 1)
    let outcome = chained.finish(left, live: live, watch: { _ in })
    #expect(outcome.isRecorded && outcome.objects.count > begun.begun.objects.count)
    let copies = try notes(of: begun).copies
    #expect(copies == left.listed.notes.copies)
    let note: CopiesNote? = try place.read(copies[0], in: begun.listed.folder)
    #expect(note.map { Set($0.objects) } == Set(outcome.objects))
    #expect(chain.copies(holding: "Swear word") == [])
  }

  /// Once objects are gone, only the list of copies names them for the caches.
  @Test func removesNothingIfTheListOfCopiesCannotBeWritten() throws {
    try publishBadRoseAgain()
    let target = ScriptedTarget(place.target) { write, work throws(TargetError) in
      if write.key.contains("/copies-") { throw TargetError(.unreachable, "no answer") }
      return try work()
    }
    let (begun, live) = try begin(chained)
    let objects = try place.target.list(below: "objects/").map(\.key)
    let failing = Purge(
      withoutCachesAt: ChannelPlace(target), environment: clock.environment)
    let half = failing.finish(begun, live: live, watch: { _ in })
    #expect(half.failures.contains { $0.hasPrefix("not all objects are removed: ") })
    #expect(!half.isRecorded && half.removed == nil)
    #expect(try place.target.list(below: "objects/").map(\.key) == objects)
    #expect(try notes(of: begun) == [.begun, .live])
    let left = try #require(try PurgeList(place, live: live).unfinished.first)
    #expect(chained.finish(left, live: live, watch: { _ in }).isRecorded)
    #expect(chain.copies(holding: "Swear word") == [])
  }

  // MARK: Notes

  /// The other CDN is down once objects are removed.
  @Test func notesEachCacheThatConfirmed() throws {
    let (begun, live) = try begin(chained)
    let half = chained.finish(begun, live: live) { [chain] event in
      if case .removed = event.step { chain.set(.otherDown) }
    }
    #expect(!half.isRecorded)
    let copies = try notes(of: begun).copies
    let confirmed = try FakeCacheChain.layers.map { try PurgeNote.cache($0, after: copies) }
    #expect(try notes(of: begun) == Set([.begun, .live] + copies + confirmed.dropLast()))
    chain.set(.none)
    #expect(chained.finish(begun, live: live, watch: { _ in }).isRecorded)
    #expect(
      try notes(of: begun) == Set([.begun, .live, .done(naming: copies)] + copies + confirmed))
  }

  /// The edge confirms that it dropped the objects, but keeps them.
  ///
  /// The user may finish the purge without that cache. So the cache must not count as confirmed.
  @Test func notesNoCacheWhileReadersGetARemovedObject() throws {
    for key in try place.files(holding: "Swear word") { _ = try chain.read(key) }
    let (begun, live) = try begin(chained)
    let half = chained.finish(begun, live: live) { [chain] event in
      if case .removed = event.step { chain.set(.keepsObjects) }
    }
    #expect(half.failures.count == 1 && half.failures[0].contains("is still there"))
    let copies = try notes(of: begun).copies
    #expect(try notes(of: begun) == Set([.begun, .live] + copies))
    chain.set(.none)
    #expect(chained.finish(begun, live: live, watch: { _ in }).isRecorded)
    let confirmed = try FakeCacheChain.layers.map { try PurgeNote.cache($0, after: copies) }
    #expect(
      try notes(of: begun) == Set([.begun, .live, .done(naming: copies)] + copies + confirmed))
  }

  /// Two nodes of one cache have the same settings.
  @Test func notesNoCacheOfWhichANodeFailed() throws {
    var purge = chained
    let nodes = CacheLayer(.nginx, settings: ["nodes": ["http://edge", "http://other"]])
    purge.layers = [FakeCacheChain.layers[0], nodes, nodes]
    let (begun, live) = try begin(purge)
    _ = purge.finish(begun, live: live) { [chain] event in
      if case .removed = event.step { chain.set(.otherDown) }
    }
    let copies = try notes(of: begun).copies
    let shield = try PurgeNote.cache(FakeCacheChain.layers[0], after: copies)
    #expect(try notes(of: begun) == Set([.begun, .live, shield] + copies))
  }

  /// Objects stay until every cache is told of config, so that no cache has confirmed the purge.
  @Test func notesNoCacheBeforeObjectsAreRemoved() throws {
    let (begun, live) = try begin(chained)
    chain.set(.otherDown)
    #expect(chained.finish(begun, live: live, watch: { _ in }).removed == nil)
    #expect(try notes(of: begun) == [.begun, .live])
  }
  /// A purge that is killed while caches do not answer must be known once config is restored.
  @Test func notesThatItIsLiveBeforeCachesAreTold() throws {
    let target = MuteTarget(place.target, chain)
    let place = ChannelPlace(target)
    let send: CachePurge.Send = { [chain] request throws(HTTPFailure) in try chain.send(request) }
    var purge = Purge(
      place,
      caches: CachePurge(FakeCacheChain.caches, send: send, environment: clock.environment),
      site: PublicSite(FakeCacheChain.site, send: send, environment: clock.environment),
      times: Purge.Times(originTimeout: 1, app: 600, origin: 0, offline: 3_600),
      environment: clock.environment)
    purge.layers = FakeCacheChain.layers
    let begun = try purge.begin(
      PurgeOrder(.entries(["product/rose"]), reason: "A swear word"),
      after: try #require(try place.live()), through: place.publisher(run: "purge")
    ) { [chain] event in
      if case .published(let release) = event.step { chain.note(.saw(release: release)) }
    }
    #expect(target.eventsAtNotes == [[.saw(release: 2)]])
    #expect(try notes(of: begun) == [.begun])
    let outcome = purge.finish(
      begun, live: try #require(try place.live()), watch: { _ in })
    // The note is tried again, before any cache is told.
    #expect(target.eventsAtNotes == [[.saw(release: 2)], [.saw(release: 2)]])
    let events = chain.events
    for cache in ["shield", "edge", "other"] {
      #expect(events.contains(.forgot(cache: cache, key: "production/config.plist")), "\(cache)")
    }
    #expect(outcome.failures == [] && outcome.isRecorded)
    #expect(chain.copies(holding: "Swear word") == [])
  }

  /// A target that does not answer when the note `live` is written.
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
      guard key.hasPrefix("production/purges/"), key.hasSuffix("/live") else {
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
    let layers = [CacheLayer(.cloudflare)]
    let purge = purge([SequentialCDN(cdn)], in: layers) { [chain] request throws(HTTPFailure) in
      request.url.hasPrefix("https://api.cloudflare.com")
        ? try fake.send(request) : try chain.send(request)
    }
    let (short, live) = try begin(purge)
    var begun = short.begun
    // Config is read from the target, as from a cache without a copy.
    begun.objects += (0..<1_600).map { number in
      ReleaseObject(
        digest: Digest(of: Array("\(number)".utf8)), fileExtension: "plist", size: 1)
    }
    let long = KnownPurge(listed: short.listed, begun: begun)
    let outcome = purge.finish(long, live: live, watch: { _ in })
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
    let purge = purge(
      [fastly], in: [CacheLayer(.fastly)], send: send, originTimeout: 1)
    let (begun, live) = try begin(purge)
    #expect(purge.finish(begun, live: live, watch: { _ in }).isRecorded)
    #expect((4_000..<6_000).contains(clock.milliseconds))
  }
}

extension PurgeNote {
  fileprivate var isDone: Bool { if case .done = self { true } else { false } }
}
