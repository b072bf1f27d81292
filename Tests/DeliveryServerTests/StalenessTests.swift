import ContentCaches
import ContentClient
import ContentClientTesting
import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import Synchronization
import TestReaders
import TestServers
import Testing

/// The bound that `contentc staleness` prints: the client that apps use, behind real caches with
/// lifetimes of seconds.
@Suite(.needsServers, .timeLimit(.minutes(5))) struct StalenessTests {
  private static let apps = 16
  private static let corrections = 3
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
    "the bound is at least half reached, and never exceeded",
    arguments: ServerKind.cachesOfLifetimes.map { [$0] } + [
      [.varnish, .nginx], [.varnish, .varnish], [.nginx, .nginx],
    ])
  func stalenessStaysWithinTheBound(caches: [ServerKind]) async throws {
    var servers = [try DeliveryServer(.nginx, root: scratch.path, change: Self.shorten)]
    for name in caches {
      servers.append(
        try DeliveryServer(name, upstream: servers[servers.count - 1].port, change: Self.shorten))
    }
    let (shield, edge) = (servers[1], servers[servers.count - 1])
    let bound = StalenessBound(
      Self.lifetimes, caches: caches.compactMap(\.cache).map { CacheLayer($0) })
    let publishers = Publishers(target: target)
    let delays = Task { await Self.longestDelay() }
    defer { delays.cancel() }
    let worst = try await withThrowingTaskGroup(of: CorrectedApp.Seen.self) { group in
      for number in 0..<Self.apps {
        // Publications block their threads, so they must not use those of the client's tasks.
        group.addTask(executorPreference: OwnThread("app \(number)")) {
          try await CorrectedApp(number, of: edge, besides: shield, through: publishers)
            .worst(of: Self.corrections)
        }
      }
      var worst = CorrectedApp.Seen()
      for try await seen in group { worst.merge(seen) }
      return worst
    }
    delays.cancel()
    let delay = await delays.value
    let limit = Double(bound.correction.seconds)
    // Each layer may wait for one slow answer on a busy machine, and the app for config, index and
    // bundle. The app may also wake late from one sleep.
    let allowed = limit + Double(caches.count + 3) * worst.onTheWay + delay
    #expect(
      worst.staleness <= limit || max(worst.onTheWay, delay) < 1,
      "the machine is too busy for this measurement: \(caches): \(worst), \(delay) s late")
    #expect(
      worst.staleness <= allowed, "\(caches): \(worst), bound \(limit) s, \(delay) s late")
    #expect(worst.staleness >= limit / 2, "\(caches): \(worst), bound \(limit) s")
  }

  /// Measures sleeps until its task is cancelled, and returns the longest delay in seconds.
  private static func longestDelay() async -> Double {
    let pause = 0.02
    var longest = 0.0
    while !Task.isCancelled {
      let start = ContinuousClock.now
      guard (try? await Task.sleep(for: .seconds(pause))) != nil else { break }
      longest = max(longest, (ContinuousClock.now - start) / .seconds(1) - pause)
    }
    return longest
  }

  private static func shorten(_ settings: inout ServerSettings) {
    settings.lifetimes = ServerSettings.Lifetimes(
      app: lifetimes.app.seconds, edge: lifetimes.edge.seconds,
      staleWhileRevalidate: lifetimes.staleWhileRevalidate.seconds,
      staleIfError: lifetimes.staleIfError.seconds,
      originTimeout: 5)
  }
}

/// The publishers of all channels, one after the other, since a folder has one lock.
private actor Publishers {
  private let target: FolderTarget

  init(target: FolderTarget) { self.target = target }

  /// Publishes the shop with a title, and a lifetime of a second for config.
  func publish(_ title: String, to channel: String) throws {
    let shop = Shop([
      "content.yaml": Shop.project("ttl: {app: 1s}"),
      "entries/product/rose.yaml": "title: \(title)\n",
    ])
    try shop.publish(
      to: ChannelPlace(target: target, channel: channel, app: "shop"), run: title)
  }
}

/// An app in the foreground that shows its own channel, which is corrected meanwhile.
private struct CorrectedApp {
  /// What an app saw at worst, in seconds.
  struct Seen: Sendable {
    /// The time for which it showed the old content.
    var staleness = 0.0
    /// The time of a request.
    var onTheWay = 0.0

    mutating func merge(_ other: Seen) {
      staleness = max(staleness, other.staleness)
      onTheWay = max(onTheWay, other.onTheWay)
    }
  }

  private let client: ContentClient
  private let transport = TimedTransport()
  private let channel: String
  private let publishers: Publishers
  /// The cache next to the origin.
  ///
  /// Other readers use it directly, because it would otherwise stay in step with the edge.
  private let shield: DeliveryServer
  private let random: SeededRandom

  init(
    _ number: Int, of edge: DeliveryServer, besides shield: DeliveryServer,
    through publishers: Publishers
  ) async throws {
    (self.shield, self.publishers) = (shield, publishers)
    (random, channel) = (SeededRandom(seed: UInt64(number)), "c\(number)")
    try await publishers.publish("Rose 0", to: channel)
    var configuration = ContentConfiguration(
      url: edge.address, app: "shop", channel: channel)
    (configuration.context, configuration.eager) = (ReaderContext(locales: ["en"]), ["catalog"])
    (configuration.storage, configuration.transport) = (.memory, transport)
    client = try ContentClient(configuration)
  }

  /// Corrects the content several times, while the app runs.
  func worst(of corrections: Int) async throws -> Seen {
    let updates = client.updates
    try await sleep(random.fraction())
    client.start()
    defer { client.stop() }
    let others = Task(executorPreference: OwnThread("others of \(channel)")) {
      [shield, channel, random] in
      while !Task.isCancelled {
        _ = try Response(to: "/\(channel)/config.plist", [:], on: shield.port)
        try await Task.sleep(for: .seconds(1 + random.fraction()))
      }
    }
    defer { others.cancel() }
    // Later than any lifetime of the first answer.
    try await sleep(4)
    var worst = Seen()
    for number in 1...corrections {
      // At a random point of a cache's lifetime.
      try await sleep(4 * random.fraction())
      try await publishers.publish("Rose \(number)", to: channel)
      let corrected = ContinuousClock.now
      for await update in updates
      where update.snapshot.entry("product/rose", in: "catalog")?["title"]?.text
        == "Rose \(number)"
      {
        break
      }
      worst.merge(Seen(staleness: (ContinuousClock.now - corrected) / .seconds(1)))
    }
    worst.onTheWay = transport.longest
    return worst
  }

  private func sleep(_ seconds: Double) async throws {
    try await Task.sleep(for: .seconds(seconds))
  }
}

/// The system's transport, which notes the longest time of a request.
///
/// A class, since client and app share it.
private final class TimedTransport: ContentTransport {
  private let system = SystemTransport()
  private let times = Mutex(0.0)

  /// The seconds of the longest request.
  var longest: Double { times.withLock { $0 } }

  func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    let start = ContinuousClock.now
    defer {
      let seconds = (ContinuousClock.now - start) / .seconds(1)
      times.withLock { $0 = max($0, seconds) }
    }
    return try await system.send(request, progress: progress)
  }
}
