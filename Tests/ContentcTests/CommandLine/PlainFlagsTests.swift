import Testing

@testable import ContentcCommands

/// Two parsers read the flags of `build`, and must agree.
@Suite struct PlainFlagsTests {
  /// All options of a build, so that an option that the reader forgets is visible.
  private func options(of request: BuildCall) -> String { "\(request)" }

  @Test(arguments: [
    [], ["--content", "shop"], ["--content=shop"], ["--out", "a/b"], ["--out=a=b"],
    ["--content", "x", "--out", "y"],
    ["--gzip"], ["--no-gzip"], ["--fresh"], ["--cache", "http://localhost:1/"],
    ["--cache=http://localhost:1/?a=b"],
    ["--json"], ["--quiet"], ["-q"], ["--quiet", "-q"], ["--json", "--quiet", "--fresh"],
    ["--warnings-as-errors"], ["--pseudo"],
    ["--diagnostics", "human"], ["--diagnostics=short"], ["--diagnostics", "json"],
    ["--content", "a b"],
    ["--quiet", "--content", "ünter wegs", "--out", "quiet", "--no-gzip"],
  ])
  func readsPlainFlagsLikeTheParser(flags: [String]) throws {
    let plain = try #require(BuildCall(plain: flags))
    let parsed = try #require(BuildCommand(parsing: flags))
    #expect(options(of: plain) == options(of: parsed.call))
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["--version"], ["--unknown"], ["stray"], ["--"], ["--con", "shop"],
    ["--content"],
    ["--content="], ["--content", ""], ["--content", "--out"],
    ["--content", "a", "--content", "b"],
    ["--gzip", "--no-gzip"], ["--fresh", "--fresh"], ["--quiet=yes"], ["--diagnostics", "loud"],
    ["--json", "stray"],
    ["--at", "2026-12-24T18:00:00Z"], ["--error-on", "empty-bundle"], ["-jq"], [""], ["="],
  ])
  func leavesEverythingElseToTheParser(flags: [String]) {
    #expect(BuildCall(plain: flags) == nil)
  }
}
