import ContentModel
import TestInputs
import Testing

@testable import ContentCompiler

/// `from` and `until`; `docs/reference/content.md`, "Conditions".
@Suite struct TimeTests {
  private static func at(_ text: String) throws -> Instant {
    try #require(Instant(rfc3339: "2026-06-\(text)T00:00:00Z"))
  }

  private static func when(_ from: Int?, _ until: Int?) -> String {
    let parts = [
      from.map { "from: 2026-06-\($0)T00:00:00Z" }, until.map { "until: 2026-06-\($0)T00:00:00Z" },
    ]
    return "when: {\(parts.compactMap(\.self).joined(separator: ", "))}"
  }

  private func bundle(_ shop: Shop) throws -> Value {
    try #require(try Reader("en").bundle("all", in: shop))
  }

  @Test func ofEntriesDoNotDependOnTheBuildTime() throws {
    let files = ["item/a": "{x: 1, \(Self.when(10, 20))}", "item/b": "x: 2"]
    let shop = try Shop(files, at: Self.at("15"))
    #expect(try shop.build?.config.bytes == Shop(files, at: Self.at("25")).build?.config.bytes)
    let entry = try bundle(shop)["entries"]?["item/a"]
    #expect(entry?["from"] == .date(try Self.at("10")))
    #expect(entry?["until"] == .date(try Self.at("20")))
    #expect(try bundle(shop)["changes"] == nil)
    let seen = try ["09", "10", "19", "20"].map {
      try Reader("en", now: Self.at($0)).sees("item/a", in: shop) != nil
    }
    #expect(seen == [false, true, true, false])
  }

  @Test func datesOfItemsDoNotDependOnTheBuildTime() throws {
    let files = ["item/a": "x: [{v: 1}, {v: 2, \(Self.when(10, 20))}]"]
    let shop = try Shop(files, at: Self.at("05"))
    #expect(try shop.build?.config.bytes == Shop(files, at: Self.at("25")).build?.config.bytes)
    #expect(try bundle(shop)["changes"] == nil)
    #expect(try shop.config["changes"] == nil)
    #expect(shop.build?.validFrom == nil && shop.build?.validBefore == nil)
    #expect(try shop.build?.dates == [Self.at("10"), Self.at("20")])
    let items = try bundle(shop)["entries"]?["item/a"]?["content"]?["x"]?.items
    let dates = try Value.dictionary(["from": .date(Self.at("10")), "until": .date(Self.at("20"))])
    #expect(items == [["v": 1], ["v": 2, "when": dates]])
    let seen = try ["09", "10", "19", "20"].map {
      try Reader("en", now: Self.at($0)).sees("item/a", in: shop)
    }
    let (one, both) = (#"{"x":[{"v":1}]}"#, #"{"x":[{"v":1},{"v":2}]}"#)
    #expect(seen == [one, both, both, one])
  }

  @Test(arguments: ["binary", "xml", "json"])
  func datesOfItemsAreSortedAmongTheirKeys(format: String) throws {
    let shop = try Shop(
      [
        "item/a":
          "x: [{z: 1, a: 2, \(Self.when(10, nil))}, {whenever: 1, whe: 2, \(Self.when(nil, 20))}]"
      ],
      with: ["format": format])
    let items = try #require(try bundle(shop)["entries"]?["item/a"]?["content"]?["x"]?.items)
    #expect(items.map(\.keys) == [["a", "when", "z"], ["whe", "when", "whenever"]])
    let text = format == "json" ? Value.string("2026-06-10T00:00:00Z") : nil
    #expect(try items[0]["when"] == ["from": text ?? .date(Self.at("10"))])
  }

  @Test func datesOfItemsAreWrittenInMapsAndObjects() throws {
    let item = "{v: 1, \(Self.when(10, nil))}"
    let shop = try Shop(
      ["item/a": "{m: [\(item)], o: [\(item)], x: [{w: [\(item)], \(Self.when(nil, 20))}]}"],
      fields: """
        {m: {type: list, of: {type: map, of: integer}}, x: any,
         o: {type: list, of: {type: object, fields: {v: integer}}}}
        """.replacing("\n", with: ""))
    let content = try #require(try bundle(shop)["entries"]?["item/a"]?["content"])
    let dates = try Value.dictionary(["from": .date(Self.at("10"))])
    for list in [content["m"], content["o"], content["x"]?.items.first?["w"]] {
      #expect(list == .array([["v": 1, "when": dates]]))
    }
    let seen = try ["09", "15", "25"].map {
      try Reader("en", now: Self.at($0)).sees("item/a", in: shop)
    }
    #expect(
      seen == [
        #"{"m":[],"o":[],"x":[{"w":[]}]}"#, #"{"m":[{"v":1}],"o":[{"v":1}],"x":[{"w":[{"v":1}]}]}"#,
        #"{"m":[{"v":1}],"o":[{"v":1}],"x":[]}"#,
      ])
  }

