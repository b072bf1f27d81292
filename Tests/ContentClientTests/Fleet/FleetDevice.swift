import ContentClientTesting
import ContentModel
import SiteFormat

@testable import ContentClient

/// A device of a fleet for the whole simulation: its app's processes, network and clock.
///
/// Clients do not know of each other, so each is simulated alone, and the checks of all are added.
struct FleetDevice {
  private let site: FleetSite
  /// The app's own name for the reader; `nil` for one who takes no part in rollouts.
  private let unit: String?
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
  private var shown: Shown?
  /// The rollout whose next side was shown last, and the newest release on that side.
  private var joined: (name: String, release: Int)?
  /// The snapshot that a screen holds since the release before.
  private var held: ContentSnapshot?
  /// The pushes that are still to come.
  private var pushes: ArraySlice<FleetSite.Event> = []

  /// A release on one side.
  private struct Shown: Hashable {
    var release: Int
    var isNext: Bool
    /// The bytes of objects that the device had loaded when the release appeared; `nil` if it was shown
    /// from the start of the process.
    var objectBytes: Int?
  }

  /// A time in the foreground.
  private struct Visit {
    var times: Range<Double>
    /// `true` if the process before was killed.
    var isNewProcess: Bool
  }

  /// Decides on the device's life.
  ///
  /// Every eighth device is a sign in a shop window, which always runs. Every tenth has no unit.
  init(_ number: Int, of site: FleetSite, seed: UInt64) {
    self.site = site
    unit = number % 10 == 9 ? nil : "device-\(number)"
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
    (figures.requests, figures.bytes) = (network.requests, network.bytes)
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
    (configuration.transport, configuration.unit) = (network, unit)
    let writes = random.fraction() < 0.2 ? Int(60 * random.fraction()) : .max
    let ending = EndingStorage(storage, after: writes)
    let client = try ContentClient(configuration, storage: ending)
    figures.processes += 1
    (held, shown) = (nil, nil)
    verifyPromises(of: client, isOpening: true)
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
  private mutating func verifyPromises(of client: ContentClient, isOpening: Bool = false) {
    pass(to: clock.seconds)
    reachableSince = max(reachableSince, network.lastLoss)
    let release = client.presenter.release
    if release?.number == shown?.release, release?.config.isNext == shown?.isNext { return }
    let former = shown
    shown = release.map {
      Shown(
        release: $0.number, isNext: $0.config.isNext,
        objectBytes: isOpening ? nil : network.objectBytes)
    }
    let snapshot = client.presenter.snapshot
    verifySide(of: snapshot, after: former)
    for purge in site.purges where purge.release <= snapshot.release {
      if [held, snapshot].contains(where: { $0?.entry(purge.entry) != nil }) {
        figures.unpurged += 1
      }
    }
    held = snapshot
  }

  /// Compares the side and the content of a snapshot with those of its release for the reader.
  private mutating func verifySide(of snapshot: ContentSnapshot, after former: Shown?) {
    guard let index = site.index(of: snapshot.release) else { return }
    let (era, isNext) = (site.eras[index], snapshot.rollout != nil)
    let titles = ["product/rose", "product/iris"].map {
      snapshot.entry($0, in: "catalog")?["title"]?.text
    }
    if !titles.allSatisfy({ $0 == era.title(isNext: isNext) }) { figures.mixed += 1 }
    if !snapshot.rollout.hasSameBytes(as: era.side(of: unit)) { figures.misplaced += 1 }
    if let joined, joined.name == era.next?.rollout.name, joined.release <= era.release, !isNext {
      figures.returned += 1
    }
    if let name = snapshot.rollout {
      figures.rolledOut += 1
      joined = (name, era.release)
    }
    // An opening may show a release whose texts for maintenance are still missing.
    guard let former, let bytes = former.objectBytes, index > 0, era.change != .purge,
      site.eras[index - 1].release == former.release,
      site.eras[index - 1].title(isNext: former.isNext) == era.title(isNext: isNext)
    else { return }
    figures.reloaded += network.objectBytes - bytes
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
    guard let end = site.end(of: shown?.release ?? 0) else { return }
    let age = time - max(end, reachableSince)
    if shown?.isNext == true {
      figures.oldest.next = max(figures.oldest.next, age)
    } else {
      figures.oldest.stable = max(figures.oldest.stable, age)
    }
  }
}
