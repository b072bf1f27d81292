/// The promises that clients of a fleet broke, and their requests.
struct FleetFigures: Sendable {
  var processes = 0
  /// The requests that arrived at the server.
  var requests = 0
  /// The bytes of all answers while each release was published.
  var bytes: [Int] = []
  /// The longest time for which a running client that could reach the server showed an older release, on
  /// the stable side and on the next side of a rollout.
  var oldest = (stable: 0.0, next: 0.0)
  /// The number of releases that devices showed on the next side of a rollout.
  var rolledOut = 0
  /// The number of releases that were shown on the wrong side of a rollout.
  var misplaced = 0
  /// The number of times that a reader left the next side during a rollout.
  var returned = 0
  /// The bytes of objects that clients loaded although a release had the same content for their readers
  /// as the one before.
  var reloaded = 0
  /// The number of snapshots that were not those of one release.
  var mixed = 0
  /// The number of snapshots that showed purged entries.
  var unpurged = 0
  /// The number of times that a client did not let time pass.
  var spins = 0

  mutating func add(_ other: FleetFigures) {
    processes += other.processes
    requests += other.requests
    bytes = bytes.isEmpty ? other.bytes : zip(bytes, other.bytes).map(+)
    oldest.stable = max(oldest.stable, other.oldest.stable)
    oldest.next = max(oldest.next, other.oldest.next)
    rolledOut += other.rolledOut
    misplaced += other.misplaced
    returned += other.returned
    reloaded += other.reloaded
    mixed += other.mixed
    unpurged += other.unpurged
    spins += other.spins
  }
}

/// The checks of all clients of a fleet that arrived at the server.
struct FleetLoad: Sendable {
  private let site: FleetSite
  /// The checks of each second.
  private var seconds: [Int]
  /// The devices in the foreground at each event.
  private var running: [Int]

  init(_ site: FleetSite) {
    self.site = site
    seconds = Array(repeating: 0, count: Int(site.seconds) + 60)
    running = Array(repeating: 0, count: site.events.count)
  }

  mutating func add(_ device: FleetDevice) {
    for second in device.checks { seconds[Int(second)] += 1 }
    for (place, event) in site.events.enumerated()
    where device.sessions.contains(where: { $0.contains(event.time) }) {
      running[place] += 1
    }
  }

  mutating func add(_ other: FleetLoad) {
    for place in seconds.indices { seconds[place] += other.seconds[place] }
    for place in running.indices { running[place] += other.running[place] }
  }

  var checks: Int { seconds.reduce(0, +) }

  /// The checks of the busiest second in the minute after each event of a kind, and the number of
  /// devices in the foreground.
  func peaks(after kind: FleetSite.Event.Kind) -> [(checks: Int, running: Int)] {
    site.events.indices.filter { site.events[$0].kind == kind }.map { place in
      let start = Int(site.events[place].time)
      return (seconds[start..<(start + 60)].max() ?? 0, running[place])
    }
  }

  /// The checks of each minute in which nothing asks for more of them: apart from outages,
  /// maintenance, and the minute after an event.
  var quietMinutes: [(minute: Int, checks: Int)] {
    let afterEvents = site.events.map { $0.time..<($0.time + 60) }
    let busy = site.outages.map(\.times) + site.maintenance + afterEvents
    return minutes(where: { minute in !busy.contains { $0.overlaps(minute) } })
  }

  /// The checks of each minute of maintenance after all clients know of it.
  var maintenanceMinutes: [(minute: Int, checks: Int)] {
    let known = site.maintenance.map {
      ($0.lowerBound + 600)..<max($0.lowerBound + 600, $0.upperBound - 300)
    }
    return minutes(where: { minute in known.contains { $0.contains(minute.lowerBound) } })
  }

  /// The checks of each minute of an outage in which the server answers.
  var outageMinutes: [(minute: Int, checks: Int)] {
    let outages = site.outages.filter(\.isAnswered)
    return minutes(where: { minute in outages.contains { $0.times.overlaps(minute) } })
  }

  private func minutes(where condition: (Range<Double>) -> Bool) -> [(minute: Int, checks: Int)] {
    // The first apps start in the first minutes.
    (20..<Int(site.seconds) / 60).compactMap { (minute: Int) -> (minute: Int, checks: Int)? in
      let span = (minute * 60)..<(minute * 60 + 60)
      guard condition(Double(span.lowerBound)..<Double(span.upperBound)) else { return nil }
      return (minute, seconds[span].reduce(0, +))
    }
  }
}
