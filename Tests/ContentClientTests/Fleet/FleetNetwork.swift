import ContentClientTesting
import ContentModel

@testable import ContentClient

/// The network of a device, whose requests reach the server of a fleet.
///
/// A class, since client and device share the counts.
final class FleetNetwork: ContentTransport {
  private struct Counts: Sendable {
    var checks: [UInt32] = []
    var requests = 0
    var bytes: [Int]
    var objectBytes = 0
    var lastLoss = 0.0
  }

  private let site: FleetSite
  /// The times without a network.
  private let offline: [Range<Double>]
  private let clock: FleetClock
  private let seed: UInt64
  private let counts: Locked<Counts>

  /// The share of requests without a whole answer.
  private static let losses = 0.003

  init(site: FleetSite, offline: [Range<Double>], clock: FleetClock, seed: UInt64) {
    (self.site, self.offline, self.clock, self.seed) = (site, offline, clock, seed)
    counts = Locked(Counts(bytes: Array(repeating: 0, count: site.eras.count)))
  }

  /// The seconds at which config requests arrived at the server.
  var checks: [UInt32] { counts.withLock { $0.checks } }
  /// The number of requests that arrived at the server.
  var requests: Int { counts.withLock { $0.requests } }
  /// The bytes of all answers while each release was published.
  var bytes: [Int] { counts.withLock { $0.bytes } }
  /// The bytes of all objects.
  var objectBytes: Int { counts.withLock { $0.objectBytes } }
  /// The time of the last request that was lost on the way.
  var lastLoss: Double { counts.withLock { $0.lastLoss } }

  /// `false` while the device has no network.
  var isConnected: Bool { !offline.contains { $0.contains(clock.seconds) } }

  func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    guard isConnected else { throw .unreachable }
    let time = clock.seconds
    if isLost(request, at: time) {
      counts.withLock { $0.lastLoss = time }
      throw .interrupted
    }
    let answer = try site.answer(request, at: time)
    counts.withLock { counts in
      counts.requests += 1
      counts.bytes[site.index(at: time)] += answer.body.count
      if request.url.hasSuffix("config.plist") {
        counts.checks.append(UInt32(time))
      } else {
        counts.objectBytes += answer.body.count
      }
    }
    progress(answer.body.count)
    return answer
  }

  /// Decides on a loss by time and address, since several requests may be on their way at once.
  private func isLost(_ request: ContentRequest, at time: Double) -> Bool {
    let sum = request.url.utf8.reduce(seed ^ time.bitPattern) { $0 &* 0x100_0000_01B3 ^ UInt64($1) }
    return SeededRandom(seed: sum).fraction() < Self.losses
  }
}
