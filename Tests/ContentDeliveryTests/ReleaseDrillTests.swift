import TestServers
import Testing

@testable import ContentTargets

/// The drills of the release protocol on the targets that people use.
@Suite struct ReleaseDrillTests {
  @Test func leavesReadersOfAFolderOneWholeRelease() throws {
    let scratch = try ScratchFolder(inMemory: true)
    let numbers = Counter()
    let points = try CrashDrill(makeTarget: { FolderTarget(scratch.path("site-\(numbers.next())")) }
    ).run()
    print("folder: \(points) points tried, all held")
    #expect(points > 60)
  }

  @Test func letsOnePublisherOfAFolderWin() throws {
    let scratch = try ScratchFolder(inMemory: true)
    try RaceDrill(target: FolderTarget(scratch.path("site"))).run()
  }

  /// One test, because the server takes seconds to start.
  @Test func leavesReadersOfABucketOneWholeReleaseAndLetsOnePublisherWin() throws {
    let server = try SeaweedServer()
    try server.makeBucket("flowers")
    let numbers = Counter()
    let points = try CrashDrill(makeTarget: {
      try S3Target(server, "flowers/drill-\(numbers.next())")
    }).run()
    print("bucket: \(points) points tried, all held")
    #expect(points > 60)
    try RaceDrill(target: try S3Target(server, "flowers/race")).run()
  }
}
