import ContentModel
import PropertyLists
import TestInputs
import TestReaders
import Testing

@testable import TestCommands

/// Tests that this version reads and continues what earlier versions of contentc wrote
/// (docs/reference/stability.md).
@Suite(.timeLimit(.minutes(10))) struct MuseumTests {
  @Test func exhibitsIncludeTheEarliestVersionAndTheCurrentFormats() {
    #expect(Exhibit.all.map(\.name).contains("233fb599"))
    #expect(Exhibit.all.map(\.name).contains(Exhibit.newest.name))
  }

  /// The changelog may begin with a section of unreleased changes.
  @Test func theVersionIsThatOfTheNewestReleaseInTheChangelog() throws {
    let titles = try CheckedOutFiles.text("CHANGELOG.md").split(separator: "\n")
      .filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
    let newest = try #require(titles.first { $0 != "Unreleased" })
    #expect(newest.prefix { $0 != " " } == ContentcVersion.current)
    let parts = ContentcVersion.current.split(separator: ".", omittingEmptySubsequences: false)
    #expect(parts.count == 3 && parts.allSatisfy { Int($0) != nil })
  }

  @Test(arguments: Exhibit.all)
  func documentsTheReleasesOfAnExhibit(_ exhibit: Exhibit) throws {
    let open = try exhibit.copy(of: .open)
    let signed = try exhibit.copy(of: .signed)
    var text = ""
    for (shop, words) in [
      (open, ["status"]), (open, ["history", "qa"]), (open, ["history", "production"]),
      (signed, ["history", "qa"]),
    ] {
      let before = shop.target
      let done = try shop.run(words)
      #expect(done.status == 0 && done.errors.isEmpty, "\(done)")
      #expect(shop.target == before)
      text += "$ contentc \(words.joined(separator: " "))\n\(done.output)\n"
    }
    try CheckedOutFiles.expect("\(Exhibit.folder)/\(exhibit.name).txt", toBe: text)
  }

  /// Returns the titles of products, in French, as an app without keys shows them.
  private func titles(_ shop: ExhibitCopy) async throws -> [String: String] {
    let reader = try ClientReader(channel: "qa", locale: "fr", eager: ["catalog"]) {
      [sandbox = shop.sandbox] key in sandbox.read("site/\(key)")
    }
    #expect(await reader.refresh())
    return reader.screen.filter { $0.key.hasPrefix("product/") }
      .compactMapValues { $0["title"]?.text }
  }

  @Test(arguments: Exhibit.all)
  func commandsContinueATargetOfAnEarlierVersion(_ exhibit: Exhibit) async throws {
    let shop = try exhibit.copy(of: .open)
    try shop.succeed("maintenance", "off", "qa")
    #expect(
      try await titles(shop) == ["product/rose": "Rose rouge", "product/tulip": "Tulip again"])
    try shop.succeed("rollback", "qa", "--to", "4")
    #expect(try await titles(shop) == ["product/rose": "Rose rouge", "product/tulip": "Tulip"])
    try shop.succeed("publish", "qa")
    #expect(try await titles(shop)["product/iris"] == "Iris")
    try shop.succeed("purge", "qa", "product/tulip", "--restore", "--reason", "A mistake")
    #expect(try await titles(shop)["product/tulip"] == "Tulip")
    try shop.succeed("promote", "qa", "production")
    try shop.succeed("prune", "qa")
    let history = try shop.succeed("history", "qa", "--json")
    #expect(history?["releases"]?.items?.count == 12)
    let status = try shop.succeed("status", "--json")
    #expect(status?["channels"]?.members?.count == 2)
  }

  /// Apps of that version ignore `next`, and know all other keys.
  @Test(arguments: Exhibit.all)
  func aRolloutLeavesWhatAppsOfAnEarlierVersionRead(_ exhibit: Exhibit) async throws {
    let shop = try exhibit.copy(of: .open)
    func config() throws -> Members {
      try #require(try shop.sandbox.value("site/qa/config.plist").members)
    }
    var before = try config()
    try shop.succeed("publish", "qa", "--to", "100%")
    var during = try config()
    #expect(during["next"] != nil && before["release"] == 8 && during["release"] == 9)
    for key in ["entries", "sequence", "minimumRelease"] {
      #expect(during["purge"]?[key] == before["purge"]?[key])
    }
    for key in ["issued", "next", "purge", "record", "release"] {
      (before[key], during[key]) = (nil, nil)
    }
    #expect(during == before)
    try shop.succeed("maintenance", "off", "qa")
    #expect(
      try await titles(shop) == ["product/rose": "Rose rouge", "product/tulip": "Tulip again"])
    try shop.succeed("rollout", "qa", "--finish")
    #expect(try await titles(shop)["product/iris"] == "Iris")
  }

  @Test(arguments: Exhibit.all)
  func refusesWhatAnEarlierVersionPurged(_ exhibit: Exhibit) throws {
    let shop = try exhibit.copy(of: .open)
    let before = shop.target
    let rolledBack = try shop.run("rollback", "qa", "--to", "2")
    #expect(rolledBack.status == 69 && rolledBack.errors.contains("An insult"), "\(rolledBack)")
    try shop.sandbox.write(
      "content/entries/product/lily.yaml", "title: Lily\nwhen: {until: 2126-12-24T00:00:00Z}\n")
    let published = try shop.run("publish", "qa")
    #expect(
      published.status == 69 && published.errors.contains("Sold out for ever"), "\(published)")
    #expect(shop.target == before)
    // The exhibit has no unfinished purge.
    let again = try shop.run("purge", "qa")
    #expect(again.status == 0 && again.output.contains("Nothing to do"), "\(again)")
    #expect(shop.target == before)
  }

  @Test(arguments: Exhibit.all)
  func buildsOverTheOutputAndMemoryOfAnEarlierVersion(_ exhibit: Exhibit) throws {
    let (shop, clean) = (try exhibit.copy(of: .open), try exhibit.copy(of: .open))
    try clean.sandbox.shell("rm -rf out .contentc")
    try clean.succeed("build")
    let wanted = clean.sandbox.tree("out")
    // The second build uses the memory that the first one wrote.
    for _ in 1...2 {
      try shop.succeed("build")
      let built = shop.sandbox.tree("out")
      #expect(built.map(\.path) == wanted.map(\.path))
      #expect(built.map(\.bytes) == wanted.map(\.bytes))
    }
    #expect(try shop.run("publish", "qa", "--built", "--dry-run").status == 0)
  }

  @Test(arguments: Exhibit.all)
  func readsTranslationsOfAnEarlierVersion(_ exhibit: Exhibit) throws {
    let shop = try exhibit.copy(of: .open)
    let lock = try #require(shop.sandbox.read("content/translations.lock"))
    let locked = try shop.succeed("translations", "lock", "--json")
    #expect(locked?["translations"] == 1 && locked?["added"] == 0 && locked?["removed"] == 0)
    // A translator returns the file. The lily in the file no longer exists.
    try shop.sandbox.shell("sed -i 's/Rose rouge/Rose pourpre/' fr.xliff")
    try shop.succeed("translations", "import", "fr.xliff", "--skip-unknown")
    let rose = shop.sandbox.read("content/entries/product/rose.fr.yaml") ?? []
    #expect(String(decoding: rose, as: UTF8.self).contains("Rose pourpre"))
    #expect(shop.sandbox.read("content/translations.lock") != lock)
  }

  @Test(arguments: Exhibit.all)
  func bakeChecksAndReplacesAFolderOfAnEarlierVersion(_ exhibit: Exhibit) throws {
    let shop = try exhibit.copy(of: .open)
    try shop.succeed("bake", "production", "--to", "baked", "--check")
    try shop.succeed("bake", "production", "--to", "baked")
    try shop.succeed("bake", "qa", "--to", "other")
  }

  /// The test signs a new key document first, because the signatures in an exhibit expire.
  @Test(arguments: Exhibit.all)
  func commandsContinueASignedChannelOfAnEarlierVersion(_ exhibit: Exhibit) async throws {
    let shop = try exhibit.copy(of: .signed)
    let shown = try shop.succeed("keys", "show", "qa", "--json")
    #expect(shown?["documents"]?.items?.map { $0["isSigned"] } == [true, true])
    try shop.succeed("status", "qa")
    try shop.succeed("keys", "renew", "qa")
    let renewed = try shop.succeed("keys", "show", "qa", "--json")?["documents"]?.items?.last
    try shop.succeed(
      "keys", "sign", "qa", "--with", "secrets/owner.pem", "--expect",
      #require(renewed?["sha256"]?.text))
    try shop.succeed("publish", "qa")
    #expect(try await titles(shop)["product/iris"] == "Iris")
    for version in 1...3 {
      try shop.succeed(
        "verify", "site/qa/config.plist", "--channel", "qa", "--keys",
        "content/keys/qa/\(version).json", "--memory", "memory.plist", "--objects")
    }
    let rolledBack = try shop.run("rollback", "qa", "--to", "2")
    #expect(rolledBack.status == 69 && rolledBack.errors.contains("An insult"), "\(rolledBack)")
    try shop.succeed("rollback", "qa")
    try shop.succeed("purge", "qa", "product/rose", "--reason", "Sold out")
    try shop.succeed("maintenance", "on", "qa")
    try shop.succeed("maintenance", "off", "qa")
    try shop.succeed("resign", "qa")
    #expect(try await titles(shop)["product/rose"] == nil)
  }

  /// The memory of an earlier `verify` has the newest key document and the highest release.
  ///
  /// The signatures in an exhibit expire. `verify` reports this only if it accepts everything else.
  @Test(arguments: Exhibit.all)
  func obeysTheMemoryOfAnEarlierVerification(_ exhibit: Exhibit) throws {
    let shop = try exhibit.copy(of: .signed)
    let verify = ["verify", "site/qa/config.plist", "--channel", "qa"]
    // The copy of the memory expects a release above that of config.
    var memory = try #require(try shop.sandbox.value("memory.plist").members)
    #expect(memory["release"] == 4)
    memory["release"] = 5
    try shop.sandbox.write(
      "higher.plist", bytes: PropertyList.encode(.dictionary(memory), as: .binary))
    let older = try shop.run(verify + ["--memory", "higher.plist"])
    #expect(
      older.status == 1 && older.errors.contains("release 4 is older than release 5"), "\(older)")
    // Without key documents in config, only the memory knows the keys that signed the release.
    var config = try #require(try shop.sandbox.value("site/qa/config.plist").members)
    #expect(config["keys"]?.items?.count == 1)
    config["keys"] = nil
    try shop.sandbox.write(
      "site/qa/config.plist", bytes: PropertyList.encode(.dictionary(config), as: .binary))
    let unknown = try shop.run(verify)
    #expect(unknown.status == 1 && !unknown.errors.contains("has ended at"), "\(unknown)")
    let known = try shop.run(verify + ["--memory", "memory.plist"])
    #expect(known.status == 0 || known.errors.contains("has ended at"), "\(known)")
  }

  /// The import may fail for only one reason: the signatures of the draft have expired.
  @Test(arguments: Exhibit.all)
  func readsADraftOfAnEarlierVersion(_ exhibit: Exhibit) throws {
    let shop = try exhibit.copy(of: .signed)
    // Version 0.1.0 has no drafts.
    guard shop.sandbox.read("draft/draft.json") != nil else {
      #expect(exhibit.name == "233fb599")
      return
    }
    let outcome = try shop.run("sign", "import", "draft")
    #expect(
      outcome.status == 0 || outcome.errors.contains("the draft ended at"), "\(outcome)")
  }
}
