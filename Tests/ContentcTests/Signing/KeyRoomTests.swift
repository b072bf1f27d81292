import ContentModel
import PropertyLists
import SiteFormat
import Testing

@testable import TestCommands

/// The room that key documents take in each config.
@Suite struct KeyRoomTests {
  private let shop: SignedShop

  init() throws {
    shop = try SignedShop()
    // The signer of documents is in the settings, so that each new document is signed at once.
    try shop.writeSettings([
      ("qa", "keys", "keys"), ("qa", "release", "release"), ("qa", "fresh", "release"),
    ])
  }

  private var sandbox: Sandbox { shop.sandbox }

  /// Renews the document until that is refused; returns the refusal, and the versions that warned.
  private func renewUntilRefused() throws -> (refusal: Outcome, last: Int, warned: [Int]) {
    var warned: [Int] = []
    for version in 2...40 {
      let renewed = try shop.run("keys", "renew", "qa")
      guard renewed.status == 0 else { return (renewed, version - 1, warned) }
      if renewed.errors.contains("[key-document-room]") { warned.append(version) }
    }
    throw Sandbox.Problem(message: "no document was refused")
  }

  @Test func aDocumentForWhichNoConfigHasRoomIsRefused() throws {
    try shop.succeed("publish", "qa")
    let (refusal, last, warned) = try renewUntilRefused()
    #expect(last == 33 && warned == Array(18...33))
    #expect(
      refusal.status == 64 && refusal.errors.contains("no room for key document 34")
        && refusal.errors.contains("keys drop qa --below N"), "\(refusal)")
    #expect(sandbox.read("content/keys/qa/34.json") == nil)
    // Apps that pin the first document still follow.
    let published = try shop.run("publish", "qa")
    #expect(
      published.status == 0 && published.errors.contains("[key-document-room]"), "\(published)")
    try shop.expectVerified()
    #expect(try shop.run("status", "qa").errors.contains("[key-document-room]"))
  }

  @Test func aDroppedDocumentMakesRoom() throws {
    _ = try renewUntilRefused()
    try shop.succeed("publish", "qa")
    let blind = try shop.run("keys", "drop", "qa", "--below", "20")
    #expect(
      blind.status == 64
        && blind.errors.contains("apps that last trusted a document from 1 to 18 freeze for ever"),
      "\(blind)")
    for wrong in ["1", "2", "34", "99"] {
      #expect(try shop.run("keys", "drop", "qa", "--below", wrong, "--yes").status == 64)
    }
    try shop.succeed("keys", "drop", "qa", "--below", "20", "--yes")
    let again = try shop.run("keys", "drop", "qa", "--below", "20", "--yes")
    #expect(again.status == 64 && again.errors.contains("already"), "\(again)")
    try shop.succeed("keys", "renew", "qa")
    try shop.succeed("resign", "qa")
    #expect(try shop.served()["keys"]?.items?.count == 15)
    for (version, status) in [(1, 1), (18, 1), (19, 0), (30, 0), (34, 0)] as [(Int, Int32)] {
      let verified = try shop.run(
        "verify", SignedShop.config, "--keys", "content/keys/qa/\(version).json")
      #expect(verified.status == status, "\(version): \(verified)")
    }
    try sandbox.write("content/keys/qa/dropped.json", "{\"format\": 1, \"below\": 99}\n")
    let damaged = try shop.run("publish", "qa")
    #expect(damaged.status == 1 && damaged.errors.contains("dropped.json"), "\(damaged)")
  }

  /// Fourteen keys with names; new documents leave out the names that earlier ones have.
  @Test(arguments: ["binary", "json"]) func manyKeysLeaveRoomForTheConfig(format: String) throws {
    try sandbox.write("content/content.yaml", "format: \(format)\n" + SignedShop.project)
    var words = ["keys", "add", "qa"]
    for number in 1...12 {
      words += ["--keys", "colleague-number-\(number)=\(try shop.makeKey("k\(number)"))"]
    }
    try shop.succeed(words)
    let (refusal, last, warned) = try renewUntilRefused()
    #expect(last > 15 && refusal.errors.contains("no room for key document"), "\(last)")
    let half = try #require(warned.first)
    func named(_ version: Int) throws -> Bool {
      let text = String(
        decoding: try #require(sandbox.read("content/keys/qa/\(version).json")), as: UTF8.self)
      return text.contains("colleague-number-7")
    }
    let versions = [2, half - 1, half + 1, last]
    #expect(try versions.map(named) == [true, true, false, false])
    let shown = try shop.run("keys", "show", "qa")
    #expect(
      shown.output.split(separator: "document \(last),").last?.contains("colleague-number-7")
        == true)
    try shop.succeed("publish", "qa")
    let path = format == "json" ? "site/qa/config.json" : SignedShop.config
    let verified = try shop.run(
      "verify", path, "--keys", "content/keys/qa/1.json", "--channel", "qa")
    #expect(verified.status == 0, "\(verified)")
    // A key can still be named, and removed.
    try shop.succeed("keys", "drop", "qa", "--below", "\(last)", "--yes")
    try shop.succeed("keys", "remove", "qa", "--key", "colleague-number-7")
  }
}
