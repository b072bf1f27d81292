import ContentClientTesting
import ContentModel
import Foundation
import Testing

@testable import ContentClient

@Suite struct DecodingTests {
  /// Foundation's own encodings of these types are for no other format.
  @Test func decodesTypesOfFoundation() async throws {
    struct Shop: Decodable, Equatable {
      struct Link: Decodable, Equatable { var url: URL? }
      var site: URL
      var links: [Link]
      var price: Decimal
      var count: Decimal
      var opened: Date
      var key: UUID
    }
    let site = TestSite(app: "shop", channel: "production")
    let key = "6F9619FF-8B86-D011-B42D-00C04FC964FF"
    var fields: Members = [
      "site": "https://shop.example/é?a=1", "links": [["url": "mailto:a@b.example"], [:]],
      "price": 39.9, "count": 12, "opened": .date(Instant(secondsSinceReferenceDate: 86_400)),
      "key": .string(key),
    ]
    site.publish(["catalog": ["shop/a": .dictionary(fields)]])
    var configuration = ContentConfiguration(
      url: "https://shop.example", app: "shop", channel: "production")
    configuration.transport = site.transport
    let client = try ContentClient(configuration)
    #expect(await client.refreshed().isUpdated)
    let shop = try #require(client.snapshot.entries(Shop.self, in: "catalog").first)
    #expect(shop.site == URL(string: "https://shop.example/é?a=1"))
    #expect(shop.links.map(\.url) == [URL(string: "mailto:a@b.example"), nil])
    #expect(shop.price == Decimal(string: "39.9") && shop.count == 12)
    #expect(shop.opened == Date(timeIntervalSinceReferenceDate: 86_400))
    #expect(shop.key == UUID(uuidString: key))
    // A wrong value leaves out its entry only.
    var other = fields
    (other["site"], fields["site"]) = ("a", 7)
    site.publish([
      "catalog": ["shop/a": .dictionary(fields), "shop/b": .dictionary(other)]
    ])
    #expect(await client.refreshed().isUpdated)
    #expect(client.snapshot.entries(Shop.self, in: "catalog").map(\.site.absoluteString) == ["a"])
  }
}
