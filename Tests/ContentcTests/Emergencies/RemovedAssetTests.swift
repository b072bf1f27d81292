import ContentModel
import PropertyLists
import TestServers
import Testing

@testable import TestCommands

/// Restorations of an entry whose picture a purge removed together with the entry.
@Suite(.waiting) struct RemovedAssetTests {
  private static let words = ["--reason", "An insult"]
  private static let purge = ["purge", "product/aster"] + words
  private static let hash = Digest(of: Array("an aster".utf8)).hex
  private static let object = "site/objects/\(hash.prefix(2))/\(hash).bin"
  private let shop: PurgeShop

  /// Purges an entry whose title is bad, and whose picture also belongs to the form before.
  init() throws {
    shop = try PurgeShop()
    try shop.sandbox.write("content/assets/aster.bin", "an aster")
    try shop.sandbox.shell(
      "echo 'aster: {title: Aster, price: 1, picture: aster.bin}' >> content/entries/product.yaml")
    try shop.run("publish")
    try shop.sandbox.shell("sed -i 's/title: Aster/title: Curse/' content/entries/product.yaml")
    try shop.run("publish")
    #expect(shop.sandbox.read(Self.object) != nil)
    let done = try shop.contentc(Self.purge)
    #expect(done.status == 0 && shop.sandbox.read(Self.object) == nil, "\(done)")
  }

  private func expectRestored(_ title: String) throws {
    #expect(try shop.title("product/aster") == title)
    let picture = try shop.entry("product/aster", "fr")["picture"]
    #expect(picture["scales"]["1"]["object"] != nil, "\(picture ?? [:])")
    #expect(shop.sandbox.read(Self.object).map { Array($0) } == Array("an aster".utf8))
    _ = try shop.wholeRelease()
  }

  @Test func isRestoredWithThePictureThatTheUserNames() throws {
    let refused = try shop.contentc(Self.purge + ["--restore"])
    #expect(refused.status == 69, "\(refused)")
    #expect(
      refused.errors.contains(
        "release 3 shows 'content/assets/aster.bin' of product/aster, which purge 1 removed (An insult)"
      ), "\(refused)")
    for note in [
      "nothing was changed; publish product/aster in a corrected form\n",
      "or if it is not bad, let it return: contentc purge product/aster --reason 'An insult' --restore "
        + "--unpurge \(Self.hash)\n",
    ] { #expect(refused.errors.contains(note), "\(refused)") }
    let again = Self.purge + ["--restore", "--unpurge", Self.hash]
    let dry = try shop.contentc(again + ["--dry-run"])
    #expect(dry.status == 0 && dry.output.contains("as in release 3"), "\(dry)")
    #expect(shop.sandbox.read(Self.object) == nil)
    let done = try shop.contentc(again)
    #expect(done.status == 0 && done.output.contains("Purge 2 is done"), "\(done)")
    try expectRestored("Aster")
    #expect(try shop.contentc(again).output.contains("Nothing to do"))
  }

  @Test func isReplacedWithThePictureThatTheUserNames() throws {
    try shop.sandbox.write("better.yaml", "title: A better aster\n")
    let replace = Self.purge + ["--replace", "better.yaml"]
    let refused = try shop.contentc(replace)
    #expect(refused.status == 69 && refused.errors.contains(Self.hash), "\(refused)")
    let done = try shop.contentc(replace + ["--unpurge", Self.hash])
    #expect(done.status == 0, "\(done)")
    try expectRestored("A better aster")
  }

  @Test func isPublishedIfTheContentFolderLacksThePicture() throws {
    try shop.sandbox.write("content/assets/aster.bin", "an Aster")
    let refused = try shop.contentc(Self.purge + ["--restore"])
    #expect(refused.status == 69, "\(refused)")
    #expect(
      refused.errors.contains("'\(Self.object.dropFirst("site/".count))' of product/aster")
        && refused.errors.contains(
          "the content folder has no such file, so publish product/aster in a corrected form"),
      "\(refused)")
    let named = try shop.contentc(Self.purge + ["--restore", "--unpurge", Self.hash])
    #expect(named.status == 66 && named.errors.contains("no file of the content"), "\(named)")
    try shop.sandbox.shell("sed -i 's/title: Curse/title: Fine/' content/entries/product.yaml")
    try shop.run("publish", "--unpurge", "all")
    #expect(try shop.title("product/aster") == "Fine")
  }

  @Test func isNotRestoredIfThePictureItselfWasPurged() throws {
    try shop.sandbox.shell("sed -i 's/title: Curse/title: Fine/' content/entries/product.yaml")
    try shop.run("publish")
    let asset = try shop.contentc(["purge", "--asset", Self.hash] + Self.words)
    #expect(asset.status == 0, "\(asset)")
    #expect(try shop.contentc(Self.purge).status == 0)
    for words in [[], ["--unpurge", Self.hash]] {
      let refused = try shop.contentc(Self.purge + ["--restore"] + words)
      #expect(
        refused.status == 66 && refused.errors.contains("only purged or equal forms"),
        "\(refused)")
    }
    #expect(shop.sandbox.read(Self.object) == nil)
  }

  @Test func warnsThatAnEarlierFormIsRestoredForLackOfAPicture() throws {
    for fields in [
      "title: Plain, price: 1", "title: Good, price: 1, picture: aster.bin",
      "title: Curse again, price: 1, picture: aster.bin",
    ] {
      try shop.sandbox.shell(
        "sed -i 's/aster: .*/aster: {\(fields)}/' content/entries/product.yaml")
      try shop.run("publish")
    }
    #expect(try shop.contentc(Self.purge).status == 0)
    let restored = try shop.contentc(Self.purge + ["--restore"])
    #expect(restored.status == 0, "\(restored)")
    #expect(try shop.title("product/aster") == "Plain")
    #expect(
      restored.errors.contains("has a later form with 'content/assets/aster.bin'")
        && restored.errors.contains("--unpurge \(Self.hash) lets it return"), "\(restored)")
    #expect(shop.sandbox.read(Self.object) == nil)
  }

  @Test func unpurgeNeedsARestorationAndAHash() throws {
    let alone = try shop.contentc(Self.purge + ["--unpurge", Self.hash])
    #expect(alone.status == 64 && alone.errors.contains("--restore or --replace"), "\(alone)")
    let word = try shop.contentc(Self.purge + ["--restore", "--unpurge", "aster.bin"])
    #expect(word.status == 64 && word.errors.contains("is not a SHA-256"), "\(word)")
  }
}
