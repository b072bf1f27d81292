import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// The printed staleness of readers.
@Suite struct StalenessCommandTests {
  private static func sandbox(limit: String, cdn: String) throws -> Sandbox {
    let sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      ttl: {app: 10m, edge: 5m}
      stalenessLimit: \(limit)
      channels: {qa: {target: site, url: "http://127.0.0.1:9/v1", cdn: \(cdn)}}
      E
      """)
    return sandbox
  }

  private static let caches = #"[{varnish: {nodes: ["http://127.0.0.1:6081"]}}, nginx]"#

  @Test func isPrintedByLayerWithTheRuleOfEachNumber() throws {
    let sandbox = try Self.sandbox(limit: "30m", cdn: Self.caches)
    let done = try sandbox.run("staleness", "--json")
    #expect(done.status == 0, "\(done.errors)")
    let channel = try PropertyList.decode(Array(done.output.utf8), as: .json).value["channels"][
      "qa"]
    #expect(
      channel["correction"]["seconds"] == 1_261 && channel["correction"]["originFails"] == 174_061)
    #expect(
      channel["correction"]["layers"].items?.map { $0["layer"].text } == [
        "varnish", "nginx", "app",
      ])
    // The purge of the shield takes its requests and an answer of the origin. The edge counts in
    // full.
    #expect(
      channel["purge"]["layers"].items?.map { $0["layer"].text } == ["purge", "nginx", "app"])
    #expect(channel["purge"]["layers"][0]["seconds"] == 11 && channel["purge"]["seconds"] == 942)
    #expect(channel["maintenance"]["seconds"] == 942 && channel["purged"].items == ["varnish"])
    let text = try sandbox.run("staleness", "qa").output
    for words in [
      "a correction          21m1s", "RFC 9213, 2.2", "nginx#1234",
      "2d21m1s while the origin does not answer",
    ] {
      #expect(text.contains(words), "\(text)")
    }
  }

  @Test func failsAboveTheLimit() throws {
    let sandbox = try Self.sandbox(limit: "20m", cdn: Self.caches)
    let done = try sandbox.run("staleness")
    #expect(done.status == 2 && done.output.contains("21m1s"))
    #expect(
      done.errors.contains("'stalenessLimit' is 20m, but a correction in 'qa' takes up to 21m1s"))
  }

  @Test func explainsEqualBoundsOnce() throws {
    let sandbox = try Self.sandbox(limit: "5m", cdn: "[nginx]")
    let done = try sandbox.run("staleness")
    #expect(done.status == 2)
    #expect(done.output.ranges(of: "RFC 9213, 2.2").count == 1, "\(done.output)")
    #expect(done.output.contains(", as a correction\n"), "\(done.output)")
    #expect(done.errors.contains(", and so do a purge and a maintenance switch"), "\(done.errors)")
  }

  @Test func blocksPublicationsAboveTheLimit() throws {
    let sandbox = try Self.sandbox(limit: "30m", cdn: "[]")
    #expect(try sandbox.run("publish", "qa").status == 0)
    try sandbox.shell("sed -i 's/Rose/Rosa/' content/entries/product/rose.yaml")
    #expect(try sandbox.run("publish", "qa").status == 0)
    #expect(try sandbox.run("build").status == 0)
    try sandbox.shell("sed -i 's/stalenessLimit: 30m/stalenessLimit: 5m/' content/content.yaml")
    for command in [
      ["publish", "qa"], ["publish", "qa", "--built"], ["promote", "qa", "qa"],
    ] {
      let refused = try sandbox.run(Sandbox.binary, command)
      #expect(
        refused.status == 2 && refused.errors.contains("'stalenessLimit' is 5m"),
        "\(command): \(refused.errors)")
    }
    // Commands that end an emergency ignore the limit.
    let back = try sandbox.run("rollback", "qa")
    #expect(back.status == 0 && back.errors.contains("warning: 'stalenessLimit'"))
    #expect(try sandbox.value("site/qa/config.plist")["release"] == 3, "\(back)")
    #expect(try sandbox.run("maintenance", "on").status == 69)
    #expect(try sandbox.value("site/qa/config.plist")["maintenance"]["active"] == true)
  }
}
