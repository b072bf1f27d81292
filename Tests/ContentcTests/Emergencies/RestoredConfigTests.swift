import ContentModel
import Testing

@testable import TestCommands

/// Commands after config was restored from a backup of before a purge.
@Suite struct RestoredConfigTests {
  private let shop: PurgeShop

  init() throws {
    shop = try PurgeShop()
    try shop.sandbox.shell("cp site/qa/config.plist backup.plist")
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try shop.sandbox.shell("cp backup.plist site/qa/config.plist")
  }

  @Test func endsWithTheAdviceOfStatus() throws {
    let before = try shop.contentc(["status"])
    #expect(
      before.errors.contains("warning: config of 'qa' is older than purge 1")
        && before.errors.contains("run 'contentc publish qa --repair'"), "\(before)")
    let refused = try shop.contentc(["publish", "qa", "--repair", "--warnings-as-errors"])
    #expect(
      refused.status == 69 && refused.errors.contains("--unpurge product/tulip"), "\(refused)")
    try shop.sandbox.shell(
      "sed -i 's/title: \(PurgeShop.bad)/title: A better tulip/' content/entries/product.yaml")
    let done = try shop.contentc([
      "publish", "qa", "--repair", "--warnings-as-errors", "--unpurge", "product/tulip",
    ])
    #expect(
      done.status == 0
        && done.output.contains(
          "purges  config was older than purge 1; this release takes it into account"),
      "\(done)")
    #expect(try !shop.contentc(["status"]).errors.contains("restored-config"))
    let again = try shop.contentc(["publish", "qa", "--warnings-as-errors"])
    #expect(again.status == 0 && again.output.contains("Nothing to do"), "\(again)")
    #expect(try shop.title("product/tulip") == "A better tulip")
  }
}
