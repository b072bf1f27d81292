import ContentClientTesting
import ContentModel
import SiteFormat
import TestServers
import TestSigning
import Testing

@testable import ContentClient
@testable import TestDelivery

/// Attacks on a signed channel in a random order between honest answers, each run by a seed, to two
/// processes that share a folder.
///
/// `CONTENTC_ATTACKS=200` makes as many runs.
@Suite(.timeLimit(.minutes(30))) struct RandomSignedAttackTests {
  private static let runs = Drill.count("CONTENTC_ATTACKS", usual: 6, nightly: 200)

  @Test func floorsNeverFallButByARecovery() async throws {
    var (accepted, refused) = (0, 0)
    for seed in 1...UInt64(max(1, Self.runs)) {
      let counts = try await run(seed)
      accepted += counts.accepted
      refused += counts.refused
    }
    print("random attacks on signatures: \(accepted) answers accepted, \(refused) refused")
    // Otherwise, the runs show nothing.
    #expect(accepted > 10 * Self.runs && refused > 10 * Self.runs)
  }

  private func run(_ seed: UInt64) async throws -> (accepted: Int, refused: Int) {
    let scene = try SignedScene()
    var history = try SignedHistory(of: scene.publisher, seed: seed)
    let random = SeededRandom(seed: seed)
    var pinned = history.pinned
    var clients = try (0..<2).map { _ in try scene.client(pinning: pinned, storing: true) }
    var (accepted, refused, steps) = (0, 0, [String]())
    for _ in 0..<60 {
      let place = random.fraction() < 0.5 ? 0 : 1
      if random.fraction() < 0.1 {
        clients[place] = try scene.client(pinning: pinned, storing: true)
      }
      let bytes = try history.next()
      steps.append(history.step)
      if history.pinned != pinned {
        pinned = history.pinned
        clients = try (0..<2).map { _ in try scene.client(pinning: pinned, storing: true) }
      }
      let client = clients[place]
      let trace: Comment = "seed \(seed): \(steps.suffix(5))"
      await client.refresher.adoptOtherProcesses()
      let before = try #require(await client.trust)
      var model = before
      let verified = try? model.verify(
        bytes, of: "shop", channel: "production", at: scene.scene.clock.now)
      try scene.serve(bytes)
      let stored = await client.refresher.state.config
      let outcome = await client.refreshed()
      // A check that brings the stored config counts, even if the config has ended or later
      // documents refuse it.
      let isCheck = outcome.isUnchanged && Envelope.config(in: bytes) == stored
      #expect((outcome.failure == nil) == (verified != nil || isCheck), trace)
      if let verified {
        accepted += 1
        #expect(client.snapshot.release == verified.release.release, trace)
      } else {
        refused += 1
      }
      let after = try #require(await client.trust)
      #expect(after == model, trace)
      #expect(after.follows(before), trace)
      await client.endTrial()
      scene.scene.clock.advance(by: 60 + 3_000 * random.fraction())
    }
    let last = try history.recovered()
    try scene.serve(last.bytes)
    // The last recovery may be an update of the app.
    if history.pinned != pinned { clients = [] }
    for client in clients + [try scene.client(pinning: history.pinned, storing: true)] {
      #expect(await client.refreshed().failure == nil, "seed \(seed)")
      #expect(client.snapshot.release == last.release, "seed \(seed)")
      #expect(client.title("product/rose") == "Rose", "seed \(seed)")
    }
    return (accepted, refused)
  }
}
