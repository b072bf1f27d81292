import ContentTargets
import TestServers
import Testing

/// Servers that derive the `ETag` from a time in seconds and a size cannot distinguish two equally
/// long files written within a second.
@Suite(.needsServers) struct ETagTrapTests {
  let scratch: ScratchFolder
  private static let rounds = 100

  init() throws { scratch = try ScratchFolder(inMemory: true) }

  @Test(arguments: WebServer.Kind.allCases)
  func neverReportsAReplacedConfigAsUnchanged(kind: WebServer.Kind) throws {
    let target = FolderTarget(scratch.path)
    let falseAnswers = try falseAnswers(of: kind) { text in
      let tag = try target.read("qa/config.plist")?.tag
      guard try target.replace("qa/config.plist", with: .config(text), tagged: tag) else {
        throw Problem("not replaced")
      }
    }
    #expect(falseAnswers == 0)
  }

  // Apache is configured to derive the tag from the content.
  @Test(arguments: [WebServer.Kind.nginx, .caddy])
  func detectsARenameThatKeepsTheSecond(kind: WebServer.Kind) throws {
    scratch.makeFolder("qa")
    let falseAnswers = try falseAnswers(of: kind) { text in
      try scratch.write("qa/new", text)
      scratch.date("qa/new", 1_700_000_000)
      try Program.run("/bin/mv", ["-f", scratch.path("qa/new"), scratch.path("qa/config.plist")])
    }
    #expect(falseAnswers == Self.rounds)
  }

  /// Returns the number of rewrites after which the server wrongly answers 304.
  private func falseAnswers(of kind: WebServer.Kind, rewriting write: (String) throws -> Void)
    throws
    -> Int
  {
    let server = try WebServer(kind, root: scratch.path)
    var falseAnswers = 0
    for round in 100..<100 + Self.rounds {
      try write("old \(round)")
      let old = try server.get("/qa/config.plist")
      try write("new \(round)")
      let tag = try #require(old["ETag"])
      let new = try server.get("/qa/config.plist", ["If-None-Match": tag])
      try #require(old.text == "old \(round)")
      if new.status == 304 {
        falseAnswers += 1
      } else {
        #expect(new.status == 200 && new.text == "new \(round)")
      }
    }
    return falseAnswers
  }
}
