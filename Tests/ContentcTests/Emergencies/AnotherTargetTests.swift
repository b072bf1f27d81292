import ContentModel
import TestServers
import Testing

@testable import TestCommands

/// Commands whose target is not the one that readers get, as in another clone of the project.
@Suite(.waiting) struct AnotherTargetTests {
  private let shop: PurgeShop
  private static let sentence = "this is another target than the one behind 'url'"

  init() throws {
    shop = try PurgeShop()
    try shop.sandbox.shell(
      "rm -rf .contentc && sed -i 's/target: site/target: other/' content/content.yaml")
  }

  @Test(
    arguments: [
      (["status", "qa"], 0), (["status"], 0), (["maintenance", "status"], 0),
      (["maintenance", "on"], 66), (PurgeShop.purge, 66),
    ] as [([String], Int32)])
  func nothingPublishedNamesTheFolderAndWhatReadersGet(command: [String], status: Int32) throws {
    let outcome = try shop.contentc(command)
    let text = outcome.output + outcome.errors
    #expect(outcome.status == status, "\(outcome)")
    #expect(text.contains("nothing is published in 'qa' yet: /"), "\(text)")
    #expect(text.contains("/other has no config; \(shop.cache.address)/qa/config.plist answers"))
    #expect(text.contains("with release 2") && text.contains(Self.sentence), "\(text)")
  }

  @Test func aPublicationAndStatusWarn() throws {
    for command in [["publish", "--quiet"], ["status", "qa"]] {
      let outcome = try shop.contentc(command)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        outcome.errors.contains(Self.sentence) && outcome.errors.contains("[public-url]"),
        "\(outcome)")
    }
  }

  /// In the right folder, neither a stale cache nor another publisher is another target.
  @Test func theRightFolderIsSilent() throws {
    try shop.sandbox.shell("sed -i 's/target: other/target: site/' content/content.yaml")
    let outcome = try shop.contentc(["status", "qa"])
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome)")
  }
}
