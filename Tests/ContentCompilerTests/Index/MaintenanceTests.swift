import ContentModel
import Diagnostics
import PropertyLists
import Testing

@testable import ContentCompiler

/// Tests the maintenance texts of a build (`docs/reference/content.md`, "`maintenance.yaml`").
@Suite struct MaintenanceTests {
  private static let files = [
    "item/a": "x: 1",
    "maintenance.yaml":
      "{title: Back soon, message: 'We are watering.', retryAfter: 120, extra: {color: red}}",
    "maintenance.fr.yaml": "title: À bientôt", "maintenance@ipad.yaml": "message: Wide.",
  ]

  @Test func writesAPayloadForEachContext() throws {
    let shop = try Shop(Self.files)
    let payloads = try #require(try shop.config["maintenance"]?["payloads"])
    #expect(
      try shop.object(payloads["fr-CA"]?["ipad"]).json
        == #"{"extra":{"color":"red"},"message":"Wide.","retryAfter":120,"title":"À bientôt"}"#)
    #expect(try shop.object(payloads["en"]?["any"])["title"] == "Back soon")
    #expect(try shop.config["maintenance"]?["retryAfter"] == 120)
  }

  @Test func bundlesOmitMaintenanceTexts() throws {
    let shop = try Shop(Self.files)
    #expect(try Reader("en").bundle("all", in: shop)?["order"]?.json == #"["item/a"]"#)
    #expect(shop.findings == [])
  }

  @Test func writesARawResponsePerLocale() throws {
    let shop = try Shop(Self.files)
    let text = try shop.file("maintenance/fr.http")
    let end = try #require(text.utf8.firstRange(of: Array("\r\n\r\n".utf8)))
    let body = Array(text.utf8[end.upperBound...])
    let head = String(Substring(text.utf8[..<end.lowerBound])).split(separator: "\r\n").map(
      String.init)
    #expect(head.first == "HTTP/1.1 503 Service Unavailable")
    #expect(
      head.contains("Content-Length: \(body.count)") && head.contains("Retry-After: 120")
        && head.contains("Cache-Control: no-store"))
    #expect(!head.contains { $0.contains("\n") })
    #expect(String(decoding: body, as: UTF8.self) == (try shop.file("maintenance/fr.json")))
    #expect(try PropertyList.decode(body, as: .json).value["title"] == "À bientôt")
  }

  @Test func writesAPropertyListAndJSONPerLocale() throws {
    let shop = try Shop(Self.files)
    let json = try PropertyList.decode(Array(try shop.file("maintenance/fr.json").utf8), as: .json)
      .value
    #expect(
      try PropertyList.decode(Array(try shop.file("maintenance/fr.plist").utf8)).value == json)
    let files = ["en", "en-GB", "fr", "fr-CA"].flatMap { locale in
      ["http", "json", "plist"].map { "\(locale).\($0)" }
    }
    #expect(
      shop.build?.files.map(\.path).sorted()
        == (files + ["any.json"]).map { "maintenance/\($0)" }.sorted())
  }

  @Test(arguments: [20, 200, 700, 1_500, 4_000])
  func limitsTheSizeOfTheSmallestResponse(length: Int) throws {
    let message = String(repeating: "é\"", count: length / 2)
    let shop = try Shop([
      "item/a": "x: 1", "maintenance.yaml": "{title: T, message: '\(message)'}",
      "maintenance.fr.yaml": "{title: F, message: '\(message)'}",
    ])
    let text = try shop.file("maintenance/any.json")
    #expect(text.utf8.count <= 1_024)
    let value = try PropertyList.decode(Array(text.utf8), as: .json).value
    #expect(value["title"]?.json.contains("\"T\"") == true && value["retryAfter"] != nil, "\(text)")
  }

  /// A locale `any` and the response for all locales have the same path, `any.json`.
  ///
  /// The build writes files in any order, so only one of these two may be among them.
  @Test func writesEachFileOnce() throws {
    let shop = try Shop(
      ["item/a": "x: 1", "maintenance.yaml": "title: Soon"], with: ["locales": "[en, any]"])
    let paths = shop.build?.files.map(\.path) ?? []
    #expect(paths.count == 6 && Set(paths).count == 6, "\(paths)")
    #expect(try shop.file("maintenance/any.json").contains("Soon"))
  }

  @Test func writesDefaultResponsesWithoutAFile() throws {
    let shop = try Shop(["item/a": "x: 1"])
    #expect(try shop.file("maintenance/any.json").contains("retryAfter"))
    #expect(try shop.file("maintenance/en.http").hasPrefix("HTTP/1.1 503 "))
  }

  @Test(arguments: [
    "retryAfter: soon", "title: [a]", "title: {a: b}", "retryAfter: -1", "retryAfter: 0.5",
  ])
  func rejectsUnusableTexts(text: String) throws {
    let shop = try Shop(["item/a": "x: 1", "maintenance.yaml": text])
    #expect(!shop.isBuilt && shop.diagnostics.count == 1, "\(shop.findings)")
  }
}
