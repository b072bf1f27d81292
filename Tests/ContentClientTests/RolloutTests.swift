import ContentClientTesting
import ContentModel
import PropertyLists
import SiteFormat
import SystemC
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// The groups of rollouts.
@Suite struct RolloutGroupTests {
  @Test func numbersAreThoseOfNimbus() {
    #expect(Rollout.number(of: "1234", in: "test_namespace") == 0x361b_64ba_3862)
    // Nimbus has numbers as units, too, whose text is another one.
    let digest = Digest(of: Array(#"[1234,"test_namespace"]"#.utf8))
    #expect(digest.hex.hasPrefix("2a6e18a86edc"))
  }

  /// The kinds of units that apps have.
  enum Kind: CaseIterable {
    case number, drawn, account, device

    func unit(_ place: Int, _ random: SeededRandom) -> String {
      switch self {
      case .number: "\(place)"
      case .drawn:
        (0..<32).map { _ in String(Int(random.fraction() * 16), radix: 16) }.joined()
      case .account: "user-\(place * 7)"
      case .device: "D.\(String(place * 2_654_435_761, radix: 36))"
      }
    }
  }

  /// χ² of 50,000 units in 100 groups has the mean 99 and exceeds 180 with a probability of 10⁻⁶.
  @Test(arguments: Kind.allCases) func groupsHaveEqualSizes(kind: Kind) {
    let (random, count) = (SeededRandom(seed: 1), 50_000)
    var sizes = [Int](repeating: 0, count: 100)
    for place in 0..<count {
      sizes[(Rollout.number(of: kind.unit(place, random), in: "r12") * 100) >> 48] += 1
    }
    #expect(chiSquared(sizes) < 180)
  }

  /// χ² of the four parts of 200 pairs of names has the mean 600 and the deviation 35.
  @Test func groupsOfTwoNamesAreIndependent() {
    let half = Rollout.everyone / 2
    let groups = (1...201).map { name in
      (0..<500).map { Rollout.number(of: "\($0)", in: "r\(name)") < half }
    }
    let sum = zip(groups, groups.dropFirst()).reduce(0.0) { sum, pair in
      var sizes = [0, 0, 0, 0]
      for (first, second) in zip(pair.0, pair.1) { sizes[(first ? 2 : 0) + (second ? 1 : 0)] += 1 }
      return sum + chiSquared(sizes)
    }
    #expect(sum < 775)
  }

  /// The sum of the squared deviations from equal sizes.
  private func chiSquared(_ sizes: [Int]) -> Double {
    let mean = Double(sizes.reduce(0, +)) / Double(sizes.count)
    return sizes.reduce(0) { $0 + (Double($1) - mean) * (Double($1) - mean) / mean }
  }

  @Test func theLimitsIncludeNobodyAndEverybody() {
    for place in 0..<100 {
      #expect(!Rollout(name: "r2", below: 0, release: 2).includes("\(place)"))
      #expect(Rollout(name: "r2", below: Rollout.everyone, release: 2).includes("\(place)"))
    }
    let number = Rollout.number(of: "tester", in: "r2")
    #expect(Rollout(name: "r2", below: 0, release: 2, testers: [number]).includes("tester"))
    #expect(!Rollout(name: "r2", below: number, release: 2).includes("tester"))
    #expect(Rollout(name: "r2", below: number + 1, release: 2).includes("tester"))
  }
}

/// The two sides of a config.
@Suite struct ConfigSideTests {
  private static let stable: Members = [
    "format": 1, "app": "shop", "channel": "production", "release": 7, "ttl": 600,
    "sourceLocale": "en", "locales": ["en": ["en"], "fr": ["fr", "en"]],
    "indexes": ["en": ["any": hash(1)], "fr": ["any": hash(2)]], "minimumApp": "1.0",
    "maintenance": ["active": false, "retryAfter": 60, "payloads": ["en": ["any": hash(3)]]],
    "purge": ["sequence": 4, "minimumRelease": 2, "objects": [], "entries": []],
  ]
  private static let next: Members = [
    "format": 1, "app": "shop", "channel": "production", "release": 8, "ttl": 300,
    "sourceLocale": "en", "locales": ["en": ["en"], "fr": ["fr", "en"], "de": ["de", "en"]],
    "indexes": ["de": ["any": hash(5)], "en": ["any": hash(4)], "fr": ["any": hash(2)]],
    "maintenance": ["active": true, "retryAfter": 30, "payloads": ["en": ["any": hash(6)]]],
    "purge": ["sequence": 9, "minimumRelease": 9, "objects": [], "entries": []],
  ]
  private static let rollout = Rollout(name: "r8", below: 1, release: 8)

  private static func hash(_ byte: UInt8) -> Value {
    .data([UInt8](repeating: byte, count: 32))
  }

  private func config(_ members: Members) throws -> SiteConfig {
    try SiteConfig(PropertyList.encode(.dictionary(members), as: .binary))
  }

  @Test func eachSideHasItsContentAndBothHaveTheBytes() throws {
    let stable = try config(Self.stable.rollingOut(Self.next, as: Self.rollout))
    let next = try #require(stable.nextSide)
    #expect(!stable.isNext && next.isNext && next.nextSide == nil)
    #expect(stable.rollout == Self.rollout && next.rollout == Self.rollout)
    #expect(next.bytes == stable.bytes && next.digest == stable.digest && next.release == 7)
    #expect(next.purge == stable.purge && next.purge.sequence == 4)
    #expect(!next.isSame(as: stable) && next.isSame(as: next))
    #expect(stable.locales == ["en", "fr"] && stable.ttl == 600)
    #expect(next.locales.sorted() == ["de", "en", "fr"] && next.ttl == 300)
    #expect(stable.minimumApp != nil && next.minimumApp == nil)
    #expect(!stable.maintenance.isActive && next.maintenance.isActive)
    #expect(next.maintenance.retryAfter == 30)
    let english = ServedContext(locale: "en", device: "any")
    #expect(stable.maintenancePayload(english) != next.maintenancePayload(english))
    #expect(stable.index(english) != next.index(english))
    let french = ServedContext(locale: "fr", device: "any")
    #expect(stable.index(french) == next.index(french))
    #expect(next.served(locales: ["de"], device: "any").locale == "de")
    #expect(stable.served(locales: ["de"], device: "any").locale == "en")
  }

  @Test func theFinishedContentHasTheIndexesOfTheNextSide() throws {
    let next = try #require(
      try config(Self.stable.rollingOut(Self.next, as: Self.rollout)).nextSide)
    let finished = try config(Self.next.merging(["release": 9, "purge": [:]]))
    #expect(next.content.indexes == finished.content.indexes)
    #expect(next.content != finished.content)
    let stable = try config(Self.stable)
    #expect(stable.content != finished.content)
    #expect(stable.content == (try config(Self.stable.merging(["release": 8]))).content)
  }

  /// One value of `next` that makes the rollout malformed; `nil` for a missing one.
  private static let malformed: [(key: String, value: Value?)] = [
    ("name", nil), ("name", ""), ("name", "R8"), ("name", "r_8"), ("name", 8),
    ("name", .string(String(repeating: "r", count: 65))),
    ("below", nil), ("below", -1), ("below", .integer(1 << 48 + 1)), ("below", "x"),
    ("below", .real(1)), ("release", nil), ("release", -1), ("release", "x"),
    ("testers", 5), ("testers", ["x"]), ("testers", [-1]),
    ("testers", [.integer(1 << 48)]), ("testers", [5, 5]),
    ("testers", .array((0...100).map(Value.integer))),
    ("without", "minimumApp"), ("without", [1]), ("indexes", []), ("indexes", ["en": "any"]),
  ]

  @Test(arguments: malformed.indices) func aMalformedRolloutCountsAsNone(place: Int) throws {
    let (key, value) = Self.malformed[place]
    var next: Members = ["name": "r8", "below": 1, "release": 8]
    next[key] = value
    var members = Self.stable
    members["next"] = .dictionary(next)
    let config = try config(members)
    #expect(config.rollout == nil && config.nextSide == nil, "\(next)")
    #expect(config.content == (try self.config(Self.stable)).content)
  }
}

extension Members {
  /// Returns the members with others in place of those of the same keys.
  fileprivate func merging(_ others: Members) -> Members {
    var merged = self
    for (key, value) in others { merged[key] = value }
    return merged
  }
}

/// A shop whose second release is rolled out, and readers of it.
private struct RolloutScene {
  let scene: ClientScene
  /// The configs of both contents.
  let (stable, next): (Members, Members)

