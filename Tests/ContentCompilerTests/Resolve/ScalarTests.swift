import ContentModel
import Diagnostics
import Testing

/// The conversion of scalars by type; `docs/reference/content.md`, "YAML" and "Datatypes".
@Suite struct ScalarTests {
  static let scalars: [(String, String, String)] = [
    ("string", "1.10", #""1.10""#), ("string", "no", #""no""#), ("string", "true", #""true""#),
    ("string", "2026-01-01", #""2026-01-01""#),
    ("string", "0x1F", #""0x1F""#), ("string", "''", #""""#), ("string", "'null'", #""null""#),
    ("text", "\"a\\nb\"", #""a\nb""#),
    ("integer", "5", "5"), ("integer", "-7", "-7"), ("integer", "0x1F", "31"),
    ("integer", "0o17", "15"),
    ("integer", "010", "10"),
    ("integer", "9223372036854775807", "9223372036854775807"), ("number", "5", "5.0"),
    ("number", "1e3", "1000.0"),
    ("number", "1.10", "1.1"),
    ("percent", "12.5%", "12.5"), ("percent", "'-3%'", "-3.0"), ("percent", "007.50%", "7.5"),
    ("number", "-0.5", "-0.5"), ("boolean", "true", "true"), ("boolean", "FALSE", "false"),
    ("date", "2026-12-24T18:00:00+01:00", #""2026-12-24T17:00:00Z""#),
    ("date", "2026-12-24T18:00 Europe/Paris", #""2026-12-24T17:00:00Z""#),
    ("date", "2026-07-24T18:00:30 Europe/Paris", #""2026-07-24T16:00:30Z""#),
    ("date", "2026-12-24T18:00:00Z", #""2026-12-24T18:00:00Z""#),
    ("duration", "1h30m", "5400"), ("duration", "0s", "0"), ("duration", "'1w2d'", "777600"),
    ("duration", "2147483647s", "2147483647"),
    ("data", "aGVsbG8=", #""aGVsbG8=""#), ("data", "!!binary aGVsbG8=", #""aGVsbG8=""#),
    ("color", "'#FF00aa'", ##""#FF00aa""##),
    ("color", "'#f0a8'", ##""#f0a8""##), ("url", "tel:+33123", #""tel:+33123""#),
    ("{type: choice, values: [yes, no]}", "no", #""no""#),
    ("any", "no", #""no""#), ("any", "on", #""on""#), ("any", "true", "true"), ("any", "1", "1"),
    ("any", "1.0", "1.0"),
    ("any", "1e3", "1000.0"),
    ("any", "2026-01-01", #""2026-01-01""#), ("any", "'1'", #""1""#), ("any", "1_000", #""1_000""#),
    ("any", "190:20:30", #""190:20:30""#),
    ("{type: map, of: number}", "{a: 1, true: 2, 3: 4}", #"{"3":4.0,"a":1.0,"true":2.0}"#),
    ("{type: list, of: string}", "[1, no, 1.10]", #"["1","no","1.10"]"#),
    ("{type: list, of: {type: list, of: integer}}", "[[1], [], [2, 3]]", "[[1],[],[2,3]]"),
    ("object", "{a: {b: no}}", #"{"a":{"b":"no"}}"#),
  ]

  @Test(arguments: scalars)
  func areConvertedByTheirType(type: String, text: String, value: String) throws {
    let shop = try Shop(["item/a": "x: \(text)"], fields: "{x: \(type)}")
    #expect(try shop.a("en") == #"{"x":\#(value)}"#, "\(shop.findings)")
  }

  @Test func keepTheirKindInTheBundle() throws {
    let shop = try Shop(
      ["item/a": "{n: 5, d: 2026-12-24T18:00:00Z, b: aGk=, i: 5}"],
      fields: "{n: number, d: date, b: data, i: integer}")
    let content = try Reader("en").bundle("all", in: shop)?["entries"]?["item/a"]?["content"]
    #expect(
      content?["n"] == .real(5) && content?["i"] == .integer(5)
        && content?["b"] == .data([0x68, 0x69]))
    #expect(content?["d"] == Instant(rfc3339: "2026-12-24T18:00:00Z").map(Value.date))
  }

  static let misfits: [(String, String, String)] = [
    ("integer", "5.0", "wrong-type"), ("integer", "'5'", "wrong-type"),
    ("integer", "9223372036854775808", "out-of-range"), ("integer", "1_000", "wrong-type"),
    ("number", ".inf", "out-of-range"), ("number", "'5'", "wrong-type"),
    ("number", "ten", "wrong-type"),
    ("boolean", "yes", "wrong-type"), ("boolean", "1", "wrong-type"),
    ("date", "2026-12-24", "wrong-type"), ("date", "2026-12-24T18:00:00", "wrong-type"),
    ("date", "2026-02-30T18:00:00Z", "wrong-type"),
    ("date", "2026-03-29T02:30 Europe/Paris", "ambiguous-time"),
    ("date", "2026-10-25T02:30 Europe/Paris", "ambiguous-time"),
    ("date", "2026-12-24T18:00 Europe/Pariss", "unknown-time-zone"),
    ("date", "2026-12-24T18:00 CET", "unknown-time-zone"),
    ("date", "2026-12-24T18:00:00.5Z", "wrong-type"), ("data", "a-b", "wrong-type"),
    ("color", "red", "wrong-type"),
    ("color", "'#ff00a'", "wrong-type"),
    ("{type: choice, values: [yes, no]}", "nope", "not-a-choice"),
    ("{type: choice, values: ['1']}", "2", "not-a-choice"),
    ("string", "[a]", "wrong-type"), ("integer", "{a: 1}", "wrong-type"),
    ("object", "1", "wrong-type"),
    ("{type: list, of: string}", "a", "wrong-type"),
    ("{type: list, of: string}", "[a, null]", "null-in-list"),
    ("any", "9223372036854775808", "out-of-range"),
    ("any", ".nan", "out-of-range"), ("any", ".inf", "out-of-range"),
    ("{type: integer, min: 2, max: 4}", "1", "out-of-range"),
    ("{type: integer, min: 2, max: 4}", "5", "out-of-range"),
    ("{type: number, min: 0}", "-0.01", "out-of-range"),
    ("{type: string, minLength: 2}", "a", "out-of-range"),
    ("{type: string, maxLength: 2}", "\"e\\u0301e\"", "out-of-range"),
    ("{type: string, pattern: '[a-z]+'}", "abc1", "pattern"),
    ("{type: string, pattern: '[a-z]+'}", "'abc\n\n  def'", "pattern"),
    ("{type: list, of: {type: integer, max: 1}}", "[1, 2]", "out-of-range"),
    ("{type: map, of: {type: object, fields: {a: integer}}}", "{k: {b: 1}}", "unknown-field"),
  ]

  @Test(arguments: misfits)
  func areRejectedIfTheirTypeDoesNotFit(type: String, text: String, id: String) throws {
    let shop = try Shop(["item/a": "x: \(text)"], fields: "{x: \(type)}")
    #expect(!shop.isBuilt)
    #expect(shop.diagnostics.map(\.id) == [id], "\(shop.diagnostics.map(\.message))")
    #expect(shop.diagnostics.first?.location?.path == "content/entries/item/a.yaml")
  }

  @Test(arguments: [".inf", "-.Inf", "[1.5, .INF]", "{a: .nan}"])
  func areRejectedWithoutATypeIfNoPropertyListHoldsThem(text: String) throws {
    let shop = try Shop(["item/a": "x: \(text)"])
    #expect(!shop.isBuilt && shop.diagnostics.map(\.id) == ["out-of-range"], "\(shop.findings)")
    #expect(
      shop.diagnostics.first?.message.hasSuffix("must be finite; quotes make it a text") == true)
    #expect(try Shop(["item/a": "x: '.inf'"]).a("en") == #"{"x":".inf"}"#)
  }

  @Test(arguments: [
    ("{type: integer, min: 2, max: 4}", "2"), ("{type: integer, min: 2, max: 4}", "4"),
    ("{type: string, minLength: 2, maxLength: 2}", "\"e\\u0301\""),
    ("{type: string, maxLength: 1}", "\"\\U0001F337\""),
    ("{type: string, pattern: '[a-z]+'}", "abc"),
    ("{type: number, min: 0}", "0"),
  ])
  func canReachTheirLimits(type: String, text: String) throws {
    #expect(try Shop(["item/a": "x: \(text)"], fields: "{x: \(type)}").findings == [])
  }

  @Test("match a pattern with repetitions quickly", .timeLimit(.minutes(5)))
  func matchNestedRepetitionsQuickly() throws {
    let text = String(repeating: "a", count: 5_000)
    let shop = try Shop(
      ["item/a": "x: \(text)1"], fields: "{x: {type: string, pattern: '([a-z]+ ?)+'}}")
    #expect(shop.findings == ["error pattern 1:4"])
  }

  @Test(
    arguments: [
      ("'a(?=b)'", "2:18"), ("a(?=b)", "2:17"), (#""a(?=b)""#, "2:18"), (#""a\x62(?=b)""#, "2:16"),
    ])
  func reportTheInvalidPartOfAPattern(pattern: String, place: String) throws {
    let shop = try Shop(["item/a": "{}"], fields: "\n  x: {pattern: \(pattern), type: string}")
    #expect(shop.findings == ["error wrong-type \(place)"])
    #expect(
      shop.diagnostics.first?.message == "'pattern' must not use look-ahead: '(?=' is not supported"
    )
  }

  @Test func suggestASimilarField() throws {
    let shop = try Shop(["item/a": "tittle: T"], fields: "{title: {type: string, required: true}}")
    #expect(shop.findings == ["error unknown-field 1:1"])
    #expect(shop.diagnostics.first?.message.contains("'title'") == true)
  }

  @Test func workWithAnchorsAliasesAndMergeKeys() throws {
    let shop = try Shop(["item/a": "base: &b {x: 1, y: 2}\nmore: {<<: *b, y: 3}\nlist: [*b]"])
    #expect(
      try shop.a("en") == #"{"base":{"x":1,"y":2},"list":[{"x":1,"y":2}],"more":{"x":1,"y":3}}"#)
  }

  @Test(arguments: [
    "{type: strin}", "{type: choice}", "{type: string, min: 1}", "{type: integer, default: x}",
    "{type: string, requird: true}", "{localized: true}",
    "{type: string, pattern: '['}", "{type: string, pattern: '(?=a)'}", "{type: list, of: strin}",
    "{type: list, of: integer, default: [x]}",
    "{type: object, fields: {a: integer}, default: {b: 1}}",
    "{type: integer, max: 3, default: 4}", "{type: choice, values: [a], default: b}",
    "{type: asset, default: none.png}", "{type: list, default: [{when: {locale: de}}]}",
    "{type: integer, min: 4, max: 3}", "{type: string, minLength: 2, maxLength: 1}",
  ])
  func areRejectedInInvalidDefinitions(definition: String) throws {
    let shop = try Shop(["item/a": "{}"], fields: "{x: \(definition)}")
    #expect(!shop.isBuilt)
    #expect(
      shop.diagnostics.first?.location?.path == "content/datatypes/item.yaml", "\(shop.findings)")
  }
}
