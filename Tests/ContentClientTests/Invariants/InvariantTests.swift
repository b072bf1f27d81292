import ContentClientTesting
import TestServers
import Testing

@testable import ContentClient

/// What a client may never show, and what may never disappear from it, after each of thousands of
/// random steps.
///
/// `docs/reference/client.md` lists the invariants. `CONTENTC_INVARIANTS` is another number of steps, and
/// `CONTENTC_INVARIANTS_SEED` the first device of a plain channel, to repeat a failure.
@Suite(.timeLimit(.minutes(60 * 24))) struct InvariantTests {
  private static let steps = Drill.count("CONTENTC_INVARIANTS", usual: 10_000, nightly: 200_000)
  /// The steps of a device, which begins with an empty storage.
  private static let stepsOfADevice = 250

  @Test(arguments: [false, true])
  func nothingWrongAppearsAndNothingDisappears(isSigned: Bool) async throws {
    var counts = InvariantCounts()
    let first = Drill.count("CONTENTC_INVARIANTS_SEED", usual: 1, nightly: 1)
    var seed = UInt64(first + (isSigned ? 1_000_000 : 0))
    while counts.steps < Self.steps / 2 {
      defer { seed += 1 }
      var run = try InvariantRun(seed: seed, isSigned: isSigned)
      for _ in 0..<Self.stepsOfADevice { try await run.step() }
      try await run.finish()
      counts.add(run.counts)
    }
    print("invariants of a \(isSigned ? "signed" : "plain") channel: \(counts)")
    // Otherwise, the steps show nothing.
    guard counts.steps >= 5_000 else { return }
    #expect(counts.switches > counts.steps / 20 && counts.failures > counts.steps / 20)
    #expect(counts.kept > 0 && counts.hidden > 0 && counts.ended > 0)
    #expect(counts.rolledOut > counts.steps / 20)
    // About three releases are avoided in 10,000 steps.
    #expect(counts.avoided > 0 || counts.steps < 50_000)
  }
}

/// What happened in the steps.
struct InvariantCounts: CustomStringConvertible {
  var (steps, switches, failures, restarts, avoided) = (0, 0, 0, 0, 0)
  /// The checks of a release whose purged bundles were kept, of hidden entries, and after the end of
  /// all lifetimes.
  var (kept, hidden, ended) = (0, 0, 0)
  /// The checks of entries that must be shown.
  var shown = 0
  /// The checks of the next side of a rollout, and of a reader who has left it.
  var (rolledOut, left) = (0, 0)

  mutating func add(_ other: InvariantCounts) {
    for count in [
      \Self.steps, \.switches, \.failures, \.restarts, \.avoided, \.kept, \.hidden, \.ended,
      \.shown, \.rolledOut, \.left,
    ] {
      self[keyPath: count] += other[keyPath: count]
    }
  }

  var description: String {
    "\(steps) steps, \(switches) switches, \(failures) failures, \(restarts) restarts, \(avoided) "
      + "releases avoided; \(shown) entries had to be shown, \(hidden) to be hidden; \(kept) checks "
      + "of kept bundles, \(ended) of content whose lifetimes had ended, \(rolledOut) of next sides, "
      + "\(left) after a reader left a rollout"
  }
}
