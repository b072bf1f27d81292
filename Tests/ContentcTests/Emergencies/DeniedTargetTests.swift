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

  /// Runs `contentc` without the superuser's right to ignore file modes.
  private func asAnotherUser(_ arguments: [String]) throws -> Outcome {
    guard geteuid() == 0 else { return try shop.contentc(arguments) }
    let user = ["--reuid=65534", "--regid=65534", "--clear-groups", Sandbox.binary]
    return try sandbox.run("/usr/bin/setpriv", user + arguments)
  }

  @Test(arguments: [
    PurgeShop.purge, ["publish", "qa", "--out", "other"], ["maintenance", "on", "qa"],
    ["rollback", "qa"],
  ])
  func readersSeeNoChange(command: [String]) throws {
    try sandbox.shell("chmod -R a+rwX . && chmod -R a-w site")
    defer { _ = try? sandbox.shell("chmod -R u+w site") }
    guard try asAnotherUser(["status", "qa"]).status == 0 else {
      return print("skipped: another user cannot run contentc here")
    }
    let before = sandbox.tree("site").map(\.path)
    let refused = try asAnotherUser(command)
    #expect(refused.status == 69 && refused.errors.contains("permission denied"), "\(refused)")
    let note =
      "nothing was changed: readers still see release 2 and its content; once this command may write there, run it "
      + "again\n"
    #expect(refused.errors.contains(note), "\(refused)")
    #expect(sandbox.tree("site").map(\.path) == before)
    #expect(try shop.title("product/tulip") == PurgeShop.bad)
    try sandbox.shell("chmod -R u+w site")
    #expect(try shop.contentc(command).status == 0)
    #expect(try shop.title("product/tulip") != PurgeShop.bad || command[0] == "maintenance")
  }
}
