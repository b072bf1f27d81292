import ContentCaches
import ContentClient
import ContentModel
import ContentReleases
import ContentTargets
import Synchronization
import SystemC
import TestReaders
import TestServers
import Testing

/// The bound that `contentc staleness` prints, for the client that apps use, on real caches with
/// lifetimes of seconds.
@Suite struct StalenessTests {
  private static let corrections = 50
  private static let lifetimes = StalenessBound.Lifetimes(
    edge: .seconds(2), staleWhileRevalidate: .seconds(1), staleIfError: .minutes(1),
    app: .seconds(1))

  let scratch: ScratchFolder
  let target: FolderTarget

  init() throws {
    scratch = try ScratchFolder(inMemory: true)
    target = FolderTarget(scratch.path)
  }

  @Test(
    "is at least half reached, and never exceeded",
    arguments: [
      [ServerName.varnish], [.nginx], [.trafficserver], [.varnish, .nginx], [.varnish, .varnish],
      [.nginx, .nginx],
    ])
  func staysWithinTheBound(caches: [ServerName]) async throws {
    var servers = [try DeliveryServer(.nginx, root: scratch.path, change: Self.shorten)]
    for name in caches {
      servers.append(
        try DeliveryServer(name, upstream: servers[servers.count - 1].port, change: Self.shorten))
    }
    let (shield, edge) = (servers[1], servers[servers.count - 1])
    let bound = StalenessBound(
      Self.lifetimes, caches: caches.compactMap(\.cache).map { CacheLayer($0) })
    let project = Shop.project("ttl: {app: \(Self.lifetimes.app.seconds)s}")
    let releases = try ["Rose", "Red rose"].map { title in
      let rose = "title: \(title)\n"
      return try Shop(["content.yaml": project, "entries/product/rose.yaml": rose]).content()
    }
    let worst = Mutex((staleness: 0.0, onTheWay: 0.0))
    try await Threads.run(Self.corrections) { [target] number in
      let place = ChannelPlace(target: target, channel: "c\(number)", app: "shop")
      let app = try CorrectedApp(number, of: edge, besides: shield, at: place, releases)
      let seen = try app.staleness()
      worst.withLock { worst in
        worst = (max(worst.staleness, seen.staleness), max(worst.onTheWay, seen.onTheWay))
      }
    }
    let limit = Double(bound.correction.seconds)
    let (staleness, onTheWay) = worst.withLock { $0 }
    // Each layer and the app may wait for one slow answer on a busy machine.
    let allowed = limit + Double(caches.count + 1) * onTheWay
    #expect(onTheWay < 1, "the machine is too busy for this measurement")
    #expect(staleness <= allowed, "\(caches): \(staleness) s, bound \(limit) s")
    #expect(staleness >= limit / 2, "\(caches): \(staleness) s, bound \(limit) s")
  }

  private static func shorten(_ settings: inout ServerSettings) {
    settings.lifetimes = ServerSettings.Lifetimes(
      app: lifetimes.app.seconds, edge: lifetimes.edge.seconds,
      staleWhileRevalidate: lifetimes.staleWhileRevalidate.seconds,
      staleIfError: lifetimes.staleIfError.seconds,
      originTimeout: 5)
  }
}

/// An app in the foreground with a channel of its own, to which a correction is published meanwhile.
private struct CorrectedApp {
  private let client: ContentClient
  private let transport = TimedTransport()
  private let place: ChannelPlace
  private let correction: ReleaseContent
  /// The cache next to the origin.
  ///
  /// Other readers use it directly, because it would otherwise stay in step with the edge.
  private let shield: DeliveryServer
  private let number: Int

  /// Publishes the first of two releases, and creates the app.
  init(
    _ number: Int, of edge: DeliveryServer, besides shield: DeliveryServer, at place: ChannelPlace,
    _ releases: [ReleaseContent]
  ) throws {
    (self.number, self.shield, self.place) = (number, shield, place)
    correction = releases[1]
    try Self.publish(releases[0], to: place)
    var configuration = ContentConfiguration(
      url: edge.address, app: place.app, channel: place.channel)
    configuration.context = ReaderContext(locales: ["en"])
    configuration.eager = ["catalog"]
    configuration.transport = transport
    client = try ContentClient(configuration)
  }

  private static func publish(_ content: ReleaseContent, to place: ChannelPlace) throws {
    _ = try Shop().publisher(of: place).publish { _ in Draft(content: content) }
  }

  /// Returns how long the app shows the old content, and the longest delay of an answer.
  func staleness() throws -> (staleness: Double, onTheWay: Double) {
    var random = Sequence(seed: UInt64(number))
    client.start()
    defer { client.stop() }
    // Later than any lifetime of the first answer, and at a random point of a cache's lifetime.
    let moment = Self.now + 4 + random.next() * 6
    while Self.now < moment { try readElsewhere(for: min(random.next(), moment - Self.now)) }
    #expect(client.snapshot.release == 1, "\(client.state)")
    try Self.publish(correction, to: place)
    let corrected = Self.now
    while Self.now < corrected + 60 {
      // Other readers continue, and the app's screen is looked at a hundred times a second.
      let pause = Self.now + random.next()
      while Self.now < pause {
        if client.snapshot.release == 2 {
          #expect(client.snapshot.entry("product/rose", in: "catalog")?["title"] == "Red rose")
          return (Self.now - corrected, transport.longest)
        }
        usleep(10_000)
      }
      try readElsewhere(for: 0)
    }
    throw Problem("c\(number) is old for ever")
  }

  /// Waits, and reads config from the cache next to the origin.
  private func readElsewhere(for seconds: Double) throws {
    if seconds > 0 { usleep(UInt32(seconds * 1e6)) }
    _ = try Response(to: "/c\(number)/config.plist", [:], on: shield.port)
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Numbers from 0 to 1 that are the same in each run (xorshift).
  private struct Sequence {
    private var state: UInt64
    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }
    mutating func next() -> Double {
      for _ in 0..<3 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
      }
      return Double(state >> 11) / Double(UInt64(1) << 53)
    }
  }
}

/// The system's transport, which notes the longest delay of an answer.
///
/// A class, since client and test share the time.
private final class TimedTransport: ContentTransport {
  private let system = SystemTransport()
  private let delay = Mutex(Duration.zero)

  /// The longest delay in seconds.
  var longest: Double { delay.withLock { $0 / .seconds(1) } }

  func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    let start = ContinuousClock.now
    defer { delay.withLock { $0 = max($0, ContinuousClock.now - start) } }
    return try await system.send(request, progress: progress)
  }
}
