import ContentModel
import Diagnostics
import PropertyLists
import TestServers
import Testing
import Translations

@testable import ContentPreview

/// The resources below `/api/translations`, as the preview's own page uses them.
@Suite struct TranslationsAPITests {
  @Test func listsLocalesAndUnits() async throws {
    let live = try await LivePreview(
      translations: try Florist.translations().translations(isEditable: false))
    let locales = try await live.json("/api/translations")
    #expect(locales["source"] == "en" && locales["targets"] == ["fr", "ar"])
    #expect(locales["isEditable"] == false && locales["token"] == nil && locales["units"] == nil)
    #expect(locales["isLocked"] == true)
    let formats = try #require(locales["formats"]?.items)
    #expect(formats.map { $0["name"]?.text } == TranslationFormat.allCases.map(\.name))
    #expect(formats.last?["label"] == "CSV for spreadsheets")
    #expect(formats.first?["extensions"] == [".xliff", ".xlf"])
    let french = try await live.json("/api/translations?locale=fr")
    let units = try #require(french["units"]?.items)
    #expect(
      units[0] == [
        "id": "product/rose#title", "entry": "product/rose", "source": "Rose",
        "target": "Rose rouge", "state": "needs-review", "isOutdated": true,
        "note": "The name of a flower", "isMarkdown": true,
        "location": "content/entries/product/rose.fr.yaml:1:8",
      ])
    #expect(
      units[1] == [
        "id": "product/rose#care", "entry": "product/rose", "source": "Water {count} times",
        "state": "new", "inherited": ["text": "Water {count} times", "locale": "en"],
        "maximumLength": 30, "whereUsed": ["screen/home"],
      ])
    await live.preview.stop()
  }

  @Test(arguments: [
    ("/api/translations?locale=de", 400), ("/api/translations?locale=en", 400),
    ("/api/translations?locale=../fr", 400), ("/api/translations?x=1", 400),
    ("/api/translations/none", 404), ("/api/translations/import", 404),
    ("/api/translations/export", 400), ("/api/translations/export?locale=fr&to=docx", 400),
    ("/api/translations/export?locale=xx&to=csv", 400),
    ("/api/translations/export?locale=fr&to=csv&missing=yes", 400),
  ])
  func reportsErrorsInASentence(path: String, status: Int) async throws {
    let live = try await LivePreview(
      translations: try Florist.translations().translations(isEditable: true))
    let response = try await live.get(path)
    #expect(response.status == status)
    #expect(response.body.hasPrefix(#"{"error":""#))
    await live.preview.stop()
  }

  @Test(arguments: TranslationFormat.allCases)
  func exportsTranslationsAsADownload(format: TranslationFormat) async throws {
    let live = try await LivePreview(
      translations: try Florist.translations().translations(isEditable: false))
    let path = "/api/translations/export?locale=fr&to=\(format.name)"
    let all = try await live.get(path)
    #expect(all.status == 200 && all["content-type"] == format.mediaType)
    #expect(all["content-disposition"] == "attachment; filename=\"fr.\(format.name)\"")
    #expect(all["cache-control"] == "no-store")
    #expect(all.body.contains("Rose rouge") && all.body.contains("Water {count} times"))
    let missing = try await live.get(path + "&missing=1")
    #expect(!missing.body.contains("Rose rouge"))
    #expect(missing.body.contains("Water {count} times"))
    await live.preview.stop()
  }

  @Test func reportsWhyAFileCannotBeExported() async throws {
    let translations = try Florist.translations()
    let locale = try #require(LocaleTag("fr"))
    var unit = translations.units(of: locale)[1]
    unit.source = "a\u{1}b"
    translations.put(unit, in: locale)
    let live = try await LivePreview(translations: translations.translations(isEditable: false))
    let answer = try await live.get("/api/translations/export?locale=fr&to=xliff")
    #expect(answer.status == 422)
    #expect(answer.body.contains("U+0001") && answer.body.contains(#""diagnostics":[{"#))
    await live.preview.stop()
  }

  @Test func refusesAnExportWithoutAFileEvenIfNothingWasReported() async throws {
    var translations = try Florist.translations().translations(isEditable: false)
    translations.export = { _, _, _ in Diagnosed(nil) }
    let live = try await LivePreview(translations: translations)
    let answer = try await live.get("/api/translations/export?locale=fr&to=csv")
    #expect(answer.status == 422 && answer.body.contains("the texts cannot be exported"))
    await live.preview.stop()
  }

  @Test func savesATranslation() async throws {
    let translations = try Florist.translations()
    let live = try await LivePreview(translations: translations.translations(isEditable: true))
    let edit: Members = [
      "locale": "fr", "id": .string(Florist.care.text), "source": "Water {count} times",
      "target": "Arroser {count} fois",
    ]
    let report = try await live.send(edit)
    #expect(report["isRefused"] == false && report["changedUnits"] == 1)
    #expect(report["changedFiles"] == ["content/entries/product/rose.fr.yaml"])
    #expect(report["diff"]?.text?.contains("+Arroser {count} fois") == true)
    let locale = try #require(LocaleTag("fr"))
    #expect(translations.units(of: locale)[1].target == "Arroser {count} fois")
    // The page showed no translation, but there is one now.
    let again = try await live.send(edit)
    #expect(again["isRefused"] == true && again["changedUnits"] == 0)
    #expect(
      again["diagnostics"]?.items?.first?["message"]
        == "the translation has changed to 'Arroser {count} fois'")
    await live.preview.stop()
  }

  @Test func refusesAnEditOfAnotherSourceText() async throws {
    let translations = try Florist.translations()
    let live = try await LivePreview(translations: translations.translations(isEditable: true))
    let report = try await live.send([
      "locale": "fr", "id": .string(Florist.title.text), "source": "Tulip",
      "previous": "Rose rouge",
      "target": "Tulipe",
    ])
    #expect(report["isRefused"] == true)
    let locale = try #require(LocaleTag("fr"))
    #expect(translations.units(of: locale)[0].target == "Rose rouge")
    await live.preview.stop()
  }

  @Test(arguments: ["", "[]", "{}", #"{"locale": "fr", "id": "a", "source": "b"}"#, "\u{1}"])
  func refusesABodyThatIsNoEdit(body: String) async throws {
    let live = try await LivePreview(
      translations: try Florist.translations().translations(isEditable: true))
    let fields = try await live.changeFields("application/json")
    let response = try await live.post("/api/translations", fields, body: body)
    #expect(response.status == 400)
    await live.preview.stop()
  }

  @Test func importsAFileAfterADryRun() async throws {
    let translations = try Florist.translations()
    let live = try await LivePreview(translations: translations.translations(isEditable: true))
    let file = try await live.get("/api/translations/export?locale=fr&to=csv").body.replacing(
      "Rose rouge", with: "Rose blanche")
    let fields = try await live.changeFields("application/octet-stream")
    let dry = try await live.post(
      "/api/translations/import?name=fr.csv&dryRun=1", fields, body: file)
    #expect(dry.status == 200 && dry.body.contains(#""changedUnits":1"#))
    #expect(dry.body.contains("+Rose blanche"))
    let locale = try #require(LocaleTag("fr"))
    #expect(translations.units(of: locale)[0].target == "Rose rouge")
    let real = try await live.post("/api/translations/import?name=fr.csv", fields, body: file)
    #expect(real.status == 200 && real.body.contains(#""isRefused":false"#))
    #expect(translations.units(of: locale)[0].target == "Rose blanche")
    let broken = try await live.post(
      "/api/translations/import?name=fr.xliff", fields, body: "<xliff")
    #expect(broken.status == 200 && broken.body.contains(#""isRefused":true"#))
    #expect(broken.body.contains(#""file":"fr.xliff""#))
    await live.preview.stop()
  }

  @Test func takesADecisionOnTextsThatEqualTheirSources() async throws {
    let live = try await LivePreview(
      translations: try Florist.translations().translations(isEditable: true))
    let fields = try await live.changeFields("application/octet-stream")
    let file = "id,source (en),target (fr)\n\(Florist.title),Rose,Rose\n"
    for (query, changed) in [("", 1), ("&equalAs=translated", 1), ("&equalAs=missing", 0)] {
      let dry = try await live.post(
        "/api/translations/import?name=fr.csv&dryRun=1\(query)", fields, body: file)
      #expect(dry.status == 200 && dry.body.contains("\"changedUnits\":\(changed)"), "\(query)")
      #expect(dry.body.contains(#""equalUnits":1"#) && dry.body.contains(#""refusedUnits":0"#))
    }
    await live.preview.stop()
  }

  @Test(arguments: [
    "", "name=", "name=a/b", "name=a%5Cb", "name=a%0A", "name=a&dryRun=no", "x=1",
    "name=a&equalAs=", "name=a&equalAs=new",
  ])
  func refusesAnImportWithoutAFileName(query: String) async throws {
    let live = try await LivePreview(
      translations: try Florist.translations().translations(isEditable: true))
    let fields = try await live.changeFields("application/octet-stream")
    let response = try await live.post("/api/translations/import?\(query)", fields, body: "a")
    #expect(response.status == 400)
    await live.preview.stop()
  }

  @Test func readsALargeFile() async throws {
    let live = try await LivePreview(
      translations: try Florist.translations().translations(isEditable: true))
    let fields = try await live.changeFields("application/octet-stream")
    // One line of 2 MB, and many short ones: the limits of a request's head do not count.
    for line in [
      String(repeating: "a", count: 2_000_000), String(repeating: "a\n", count: 500_000),
    ] {
      let response = try await live.post(
        "/api/translations/import?name=a.csv&dryRun=1", fields, body: line)
      #expect(response.status == 200, "\(response.body.prefix(200))")
    }
    await live.preview.stop()
  }

  @Test func answersWithoutTranslations() async throws {
    let live = try await LivePreview()
    #expect(try await live.json("/api/translations") == ["targets": [], "isEditable": false])
    #expect(try await live.get("/api/translations/export?locale=fr&to=csv").status == 404)
    await live.preview.stop()
  }

  @Test func reportsContentThatCannotBeRead() async throws {
    var translations = try Florist.translations().translations(isEditable: true)
    translations.list = { _ in nil }
    let live = try await LivePreview(translations: translations)
    #expect(try await live.get("/api/translations").status == 503)
    await live.preview.stop()
  }
}

extension LivePreview {
  /// Returns the JSON of a response.
  func json(_ path: String) async throws -> Value {
    try PropertyList.decode(Array(try await get(path).body.utf8), as: .json).value
  }

  /// Sends a POST request to the preview with the right host.
  func post(_ path: String, _ fields: [String], body: String) async throws -> RawResponse {
    let length = "Content-Length: \(body.utf8.count)"
    let lines = ["POST \(path) HTTP/1.1", "Connection: close", length] + fields
    return try await send(lines.joined(separator: "\r\n") + "\r\n\r\n" + body)
  }

  /// The fields with which the page changes content.
  func changeFields(_ type: String) async throws -> [String] {
    let token = try #require(try await json("/api/translations")["token"]?.text)
    return [
      "Host: localhost:\(preview.port)", "Origin: http://localhost:\(preview.port)",
      "Sec-Fetch-Site: same-origin", "Content-Type: \(type)", "X-Contentc-Token: \(token)",
    ]
  }

  /// Saves an edit as the page does, and returns the report.
  func send(_ edit: Members) async throws -> Value {
    let body = String(decoding: PreviewResponse.jsonBytes(of: .dictionary(edit)), as: UTF8.self)
    let response = try await post(
      "/api/translations", try await changeFields("application/json"), body: body)
    try #require(response.status == 200, "\(response.body)")
    return try PropertyList.decode(Array(response.body.utf8), as: .json).value
  }
}
