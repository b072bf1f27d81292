import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// The drills of the release protocol on a folder.
@Suite struct ReleaseDrillTests {
  @Test func leavesReadersOfAFolderOneWholeRelease() throws {
    let scratch = try ScratchFolder(inMemory: true)
    let numbers = Counter()
    let points = try CrashDrill(makeTarget: { FolderTarget(scratch.path("site-\(numbers.next())")) }
    ).run()
    print("folder: \(points) points tried, all held")
    #expect(points > 200)
  }

  @Test(arguments: [false, true])
  func letsOnePublisherOfAFolderWin(hasRollouts: Bool) throws {
    let scratch = try ScratchFolder(inMemory: true)
    var drill = RaceDrill(target: FolderTarget(scratch.path("site")), hasRollouts: hasRollouts)
    if hasRollouts { drill.rounds = 8 }
    try drill.run()
  }
}
