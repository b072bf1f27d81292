import ContentModel
import PropertyLists
import TestServers
import Testing

@testable import TestCommands

/// Finished purges that caches have not confirmed: `status` names the caches, and `purge --caches`
/// sends the purges again.
@Suite(.waiting) struct ConfirmedPurgeTests {
  private let shop: PurgeShop
  /// A second machine of the shop's Varnish, which content.yaml does not name at first.
  private let other: ScriptedCache

  init() throws {
    shop = try PurgeShop()
    other = try ScriptedCache(before: "site", of: shop.sandbox)
  }

  private func edit(_ command: String) throws {
    try shop.sandbox.shell("sed -i '\(command)' content/content.yaml")
  }

  /// Finishes a purge, of which the second machine does not hear, and adds that to content.yaml.
  private func addANodeAfterAPurge() throws {
    for file in shop.sandbox.tree("site") {
      try shop.sandbox.shell(
        "curl -sf -o /dev/null \(other.address)/\(file.path.dropFirst("site/".count))")
    }
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    #expect(!other.copies(holding: PurgeShop.bad).isEmpty)
    #expect(try !shop.contentc(["status"]).output.contains("has not confirmed"))
    try edit("s|nodes: \\[|nodes: [\"\(other.address)\", |")
  }

  private func json(_ arguments: String...) throws -> Value {
    let outcome = try shop.contentc(arguments + ["--json"])
    return try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
  }

