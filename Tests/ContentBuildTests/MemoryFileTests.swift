import Testing

@testable import ContentBuild

/// The key of a build's memory.
@Suite struct MemoryFileTests {
  @Test func namesTheReleaseOfTheTimeZones() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("content")
    let request = BuildRequest(content: folder.path("content"), out: folder.path("out"))
    let lines = try #require(MemoryFile(request)).key.split(separator: "\n")
    #expect(lines.contains { $0.wholeMatch(of: #/tzdata 20\d\d[a-z]/#) != nil })
    #expect(ToolIdentity.versions.allSatisfy { lines.contains(Substring($0)) })
  }
}
