import ContentClient
import ContentClientTesting
import Testing

@testable import ShopScreens

/// Pages of the example app, made of a release that the test writes.
@Suite struct ShopPageTests {
  private static let catalog: Value = [
    "product/iris": product("Iris", price: 12, in: "category/bouquets"),
    "product/red": product("Red Rose", price: 9.5, in: "category/roses", euros: 8),
    "product/white": product("White Rose", price: 7, in: "category/roses", isAvailable: false),
    "product/wrong": ["title": "Without a price", "category": "category/roses"],
    "product/yellow": product("Yellow Rose", price: 60, in: "category/roses"),
  ]

  private static func product(
    _ title: String, price: Double, in category: String, euros: Double? = nil,
    isAvailable: Bool = true
  ) -> Value {
    [
      "title": .string(title), "price": .real(price), "category": .string(category),
      "currency": "USD", "available": .boolean(isAvailable),
      "prices": euros.map { ["EUR": .real($0)] } ?? [:],
    ]
  }

  private func snapshot() async throws -> ContentSnapshot {
    let site = TestSite(app: "flowershop", channel: "qa")
    site.publish([
      "catalog": Self.catalog,
      "categories": ["category/roses": ["title": "Roses"]],
      "home": [
        "screen/home": [
          "title": "Home",
          "elements": [
            ["type": "row", "title": "Roses", "action": "category/roses"],
            ["type": "button", "title": "Call", "action": "tel:+12025550143"],
          ],
        ]
      ],
      "settings": ["settings/app": ["home": "screen/home"]],
      "strings": [
        "strings/app": ["labels": ["sold_out": "Sold out", "from_price": "from %{price}"]]
      ],
    ])
    var configuration = ContentConfiguration(
      url: "https://flowers.example", app: "flowershop", channel: "qa")
    configuration.clock = ManualClock()
    configuration.transport = site.transport
    let client = try ContentClient(configuration)
    _ = await client.refresh().outcome
    return client.snapshot
  }

  private func rows(_ words: String, in country: String? = nil) async throws -> [String] {
    var model = ShopModel(reader: ReaderContext(country: country))
    _ = model.obey(try Command(words), on: Page(title: ""))
    let page = try #require(
      model.page(of: await snapshot(), at: Instant(secondsSince1970: 1_800_000_000)))
    return page.lines.map { "\($0.text): \($0.detail)" }
  }

  @Test func filtersSortsAndLimitsProducts() async throws {
    // An entry that the app cannot decode is left out.
    #expect(
      try await rows("list roses by price") == [
        "White Rose: Sold out", "Red Rose: $9.50", "Yellow Rose: $60.00",
      ])
    #expect(
      try await rows("list roses by -price top 2") == ["Yellow Rose: $60.00", "Red Rose: $9.50"])
    #expect(try await rows("list under 10 by title", in: "FR").first == "Red Rose: €8.00")
  }

  @Test func namesTheLowestPriceOnTheFirstScreen() async throws {
    #expect(try await rows("home") == ["Roses: from $7.00", "Call: tel:+12025550143"])
  }
}
