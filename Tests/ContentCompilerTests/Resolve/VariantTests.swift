import ContentModel
import TestInputs
import Testing

@testable import ContentCompiler

/// Conditions on countries and app versions; `docs/reference/content.md`, "Conditions".
@Suite struct VariantTests {
  private func row(_ shop: Shop) throws -> Value {
    try #require(try Reader("en").index(of: shop)["bundles"]?["all"])
  }

  @Test func serveTheItemsOfAReadersCountryAndVersion() throws {
    let shop = try Shop([
      "item/a":
        "x: [{v: all}, {v: ca, when: {country: CA}}, {v: new, when: {app: '>=2.0 <3.0'}}, {v: both, when: {country: [CA, US], app: '>=2.1'}}]"
    ])
    let seen: [(country: String?, app: String?, values: [String])] = [
      (nil, nil, ["all"]), ("FR", nil, ["all"]), (nil, "1.9.9", ["all"]),
      (nil, "2", ["all", "new"]),
      (nil, "3.0", ["all"]),
      ("CA", nil, ["all", "ca"]), ("CA", "2.0.9", ["all", "ca", "new"]),
      ("CA", "2.1", ["all", "ca", "new", "both"]),
      ("CA", "3", ["all", "ca", "both"]), ("US", "2.1.0", ["all", "new", "both"]),
      ("US", "10.0", ["all", "both"]),
      ("US", nil, ["all"]), ("CA", "not a version", ["all", "ca"]),
    ]
    for (country, app, values) in seen {
      let expected = #"{"x":[\#(values.map { #"{"v":"\#($0)"}"# }.joined(separator: ","))]}"#
      #expect(
        try shop.a("en", country: country, app: app) == expected, "\(country ?? "-") \(app ?? "-")")
    }
  }

  @Test func areOmittedIfContentDoesNotDiffer() throws {
    let shop = try Shop([
      "item/a": "x: [{v: 1, when: {locale: fr, country: CA}}]", "item/b": "x: 1",
    ])
    #expect(try row(shop)["variants"] == nil)
    #expect(try Reader("fr").index(of: shop)["bundles"]?["all"]?["variants"]?.items.count == 1)
  }

  @Test func areAsFewAsContentRequires() throws {
    let shop = try Shop([
      "item/a":
        "x: [{v: 1, when: {country: CA}}, {v: 2, when: {app: '>=2.0'}}, {v: 3, when: {app: '>=2'}}]"
    ])
    #expect(
      try row(shop)["variants"]?.items.map {
        $0.keys.filter { $0 != "object" && $0 != "size" && $0 != "count" }
      }
        == [["country", "from"], ["country"], ["from"]])
    #expect(try row(shop)["variants"]?.items.first?["from"] == "2.0")
  }

  @Test func joinAdjacentVersionsWithEqualContent() throws {
    let shop = try Shop([
      "item/a": "x: [{v: 1, when: {app: ['>=2 <3', '>=3 <4']}}, {v: 2, when: {app: '<1'}}]"
    ])
    #expect(
      try row(shop)["variants"]?.items.map {
        "\($0["from"]?.json ?? "") \($0["before"]?.json ?? "")"
      }
        == [#" "1.0""#, #""2.0" "4.0""#])
  }

  @Test func hideEntriesAndTheirCount() throws {
    let shop = try Shop(["item/a": "{x: 1, when: {country: CA}}", "item/b": "x: 2"])
    #expect(try shop.a("en") == nil)
    #expect(try shop.a("en", country: "CA") == #"{"x":1}"#)
    #expect(try row(shop)["count"] == 1)
    #expect(try row(shop)["variants"]?.items.map { $0["count"] } == [2])
  }

  @Test func applyToEachEntryOfASplitBundle() throws {
    let shop = try Shop(
      [
        "item/a": "{x: [{v: 1, when: {country: CA}}]}", "item/b": "{x: 2, when: {app: '>=2'}}",
        "item/c": "{x: 3, when: {locale: fr}}",
      ],
      with: ["bundles": "{all: {include: item/*, split: entry}}"])
    func sees(_ piece: String, _ reader: Reader) throws -> String? {
      try reader.bundle("all", piece, in: shop)?["entries"]?["item/\(piece)"]?["content"]?.json
    }
    #expect(try sees("a", Reader("en", country: "CA")) == #"{"x":[{"v":1}]}"#)
    #expect(try sees("a", Reader("en", country: "FR")) == #"{"x":[]}"#)
    #expect(try sees("b", Reader("en", app: "2.0")) == #"{"x":2}"#)
    #expect(try sees("b", Reader("en", app: "1.0")) == nil)
    #expect(try sees("c", Reader("en")) == nil)
    #expect(try sees("c", Reader("fr")) == #"{"x":3}"#)
  }

  @Test(arguments: 1...12)
  func matchABruteForceResolution(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let conditions = (0..<Int.random(in: 1...5, using: &random)).map { _ in
      RandomCondition(using: &random)
    }
    let items = conditions.enumerated().map { "{v: \($0), when: \($1.text)}" }
    let shop = try Shop([
      "item/a": "x: [{v: all}, \(items.joined(separator: ", "))]",
      "item/b": "{y: 1, when: \(conditions[0].text)}",
    ])
    for country in [nil, "CA", "FR", "US", "ZW"] {
      for app in [nil, "0", "0.9", "1", "1.0.1", "1.5", "2.0", "2.5", "3", "3.1", "99"] {
        let expected = conditions.indices.filter { conditions[$0].holds(country, app) }.map {
          #",{"v":\#($0)}"#
        }
        .joined()
        #expect(try shop.a("en", country: country, app: app) == #"{"x":[{"v":"all"}\#(expected)]}"#)
        #expect(
          try (shop.sees("item/b", "en", country: country, app: app) != nil)
            == conditions[0].holds(country, app))
      }
    }
  }

  /// A condition on country and version that a test can evaluate by itself.
  struct RandomCondition {
    var countries: [String] = []
    var ranges: [(from: Int?, before: Int?)] = []

    init(using random: inout SeededGenerator) {
      for country in ["CA", "FR", "US"] where random.once(in: 3) { countries.append(country) }
      for _ in 0..<Int.random(in: countries.isEmpty ? 1...2 : 0...2, using: &random) {
        let from = random.once(in: 3) ? nil : Int.random(in: 0...5, using: &random)
        let before =
          from != nil && random.once(in: 2)
          ? nil : Int.random(in: (from ?? 0) + 1...6, using: &random)
        ranges.append((from, before))
      }
    }

    /// Versions in halves: 3 is 1.5.
    var text: String {
      func version(_ halves: Int) -> String { "\(halves / 2).\(halves % 2 * 5)" }
      let app = ranges.map { range in
        "'"
          + [range.from.map { ">=\(version($0))" }, range.before.map { "<\(version($0))" }]
          .compactMap(\.self).joined(
            separator: " ") + "'"
      }
      let parts = [
        countries.isEmpty ? nil : "country: [\(countries.joined(separator: ", "))]",
        app.isEmpty ? nil : "app: [\(app.joined(separator: ", "))]",
      ]
      return "{\(parts.compactMap(\.self).joined(separator: ", "))}"
    }

    func holds(_ country: String?, _ app: String?) -> Bool {
      if !countries.isEmpty, !countries.contains(country ?? "-") { return false }
      guard !ranges.isEmpty else { return true }
      guard let app else { return false }
      let parts = app.split(separator: ".").compactMap { Int($0) }
      let tenths = parts[0] * 10 + (parts.count > 1 ? parts[1] : 0)
      return ranges.contains { range in
        range.from.map { tenths >= $0 * 5 } ?? true && range.before.map { tenths < $0 * 5 } ?? true
      }
    }
  }
}
