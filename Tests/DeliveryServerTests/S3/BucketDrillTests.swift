import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// The drills of releases and purges at a real bucket.
@Suite(.needsServers) struct BucketDrillTests {
  private let server: SeaweedServer
  private let numbers = Counter()

  init() throws {
    server = try SeaweedServer()
    try server.makeBucket("flowers")
  }

  /// One test, because the server takes seconds to start.
  @Test func leavesReadersOneWholeReleaseAndLetsOnePublisherWin() throws {
    let points = try CrashDrill(makeTarget: { try newTarget() }, isShort: true).run()
    print("bucket: \(points) points tried, all held")
    #expect(points > 100)
    try RaceDrill(target: try newTarget()).run()
    var drill = RaceDrill(target: try newTarget(), hasRollouts: true)
    drill.rounds = 3
    try drill.run()
  }

  @Test func finishesPurges() async throws {
    let drill = try PurgeDrill(files: PurgeDrill.few) { try newTarget() }
    let points = try await drill.runWrites()
    print("purge at a bucket: \(points) points tried, all finished")
  }

  private func newTarget() throws -> S3Target {
    try S3Target(server, "flowers/drill-\(numbers.next())")
  }
}
