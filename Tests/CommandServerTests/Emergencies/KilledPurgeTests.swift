import SystemC
import Testing

@testable import TestCommands

/// Purges that a killed process leaves unfinished.
@Suite struct KilledPurgeTests {
  private let shop: PurgeShop

  init() throws { shop = try PurgeShop() }

  @Test func finishesAfterBeingKilled() throws {
    // Without caches, because a purge would wait for them.
    try shop.sandbox.shell(
      "sed -i '/^channels:/,$d' content/content.yaml; echo 'channels: {qa: {target: site, latest: true}}' "
        + ">> content/content.yaml")
    try shop.run("publish")
    try shop.sandbox.shell("cp -R site bad")
    let whole = try ContinuousClock().measure {
      try #require(try shop.contentc(PurgeShop.purge).status == 0)
    }
    var (before, during) = (0, 0)
    for round in 0..<24 {
      try shop.sandbox.shell("rm -r site; cp -R bad site")
      try shop.sandbox.run(PurgeShop.purge + ["-q"], killedAfter: whole * round / 22)
      let seen = try shop.title("product/tulip")
      #expect(seen == PurgeShop.bad || seen == nil)
      let isBegun = try shop.wholeRelease() == 3
      if isBegun { during += 1 } else { before += 1 }
      let again = try shop.contentc(PurgeShop.purge)
      #expect(again.status == 0, "\(again)")
      #expect(try shop.wholeRelease() == 3)
      try shop.expectGone()
    }
    print("purge killed 24 times: \(before) before its release was live, \(during) after")
    #expect(before > 0 && during > 0)
  }
}
