import ContentModel
import PropertyLists
import TestServers
import Testing

@testable import TestCommands

/// Publications whose purge of config a cache refused.
@Suite(.waiting) struct RefusedCacheTests {
  private let shop: PurgeShop

  init() throws { shop = try PurgeShop() }

  /// The release that readers get through the cache.
  private func servedRelease() throws -> Int? {
    try shop.sandbox.shell("curl -sf -o served \(shop.cache.address)/qa/config.plist")
    return try PropertyList.decode(#require(shop.sandbox.read("served"))).value["release"]?.number
  }

  private func purges() -> Int {
    shop.cache.requests.count { !$0.hasPrefix("GET ") && !$0.hasPrefix("HEAD ") }
  }

  /// Of a rollback, the same command again would be another rollback.
  @Test(arguments: [
    (["publish", "qa"], ["publish", "qa"]), (["rollback", "qa"], ["promote", "qa", "qa"]),
  ])
  func theAdvisedCommandPurgesTheCachesAgain(command: [String], advised: [String]) throws {
    if command == ["publish", "qa"] {
      try shop.sandbox.shell("sed -i 's/\(PurgeShop.bad)/Red tulip/' content/entries/product.yaml")
    }
    #expect(try servedRelease() == 2)
    let words = advised.joined(separator: " ")
    shop.cache.set(.refusing(403))
    let refused = try shop.contentc(command)
    #expect(
      refused.status == 0 && refused.errors.contains("varnish answers 403")
        && refused.errors.contains("'contentc \(words)' purges the caches again"), "\(refused)")
    #expect(try servedRelease() == 2)
    shop.cache.set(.good)
    let again = try shop.contentc(advised)
    #expect(
      again.status == 0 && again.output.contains("Nothing to do: release 3 of 'qa'")
        && again.output.contains("  caches  varnish purged\n") && again.errors == "", "\(again)")
    #expect(try servedRelease() == 3)
    // Readers have the release, so nothing is left to do.
    let before = purges()
    let last = try shop.contentc(advised)
    #expect(last.status == 0 && !last.output.contains("caches"), "\(last)")
    #expect(purges() == before)
  }
}
