import ContentClientTesting
import ContentModel
import ContentPurging
import ContentReleases
import TestReaders
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Many clients for days, which the scheduler's rules drive, without waiting.
///
/// Each client looks when its scheduler says so. The clock jumps from one look to the next.
@Suite struct FleetTests {
  /// The figures of a run.
  struct Figures {
    var looks = 0
    var requests = 0
    /// The longest time for which a client that was online showed an older release.
    var oldest = 0.0
    /// The looks of each minute outside the minute after an event.
    var minutes: [Int] = []

    var busiest: Double {
      let mean = Double(minutes.reduce(0, +)) / Double(max(1, minutes.count))
      return mean == 0 ? 0 : Double(minutes.max() ?? 0) / mean
    }
  }

  @Test func noClientIsOlderThanTheBound() async throws {
    let figures = try await run(clients: 200, hours: 3, seed: 1)
    // The config of the shop has a ttl of 600 s, and no cache is on the way.
    #expect(figures.oldest <= 600, "\(figures.oldest)")
    #expect(figures.busiest <= 2, "\(figures.busiest)")
    print(
      """
      fleet: \(figures.looks) looks, \(figures.requests) requests, oldest \(figures.oldest) s, \
      busiest minute \(figures.busiest) × mean
      """)
  }

  private func run(clients count: Int, hours: Int, seed: UInt64) async throws -> Figures {
    let scene = try ClientScene()
    let start = scene.clock.uptime.seconds
    var clients: [(client: ContentClient, scheduler: Scheduler, next: Double)] = []
    let random = SeededRandom(seed: seed)
    for number in 0..<count {
      var configuration = scene.configuration()
      configuration.random = SeededRandom(seed: seed &+ UInt64(number) &* 7919)
      let client = try ContentClient(configuration)
      // Apps start at random moments of the first ttl.
      let scheduler = Scheduler(
        client.refresher, presenter: client.presenter, configuration: configuration
      ) { _ in nil }
      clients.append((client, scheduler, start + 600 * random.fraction()))
    }
    var figures = Figures()
    figures.minutes = Array(repeating: 0, count: hours * 60)
    var release = 1
    var published = start
    let end = start + Double(hours) * 3600
    while let place = clients.indices.min(by: { clients[$0].next < clients[$1].next }),
      clients[place].next < end
    {
      let now = scene.clock.uptime.seconds
      // A release every hour.
      if clients[place].next > published + 3600 {
        scene.clock.advance(by: max(0, published + 3600 - now))
        release += 1
        published += 3600
        try scene.publish(["entries/product/rose.yaml": "title: Rose \(release)\n"])
        continue
      }
      scene.clock.advance(by: max(0, clients[place].next - now))
      let client = clients[place].client
      let before = client.snapshot.release
      _ = await client.refresh(.schedule).outcome
      let time = scene.clock.uptime.seconds
      if before > 0, client.snapshot.release > before {
        figures.oldest = max(figures.oldest, time - published)
      }
      figures.looks += 1
      let minute = Int((time - start) / 60)
      if minute >= 10, minute < figures.minutes.count { figures.minutes[minute] += 1 }
      clients[place].next = time + (await clients[place].scheduler.next().seconds)
    }
    figures.minutes.removeFirst(10)
    figures.requests = scene.transport.requests.count
    return figures
  }
}
