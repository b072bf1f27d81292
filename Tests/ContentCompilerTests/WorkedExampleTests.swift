import ContentModel
import ContentSource
import Diagnostics
import TestInputs
import Testing

@testable import ContentCompiler

/// A worked example of content and of its build.
@Suite struct WorkedExampleTests {
  private func shop(
    _ files: [WorkedExample.File] = WorkedExample.building, stalenessLimit: String = "30m"
  ) throws -> Shop {
    var texts = WorkedExample.contentTexts(files)
    texts["content.yaml"] = texts["content.yaml"]?.replacing(
      "stalenessLimit: 30m", with: "stalenessLimit: \(stalenessLimit)")
    return try Shop(ContentFolder(texts: texts))
  }

  private func entry(_ context: String) throws -> Value {
    let bundle = try Reader(context).bundle("product", "country-charm", in: try shop())
    return try #require(bundle?["entries"]?["product/country-charm"])
  }

  @Test(arguments: [
    ("en/phone", "Country Charm Basket", #""Keep cool.""#, "New", 30),
    ("en/ipad", "Country Charm Basket, Large", #""Keep cool.""#, "New", 45),
    ("fr/ipad", "Panier champêtre", #""Keep cool.""#, "Nouveau", 45),
    ("fr-CA/phone", "Panier champêtre", nil, "Nouveau", 30),
  ])
  func servesTheValuesOfTheTable(
    context: String, title: String, care: String?, label: String, height: Int64
  ) throws {
    let content = try #require(try entry(context)["content"])
    #expect(content["title"]?.json == "\"\(title)\"")
    #expect(content["care"]?.json == care)
    #expect(content["price"] == .real(39.99))
    #expect(content["badges"]?.json == #"[{"height":\#(height),"id":"new","label":"\#(label)"}]"#)
  }

  @Test func rejectsAChainWithoutATitle() throws {
    let shop = try shop(WorkedExample.failing)
    #expect(!shop.isBuilt)
    let errors = shop.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.id) == ["missing-field"])
    let message = errors.first?.message ?? ""
    #expect(
      message.contains("'title'") && message.contains("zh-Hant") && !message.contains("fr"),
      "\(message)")
    #expect(errors.first?.location?.path.text.contains("country-charm.yaml") == true)
  }

  @Test func hasATimeToLiveOfAnHour() throws {
    #expect(try entry("fr-CA/phone")["ttl"] == 3600)
    #expect(try entry("fr-CA/phone").keys == ["content", "datatype", "ttl"])
  }

  @Test func omitsAnUnsetTimeToLive() throws {
    let shop = try Shop(["item/a": "x: 1"])
    #expect(
      try Reader("en").bundle("all", in: shop)?["entries"]?["item/a"]?.keys == [
        "content", "datatype",
      ])
  }

  @Test func boundsStalenessWithAndWithoutAPurge() throws {
    let bounds = try #require(try shop().build).bounds
    let production = try #require(bounds.first { $0.channel == "production" }?.bound)
    #expect(production.correction.seconds == 15 * 60 + 30)
    #expect(production.afterPurge.seconds == 10 * 60)
  }

  @Test func embedsTheProjectedStartupBundleInTheIndex() throws {
    let (shop, reader) = (try shop(), Reader("fr/ipad"))
    let catalog = try #require(try reader.bundle("catalog", in: shop))
    #expect(
      catalog["entries"]?["product/country-charm"]?["content"]?.json
        == #"{"price":39.99,"title":"Panier champêtre"}"#)
    #expect(try reader.index(of: shop)["startup"]?["catalog"] == catalog)
    #expect(try reader.index(of: shop)["startup"]?.keys == ["catalog"])
  }

  @Test func failsIfTheBoundExceedsTheLimit() throws {
    let shop = try shop(stalenessLimit: "15m")
    #expect(!shop.isBuilt)
    #expect(shop.findings("staleness").map(\.severity) == [.error])
  }
}
