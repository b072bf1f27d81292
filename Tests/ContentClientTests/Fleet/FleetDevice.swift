import ContentClientTesting
import ContentModel

@testable import ContentClient

/// A device of a fleet for the whole simulation: its app's processes, network and clock.
///
/// Clients do not know of each other, so each is simulated alone, and the checks of all are added.
struct FleetDevice {
  private let site: FleetSite
  private let random: SeededRandom
  private let clock = FleetClock()
  private let storage = MemoryStorage()
  private let network: FleetNetwork
  /// The times without a connection, also those of the server, sorted.
  private let gaps: [Range<Double>]
  private var visits: [Visit] = []

  private(set) var figures = FleetFigures()
  /// The time up to which the age of the content is known.
  private var seen = 0.0
  /// The time since which the app runs and can reach the server.
  private var reachableSince = 0.0
  /// The release that is shown; `nil` without content.
  private var shown: Int?
  /// The snapshot that a screen holds since the release before.
  private var held: ContentSnapshot?
  /// The pushes that are still to come.
  private var pushes: ArraySlice<FleetSite.Event> = []

  /// A time in the foreground.
  private struct Visit {
    var times: Range<Double>
    /// `true` if the process before was killed.
    var isNewProcess: Bool
  }

  /// Decides on the device's life.
  ///
  /// Every eighth device is a sign in a shop window, which always runs.
  init(_ number: Int, of site: FleetSite, seed: UInt64) {
    self.site = site
    random = SeededRandom(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    let offline = Self.spans(
      mean: 1_200, gap: 8 * 3600, from: 4 * 3600 * random.fraction(), to: site.seconds, random)
    network = FleetNetwork(
      site: site, offline: offline, clock: clock, seed: seed &+ UInt64(number))
    gaps = (offline + site.outages.map(\.times)).sorted { $0.lowerBound < $1.lowerBound }
    let isSign = number % 8 == 0
    let times = Self.spans(
      mean: isSign ? 6 * 3600 : 900, gap: isSign ? 30 : 6_000,
      from: (isSign ? 600 : 6_900) * random.fraction(), to: site.seconds, random)
    for span in times {
      let isNew = isSign || random.fraction() < 0.3
      visits.append(Visit(times: span, isNewProcess: isNew || visits.isEmpty))
    }
    // A third has a wrong time of day.
    if random.fraction() < 0.3 { clock.set(wrongBy: 4 * 86_400 * (random.fraction() - 0.5)) }
  }

  /// The times in the foreground.
  var sessions: [Range<Double>] { visits.map(\.times) }

  /// The seconds of all checks that arrived at the server.
  var checks: [UInt32] { network.checks }

  /// Returns spans of random lengths, with random gaps.
  private static func spans(
    mean: Double, gap: Double, from first: Double, to end: Double, _ random: SeededRandom
  ) -> [Range<Double>] {
    var spans: [Range<Double>] = []
    var time = first
    while time < end {
      let start = FleetClock.rounded(time)
      let last = min(end, FleetClock.rounded(start + 1 + 2 * mean * random.fraction()))
      spans.append(start..<max(start, last))
      time = last + 1 + 2 * gap * random.fraction()
    }
    return spans
  }

  // MARK: The life

  /// Simulates the device from the beginning to the end.
  mutating func live() async throws {
    var app: App?
    for visit in visits {
      clock.advance(to: visit.times.lowerBound)
      if visit.isNewProcess { app = nil }
      pushes = site.events.filter { $0.kind == .push && $0.time >= clock.seconds }[...]
      (seen, reachableSince) = (clock.seconds, clock.seconds)
      while clock.seconds < visit.times.upperBound {
        let process = try app ?? opened()
        app = try await run(process, until: visit.times.upperBound) ? process : nil
        if app == nil {
          // The person opens the app again after a crash.
          clock.advance(to: clock.seconds + 5)
          (seen, reachableSince) = (clock.seconds, clock.seconds)
        }
      }
    }
    figures.requests = network.requests
  }

  /// A process of the app.
  private struct App {
    var client: ContentClient
    var configuration: ContentConfiguration
    var storage: EndingStorage
  }

  /// Opens the app; every fifth process is killed at a write.
  private mutating func opened() throws -> App {
    if random.fraction() < 0.1 { clock.restart() }
    if random.fraction() < 0.1 { clock.set(wrongBy: 86_400 * (random.fraction() - 0.5)) }
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.context = ReaderContext(locales: ["en"])
    (configuration.clock, configuration.random) = (clock, random)
    configuration.transport = network
    let writes = random.fraction() < 0.2 ? Int(60 * random.fraction()) : .max
    let ending = EndingStorage(storage, after: writes)
    let client = try ContentClient(configuration, storage: ending)
    figures.processes += 1
    (held, shown) = (nil, nil)
    verifyPromises(of: client)
    return App(client: client, configuration: configuration, storage: ending)
  }

  /// Lets the client check when the scheduler says so; returns `false` if the process was killed.
  private mutating func run(_ app: App, until end: Double) async throws -> Bool {
    let client = app.client
    let scheduler = Scheduler(
      client.refresher, presenter: client.presenter, configuration: app.configuration
    ) { _ in nil }
    var steps = 0
    while true {
      let next = await scheduler.next()
      let due = clock.end(ofWait: next.seconds)
      steps = due == clock.seconds ? steps + 1 : 0
      if steps > Self.mostSteps {
        figures.spins += 1
        clock.advance(to: clock.seconds + 60)
      }
      if let push = pushes.first, push.time + Self.pushWait < due, push.time < end {
        pushes.removeFirst()
        clock.advance(to: push.time)
        let payload = PushPayload(channel: "production", release: push.release)
        if network.isConnected { _ = await client.check(after: payload, within: Self.pushWait) }
      } else {
        guard due < end else { break }
        clock.advance(to: due)
        switch next.kind {
        case .check(let reason): _ = await client.refresh(reason).outcome
        case .time: client.presenter.announceTime()
        }
      }
      await client.refresher.tidying?.value
      verifyPromises(of: client)
      if app.storage.hasEnded { return false }
    }
    clock.advance(to: end)
    pass(to: end)
    return true
  }

  /// The most steps at one moment: a client that takes more would use the processor for ever.
  private static let mostSteps = 10
  /// The most seconds after a push until the check.
  private static let pushWait = 3.0

  // MARK: The promises

  /// Compares what the client shows now with the promises, if that changed.
  private mutating func verifyPromises(of client: ContentClient) {
    pass(to: clock.seconds)
    reachableSince = max(reachableSince, network.lastLoss)
    let release = client.presenter.release?.number
    if release == shown { return }
    shown = release
    let snapshot = client.presenter.snapshot
    let titles = ["product/rose", "product/iris"].map {
      snapshot.entry($0, in: "catalog")?["title"]?.text
    }
    let title = site.eras.first { $0.release == release }?.title
    if !titles.allSatisfy({ $0 == title }) { figures.mixed += 1 }
    for purge in site.purges where purge.release <= release ?? 0 {
      if [held, snapshot].contains(where: { $0?.entry(purge.entry) != nil }) {
        figures.unpurged += 1
      }
    }
    held = snapshot
  }

  /// Measures the age of the shown content up to a moment, while the server can be reached.
  private mutating func pass(to time: Double) {
    for gap in gaps where gap.upperBound > seen && gap.lowerBound < time {
      measure(at: gap.lowerBound)
      reachableSince = max(reachableSince, gap.upperBound)
    }
    measure(at: time)
    seen = max(seen, time)
  }

  private mutating func measure(at time: Double) {
    guard let end = site.end(of: shown ?? 0) else { return }
    figures.oldest = max(figures.oldest, time - max(end, reachableSince))
  }
}
