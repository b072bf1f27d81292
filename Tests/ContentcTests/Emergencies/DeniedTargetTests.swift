import SystemC
import TestServers
import Testing

@testable import TestCommands

/// Commands at a folder to which their user must not write.
@Suite(.waiting) struct DeniedTargetTests {
  private let shop: PurgeShop
  private var sandbox: Sandbox { shop.sandbox }

  init() throws {
    shop = try PurgeShop()
    try sandbox.shell("sed -i 's/\(PurgeShop.bad)/A better tulip/' content/entries/product.yaml")
  }

  @Test(
    .enabled(if: Sandbox.hasAnotherUser, "another user cannot run contentc here"),
    arguments: [
      PurgeShop.purge, ["publish", "qa", "--out", "other"], ["maintenance", "on", "qa"],
      ["rollback", "qa"],
    ])
  func readersSeeNoChange(command: [String]) throws {
    try sandbox.shell("chmod -R a+rwX . && chmod -R a-w site")
    defer { _ = try? sandbox.shell("chmod -R u+w site") }
    let before = sandbox.tree("site")
    let refused = try sandbox.runAsAnotherUser(command)
    #expect(refused.status == 69 && refused.errors.contains("permission denied"), "\(refused)")
    let note =
      "nothing was changed: readers still see release 2 and its content; once this command may write there, run it "
      + "again\n"
    #expect(refused.errors.contains(note), "\(refused)")
    #expect(sandbox.tree("site").elementsEqual(before, by: ==))
    #expect(try shop.title("product/tulip") == PurgeShop.bad)
    try sandbox.shell("chmod -R u+w site")
    #expect(try shop.contentc(command).status == 0)
    #expect(try shop.title("product/tulip") != PurgeShop.bad || command[0] == "maintenance")
  }

  /// Caches may be told about the earlier purge.
  @Test(.enabled(if: Sandbox.hasAnotherUser, "another user cannot run contentc here"))
  func aPurgeThatFinishesAnotherDoesNotSayThatNothingChanged() throws {
    shop.cache.set(.refusing(403))
    #expect(try shop.contentc(PurgeShop.purge).status == 69)
    shop.cache.set(.good)
    try sandbox.shell("chmod -R a+rwX . && chmod -R a-w site")
    defer { _ = try? sandbox.shell("chmod -R u+w site") }
    let half = try sandbox.runAsAnotherUser(["purge", "product/lily", "--reason", "Another word"])
    #expect(half.status == 69 && half.errors.contains("permission denied"), "\(half)")
    #expect(!half.errors.contains("nothing was changed"), "\(half)")
  }
}
