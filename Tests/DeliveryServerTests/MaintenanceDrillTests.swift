import ContentCaches
import ContentClient
import ContentClientTesting
import ContentModel
import ContentPurging
import ContentReleases
import ContentTargets
import HTTPTransport
import PropertyLists
import SiteFormat
import Synchronization
import System
import SystemC
import TestReaders
import TestServers
import Testing

/// Switches maintenance on and off while readers send requests: in config, and in HAProxy before the
/// origin.
@Suite(.needsServers) struct MaintenanceDrillTests {
  private static let languages = [
    ("en", "Down"), ("fr-CA, en;q=0.5", "Panne (Canada)"), ("zh-TW", "維護"),
  ]

  /// The readers who get the next content of the rollout: the app only.
  private static let rollout: Rollout = {
    var rollout = Rollout(name: "r2", below: 0, release: Rollout.beginning)
    rollout.testers = [Rollout.number(of: App.unit, in: rollout.name)]
    return rollout
  }()

  let scratch: ScratchFolder
  let place: ChannelPlace

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    place = ChannelPlace(target: FolderTarget(scratch.path), channel: "qa", app: "shop")
    try Shop().publish(to: place)
  }

  /// Gives the app a French title of its own.
  private func beginRollout() throws {
    let shop = Shop(["entries/product/rose.fr.yaml": "title: La rosette\n"])
    let draft = Draft(content: try shop.content())
    _ = try shop.publisher(of: place, run: "rollout").publish { [place] live in
      try draft.beginning(Self.rollout, after: #require(live), of: place)
    }
  }

  @Test(arguments: [false, true])
  func answersEveryReaderDuringMaintenance(isRollingOut: Bool) async throws {
    if isRollingOut { try beginRollout() }
    let origin = try DeliveryServer(.nginx, root: scratch.path)
    let balancer = try DeliveryServer(.haproxy, upstream: origin.port)
    let chain = try DeliveryChain(before: balancer)
    let log = Mutex<[Seen]>([])
    let isOver = Mutex(false)
    // During the phase `switching`, both answers are valid, so the test ignores them.
    let phase = Mutex(Phase.up)
    let app = try App(chain.edge, title: isRollingOut ? "La rosette" : "La rose")
    try await Threads.run(Self.languages.count * 2 + 1) { number in
      if number == 0 {
        defer { isOver.withLock { $0 = true } }
        try await drill(chain, balancer, phase, app)
        return
      }
      let (language, title) = Self.languages[number % Self.languages.count]
      let encoding = number > Self.languages.count ? "gzip" : "identity"
      while !isOver.withLock({ $0 }) {
        let before = phase.withLock { $0 }
        let answer = try chain.get(
          "/qa/config.plist", ["Accept-Language": language, "Accept-Encoding": encoding])
        let after = phase.withLock { $0 }
        if before == after {
          log.withLock { $0.append(Seen(phase: before, title: title, answer: answer)) }
        }
        usleep(2_000)
      }
    }
    let seen = log.withLock { $0 }
    for phase in [Phase.up, .announced, .down, .upAgain] {
      let answers = seen.filter { $0.phase == phase }
      #expect(answers.count > 20)
      let problems = answers.compactMap(\.problem)
      #expect(
        problems.isEmpty, "\(phase): \(problems.count) of \(answers.count): \(problems.prefix(3))")
    }
    // Readers saw maintenance in config and as status 503.
    let down = seen.filter { $0.phase == .down }
    #expect(
      down.contains { $0.answer.status == 503 }
        && seen.contains { $0.phase == .announced && $0.isInMaintenance })
  }

  private func drill(
    _ chain: DeliveryChain, _ balancer: DeliveryServer, _ phase: borrowing Mutex<Phase>, _ app: App
  ) async throws {
    func enter(_ next: Phase) {
      phase.withLock { $0 = next }
      if next != .switching { usleep(400_000) }
    }
    enter(.up)
    #expect(try await !app.isInMaintenance())
    enter(.switching)
    try publish(MaintenanceSwitch(isActive: true, retryAfter: 2))
    try announce(chain)
    enter(.announced)
    #expect(try await app.isInMaintenance())
    enter(.switching)
    try balancer.setMaintenance(true)
    enter(.down)
    // Without config, as after a purge or a start, the caches must ask the balancer.
    #expect(try chain.shield.send("PURGE", "/qa/config.plist").status == 200)
    for encoding in ["gzip", "identity"] {
      #expect(
        try chain.edge.send("GET", "/_purge/qa/config.plist", ["Accept-Encoding": encoding]).status
          < 500)
    }
    enter(.down)
    #expect(try await app.isInMaintenance())
    enter(.switching)
    try balancer.setMaintenance(false)
    try publish(.off)
    try announce(chain)
    enter(.upAgain)
    // The app sends no request before the balancer's `Retry-After` ends.
    #expect(try await app.isInMaintenance())
    app.clock.advance(by: 301)
    #expect(try await !app.isInMaintenance())
  }

  /// Publishes the live content again with a new maintenance switch.
  private func publish(_ maintenance: MaintenanceSwitch) throws {
    _ = try Shop().publisher(of: place, run: "\(UInt64.random(in: .min ... .max))").publish {
      [target = place.target] live in
      Draft(content: try #require(live).content(at: target), maintenance: maintenance)
    }
  }

  /// Announces the live release in the same steps as `contentc maintenance`.
  private func announce(_ chain: DeliveryChain) throws {
    let client = HTTPClient()
    let send: CachePurge.Send = { request throws(HTTPFailure) in try client.send(request) }
    let live = try #require(try place.live())
    let outcome = ConfigAnnouncement(
      place,
      caches: CachePurge(
        [
          VarnishCDN(CacheNodes([chain.shield.address]), hasKeys: true),
          PerVariantCDN.nginx(CacheNodes([chain.edge.address])),
        ], send: send, environment: .system),
      site: PublicSite(chain.edge.address, send: send, environment: .system), environment: .system
    ).run(
      release: live.record.identity, format: .binary,
      times: ConfigAnnouncement.Times(cacheDeadline: 10, verification: 5, originTimeout: 1))
    #expect(outcome.failures == [] && outcome.problem == nil)
  }

  private enum Phase: Sendable {
    case up, announced, down, upAgain, switching
  }

  /// An answer whose request and response belong to the same phase.
  private struct Seen: Sendable {
    var phase: Phase
    var title: String
    var answer: Response

    var isInMaintenance: Bool { switches == [true] }

    /// Whether maintenance is on for readers of config: for each side of a rollout.
    private var switches: Set<Bool> {
      guard answer.status == 200, let config = try? PropertyList.decode(answer.body).value.members
      else { return [] }
      return Set(
        [config, config.nextSide].compactMap(\.self).map {
          MaintenanceSwitch($0["maintenance"]).isActive
        })
    }

    /// What is wrong with the answer; `nil` if nothing is.
    var problem: String? {
      if answer.status == 200 {
        if switches != [phase == .announced || phase == .down] {
          return "the wrong maintenance state"
        }
        return answer["Cache-Control"] == "public, max-age=60" ? nil : "the wrong Cache-Control"
      }
      guard answer.status == 503, phase == .down else { return "status \(answer.status)" }
      let isRight =
        answer["Retry-After"] == "300" && answer["Cache-Control"] == "no-store"
        && answer.text == "{\"title\":\"\(title)\"}"
      return isRight
        ? nil : "a 503 of \(answer.text), \(answer["Cache-Control"] ?? "no Cache-Control")"
    }
  }
}

/// An app whose clock only the test advances.
private struct App: Sendable {
  static let unit = "app"

  let clock = ManualClock()
  private let client: ContentClient
  /// The title of the rose that the app must show.
  private let title: String

  init(_ edge: DeliveryServer, title: String) throws {
    self.title = title
    var configuration = ContentConfiguration(url: edge.address, app: "shop", channel: "qa")
    configuration.context = ReaderContext(locales: ["fr"])
    configuration.eager = ["catalog"]
    configuration.clock = clock
    configuration.unit = Self.unit
    client = try ContentClient(configuration)
  }

  /// Refreshes the app, and returns whether it shows maintenance instead of content.
  func isInMaintenance() async throws -> Bool {
    _ = await client.refresh(.launch).outcome
    switch client.state {
    case .maintenance: return true
    case .content:
      #expect(client.snapshot.entry("product/rose", in: "catalog")?["title"] == .string(title))
      return false
    default: throw Problem("\(client.state)")
    }
  }
}
