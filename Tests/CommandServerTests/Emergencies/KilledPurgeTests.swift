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
    var whole = try ContinuousClock().measure {
      try #require(try shop.contentc(PurgeShop.purge).status == 0)
    }
    var (before, during) = (0, 0)
    // A few more rounds on a machine that was idle during the measurement, and is busy now.
    for round in 0..<40 where round < 24 || during == 0 {
      // The machine remembers the releases of earlier rounds.
      try shop.sandbox.shell("rm -rf site .contentc; cp -R bad site")
      try shop.sandbox.run(PurgeShop.purge + ["-q"], killedAfter: whole * round / 22)
      let seen = try shop.title("product/tulip")
      #expect(seen == PurgeShop.bad || seen == nil)
      let isBegun = try shop.wholeRelease() == 3
      if isBegun { during += 1 } else { before += 1 }
      let time = try ContinuousClock().measure {
        let again = try shop.contentc(PurgeShop.purge)
        #expect(again.status == 0, "\(again)")
      }
      if !isBegun { whole = time }
      #expect(try shop.wholeRelease() == 3)
      try shop.expectGone()
    }
    print("killed \(before) purges before their release was live, and \(during) after")
    #expect(before > 0 && during > 0)
  }
}