  /// The unit of readers.
  static let unit = "reader-1"
  /// The number of that unit in the rollout `spring`.
  static let number = Rollout.number(of: unit, in: "spring")

  init() throws {
    scene = try ClientScene()
    let first = try Self.members(of: scene)
    try scene.publish(["entries/product/rose.yaml": "title: Next\n"])
    (stable, next) = (first, try Self.members(of: scene))
  }

  private static func members(of scene: ClientScene) throws -> Members {
    try #require(try PropertyList.decode(scene.config).value.members)
  }

  /// Returns a config of the stable content, and of a rollout if it has a limit.
  func config(_ release: Int64, below: Int? = nil, name: String = "spring") throws -> [UInt8] {
    var config = stable
    if let below {
      config = config.rollingOut(next, as: Rollout(name: name, below: below, release: 2))
    }
    config["release"] = .integer(release)
    return try PropertyList.encode(.dictionary(config), as: .binary)
  }

  /// Serves a release of the stable content, and a rollout if it has a limit.
  func serve(_ release: Int64, below: Int? = nil, name: String = "spring") throws {
    try scene.serve(config: config(release, below: below, name: name))
  }

  /// Serves a release whose stable content is the next one.
  func finish(as release: Int64) throws {
    var config = next
    config["release"] = .integer(release)
    try scene.serve(config: PropertyList.encode(.dictionary(config), as: .binary))
  }

