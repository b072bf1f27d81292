import ContentModel
import ContentSource
import Diagnostics
import Testing

@testable import ContentCompiler

/// A worked example of content and of its build.
@Suite struct WorkedExampleTests {
  private static let project = """
    app: flowershop
    sourceLocale: en
    locales: [en, en-GB, fr, fr-CA]
    devices:
      phone: {}                     # parent is the root, `any`
      tablet: {}
      ipad: {parent: tablet}
    ttl: {app: 10m, edge: 5m, origin: 0s}
    stalenessLimit: 30m
    bundles:
      catalog: {include: product/*, projection: light, startup: true}
      product: {include: product/*, split: entry}      # one bundle per entry: `product/country-charm`
    channels:
      qa: {target: site}
      production:
        target: s3://flowers-content/v1
        url: https://content.example.com/v1
        cdn:
          - fastly: {service: FASTLY_SERVICE, token: FASTLY_TOKEN}     # names of environment variables

    """

  private static let content = [
    "datatypes/product.yaml": """
    ttl: 1h
    fields:
      title: {type: string, required: true, localized: true, maxLength: 60}
      price: {type: number, required: true, min: 0}
      care: {type: text, localized: true}
      badges:
        type: list
        of: {type: object, fields: {id: {type: string}, label: {type: string, localized: true}, height: {type: integer}}}
    projections:
      light: [title, price]
    """,
    "entries/product/country-charm.yaml": """
    title: Country Charm Basket
    price: 39.99
    care: Keep cool.
    badges:
      - {id: new, label: New, height: 30}
    """,
    "entries/product/country-charm.fr.yaml": """
    title: Panier champêtre
    badges:
      - {id: new, label: Nouveau}
    """,
    "entries/product/country-charm@ipad.yaml": """
    title: Country Charm Basket, Large
    badges:
      - {id: new, height: 45}
    """,
    "entries/product/country-charm.fr-CA.yaml": "care: null\n",
  ]

  private func shop(_ project: String = project) throws -> Shop {
    try Shop(ContentFolder(texts: Self.content.merging(["content.yaml": project]) { $1 }))
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
    let project = Self.project.replacing(
      "fr-CA]\n", with: "fr-CA, zh-Hant]\nfallback:\n  zh-Hant: [zh-Hant]\n")
    let shop = try shop(project)
    #expect(!shop.isBuilt)
    let errors = shop.diagnostics.filter { $0.severity == .error }
    #expect(errors.map(\.id) == ["missing-field"])
    let message = errors.first?.message ?? ""
    #expect(
      message.contains("'title'") && message.contains("zh-Hant") && !message.contains("fr"),
      "\(message)")
    #expect(errors.first?.location?.path.contains("country-charm.yaml") == true)
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
    let shop = try shop(Self.project.replacing("stalenessLimit: 30m", with: "stalenessLimit: 15m"))
    #expect(!shop.isBuilt)
    #expect(shop.findings("staleness").map(\.severity) == [.error])
  }
}
