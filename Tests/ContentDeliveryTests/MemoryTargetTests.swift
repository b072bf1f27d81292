import Testing

@testable import TestDelivery

/// The requirements and the drills of targets at the target that most tests use.
@Suite struct MemoryTargetTests {
  @Test func conforms() throws { try TargetConformance(target: MemoryTarget()).check() }

  @Test func leavesReadersOneWholeReleaseAfterEveryCrash() throws {
    let points = try CrashDrill(makeTarget: { MemoryTarget() }).run()
    print("memory: \(points) points tried, all held")
    #expect(points > 60)
  }

  @Test func letsOnePublisherWin() throws {
    try RaceDrill(target: MemoryTarget()).run()
    try RaceDrill(target: UnlockedTarget(target: MemoryTarget())).run()
  }
}