  @Test func statusNamesACacheUntilItHasConfirmed() throws {
    try addANodeAfterAPurge()
    let line = "varnish has not confirmed purge 1; 'contentc purge qa --caches' purges it"
    let status = try shop.contentc(["status"])
    #expect(status.status == 0 && status.output.contains(line), "\(status)")
    let unconfirmed: Value = [["name": "varnish", "purges": [1]]]
    #expect(try json("status")["channels"]["qa"]["unconfirmedCaches"] == unconfirmed)
    let done = try shop.contentc(["purge", "qa", "--caches"])
    #expect(
      done.status == 0 && done.output.contains("Sending purge 1 of 'qa' to caches again")
        && done.output.contains("Sent to caches again: purge 1 of 'qa'\n  dropped   config and "),
      "\(done)")
    #expect(other.copies(holding: PurgeShop.bad) == [])
    #expect(try !shop.contentc(["status"]).output.contains("has not confirmed"))
    #expect(try json("status")["channels"]["qa"]["unconfirmedCaches"] == [])
    // Nothing is published for that.
    #expect(try shop.wholeRelease() == 3)
  }

  @Test func endsWith69UntilEveryCacheHasConfirmed() throws {
    try addANodeAfterAPurge()
    other.set(.refusing(403))
    let node = other.address.dropFirst("http://".count)
    let half = try shop.contentc(["purge", "qa", "--caches"])
    #expect(half.status == 69, "\(half)")
    for words in [
      "NOT confirmed by every cache: purge 1 of 'qa'", "next      run the same command again",
      "if varnish at \(node) stays out of service: contentc purge qa --caches --without varnish@\(node)",
    ] { #expect(half.output.contains(words), "\(half.output)") }
    #expect(
      half.errors.contains("answers 403")
        && half.errors.contains("not every cache has confirmed purge 1; run the same command again"),
      "\(half.errors)")
    let sent = try json("purge", "qa", "--caches")
    #expect(sent["exitStatus"] == 69 && sent["sent"]["done"] == false, "\(sent)")
    #expect(sent["sent"]["purges"] == [1] && sent["purges"] == [])
    other.set(.good)
    let done = try json("purge", "qa", "--caches")
    #expect(done["exitStatus"] == 0 && done["sent"]["done"] == true, "\(done)")
    #expect(done["sent"]["caches"][0]["name"] == "varnish" && done["sent"]["left"] == nil)
    #expect(other.copies(holding: PurgeShop.bad) == [])
  }

  @Test func aDryRunChangesNothing() throws {
    try addANodeAfterAPurge()
    let before = shop.sandbox.tree("site").map(\.path)
    let dry = try shop.contentc(["purge", "qa", "--caches", "--dry-run"])
    #expect(dry.status == 0, "\(dry)")
    for words in [
      "Would be sent to caches again: purge 1 of 'qa'\n  drops     config and ", "varnish   ",
      "Nothing was changed: --dry-run",
    ] { #expect(dry.output.contains(words), "\(dry.output)") }
    let value = try json("purge", "qa", "--caches", "--dry-run")
    #expect(value["sent"]["purges"] == [1] && value["caches"][0]["name"] == "varnish")
    #expect(shop.sandbox.tree("site").map(\.path) == before)
    #expect(!other.copies(holding: PurgeShop.bad).isEmpty)
  }

  /// Whoever mistrusts a cache can send the newest purge again.
  @Test func sendsTheNewestPurgeIfAllAreConfirmed() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    #expect(
      try shop.contentc(["purge", "product/lily", "--reason", "Another one"]).status == 0)
    let again = try shop.contentc(["purge", "--caches"])
    #expect(
      again.status == 0 && again.output.contains("Sent to caches again: purge 2 of 'qa'"),
      "\(again)")
  }

  @Test func isDoneWithoutAPurgeOrACache() throws {
    let none = try shop.contentc(["purge", "qa", "--caches"])
    #expect(
      none.status == 0
        && none.output.contains("Nothing to do: every cache has confirmed every finished purge"),
      "\(none)")
    try edit("/^    cdn:/d")
    let uncached = try shop.contentc(["purge", "qa", "--caches"])
    #expect(
      uncached.status == 0
        && uncached.output.contains("content.yaml has no settings for a cache of 'qa'"),
      "\(uncached)")
  }

  @Test func leavesOutACache() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try edit("s/cdn: \\[/cdn: [{fastly: {service: A_SERVICE, token: A_TOKEN}}, /")
    let half = try shop.contentc(["purge", "qa", "--caches"])
    #expect(half.status == 69 && half.errors.contains("A_SERVICE is not set"), "\(half)")
    let done = try shop.contentc(["purge", "qa", "--caches", "--without", "fastly"])
    #expect(
      done.status == 0
        && done.output.contains("without   fastly: not purged, and not confirmed"), "\(done)")
    #expect(
      try shop.contentc(["status"]).output.contains("fastly has not confirmed purge 1; "))
  }

  @Test func leavesOutANode() throws {
    try addANodeAfterAPurge()
    other.set(.refusing(403))
    let node = "varnish@\(other.address.dropFirst("http://".count))"
    let done = try shop.contentc(["purge", "qa", "--caches", "--without", node])
    #expect(
      done.status == 0
        && done.output.contains("  without   \(node.replacing("@", with: " at ")): not purged"),
      "\(done)")
    #expect(
      try shop.contentc(["status"]).output.contains("varnish has not confirmed purge 1; "))
  }

  /// A purge that is finished now has told all caches.
  @Test func finishesUnfinishedPurgesFirst() throws {
    shop.cache.set(.refusing(403))
    #expect(try shop.contentc(PurgeShop.purge).status == 69)
    shop.cache.set(.good)
    let done = try shop.contentc(["purge", "qa", "--caches"])
    #expect(
      done.status == 0 && done.output.contains("Purge 1 is done")
        && !done.output.contains("Sent to caches again"), "\(done)")
    #expect(try !shop.contentc(["status"]).output.contains("has not confirmed"))
  }

  @Test(arguments: [
    ["product/tulip", "--reason", "x"], ["--release", "2", "--reason", "x"],
    ["--asset", "00", "--reason", "x"], ["--again"], ["--history"], ["--restore"],
    ["--field", "title"], ["--locale", "fr"], ["--replace", "a.yaml"], ["--unpurge", "00"],
    ["--draft", "draft"],
  ])
  func refusesOptionsOfANewPurge(options: [String]) throws {
    let refused = try shop.contentc(["purge", "qa", "--caches"] + options)
    #expect(refused.status == 64 && refused.errors.contains("--caches "), "\(refused)")
  }
}