  func client(_ unit: String? = Self.unit) throws -> ContentClient {
    var configuration = scene.configuration(storing: true)
    configuration.unit = unit
    return try ContentClient(configuration)
  }

  /// Makes a start in which the app shows a title and then ends, on trial.
  func start(_ title: Value, starts: Int) async throws {
    #expect(try client().title("product/rose") == title)
    #expect(try await scene.stores { $0.trial?.starts == starts })
  }
}

/// Readers of releases in steps.
@Suite(.signedAndUnsigned, .timeLimit(.minutes(10))) struct RolloutTests {
  private let rollouts: RolloutScene
  private var scene: ClientScene { rollouts.scene }

  init() throws { rollouts = try RolloutScene() }

  private func expect(
    _ title: Value, _ release: Int, _ rollout: String?, in client: ContentClient,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let snapshot = client.snapshot
    #expect(client.title("product/rose") == title, sourceLocation: sourceLocation)
    #expect(snapshot.release == release, sourceLocation: sourceLocation)
    #expect(snapshot.rollout.hasSameBytes(as: rollout), sourceLocation: sourceLocation)
  }

  @Test func readersFollowAStartAStepAnAbortAndAFinish() async throws {
    let client = try rollouts.client()
    func expectAlways(
      _ title: Value, _ release: Int, _ rollout: String?,
      sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      #expect(await client.refreshed().isUpdated, sourceLocation: sourceLocation)
      expect(title, release, rollout, in: client, sourceLocation: sourceLocation)
      // The next start shows the same side, without a request.
      expect(title, release, rollout, in: try rollouts.client(), sourceLocation: sourceLocation)
      #expect(await client.refreshed().isUnchanged, sourceLocation: sourceLocation)
    }
    try rollouts.serve(1)
    try await expectAlways("Rose", 1, nil)
    await client.endTrial()
    try rollouts.serve(2, below: RolloutScene.number)
    try await expectAlways("Rose", 2, nil)
    try rollouts.serve(3, below: RolloutScene.number + 1)
    try await expectAlways("Next", 3, "spring")
    await client.endTrial()
    try rollouts.serve(4, below: Rollout.everyone)
    try await expectAlways("Next", 4, "spring")
    #expect(try await scene.stores { $0.trial == nil && $0.previous?.release == 2 })
    try rollouts.serve(5)
    try await expectAlways("Rose", 5, nil)
    #expect(try await scene.stores { $0.previous == nil })
    await client.endTrial()
    try rollouts.serve(6, below: Rollout.everyone, name: "summer")
    try await expectAlways("Next", 6, "summer")
    await client.endTrial()
    try rollouts.finish(as: 7)
    try await expectAlways("Next", 7, nil)
    #expect(try await scene.stores { $0.trial == nil && $0.previous?.release == 5 })
  }

  @Test func readersOutsideTheGroupSeeTheStableSide() async throws {
    try rollouts.serve(1, below: RolloutScene.number)
    let client = try rollouts.client()
    #expect(await client.refreshed().isUpdated)
    expect("Rose", 1, nil, in: client)
    let memory = try ContentClient(scene.configuration())
    try rollouts.serve(2, below: Rollout.everyone)
    #expect(await memory.refreshed().isUpdated)
    expect("Rose", 2, nil, in: memory)
  }

  /// The content on the screen stays until the other side is whole.
  @Test func theOtherSideIsShownOnceItIsWhole() async throws {
    try rollouts.serve(1)
    let client = try rollouts.client()
    #expect(await client.refreshed().isUpdated)
    let config = try scene.sealed(rollouts.config(2, below: Rollout.everyone))
    scene.transport.answer { request in
      request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: config) : ContentResponse(status: 500)
    }
    #expect(await client.refreshed().failure?.kind == .server(status: 500))
    expect("Rose", 1, nil, in: client)
    expect("Rose", 1, nil, in: try rollouts.client())
    try rollouts.serve(2, below: Rollout.everyone)
    #expect(await client.refreshed().isUpdated)
    expect("Next", 2, "spring", in: client)
  }