  @Test func datesOfItemsAreReplacedByAnOverlay() throws {
    let shop = try Shop(
      [
        "item/a": "x: [{id: p, \(Self.when(10, 20))}, {id: q, \(Self.when(10, nil))}]",
        "item/a.fr": "x: [{id: p, \(Self.when(12, nil))}, {id: q, when: null}]",
      ])
    let items = try Reader("fr").bundle("all", in: shop)?["entries"]?["item/a"]?["content"]?["x"]?
      .items
    #expect(try items == [["id": "p", "when": ["from": .date(Self.at("12"))]], ["id": "q"]])
  }

  @Test func datesOfItemsExcludeCountryAndVersion() throws {
    let shop = try Shop(
      [
        "item/a":
          "x: [{v: 1, when: {country: CA, from: 2026-06-10T00:00:00Z}}, {v: 2, \(Self.when(12, nil))}]"
      ])
    let dates = try ["10", "12"].map { Value.dictionary(["from": .date(try Self.at($0))]) }
    #expect(
      try bundle(shop)["entries"]?["item/a"]?["content"]?["x"]?.items == [
        ["v": 2, "when": dates[1]]
      ])
    let own = try Reader("en", country: "CA").bundle("all", in: shop)?["entries"]?["item/a"]?[
      "content"]?["x"]
    #expect(own?.items == [["v": 1, "when": dates[0]], ["v": 2, "when": dates[1]]])
  }

  @Test func ofCatalogsAreOrdinaryTexts() throws {
    let shop = try Shop(["strings/app.en.yaml": "en: {a: [{when: {from: Since}, b: B}]}"])
    let content = try bundle(shop)["entries"]?["strings/app"]?["content"]
    #expect(content?.json == #"{"a":[{"b":"B","when":{"from":"Since"}}]}"#)
  }

  /// Readers apply dates as the condition states, at every moment and without another build.
  @Test(arguments: 1...10)
  func areAppliedByReadersAtEveryInstant(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let dates = (0..<4).map { _ -> (Int?, Int?) in
      let from = random.once(in: 3) ? nil : Int.random(in: 11...18, using: &random)
      let until =
        from == nil || random.once(in: 2)
        ? Int.random(in: (from ?? 10) + 1...20, using: &random) : nil
      return (from, until)
    }
    let items = dates.enumerated().map { "{v: \($0), \(Self.when($1.0, $1.1))}" }
    let shop = try Shop(["item/a": "x: [\(items.joined(separator: ", "))]"], at: Self.at("15"))
    for day in 10...21 {
      let shown = dates.indices.filter { (dates[$0].0 ?? 0) <= day && day < (dates[$0].1 ?? 99) }
      let expected = #"{"x":[\#(shown.map { #"{"v":\#($0)}"# }.joined(separator: ","))]}"#
      #expect(try Reader("en", now: Self.at("\(day)")).sees("item/a", in: shop) == expected)
    }
  }
}
