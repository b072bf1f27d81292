import ContentModel
import ContentSource
import TestServers
import Testing

@testable import ContentClient

/// Many clients for days, with releases, rollouts, purges, maintenance, outages, kills and wrong clocks.
///
/// Each client checks when its scheduler says so. Its own clock jumps from one check to the next.
/// `CONTENTC_FLEET=10000x7` simulates 10,000 clients for a week.
@Suite struct FleetTests {
  private static let size = Drill.setting("CONTENTC_FLEET", usual: "150x2", nightly: "1000x2")

  @Test func noClientIsTooOldAndAllSpreadTheirChecks() async throws {
    let size = Self.size.split(separator: "x").compactMap { Int($0) }
    try #require(size.count == 2, "CONTENTC_FLEET has the form CLIENTSxDAYS")
    let site = try FleetSite(days: size[1])
    let (figures, load) = try await run(size[0], of: site)
    print(report(figures, load, clients: size[0], days: size[1]))
    print(report(figures, of: site))

    // No cache is on the way.
    let bound = StalenessBound(
      .init(edge: .zero, staleWhileRevalidate: .zero, app: .seconds(600)), caches: [])
    #expect(figures.oldest.stable <= Double(bound.correction.seconds))
    #expect(figures.oldest.next <= Double(bound.correction.seconds))
    #expect(figures.rolledOut > 0 && figures.misplaced == 0 && figures.returned == 0, "\(figures)")
    #expect(figures.reloaded == 0, "\(figures)")
    #expect(figures.mixed == 0 && figures.unpurged == 0 && figures.spins == 0, "\(figures)")
    expectSpreadSeconds(of: load)
    expectSpreadMinutes(load.quietMinutes)
    expectSpreadMinutes(load.maintenanceMinutes)
    let quiet = load.quietMinutes.map(\.checks)
    expect(load.outageMinutes, atMost: FleetLimits.outageShare, ofQuiet: quiet)
    expect(load.maintenanceMinutes, atMost: FleetLimits.maintenanceShare, ofQuiet: quiet)
  }

  /// Expects that no minute has more checks than a multiple of the mean quiet one; in small fleets,
  /// what chance adds to four fifths of it.
  private func expect(
    _ minutes: [(minute: Int, checks: Int)], atMost times: Double, ofQuiet quiet: [Int],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let share = times / Double(quiet.count)
    let limit = FleetLimits.most(
      of: quiet.reduce(0, +), allowed: share, expected: 0.8 * share, counts: minutes.count)
    #expect(!minutes.isEmpty, sourceLocation: sourceLocation)
    for minute in minutes {
      #expect(
        minute.checks <= limit, "\(minute), at most \(limit)", sourceLocation: sourceLocation)
    }
  }

  /// Expects the contract's limits for the seconds after an event.
  private func expectSpreadSeconds(of load: FleetLoad) {
    for kind in [FleetSite.Event.Kind.changes, .end] {
      let peaks = load.peaks(after: kind)
      for peak in peaks {
        let limit = FleetLimits.most(
          of: peak.running, allowed: 0.03, expected: FleetLimits.secondShare,
          counts: 60 * peaks.count)
        #expect(peak.checks <= limit, "\(kind): \(peak), at most \(limit)")
      }
    }
    // A share is a limit for large fleets only.
    for peak in load.peaks(after: .push) where peak.running >= 100 {
      #expect(Double(peak.checks) <= 0.6 * Double(peak.running), "\(peak)")
    }
  }

  /// Expects that no minute has more than twice the checks of the mean one.
  private func expectSpreadMinutes(_ minutes: [(minute: Int, checks: Int)]) {
    let total = minutes.map(\.checks).reduce(0, +)
    guard total > 0 else { return }
    let share = 1 / Double(minutes.count)
    let limit = FleetLimits.most(
      of: total, allowed: 2 * share, expected: FleetLimits.minuteShare * share,
      counts: minutes.count)
    for minute in minutes {
      #expect(minute.checks <= limit, "\(minute), mean \(Double(total) * share)")
    }
  }

  @Test func limitsOfLargeFleetsAreThoseOfTheContract() {
    func most(_ clients: Int) -> Int {
      FleetLimits.most(
        of: clients, allowed: 0.03, expected: FleetLimits.secondShare, counts: 480)
    }
    #expect(most(4_000) == 120 && most(25_000) == 750)
    #expect(most(240) == 17, "the binomial distribution of 240 clients")
    // The quantiles of R's qbinom.
    #expect(FleetLimits.quantile(of: 10, share: 0.5, above: 0.06) == 7)
    #expect(FleetLimits.quantile(of: 100, share: 0.02, above: 0.05) == 5)
    #expect(FleetLimits.quantile(of: 10_000, share: 0.1, above: 1e-6) == 1_145)
  }

  /// Simulates the devices on two threads.
  private func run(
    _ count: Int, of site: FleetSite
  ) async throws -> (FleetFigures, FleetLoad) {
    try await withThrowingTaskGroup(of: (FleetFigures, FleetLoad).self) { group in
      for part in 0..<2 {
        group.addTask {
          var (figures, load) = (FleetFigures(), FleetLoad(site))
          for number in stride(from: part, to: count, by: 2) {
            var device = FleetDevice(number, of: site, seed: 1)
            try await device.live()
            figures.add(device.figures)
            load.add(device)
          }
          return (figures, load)
        }
      }
      var (figures, load) = (FleetFigures(), FleetLoad(site))
      for try await part in group {
        figures.add(part.0)
        load.add(part.1)
      }
      return (figures, load)
    }
  }

  private func report(
    _ figures: FleetFigures, _ load: FleetLoad, clients: Int, days: Int
  ) -> String {
    let quiet = load.quietMinutes
    let mean = Double(quiet.map(\.checks).reduce(0, +)) / Double(quiet.count)
    func times(_ minutes: [(minute: Int, checks: Int)]) -> String {
      guard let most = minutes.max(by: { $0.checks < $1.checks }) else { return "none" }
      let times = (Double(most.checks) / mean * 100).rounded() / 100
      return "\(times) × mean in minute \(most.minute)"
    }
    func share(_ kind: FleetSite.Event.Kind) -> String {
      let shares = load.peaks(after: kind).map {
        100 * Double($0.checks) / Double(max(1, $0.running))
      }
      return "\(((shares.max() ?? 0) * 100).rounded() / 100) %"
    }
    return """
      fleet: \(clients) clients, \(days) days, \(figures.processes) processes, \
      \(load.checks) checks, \(figures.requests) requests; oldest \(figures.oldest.stable) s, \
      on next sides \(figures.oldest.next) s; \
      busiest minute \(times(quiet)), \
      of maintenance \(times(load.maintenanceMinutes)), \
      of an outage \(times(load.outageMinutes)); busiest second after changes \(share(.changes)), \
      an outage \(share(.end)), a push \(share(.push)) of the running clients
      """
  }

  /// Returns the mean bytes of all answers while a release was published, by what it changed.
  private func report(_ figures: FleetFigures, of site: FleetSite) -> String {
    let means = FleetSite.Change.allCases.compactMap { change -> String? in
      let bytes = zip(site.eras, figures.bytes).filter { $0.0.change == change }.map(\.1)
      guard !bytes.isEmpty else { return nil }
      return "\(change) \(bytes.reduce(0, +) / bytes.count / 1_000)"
    }
    return "fleet: \(figures.rolledOut) releases shown on next sides; "
      + "mean kB of a release: \(means.joined(separator: ", "))"
  }
}
