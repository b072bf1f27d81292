import ContentCaches
import ContentModel
import ContentTargets
import Synchronization
import SystemC
import TestServers
import Testing

/// The bound that `contentc staleness` prints, on real caches with lifetimes of seconds.
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
  func staysWithinTheBound(caches: [ServerName]) throws {
    var servers = [try DeliveryServer(.nginx, root: scratch.path, change: Self.shorten)]
    for name in caches {
      servers.append(
        try DeliveryServer(name, upstream: servers[servers.count - 1].port, change: Self.shorten))
    }
    let (shield, edge) = (servers[1], servers[servers.count - 1])
    let bound = StalenessBound(
      Self.lifetimes, caches: caches.compactMap(\.cache).map { CacheLayer($0) })
    let worst = Mutex((staleness: 0.0, onTheWay: 0.0))
    try Threads.runBlocking(Self.corrections) { [target] number in
      var reader = try AppReader(
        number, of: edge.port, besides: shield.port, at: target, askingEvery: 1)
      let seen = try reader.staleness()
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

/// An app that polls its own channel, to which a correction is published meanwhile.
private struct AppReader {
  private let key: String
  private let port: UInt16
  /// The cache next to the origin.
  ///
  /// Other readers use it directly, because it would otherwise stay in step with the edge.
  private let shield: UInt16
  private let target: FolderTarget
  private let pause: Double
  /// The times of the first poll and of the correction.
  private let begin: Double
  private let correction: Double
  private var random: Sequence

  init(
    _ number: Int, of port: UInt16, besides shield: UInt16, at target: FolderTarget,
    askingEvery pause: Double
  ) throws {
    (self.port, self.shield, self.target, self.pause) = (port, shield, target, pause)
    key = "c\(number)/config.plist"
    random = Sequence(seed: UInt64(number))
    begin = Self.now + random.next() * pause
    // Later than any lifetime of the first answer, and at a random point of a cache's lifetime.
    correction = begin + 4 + random.next() * 6
    guard try target.replace(key, with: .config("release 1"), tagged: nil) else {
      throw Problem("\(key) is there")
    }
  }

  /// Returns how long the app shows the old content, and the longest delay of an answer.
  mutating func staleness() throws -> (staleness: Double, onTheWay: Double) {
    var (onTheWay, look, corrected) = (0.0, begin, Double?.none)
    while Self.now < correction + 60 {
      if corrected == nil, correction < look {
        Self.sleep(until: correction)
        let tag = try target.read(key)?.tag
        guard try target.replace(key, with: .config("release 2"), tagged: tag) else {
          throw Problem("\(key) was replaced")
        }
        corrected = Self.now
      }
      Self.sleep(until: look)
      let answer = try Response(to: "/\(key)", [:], on: port)
      let received = Self.now
      onTheWay = max(onTheWay, received - look)
      guard answer.status == 200, answer.isWhole else { throw Problem("\(key): \(answer.status)") }
      if answer.text == "release 2", let corrected { return (received - corrected, onTheWay) }
      look = received + pause
      Self.sleep(until: received + random.next() * pause)
      _ = try Response(to: "/\(key)", [:], on: shield)
    }
    throw Problem("\(key) is old for ever")
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  private static func sleep(until moment: Double) {
    let left = moment - now
    if left > 0 { usleep(UInt32(left * 1e6)) }
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
