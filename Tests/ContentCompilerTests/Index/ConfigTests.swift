import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import Testing

@testable import ContentCompiler

/// Config, and the files of `out/`; `docs/reference/output.md`.
@Suite struct ConfigTests {
  private static let settings = [
    "locales": "[en, en-GB, fr, zh-Hant, zh]", "ttl": "{app: 5m}", "minimumApp": "'2.1'",
    "fallback": "{zh-Hant: [zh-Hant, fr]}",
  ]

  private func shop() throws -> Shop {
    try Shop(
      ["item/a": "x: 1", "item/a.fr": "x: 2", "strings/en.yml": "en: {a: b}"], with: Self.settings)
  }

  @Test func hasTheDocumentedMembers() throws {
    let config = try shop().config
    #expect(
      config.keys == [
        "app", "build", "channel", "devices", "format", "indexes", "locales", "maintenance",
        "matches", "minimumApp",
        "purge", "release",
        "sourceLocale", "ttl",
      ])
    #expect(
      config["format"] == 1 && config["app"] == "shop" && config["channel"] == "preview"
        && config["release"] == 0)
    #expect(config["ttl"] == 300 && config["sourceLocale"] == "en" && config["minimumApp"] == "2.1")
    #expect(config["devices"]?.json == #"{"ipad":"tablet","phone":"any","tablet":"any"}"#)
    #expect(
      config["locales"]?.json
        == #"{"en":["en"],"en-GB":["en-GB","en-001","en"],"fr":["fr","en"],"zh":["zh","en"],"zh-Hant":["zh-Hant","fr"]}"#
    )
    #expect(
      config["purge"]?.json == #"{"entries":[],"minimumRelease":0,"objects":[],"sequence":0}"#)
    #expect(
      config["maintenance"]?.keys == ["active", "payloads", "retryAfter"]
        && config["maintenance"]?["active"] == false)
  }

  @Test func omitsUnsetMembers() throws {
    #expect(try Shop(["item/a": "x: 1"]).config["minimumApp"] == nil)
  }

  @Test func namesAnIndexAndAPayloadForEveryContext() throws {
    let shop = try shop()
    for locale in ["en", "en-GB", "fr", "zh-Hant", "zh"] {
      for tree in [try shop.config["indexes"], try shop.config["maintenance"]?["payloads"]] {
        #expect(tree?[locale]?.keys == ["any", "ipad", "phone", "tablet"])
        for device in ["any", "ipad", "phone", "tablet"] {
          _ = try shop.object(tree?[locale]?[device])
        }
      }
    }
    #expect(try Reader("en").index(of: shop).keys == ["bundles", "format", "startup"])
  }

  @Test(arguments: [
    ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"), ("zh-CN", "zh"), ("zh-Hans-CN", "zh"),
    ("fr-CH", "fr"), ("fil", "en"),
    ("de", "en"),
    ("en-GB", "en-GB"), ("en-US", "en"), ("zh-Hant-TW", "zh-Hant"),
  ])
  func matchesARequestedLocale(requested: String, served: String) throws {
    #expect(try Reader(requested).locale(in: try shop().config) == served)
  }

  @Test func listsMatchesThatTruncationMisses() throws {
    let matches = try #require(try shop().config["matches"])
    #expect(matches["zh-TW"] == "zh-Hant")
    #expect(["zh-CN", "fr-CH", "en-US", "fr", "zh-Hant"].allSatisfy { matches[$0] == nil })
    #expect(
      try Shop(["item/a": "x: 1"], with: ["locales": "[en, fr]"]).config["matches"]?.keys.contains(
        "fr-CA") == false)
  }

  @Test func namesTheRecordOfEveryObjectByHash() throws {
    let shop = try shop()
    let record = try shop.record
    guard case .data(let own)? = try shop.config["build"] else {
      throw Reader.Unreadable(what: "build")
    }
    #expect(
      record["objects"]?.keys == shop.objects.keys.filter { $0.bytes != own }.map(\.hex).sorted())
    #expect(
      record["objects"]?.keys.allSatisfy { hex in
        Digest(hex: hex).flatMap { shop.objects[$0] }.map { Value.integer(Int64($0.bytes.count)) }
          == record["objects"]?[hex]?["size"]
      } == true)
    #expect(record["contexts"]?.items.count == 20 && record["contexts"]?.items.first == "en/any")
  }

  @Test func recordsSourcesWithTheirHashes() throws {
    let text = "x: 1\n"
    let folder = ContentFolder(texts: [
      "content.yaml":
        "{app: shop, sourceLocale: en, locales: [en], bundles: {all: {include: '**'}}}",
      "datatypes/item.yaml": "open: true",
      "entries/item/a.yaml": text, "strings/en.yml": "en: {}",
    ])
    let sources = try Shop(folder).recordedSources
    #expect(
      sources.keys.sorted() == [
        "content.yaml", "datatypes/item.yaml", "entries/item/a.yaml", "strings/en.yml",
      ])
    #expect(sources["entries/item/a.yaml"]?["hash"] == .data(Digest(of: Array(text.utf8)).bytes))
  }

  @Test func recordsTheObjectsOfEachEntry() throws {
    let shop = try shop()
    let named = try #require(try shop.recordedEntries["item/a"]?.items)
    let bundles = try ["en", "fr"].compactMap {
      try Reader($0).index(of: shop)["bundles"]?["all"]?["object"]
    }
    #expect(bundles.allSatisfy(named.contains))
    #expect(try shop.recordedEntries.keys.sorted() == ["item/a", "strings/app"])
  }

  @Test func linksBundlesByReadableNames() throws {
    let shop = try Shop(
      ["item/a": "x: 1"],
      with: [
        "bundles":
          "{all: {include: '**'}, json: {include: '**', format: json}, one: {include: '**', split: entry}}"
      ])
    let links = try #require(shop.build).links
    let paths = links.map(\.path)
    #expect(
      paths.contains("preview/latest/fr-CA/ipad/all.plist")
        && paths.contains("preview/latest/en/any/json.json"))
    #expect(
      paths.contains("build.plist") && !paths.contains { $0.contains("/one") }
        && Set(paths).count == paths.count)
    #expect(links.allSatisfy { shop.objects[$0.digest]?.fileExtension == $0.fileExtension })
  }

  @Test func warnsIfItIsLarge() throws {
    let devices = (0..<25).map { "d\($0): {}" }.joined(separator: ", ")
    let shop = try Shop(
      ["item/a": "x: 1"],
      with: [
        "devices": "{\(devices)}", "locales": "[en, fr, de, es, it, nl, ja, ko]", "format": "xml",
      ])
    #expect(shop.isBuilt && shop.diagnostics.map(\.id) == ["large-config"])
    #expect(shop.diagnostics.first?.message.contains("% of the 64 kB") == true)
  }

  private static let oneContext = ["locales": "[en]", "devices": "{}"]

  /// Clients have the same limits: they would refuse each such release.
  @Test func refusesAConfigAboveTheLimitOfClients() throws {
    let devices = (0..<70).map { "d\($0): {}" }.joined(separator: ", ")
    let shop = try Shop(
      ["item/a": "x: 1"],
      with: [
        "devices": "{\(devices)}", "locales": "[en, fr, de, es, it, nl, ja, ko]", "format": "xml",
      ])
    #expect(!shop.isBuilt && shop.diagnostics.map(\.id) == ["large-config"])
    #expect(shop.diagnostics.first?.message.contains("clients refuse more than 65536") == true)
  }

  @Test(arguments: [(bytes: 1_100_000, isBuilt: true), (bytes: 4_300_000, isBuilt: false)])
  func limitsAnIndexWithItsStartupBundles(bytes: Int, isBuilt: Bool) throws {
    let text = String(repeating: "abcdefghij", count: bytes / 10)
    let shop = try Shop(
      ["item/a": "x: \(text)"],
      with: Self.oneContext.merging(["bundles": "{home: {include: '**', startup: true}}"]) { $1 })
    #expect(shop.isBuilt == isBuilt && shop.diagnostics.map(\.id) == ["large-index"])
    let message = try #require(shop.diagnostics.first?.message)
    #expect(message.contains("the index of 'en/any'"), "\(message)")
  }

  @Test func limitsTheTextsForMaintenance() throws {
    let text = String(repeating: "abcdefghij", count: 430_000)
    let shop = try Shop(
      ["item/a": "x: 1", "maintenance.yaml": "title: \(text)\n"], with: Self.oneContext)
    #expect(!shop.isBuilt && shop.diagnostics.map(\.id) == ["large-maintenance"])
  }

  @Test func limitsTheListsOfSplitBundles() throws {
    let items = (0..<14_000).map { "a-rather-long-name-of-an-item-\($0): {x: 1}\n" }.joined()
    let shop = try Shop(
      ["entries/item.yaml": items],
      with: Self.oneContext.merging(["bundles": "{items: {include: 'item/*', split: entry}}"]) {
        $1
      })
    #expect(shop.isBuilt && shop.diagnostics.map(\.id) == ["large-list"])
  }
}