  /// A reader without content sees the stable side while the site lacks objects of the next one.
  @Test func aNewReaderSeesTheStableSideUntilTheNextOneIsThere() async throws {
    let config = try rollouts.config(1, below: Rollout.everyone)
    let english = ServedContext(locale: "en", device: "any")
    let index = try #require(try SiteConfig(config).nextSide?.index(english)?.path)
    let sent = try scene.sealed(config)
    scene.transport.answer { [memory = scene.memory] request in
      if request.url.hasSuffix(index) { return ContentResponse(status: 404) }
      return request.url.hasSuffix("config.plist")
        ? ContentResponse(status: 200, body: sent) : ClientScene.answer(request, from: memory)
    }
    let client = try rollouts.client()
    let task = client.refresh(.context)
    for seconds in Refresher.missingObjectDelays {
      await scene.waitForSleepers(1)
      scene.clock.advance(by: seconds)
    }
    #expect(await task.outcome.isUpdated)
    expect("Rose", 1, nil, in: client)
    expect("Rose", 1, nil, in: try rollouts.client())
    try rollouts.serve(1, below: Rollout.everyone)
    #expect(await client.refreshed().isUpdated)
    expect("Next", 1, "spring", in: client)
  }

  /// The app may ship without the objects of the next side.
  @Test(arguments: [true, false]) func bakedContentIsOfTheSideThatIsWhole(isWhole: Bool)
    async throws
  {
    let bytes = try rollouts.config(2, below: Rollout.everyone)
    let folder = try scene.bake()
    try FolderFile.replace(
      "\(folder)/config.plist", with: try scene.sealed(bytes), isDurable: false)
    let next = try #require(try SiteConfig(bytes).nextSide)
    let index = try #require(next.index(.init(locale: "en", device: "any")))
    if !isWhole { unlink("\(folder)/\(index.path)") }
    var configuration = scene.configuration(storing: true)
    (configuration.baked, configuration.unit) = (folder, RolloutScene.unit)
    let client = try ContentClient(configuration)
    expect(isWhole ? "Next" : "Rose", 2, isWhole ? "spring" : nil, in: client)
    try rollouts.serve(2, below: Rollout.everyone)
    _ = await client.refreshed()
    expect("Next", 2, "spring", in: client)
    expect("Next", 2, "spring", in: try ContentClient(configuration))
  }

