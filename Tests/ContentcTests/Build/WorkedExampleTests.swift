import ContentModel
import PropertyLists
import TestInputs
import Testing

@testable import TestCommands

@Suite("The worked example")
struct WorkedExampleTests {
  struct Expectation: Sendable {
    var locale: String
    var device: String
    var title: String
    var care: String?
    var label: String
    var height: Int64
  }

  static let table = [
    Expectation(
      locale: "en", device: "phone", title: "Country Charm Basket", care: "Keep cool.",
      label: "New", height: 30),
    Expectation(
      locale: "en", device: "ipad", title: "Country Charm Basket, Large", care: "Keep cool.",
      label: "New", height: 45),
    Expectation(
      locale: "fr", device: "ipad", title: "Panier champêtre", care: "Keep cool.", label: "Nouveau",
      height: 45),
    Expectation(
      locale: "fr-CA", device: "phone", title: "Panier champêtre", care: nil, label: "Nouveau",
      height: 30),
  ]

  @Test("serves every context of the table its values", arguments: table)
  func servesTheValuesOfTheTable(expected: Expectation) throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try #require(try sandbox.run("build").status == 0)
    let bundle = try PublishedFolder(sandbox).bundle(
      "product/country-charm", expected.locale, expected.device)
    let entry = bundle["entries"]["product/country-charm"]
    let content = entry["content"]
    #expect(content["title"] == .string(expected.title))
    #expect(content["care"] == expected.care.map(Value.string))
    #expect(content["price"] == .real(39.99))
    #expect(content["badges"][0]["id"] == "new")
    #expect(content["badges"][0]["label"] == .string(expected.label))
    #expect(content["badges"][0]["height"] == .integer(expected.height))
    #expect(content["badges"][1] == nil)
    #expect(entry["datatype"] == "product")
    #expect(entry["ttl"] == 3600)
    #expect(bundle["bundle"] == "product/country-charm")
    #expect(bundle["order"] == ["product/country-charm"])
  }

  @Test func embedsTheLightCatalogInTheIndex() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try #require(try sandbox.run("build").status == 0)
    let published = try PublishedFolder(sandbox)
    let index = try published.index("fr", "ipad")
    let carried = index["startup"]["catalog"]
    let object = try published.object(index["bundles"]["catalog"]["object"])
    #expect(carried == object)
    let content = carried["entries"]["product/country-charm"]["content"]
    #expect(content == ["title": "Panier champêtre", "price": 39.99])
    #expect(index["bundles"]["product"]["count"] == 1)
  }

  @Test func listsLocalesAndDevicesInConfig() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try #require(try sandbox.run("build").status == 0)
    let config = try PublishedFolder(sandbox).config
    #expect(config["app"] == "flowershop")
    #expect(config["channel"] == "preview")
    #expect(config["release"] == 0)
    #expect(config["issued"] == nil)
    #expect(config["ttl"] == 600)
    #expect(config["locales"]["fr-CA"] == ["fr-CA", "fr", "en"])
    #expect(config["devices"] == ["phone": "any", "tablet": "any", "ipad": "tablet"])
  }

  @Test func printsTheBoundsOfBothChannels() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let built = try sandbox.run("build")
    #expect(
      built.output.contains(
        "production  15m30s for a correction (fastly 5m30s + app 10m); after a purge: the purge's own time + 10m\n"
      ))
    #expect(
      built.output.contains(
        "qa          10m for a correction (app 10m); after a purge: the purge's own time + 10m\n"))
    #expect(built.errors == "")
  }

  @Test func failsIfAChainLacksARequiredField() throws {
    let sandbox = try Sandbox(WorkedExample.failing)
    let built = try sandbox.run("build", "--diagnostics", "short")
    #expect(built.status == 1)
    #expect(built.output == "")
    let lines = built.errors.split(separator: "\n")
    #expect(lines.count == 1)
    #expect(built.errors.hasPrefix("content/entries/product/country-charm.yaml:1:1: error: "))
    #expect(built.errors.contains("'title'"))
    #expect(built.errors.contains("zh-Hant"))
    #expect(sandbox.read("out/preview/config.plist") == nil)
  }
}
