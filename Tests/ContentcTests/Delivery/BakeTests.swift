import ContentClient
import ContentModel
import PropertyLists
import TestReaders
import TestServers
import Testing

@testable import TestCommands

/// The folder that `contentc bake` writes for an app.
@Suite struct BakeTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    try sandbox.shell("cp -R '\(Sandbox.checkout)/content' content")
    try #require(try sandbox.run("publish", "qa", "--quiet").status == 0)
  }

  private func bake(_ flags: String...) throws -> Outcome {
    try sandbox.run(Sandbox.binary, ["bake", "qa", "--to", "App/Content"] + flags)
  }

  /// Returns a reader that has only the baked folder.
  private func bakedReader(locale: String, device: String) throws -> ClientReader {
    var configuration = ContentConfiguration(
      url: "https://site.example", app: "flowershop", channel: "qa")
    configuration.context = ReaderContext(locales: [locale], device: device)
    configuration.baked = "\(sandbox.root)/App/Content"
    return try ClientReader(configuration)
  }

  /// Expects that readers of the baked folder see the same as readers of the site.
  private func expectSameScreens(locales: [String], devices: [String]) async throws {
    for locale in locales {
      for device in devices {
        let baked = try bakedReader(locale: locale, device: device)
        let site = try ClientReader(
          app: "flowershop", channel: "qa", locale: locale, device: device,
          eager: baked.client.snapshot.bundles
        ) { [sandbox] key in sandbox.read("site/\(key)") }
        #expect(await site.refresh(), "\(locale)/\(device)")
        #expect(!site.screen.isEmpty && baked.screen == site.screen, "\(locale)/\(device)")
      }
    }
  }

  @Test func writesWhatReadersOfTheSiteGet() async throws {
    let outcome = try bake()
    #expect(outcome.status == 0 && outcome.output.contains("Baked release 1 of 'qa'"), "\(outcome)")
    let files = sandbox.tree("App/Content")
    #expect(files.first?.path == "App/Content/config.plist")
    #expect(sandbox.read("App/Content/config.plist") == sandbox.read("site/qa/config.plist"))
    for file in files.dropFirst() {
      let key = file.path.dropFirst("App/Content/".count)
      #expect(sandbox.read("site/\(key)") == file.bytes, "\(key)")
    }
    // Only build records have no readers.
    let site = Set(sandbox.files(below: "site/objects").filter { !$0.hasSuffix(".gz") })
    #expect(files.count - 1 < site.count && files.count - 1 > site.count * 8 / 10)
    #expect(!files.contains { $0.path.hasSuffix(".gz") })
    try await expectSameScreens(
      locales: ["ar", "de", "en", "en-GB", "es-MX", "fr", "fr-CA", "ja", "pt-BR", "zh-Hant"],
      devices: ["any", "phone", "tv"])
  }

  @Test func writesOnlyTheWantedPart() async throws {
    #expect(try bake("--locale", "fr", "--locale", "en", "--device", "phone").status == 0)
    try await expectSameScreens(locales: ["fr", "en"], devices: ["phone"])
    let part = sandbox.files(below: "App/Content").count
    #expect(try bakedReader(locale: "ja", device: "phone").shownRelease == 0)
    #expect(try bake("--locale", "fr", "--device", "phone", "--assets", "none").status == 0)
    let assets = sandbox.files(below: "App/Content").filter {
      !$0.hasSuffix(".plist") && !$0.hasSuffix(".json")
    }
    #expect(assets == [] && sandbox.files(below: "App/Content").count < part)
    let first = try bake(
      "--locale", "fr", "--device", "phone", "--bundle", "catalog", "--assets", "startup")
    #expect(first.status == 0, "\(first)")
    #expect(sandbox.files(below: "App/Content").contains { $0.hasSuffix(".png") })
  }

  @Test(arguments: [
    (["--locale", "frr"], "unknown locale 'frr'; did you mean 'fr'? [unknown-locale]"),
    (["--device", "phon"], "unknown device 'phon'; did you mean 'phone'? [unknown-device]"),
    (["--bundle", "catlog"], "unknown bundle 'catlog'; did you mean 'catalog'? [unknown-bundle]"),
  ])
  func suggestsKnownNames(flags: [String], message: String) throws {
    let outcome = try sandbox.run(
      Sandbox.binary, ["bake", "qa", "--to", "App/Content"] + flags)
    #expect(outcome.status == 66 && outcome.errors.contains(message), "\(outcome)")
    #expect(sandbox.read("App/Content/config.plist") == nil)
  }

  @Test func readsTheURLAsAppsDo() async throws {
    let cache = try ScriptedCache(before: "site", of: sandbox)
    try sandbox.shell(
      "sed -i 's|^  qa: {target: site}|  qa: {target: site, url: \"\(cache.address)\"}|' content/content.yaml"
    )
    #expect(try bake().status == 0)
    try await expectSameScreens(locales: ["en"], devices: ["phone"])
    // The cache still has the files, and the target does not.
    let baked = sandbox.tree("App/Content")
    try sandbox.shell("mv site elsewhere && mkdir site && rm -r App")
    #expect(try bake().status == 0)
    let again = sandbox.tree("App/Content")
    #expect(again.map(\.path) == baked.map(\.path) && again.map(\.bytes) == baked.map(\.bytes))
    #expect(try bake("--from-target").status == 66)
    try sandbox.shell("rmdir site && mv elsewhere site")
    #expect(try bake("--from-target").status == 0)
  }

  /// A missing object ends the command before config is replaced.
  @Test func keepsEarlierContentAfterAFailure() async throws {
    #expect(try bake().status == 0)
    let before = sandbox.tree("App/Content")
    try sandbox.shell(
      "sed -i 's/^title: .*/title: Another charm/' content/entries/product/country-charm.yaml")
    try #require(try sandbox.run("publish", "qa", "--quiet").status == 0)
    let old = Set(before.map(\.path).map { $0.dropFirst("App/Content/".count) })
    let new = sandbox.files(below: "site/objects").filter {
      !$0.hasSuffix(".gz") && !old.contains($0.dropFirst("site/".count))
    }
    let bundle = try #require(
      new.last { path in
        (try? sandbox.value(path))?["entries"]?["product/country-charm"] != nil
      })
    try sandbox.shell("mv \(bundle) away && rm -f \(bundle).gz")
    let failed = try bake()
    #expect(
      failed.status == 69 && failed.errors.contains("[missing-target]")
        && failed.errors.contains("'contentc publish qa --repair' checks every object"),
      "\(failed)")
    for file in before { #expect(sandbox.read(file.path) == file.bytes) }
    try sandbox.shell("printf altered > \(bundle)")
    let altered = try bake()
    #expect(altered.status == 69 && altered.errors.contains("not what its name says"), "\(altered)")
    for file in before { #expect(sandbox.read(file.path) == file.bytes) }
    try sandbox.shell("mv away \(bundle)")
    let done = try bake()
    #expect(done.status == 0 && done.output.contains("of earlier content"), "\(done)")
    try await expectSameScreens(locales: ["en", "fr-CA"], devices: ["phone"])
  }

  @Test func refusesFoldersThatAreNotItsOwn() throws {
    try sandbox.write("App/Content/notes.txt", "mine")
    let foreign = try bake()
    #expect(
      foreign.status == 74 && foreign.errors.contains("such as 'notes.txt'")
        && foreign.errors.contains("--to"), "\(foreign)")
    try sandbox.shell("rm -r App/Content && mkdir -p App/Content elsewhere")
    try sandbox.shell("ln -s ../../elsewhere App/Content/objects")
    #expect(try bake().status == 74)
    #expect(sandbox.files(below: "elsewhere") == [])
    #expect(sandbox.read("App/Content/config.plist") == nil)
  }

  // MARK: --check

  @Test func passesIfTheFolderIsNewEnough() throws {
    #expect(try bake("--check").status == 1, "nothing is baked yet")
    #expect(try bake().status == 0)
    #expect(try bake("--check").status == 0)
    // A release without other content makes no difference.
    try #require(try sandbox.run("maintenance", "on", "qa").status == 0)
    #expect(try bake("--check").status == 0)
    try sandbox.shell(
      "sed -i 's/^title: .*/title: Another charm/' content/entries/product/country-charm.yaml")
    try #require(try sandbox.run("publish", "qa", "--quiet").status == 0)
    let late = try bake("--check")
    #expect(
      late.status == 2 && late.errors.contains("release 3 is live, and newer by")
        && late.errors.contains("[baked-age]"), "\(late)")
    #expect(try bake("--check", "--max-age", "1h").status == 0)
  }

  @Test func failsAfterAPurge() throws {
    #expect(try bake().status == 0)
    try #require(
      try sandbox.run("purge", "qa", "product/country-charm", "--reason", "x").status == 0)
    let purged = try bake("--check", "--max-age", "30d")
    #expect(
      purged.status == 2 && purged.errors.contains("a purge removed content since release 1"),
      "\(purged)")
    #expect(try bake().status == 0)
    #expect(try bake("--check").status == 0)
  }

  @Test func failsForAlteredAndMissingFiles() throws {
    #expect(try bake("--locale", "en").status == 0)
    #expect(try bake("--check", "--locale", "en").status == 0)
    #expect(try bake("--check", "--locale", "fr").status == 1)
    let files = sandbox.files(below: "App/Content/objects")
    for ending in [".plist", ".png"] {
      let file = try #require(files.last { $0.hasSuffix(ending) })
      for damage in ["printf x >> \(file)", "rm \(file)"] {
        try sandbox.shell(damage)
        let altered = try bake("--check", "--locale", "en")
        #expect(
          altered.status == 1 && altered.errors.contains("[baked-files]"), "\(damage): \(altered)")
      }
      #expect(try bake("--locale", "en").status == 0)
      #expect(try bake("--check", "--locale", "en").status == 0)
    }
    try sandbox.write("App/Content/objects/aa/notes.txt", "mine")
    let foreign = try bake("--check", "--locale", "en")
    #expect(foreign.status == 1 && foreign.errors.contains("notes.txt"), "\(foreign)")
    #expect(try bake("--locale", "en").status == 74)
    #expect(sandbox.read("App/Content/objects/aa/notes.txt") != nil)
  }

  /// The next bake refuses the same file.
  @Test func failsForAForeignFileBesideConfig() throws {
    #expect(try bake("--locale", "en").status == 0)
    try sandbox.write("App/Content/README.md", "mine")
    #expect(try bake("--check", "--locale", "en").status == 0)
    try sandbox.write("App/Content/notes.txt", "mine")
    let foreign = try bake("--check", "--locale", "en")
    #expect(
      foreign.status == 1
        && foreign.errors.contains("'App/Content/notes.txt' is no file of baked content"),
      "\(foreign)")
    #expect(try bake("--locale", "en").status == 74)
  }
}
