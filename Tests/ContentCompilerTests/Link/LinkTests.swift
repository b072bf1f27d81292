import Diagnostics
import Testing

/// References and flows; `docs/reference/content.md`, "References and flows".
@Suite struct LinkTests {
  private static let fields = "{next: {type: reference}, link: url, any: any}"

  @Test func keepIDsAndURLsUnchanged() throws {
    let shop = try Shop(
      [
        "item/a": "{next: item/b, link: item/b}", "item/b": "link: 'https://example.com/?q=é'",
        "item/c": "link: mailto:a@example.com",
      ],
      fields: Self.fields)
    #expect(try shop.a("en") == #"{"link":"item/b","next":"item/b"}"#)
    #expect(try shop.sees("item/b", "en") == #"{"link":"https://example.com/?q=é"}"#)
    #expect(shop.findings == [])
  }

  @Test(arguments: ["next: item/bb", "link: item/bb"])
  func rejectAnUnknownID(text: String) throws {
    let shop = try Shop(["item/a": text, "item/b": "{}"], fields: Self.fields)
    #expect(!shop.isBuilt)
    let found = try #require(shop.findings("broken-reference").first)
    #expect(found.severity == .error && found.message.contains("'item/b'"))
    #expect(found.location?.range?.start == SourcePosition(line: 1, column: 7))
    #expect(shop.diagnostics.count == 1)
  }

  @Test func suggestsAnIDForTheFirstHundredBrokenReferences() throws {
    let broken = (0..<150).map { ("item/\(100 + $0)", "next: other\($0)/b") }
    let shop = try Shop(
      Dictionary(uniqueKeysWithValues: broken + [("item/b", "{}")]), fields: Self.fields)
    let messages = shop.findings("broken-reference").map(\.message)
    #expect(messages.count == 150)
    // A search for each of them would take quadratic time.
    #expect(messages.count { $0.contains("did you mean 'item/b'?") } == 100)
  }

  @Test(
    arguments: [
      ("{when: {device: ipad}}", "{next: item/b}", "warning"),
      ("{when: false}", "{next: item/b}", "error"),
      ("{when: {device: ipad}}", "{next: item/b, when: {device: ipad}}", nil),
      ("{when: {device: ipad}}", "{next: item/b, when: {device: phone}}", "error"),
      ("{when: {country: CA}}", "{link: item/b}", "warning"),
      ("{when: {country: [CA, US]}}", "{link: item/b, when: {country: CA}}", nil),
      ("{when: {app: '>=2'}}", "{link: item/b, when: {country: CA}}", "warning"),
      (
        "{when: {app: '>=2', until: '2030-01-01T00:00:00Z'}}", "{link: item/b, when: {app: '>=2'}}",
        nil
      ),
      ("{when: {locale: fr}}", "{link: item/b}", "warning"),
    ] as [(String, String, String?)])
  func dependOnTheContextsOfTheirTarget(target: String, source: String, severity: String?) throws {
    let shop = try Shop(["item/a": source, "item/b": target], fields: Self.fields)
    #expect(
      shop.findings("broken-reference").map(\.severity.rawValue) == (severity.map { [$0] } ?? []))
  }

  @Test func nameTheContextsOfABrokenReference() throws {
    let shop = try Shop(
      ["item/a": "next: item/b", "item/b": "when: {locale: fr}"], fields: Self.fields)
    let message = try #require(shop.findings("broken-reference").first?.message)
    #expect(message.contains("en, en-GB") && !message.contains("fr"), "\(message)")
    let onDevices = try Shop(
      ["item/a": "next: item/b", "item/b": "when: {device: [tablet, phone]}"], fields: Self.fields)
    let found = onDevices.findings("broken-reference").first?.message
    #expect(found?.contains("for every locale on any") == true)
  }

  @Test func checkTheReferenceOfEachContext() throws {
    let shop = try Shop(
      [
        "item/a": "next: item/b", "item/a@ipad": "next: item/c", "item/b": "{}",
        "item/c": "when: {device: ipad}",
      ],
      fields: Self.fields)
    #expect(shop.findings == [])
    #expect(try shop.a("fr/ipad") == #"{"next":"item/c"}"#)
  }

  @Test func acceptOnlyTheirDatatypes() throws {
    let files = ["datatypes/page.yaml": "open: true", "page/p": "{}", "item/b": "{}"]
    let fields = "{next: {type: reference, to: [page]}}"
    #expect(
      try Shop(files.merging(["item/a": "next: page/p"]) { $1 }, fields: fields).findings == [])
    #expect(try Shop(files.merging(["item/a": "next: item/b"]) { $1 }, fields: fields).build == nil)
    #expect(
      try Shop(files, fields: "{next: {type: reference, to: [pages]}}").findings("unknown-datatype")
        .count == 1)
  }

  @Test(arguments: [
    "link: some words", "link: 'https:'", "link: 'https://a b'", "link: //example.com",
    "next: 'https://example.com'",
    "next: Item/B",
  ])
  func rejectOtherTexts(text: String) throws {
    let shop = try Shop(["item/a": text], fields: Self.fields)
    #expect(!shop.isBuilt && shop.diagnostics.count == 1, "\(shop.findings)")
  }

  // MARK: Flows

  private static let flow = [
    "datatypes/step.yaml": "{flow: true, fields: {continueURL: url, cancelURL: url}}",
    "step/one": "continueURL: step/two",
    "step/two": "{continueURL: step/three, cancelURL: step/one}",
    "step/three": "continueURL: 'https://example.com/done'",
    "step/lost": "continueURL: step/one",
  ]

  @Test func warnAboutUnreachableStepsAndDeadEnds() throws {
    let bundles = "{all: {include: '**'}, start: {include: step/one, startup: true}}"
    let shop = try Shop(Self.flow, with: ["bundles": bundles])
    #expect(shop.isBuilt)
    #expect(shop.findings("unreachable-entry").map(\.severity) == [.warning])
    #expect(shop.findings("unreachable-entry").first?.message.contains("'step/lost'") == true)
    #expect(shop.findings("dead-end").count <= 1)
  }

  @Test func reachStepsThroughAnyEntry() throws {
    var files = Self.flow
    files["item/a"] = "{next: step/lost}"
    let bundles = "{all: {include: '**'}, start: {include: item/a, startup: true}}"
    #expect(
      try Shop(files, fields: Self.fields, with: ["bundles": bundles]).findings("unreachable-entry")
        == [])
  }

  @Test func warnAboutAStepWithoutLinks() throws {
    let bundles = "{all: {include: '**', startup: true}}"
    let shop = try Shop(Self.flow.merging(["step/end": "{}"]) { $1 }, with: ["bundles": bundles])
    #expect(
      shop.findings("dead-end").contains {
        $0.message.contains("'step/end'") && $0.severity == .warning
      })
    #expect(
      !shop.findings("dead-end").contains { $0.message.contains("'step/three'") },
      "a web page continues the flow")
  }
}
