import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Warnings that `--error-on` and `--warnings-as-errors` raise, in commands that change what
/// readers get.
@Suite struct GateTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    // No server listens on this port.
    let url = "url: \"http://127.0.0.1:9/v1\""
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      channels:
        qa: {target: site}
        read: {target: site, \(url)}
        live: {target: live}
        cached: {target: live, \(url), cdn: [{fastly: {service: GATE_SERVICE, token: GATE_TOKEN}}]}
      E
      """)
  }

  @Test(arguments: [["--warnings-as-errors"], ["--error-on", "unread-file"]])
  func blocksContentWithAWarning(flags: [String]) throws {
    try run("build")
    try sandbox.write("content/entires/product/rose.yaml", "a: b\n")
    for command in [["publish", "qa"], ["publish", "qa", "--built"]] {
      let closed = try sandbox.run(Sandbox.binary, command + flags)
      #expect(
        closed.status == 1 && closed.errors.contains("error: nothing reads this file"), "\(closed)")
      #expect(sandbox.read("site/qa/config.plist") == nil)
    }
    let published = try run("publish", "qa")
    #expect(published.errors.contains("warning: nothing reads this file"), "\(published)")
  }

  @Test(arguments: [
    ["publish", "cached"], ["promote", "qa", "cached"], ["rollback", "cached", "--to", "1"],
  ])
  func blocksAPublicationWithoutCacheCredentials(command: [String]) throws {
    try run("publish", "qa")
    try run("publish", "cached")
    let before = sandbox.tree("live").map(\.path)
    try sandbox.shell("sed -i 's/^price: 3/price: 4/' content/entries/product/rose.yaml")
    try run("publish", "qa")
    let closed = try sandbox.run(Sandbox.binary, command + ["--error-on", "cache-purge"])
    #expect(closed.status == 2 && closed.errors.contains("error: GATE_"), "\(closed)")
    #expect(closed.errors.contains("nothing was changed"), "\(closed.errors)")
    #expect(sandbox.tree("live").map(\.path) == before)
  }

  @Test(arguments: [
    ["publish", "read"], ["promote", "live", "read"], ["rollback", "read", "--to", "1"],
  ])
  func reportsAGateThatFailsAfterTheChange(command: [String]) throws {
    try run("publish", "read")
    try sandbox.shell("sed -i 's/^price: 3/price: 4/' content/entries/product/rose.yaml")
    try run("publish", "live")
    if command[0] == "rollback" { try run("publish", "read") }
    let late = try sandbox.run(Sandbox.binary, command + ["--error-on", "public-url", "--json"])
    let release = command[0] == "rollback" ? 3 : 2
    #expect(late.status == 2 && late.errors.contains("public-url"), "\(late)")
    #expect(
      late.errors.contains(
        "release \(release) of 'read' is live: this was found only after the change"),
      "\(late)")
    let reported = try PropertyList.decode(Array(late.output.utf8), as: .json).value
    #expect(
      reported["ok"] == false && reported["exitStatus"] == 2
        && reported["release"] == .integer(Int64(release)))
  }

  @Test func blocksAPurgeOfARequiredField() throws {
    try run("publish", "qa")
    let purge = ["purge", "product/tulip", "--channel", "qa", "--field", "title", "--reason", "x"]
    let before = sandbox.tree("site").map(\.path)
    for flags in [["--dry-run"], []] {
      let closed = try sandbox.run(
        Sandbox.binary, purge + flags + ["--error-on", "required-field"])
      #expect(
        closed.status == 2 && closed.errors.contains("error: 'title' is required in 'product'"),
        "\(closed)")
      #expect(sandbox.tree("site").map(\.path) == before)
    }
    let done = try sandbox.run(Sandbox.binary, purge + ["--json"])
    #expect(done.status == 0 && done.errors.contains("required-field"), "\(done)")
  }

  @Test func reportsAGateThatFailsAfterAPurge() throws {
    for channel in ["qa", "read"] { try run("publish", channel) }
    let late = try sandbox.run(
      "purge", "product/tulip", "--channel", "qa", "--reason", "x", "--error-on", "shown-elsewhere")
    #expect(late.status == 2 && late.errors.contains("error: "), "\(late)")
    #expect(
      late.errors.contains("purge 1 is done: this was found only after the change"),
      "\(late.errors)")
    #expect(late.output.contains("Purge 1 is done"))
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> (status: Int32, output: String, errors: String)
  {
    let done = try sandbox.run(Sandbox.binary, arguments)
    try #require(done.status == 0, "\(arguments): \(done.errors)")
    return (done.status, done.output, done.errors)
  }
}
