import ContentClientTesting
import ContentModel
import ContentPurging
import ContentTargets
import PropertyLists
import SiteFormat
import SystemC
import TestReaders
import TestServers
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Attacks in a random order between honest answers, each run by a seed.
///
/// `CONTENTC_ATTACKS=200` makes as many runs.
@Suite(.timeLimit(.minutes(30))) struct RandomAttackTests {
  private static let runs = Drill.count("CONTENTC_ATTACKS", usual: 12, nightly: 200)

  @Test func noOrderOfAttacksLowersFloorsOrMixesReleases() async throws {
    let history = try History()
    var counts = Run.Counts()
    for seed in 1...UInt64(max(1, Self.runs)) {
      var run = try Run(seed: seed, history: history)
      try await run.attack(steps: 40)
      try await run.recover()
      counts.add(run.counts)
    }
    print("random attacks: \(counts)")
    // Otherwise, the runs show nothing.
    #expect(counts.refused > counts.steps / 10 && counts.switched > Self.runs)
  }

  /// The releases that the publisher makes, in order; one purges an entry.
  struct History: Sendable {
    struct Release: Sendable {
      var config: [UInt8]
      var number: Int
      /// The titles of rose and iris; `nil` for a purged entry.
      var titles: [String?]
      var files: [String: [UInt8]]
    }

    private(set) var releases: [Release] = []
    /// The bytes of all objects that ever were at the target.
    private(set) var allFiles: [String: [UInt8]] = [:]

    init() throws {
      let scene = try ClientScene()
      try add(scene, ["Rose", "Iris"])
      for number in 2...6 {
        let titles = ["Rose \(number)", "Iris \(number)"]
        try scene.publish([
          "entries/product/rose.yaml": "title: \(titles[0])\n",
          "entries/product/iris.yaml": "title: \(titles[1])\n",
        ])
        try add(scene, titles)
      }
      try scene.place.purge(PurgeOrder(.entries(["product/rose"]), reason: "A swear word"))
      try add(scene, [nil, "Iris 6"])
      // The last one is published after the attacks.
      try Shop([
        "entries/product/rose.yaml": "title: Last rose\n",
        "entries/product/iris.yaml": "title: Last iris\n",
      ]).publish(to: scene.place, unpurged: ["product/rose"])
      try add(scene, ["Last rose", "Last iris"])
    }

    private mutating func add(_ scene: ClientScene, _ titles: [String?]) throws {
      var files: [String: [UInt8]] = [:]
      for file in scene.memory.list(below: "objects/") {
        files[file.key] = scene.memory.read(file.key)?.bytes
      }
      allFiles.merge(files) { $1 }
      // Gaps leave room for forged releases between two of the publisher's.
      let number = 10 * (releases.count + 1)
      releases.append(
        Release(
          config: try scene.config { $0["release"] = .integer(Int64(number)) }, number: number,
          titles: titles, files: files))
    }

    /// Returns whether titles are those of a release up to a number, without purged ones.
    func contains(_ titles: [String?], upTo number: Int) -> Bool {
      releases.contains { release in
        release.number <= number
          && zip(release.titles, titles).allSatisfy { $1 == nil || $0 == $1 }
      }
    }
  }
}

extension RandomAttackTests {
  /// One run: a channel, one or two processes that share a folder, and an attacker.
  struct Run {
    struct Counts: CustomStringConvertible {
      var (steps, refused, switched, restarts) = (0, 0, 0, 0)

      mutating func add(_ other: Counts) {
        steps += other.steps
        refused += other.refused
        switched += other.switched
        restarts += other.restarts
      }

      var description: String {
        "\(steps) steps, \(refused) refusals, \(switched) switches, \(restarts) restarts"
      }
    }

    private let seed: UInt64
    private let history: History
    private let random: SeededRandom
    private let scene: ClientScene
    private var clients: [ContentClient] = []
    /// The place of the release that is published now.
    private var live = 0
    private var floors = Floors()
    private(set) var counts = Counts()
    /// The releases that the processes show; none after damage, which may make earlier ones appear.
    private var shown: [Int] = []
    private var steps: [String] = []

    /// The values that an attack must not lower.
    private struct Floors: Hashable {
      var (release, purge, minimum, hidden) = (0, 0, 0, 0)

      init() {}

      init(_ state: StoredState) {
        (release, purge) = (state.highestRelease, state.purgeSequence)
        (minimum, hidden) = (state.minimumRelease, state.hidden.count)
      }