  /// With `.manual`, the other side waits as a newer release does.
  @Test func theOtherSideWaitsForItsActivation() async throws {
    var configuration = scene.configuration(storing: true)
    (configuration.activation, configuration.unit) = (.manual, RolloutScene.unit)
    let client = try ContentClient(configuration)
    try rollouts.serve(1)
    #expect(await client.refreshed().isUpdated)
    try rollouts.serve(2, below: Rollout.everyone)
    #expect(await client.refreshed().isUnchanged)
    expect("Rose", 1, nil, in: client)
    expect("Rose", 1, nil, in: try ContentClient(configuration))
    #expect(await client.activate().isUpdated)
    expect("Next", 2, "spring", in: client)
    expect("Next", 2, "spring", in: try ContentClient(configuration))
  }

  // MARK: Trials

  @Test func aTrialThatEndsOnTheNextSideLeavesTheRollout() async throws {
    try rollouts.serve(1)
    let first = try rollouts.client()
    #expect(await first.refreshed().isUpdated)
    _ = first.title("product/rose")
    await first.endTrial()
    try rollouts.serve(2, below: Rollout.everyone)
    #expect(await first.refreshed().isUpdated)
    expect("Next", 2, "spring", in: first)
    #expect(try await scene.stores { $0.trial?.starts == 1 })
    try await rollouts.start("Next", starts: 2)
    let third = try rollouts.client()
    let log = EventLog(third)
    expect("Rose", 2, nil, in: third)
    #expect(await log.has { $0 == .avoided(release: 2) })
    #expect(
      try await scene.stores {
        $0.leftRollout.hasSameBytes(as: "spring") && $0.avoided?.content?.isNext == true
          && $0.shown?.isNext == false
      })
    #expect(await third.refreshed().isUnchanged)
    await third.endTrial()
    // The reader stays out, also after a step and a new start.
    try rollouts.serve(3, below: Rollout.everyone)
    #expect(await third.refreshed().isUpdated)
    expect("Rose", 3, nil, in: third)
    expect("Rose", 3, nil, in: try rollouts.client())
    // The finish is a trial again.
    try rollouts.finish(as: 4)
    #expect(await third.refreshed().isUpdated)
    expect("Next", 4, nil, in: third)
    #expect(try await scene.stores { $0.trial == .init(release: 4, starts: 1) })
    try await rollouts.start("Next", starts: 2)
    let last = try rollouts.client()
    expect("Rose", 3, nil, in: last)
    #expect(await last.refreshed().isUnchanged)
  }

  /// Another rollout of the content that ended two starts finds the reader on the stable side.
  @Test func theAvoidedContentStaysAvoidedInAnotherRollout() async throws {
    try rollouts.serve(1)
    let first = try rollouts.client()
    #expect(await first.refreshed().isUpdated)
    try rollouts.serve(2, below: Rollout.everyone)
    #expect(await first.refreshed().isUpdated)
    try await rollouts.start("Next", starts: 1)
    try await rollouts.start("Next", starts: 2)
    let client = try rollouts.client()
    expect("Rose", 2, nil, in: client)
    try rollouts.serve(3, below: Rollout.everyone, name: "summer")
    #expect(await client.refreshed().isUpdated)
    expect("Rose", 3, nil, in: client)
  }

  /// Without other content, the reader keeps the next one until the stable one is loaded.
  @Test func aReaderWithoutOtherContentLoadsTheStableSide() async throws {
    try rollouts.serve(1, below: Rollout.everyone)
    #expect(await (try rollouts.client()).refreshed().isUpdated)
    try await rollouts.start("Next", starts: 1)
    try await rollouts.start("Next", starts: 2)
    let client = try rollouts.client()
    expect("Next", 1, "spring", in: client)
    #expect(await client.refreshed().isUpdated)
    expect("Rose", 1, nil, in: client)
    expect("Rose", 1, nil, in: try rollouts.client())
  }

  @Test func aNewNumberOfTheSameContentContinuesItsTrial() async throws {
    try rollouts.serve(1)
    let client = try rollouts.client()
    #expect(await client.refreshed().isUpdated)
    expect("Rose", 1, nil, in: client)
    #expect(try await scene.stores { $0.trial == .init(release: 1, starts: 1) })
    try rollouts.serve(2)
    #expect(await client.refreshed().isUpdated)
    #expect(try await scene.stores { $0.trial == .init(release: 2, starts: 1) })
    await client.endTrial()
    try rollouts.serve(3)
    #expect(await client.refreshed().isUpdated)
    #expect(try await scene.stores { $0.shown?.release == 3 && $0.trial == nil })
  }

  /// Loads release 1 and its successor, and starts the app once with the latter.
  private func startOnceWithFinishedContent() async throws {
    try rollouts.serve(1)
    let first = try rollouts.client()
    #expect(await first.refreshed().isUpdated)
    try rollouts.finish(as: 2)
    #expect(await first.refreshed().isUpdated)
    try await rollouts.start("Next", starts: 1)
  }

  @Test func aNewNumberOfTheAvoidedContentIsAvoided() async throws {
    try await startOnceWithFinishedContent()
    try await rollouts.start("Next", starts: 2)
    let client = try rollouts.client()
    expect("Rose", 1, nil, in: client)
    try rollouts.finish(as: 3)
    #expect(await client.refreshed().isUnchanged)
    expect("Rose", 1, nil, in: client)
    #expect(try await scene.stores { $0.avoided?.release == 3 })
    guard case .fresh = client.snapshot.freshness else {
      Issue.record("\(client.snapshot.freshness)")
      return
    }
    // After a later release, the content has another trial.
    try rollouts.serve(4)
    #expect(await client.refreshed().isUpdated)
    try rollouts.finish(as: 5)
    #expect(await client.refreshed().isUpdated)
    expect("Next", 5, nil, in: client)
    #expect(try await scene.stores { $0.trial == .init(release: 5, starts: 1) })
  }

  /// A new number of the content may have arrived before the second start ended.
  @Test func aReceivedNumberOfTheAvoidedContentIsAvoided() async throws {
    try await startOnceWithFinishedContent()
    var configuration = scene.configuration(storing: true)
    (configuration.activation, configuration.unit) = (.manual, RolloutScene.unit)
    let second = try ContentClient(configuration)
    expect("Next", 2, nil, in: second)
    #expect(try await scene.stores { $0.trial == .init(release: 2, starts: 2) })
    try rollouts.finish(as: 3)
    #expect(await second.refreshed().isUnchanged)
    expect("Next", 2, nil, in: second)
    let third = try rollouts.client()
    expect("Rose", 1, nil, in: third)
    #expect(await third.refreshed().isUnchanged)
    #expect(try await scene.stores { $0.avoided?.release == 3 })
  }

  // MARK: The state

  @Test func theStateContainsSidesAndAvoidedContent() throws {
    let config = try rollouts.config(2, below: 1)
    let next = try #require(try SiteConfig(config).nextSide)
    var state = StoredState(url: "https://shop.example", app: "shop", channel: "production")
    state.shown = .init(
      config: config, release: 2, generation: 0, reader: .init(locales: ["en"]), isNext: true)
    state.avoided = .init(release: 2, content: next.content)
    state.leftRollout = "spring"
    let read = try #require(StoredState(state.value))
    #expect(read.shown?.isSame(as: state.shown) == true && read.avoided == state.avoided)
    #expect(read.leftRollout.hasSameBytes(as: "spring"))
    #expect(read.shown?.siteConfig?.isSame(as: next) == true)
  }

  /// An earlier version stored the number of the avoided release alone.
  @Test func theStateOfAnEarlierVersionNamesAvoidedContentByItsNumber() throws {
    var state = StoredState(url: "https://shop.example", app: "shop", channel: "production")
    state.avoided = .init(release: 2)
    let other = try #require(StoredState(state.value))
    #expect(other.avoided == .init(release: 2))
    #expect(other.avoids(try SiteConfig(rollouts.config(2))))
    #expect(!other.avoids(try SiteConfig(rollouts.config(3))))
    state.config = try rollouts.config(2)
    let read = try #require(StoredState(state.value))
    #expect(read.avoids(try SiteConfig(rollouts.config(3))))
  }
}

