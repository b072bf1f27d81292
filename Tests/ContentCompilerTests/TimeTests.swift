import ContentModel
import Testing

@testable import ContentCompiler

/// `from` and `until`: the design's section 3, "Conditions", and section 4, "Bundle".
@Suite struct TimeTests {
  private static func at(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: "2026-06-\(text)T00:00:00Z"))
  }

  private static func when(_ from: Int?, _ until: Int?) -> String {
    let parts = [from.map { "from: 2026-06-\($0)T00:00:00Z" }, until.map { "until: 2026-06-\($0)T00:00:00Z" }]
    return "when: {\(parts.compactMap(\.self).joined(separator: ", "))}"
  }

  private func bundle(_ shop: Shop) throws -> Value { try #require(try Reader("en").bundle("all", in: shop)) }

  @Test func ofEntriesAreWrittenForReadersWhateverTheMoment() throws {
    let files = ["item/a": "{x: 1, \(Self.when(10, 20))}", "item/b": "x: 2"]
    let shop = try Shop(files, at: Self.at("15"))
    #expect(try shop.build?.config.bytes == Shop(files, at: Self.at("25")).build?.config.bytes)
    let entry = try bundle(shop)["entries"]?["item/a"]
    #expect(entry?["from"] == .date(try Self.at("10")))
    #expect(entry?["until"] == .date(try Self.at("20")))
    #expect(try bundle(shop)["changes"] == nil)
    let seen = try ["09", "10", "19", "20"].map { try Reader("en", now: Self.at($0)).sees("item/a", in: shop) != nil }
    #expect(seen == [false, true, true, false])
  }

  /// At a day, what an item's condition shows and when that changes next.
  @Test(
    arguments: [("05", [1], "10"), ("10", [1, 2], "20"), ("19", [1, 2], "20"), ("20", [1], nil)]
      as [(String, [Int], String?)])
  func ofItemsAreDecidedByTheBuild(day: String, shown: [Int], changes: String?) throws {
    let shop = try Shop(["item/a": "x: [{v: 1}, {v: 2, \(Self.when(10, 20))}]"], at: Self.at(day))
    #expect(try shop.a("en") == #"{"x":[\#(shown.map { #"{"v":\#($0)}"# }.joined(separator: ","))]}"#)
    let expected = try changes.map { Value.date(try Self.at($0)) }
    #expect(try bundle(shop)["changes"] == expected)
    #expect(try Reader("en").index(of: shop)["bundles"]?["all"]?["changes"] == expected)
  }

  @Test func announceTheNextChangeOfTheResultNotTheNextBoundary() throws {
    // On the 10th one item goes and an equal one comes; on the 20th the result really differs.
    let shop = try Shop(
      ["item/a": "x: [{v: 1, \(Self.when(nil, 10))}, {v: 1, \(Self.when(10, 20))}]"], at: Self.at("05"))
    #expect(try bundle(shop)["changes"] == .date(try Self.at("20")))
  }

  @Test func passOverBoundariesThatAnotherConditionHides() throws {
    let shop = try Shop(
      [
        "item/a":
          "x: [{id: p, when: {locale: fr, from: 2026-06-10T00:00:00Z}}, {w: [{v: 1, \(Self.when(12, nil))}], \(Self.when(14, nil))}]"
      ],
      at: Self.at("05"))
    #expect(try bundle(shop)["changes"] == .date(try Self.at("14")))
    #expect(try Reader("fr").bundle("all", in: shop)?["changes"] == .date(try Self.at("10")))
  }

  @Test func passOverFieldsThatAProjectionLeavesOut() throws {
    let shop = try Shop(
      [
        "datatypes/item.yaml": "{fields: {x: {type: list}, y: integer}, projections: {light: [y]}}",
        "item/a": "{x: [{v: 1, \(Self.when(10, nil))}], y: 1}",
      ],
      with: ["bundles": "{all: {include: item/*, projection: light}}"], at: Self.at("05"))
    #expect(try bundle(shop)["changes"] == nil)
  }

  @Test func countTheEarliestOfARowsVariants() throws {
    let shop = try Shop(
      ["item/a": "x: [{v: 1, when: {country: CA, from: 2026-06-10T00:00:00Z}}, {v: 2, \(Self.when(12, nil))}]"],
      at: Self.at("05"))
    #expect(try Reader("en").index(of: shop)["bundles"]?["all"]?["changes"] == .date(try Self.at("10")))
    #expect(try Reader("en", country: "CA").bundle("all", in: shop)?["changes"] == .date(try Self.at("10")))
    #expect(try bundle(shop)["changes"] == .date(try Self.at("12")))
  }

  /// From any instant on, the result stays the same until `changes`, and differs at it.
  @Test(arguments: 1...10)
  func hold(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let items = (0..<4).map { _ in
      let from = random.once(in: 3) ? nil : Int.random(in: 11...18, using: &random)
      let until = from == nil || random.once(in: 2) ? Int.random(in: (from ?? 10) + 1...20, using: &random) : nil
      return "{v: \(Int.random(in: 1...2, using: &random)), \(Self.when(from, until))}"
    }
    let files = ["item/a": "x: [\(items.joined(separator: ", "))]"]
    let days = try (10...21).map { (day: $0, shop: try Shop(files, at: Self.at("\($0)"))) }
    for (index, (_, shop)) in days.enumerated() {
      let now = try shop.a("en")
      let next = try days[index...].first { try $0.shop.a("en") != now }
      let expected = try next.map { Value.date(try Self.at("\($0.day)")) }
      #expect(try bundle(shop)["changes"] == expected)
    }
  }
}