      func isAtLeast(_ other: Floors) -> Bool {
        release >= other.release && purge >= other.purge && minimum >= other.minimum
          && hidden >= other.hidden
      }
    }

    init(seed: UInt64, history: History) throws {
      (self.seed, self.history) = (seed, history)
      random = SeededRandom(seed: seed)
      scene = try ClientScene()
      serve(.honest)
      clients = [try open(), try open()]
    }

    private func open() throws -> ContentClient {
      var configuration = scene.configuration(storing: true)
      configuration.random = SeededRandom(seed: UInt64(number(below: 1 << 30)))
      return try ContentClient(configuration)
    }

    private func number(below end: Int) -> Int { Int(random.fraction() * Double(end)) }

    // MARK: Steps

    mutating func attack(steps count: Int) async throws {
      for _ in 0..<count {
        let place = number(below: clients.count)
        if random.fraction() < 0.15, live + 2 < history.releases.count { live += 1 }
        if random.fraction() < 0.1 { try restart(place) }
        if random.fraction() < 0.1 { try damageTheFolder() }
        let attacks = Attack.allCases
        let attack = random.fraction() < 0.3 ? .honest : attacks[number(below: attacks.count)]
        steps.append("\(attack) to \(place) at release \(history.releases[live].number)")
        serve(attack)
        let outcome = await scene.end(clients[place].refresh(.launch))
        counts.steps += 1
        if outcome.failure != nil { counts.refused += 1 }
        if outcome.isUpdated { counts.switched += 1 }
        try await check()
        // Forty steps take less than the 48 hours after which a lower release counts.
        scene.clock.advance(by: 600 + 3_000 * random.fraction())
      }
    }

    private mutating func restart(_ place: Int) throws {
      counts.restarts += 1
      steps.append("restart of \(place)")
      if random.fraction() < 0.2 { scene.clock.restart() }
      clients[place] = try open()
    }

    /// Alters, cuts or removes an object between two starts of all processes.
    private mutating func damageTheFolder() throws {
      let objects = scene.storage.objects()
      guard !objects.isEmpty else { return }
      steps.append("damage")
      let path = "\(scene.store)/\(objects[number(below: objects.count)].object.path)"
      if var bytes = FolderFile.contents(path, limit: 1 << 20), !bytes.isEmpty {
        switch number(below: 3) {
        case 0: unlink(path)
        case 1: bytes.removeLast()
        default: bytes[number(below: bytes.count)] ^= 1
        }
        if access(path, F_OK) == 0 {
          try FolderFile.replace(path, with: bytes, isDurable: false)
        }
      }
      for place in clients.indices { try restart(place) }
      shown = []
    }

    /// Expects the floors and whole releases in all processes.
    private mutating func check() async throws {
      let trace = "seed \(seed): \(steps.suffix(6))"
      if let state = try scene.storage.state() {
        let new = Floors(state)
        #expect(new.isAtLeast(floors), "\(trace): \(floors) became \(new)")
        floors = new
      }
      for client in clients {
        let knowsPurge = await client.refresher.state.purgeSequence > 0
        let snapshot = client.snapshot
        let titles = ["product/rose", "product/iris"].map {
          snapshot.entry($0, in: "catalog")?["title"]?.text
        }
        guard snapshot.release > 0, titles != [nil, nil] else { continue }
        #expect(
          history.contains(titles, upTo: history.releases[live].number), "\(trace): \(titles)")
        // A process that knows the purge shows the rose of no release before it.
        if knowsPurge, titles[0] != nil {
          #expect(titles == history.releases.last?.titles, "\(trace): a purged entry is shown")
        }
        // No run is about releases that end the app.
        await client.endTrial()
      }
      let now = clients.map(\.snapshot.release)
      #expect(
        zip(now, shown).allSatisfy { $0 >= $1 }, "\(trace): \(shown) became \(now)")
      shown = now
    }

    /// Expects that honest answers win, in all processes and after another start.
    mutating func recover() async throws {
      live = history.releases.count - 1
      let last = history.releases[live]
      serve(.honest)
      for client in clients + [try open()] {
        // An attacker may ask for an hour of silence at most.
        scene.clock.advance(by: 3_700)
        for _ in 0..<3 where client.snapshot.release != last.number {
          _ = await scene.end(client.refresh(.launch))
          scene.clock.advance(by: 700)
        }
        #expect(client.snapshot.release == last.number, "seed \(seed): \(steps.suffix(12))")
        #expect(client.state == .content)
        let titles = ["product/rose", "product/iris"].map { client.title($0)?.text }
        #expect(zip(titles, last.titles).allSatisfy { $0 == $1 }, "seed \(seed): \(titles)")
      }
    }
  }
}