/// The unit of a reader.
@Suite struct UnitTests {
  private let rollouts: RolloutScene
  private var scene: ClientScene { rollouts.scene }
  private var path: String { "\(scene.store)/unit" }

  init() throws { rollouts = try RolloutScene() }

  private var stored: String? {
    FolderFile.contents(path, limit: 100).map { String(decoding: $0, as: UTF8.self) }
  }

  private func isDrawn(_ unit: String) -> Bool {
    unit.utf8.count == 32 && unit.utf8.allSatisfy("0123456789abcdef".utf8.contains)
  }

  @Test func isDrawnOnceAtTheFirstRollout() async throws {
    try rollouts.serve(1)
    let client = try rollouts.client(nil)
    #expect(await client.refreshed().isUpdated)
    #expect(FolderFile.presence(path) == .absent)
    try rollouts.serve(2, below: Rollout.everyone)
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.rollout.hasSameBytes(as: "spring"))
    let unit = try #require(stored)
    #expect(isDrawn(unit))
    #expect((await client.unit).hasSameBytes(as: unit))
    // It outlives the state.
    unlink("\(scene.store)/state.plist")
    let next = try rollouts.client(nil)
    #expect((await next.unit).hasSameBytes(as: unit))
    // The first client may have stored its state once more.
    _ = await next.refreshed()
    #expect(next.snapshot.rollout.hasSameBytes(as: "spring") && stored.hasSameBytes(as: unit))
  }

  @Test func isDrawnForAnAppThatAsks() async throws {
    let (first, second) = (try rollouts.client(nil), try rollouts.client(nil))
    let unit = try #require(await first.unit)
    #expect(isDrawn(unit) && stored.hasSameBytes(as: unit))
    #expect((await second.unit).hasSameBytes(as: unit))
  }

  @Test(arguments: [
    "", "0123", "0123456789ABCDEF0123456789ABCDEF", "0123456789abcdef0123456789abcdef\n",
  ])
  func isDrawnAnewIfItIsDamaged(damaged: String) async throws {
    #expect(await (try rollouts.client(nil)).unit != nil)
    try FolderFile.replace(path, with: Array(damaged.utf8), isDurable: false)
    let unit = try #require(await (try rollouts.client(nil)).unit)
    #expect(isDrawn(unit) && stored.hasSameBytes(as: unit))
  }

  @Test func theAppsOwnUnitIsNotStored() async throws {
    try rollouts.serve(1, below: Rollout.everyone)
    let client = try rollouts.client()
    #expect(await client.refreshed().isUpdated)
    #expect((await client.unit).hasSameBytes(as: RolloutScene.unit))
    #expect(client.snapshot.rollout != nil && FolderFile.presence(path) == .absent)
  }

  @Test func nothingIsDrawnWithoutAFolder() async throws {
    #expect(await (try ContentClient(scene.configuration())).unit == nil)
    // A folder cannot be created below a file.
    try FolderFile.replace("\(scene.scratch.path)/file", with: [], isDurable: false)
    var configuration = scene.configuration()
    configuration.storage = .folder(path: "\(scene.scratch.path)/file/store")
    #expect(await (try ContentClient(configuration)).unit == nil)
  }

  @Test(arguments: ["", "a b", "ä", "a@b.c", String(repeating: "a", count: 65)])
  func anInvalidUnitIsRefused(unit: String) throws {
    let error = #expect(throws: ContentError.self) { try rollouts.client(unit) }
    #expect(error?.kind == .configuration)
  }

  /// The server sees no unit.
  @Test func isNotSent() async throws {
    try rollouts.serve(1, below: Rollout.everyone)
    let client = try rollouts.client()
    #expect(await client.refreshed().isUpdated)
    for request in scene.transport.requests {
      #expect(!"\(request)".contains(RolloutScene.unit))
    }
  }
}
