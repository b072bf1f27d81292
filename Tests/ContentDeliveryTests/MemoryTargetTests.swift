import Testing

@testable import TestDelivery

/// The requirements and the drills of targets at the target that most tests use.
@Suite struct MemoryTargetTests {
  @Test func conforms() throws { try TargetConformance(target: MemoryTarget()).check() }

  @Test func leavesReadersOneWholeReleaseAfterEveryCrash() throws {
    let points = try CrashDrill(makeTarget: { MemoryTarget() }).run()
    print("memory: \(points) points tried, all held")
    #expect(points > 200)
  }

  @Test(arguments: [false, true])
  func letsOnePublisherWin(hasRollouts: Bool) throws {
    try RaceDrill(target: MemoryTarget(), hasRollouts: hasRollouts).run()
    try RaceDrill(target: UnlockedTarget(target: MemoryTarget()), hasRollouts: hasRollouts).run()
  }
}