// MARK: The attacker

extension RandomAttackTests.Run {
  /// The answers to the requests of one refresh.
  enum Attack: CaseIterable, Sendable {
    case honest
    /// Another release's config: 16, 22, 29.
    case older
    /// The live release with another config: 17.
    case equivocal
    /// A release between this one and the next, with an earlier purge: 20.
    case purgeTakenBack
    case otherApp, otherChannel
    /// A config that withdraws itself.
    case withdrawn
    /// A release that no later one reaches: 56.
    case farAbove
    /// Another object's bytes: 31, 32.
    case otherObjects
    case alteredObjects, longObjects, cutObjects, cutConfig
    case missingObjects
    case portal, error, silence, redirection
    /// `Retry-After` of ten years: 53.
    case tenYears
    /// 304 to any request: 28.
    case notModified
  }

  private func serve(_ attack: Attack) {
    let live = history.releases[live]
    let earlier = history.releases[number(below: self.live + 1)]
    let share = random.fraction()
    let others = history.allFiles.keys.sorted().compactMap { history.allFiles[$0] }
    let other = others[number(below: others.count)]
    let forged = try? Self.forged(attack, live: live, share: share)
    scene.transport.answer { request throws(TransportFailure) in
      let key = String(request.url.dropFirst("https://shop.example/".count))
      let isConfig = key.hasSuffix("config.plist")
      let honest =
        isConfig
        ? ContentResponse(status: 200, headers: [("ETag", "\"\(live.number)\"")], body: live.config)
        : live.files[key].map { ContentResponse(status: 200, body: $0) }
          ?? ContentResponse(status: 404)
      let body = honest.body
      switch attack {
      case .honest:
        return isConfig && request.entityTag == "\"\(live.number)\""
          ? ContentResponse(status: 304) : honest
      case .older where isConfig: return ContentResponse(status: 200, body: earlier.config)
      case .otherObjects where !isConfig: return ContentResponse(status: 200, body: other)
      case .alteredObjects where !isConfig && !body.isEmpty:
        var altered = body
        altered[Int(share * Double(body.count))] ^= 1
        return ContentResponse(status: 200, body: altered)
      case .longObjects where !isConfig: return ContentResponse(status: 200, body: body + [0])
      case .cutObjects where !isConfig, .cutConfig where isConfig:
        return ContentResponse(
          status: 200, body: Array(body.prefix(Int(share * Double(body.count)))))
      case .missingObjects where !isConfig:
        return ContentResponse(status: share < 0.5 ? 404 : 410)
      case .portal: return ContentResponse(status: 200, body: Array("<html></html>".utf8))
      case .error: return ContentResponse(status: share < 0.5 ? 500 : 403)
      case .silence: throw share < 0.5 ? .timedOut : .interrupted
      case .redirection:
        return ContentResponse(status: 302, headers: [("Location", "https://evil.example/\(key)")])
      case .tenYears:
        return ContentResponse(status: 503, headers: [("Retry-After", "315360000")])
      case .notModified: return ContentResponse(status: 304)
      default:
        guard isConfig, let forged else { return honest }
        return ContentResponse(status: 200, headers: [("ETag", "\"forged\"")], body: forged)
      }
    }
  }

  /// Returns a config that was never published.
  private static func forged(
    _ attack: Attack, live: RandomAttackTests.History.Release, share: Double
  ) throws -> [UInt8]? {
    var members = try #require(try PropertyList.decode(live.config).value.members)
    switch attack {
    case .equivocal: members["ttl"] = 601
    case .purgeTakenBack:
      members["release"] = .integer(Int64(live.number + 1 + Int(share * 8)))
      members["purge"] = ["sequence": 0, "minimumRelease": 0, "objects": [], "entries": []]
    case .otherApp: members["app"] = "other"
    case .otherChannel: members["channel"] = "other"
    case .withdrawn:
      members["purge"] = [
        "sequence": 99, "minimumRelease": .integer(Int64(live.number + 1)), "objects": [],
        "entries": [],
      ]
    case .farAbove:
      let numbers: [Int64] = [2_000_000, 1 << 53, .max]
      members["release"] = .integer(numbers[Int(share * Double(numbers.count))])
    default: return nil
    }
    return try PropertyList.encode(.dictionary(members), as: .binary)
  }
}
