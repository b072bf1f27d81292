import ContentModel
import Diagnostics
import Synchronization
import TestServers
import Testing
import Translations

@testable import ContentPreview

/// The resources below `/api/` and `/at/`.
@Suite struct PreviewAPITests {
  @Test(arguments: [
    ("/api/none", 404), ("/api", 404), ("/api/", 404), ("/api/state/x", 404),
    ("/api/state?x=1", 400),
    ("/api/events?x=1", 400), ("/api/explain", 400), ("/api/explain?entry=a&entry=b", 400),
    ("/api/explain?entry=product/ros", 404), ("/api/explain?entry=product/rose&locale=xx", 400),
    ("/api/explain?entry=product/rose&device=watch", 400), ("/api/fallbacks?locale=../fr", 400),
    ("/api/schedule?x=1", 400), ("/api/sizes?a=en/phone", 400),
    ("/api/sizes?a=en/phone&b=xx/phone", 400),
    ("/api/explain?entry=product/rose&country=fr", 400),
    ("/api/explain?entry=product/rose&app=two", 400),
    ("/api/explain?entry=product/rose&at=tomorrow", 400), ("/api/fallbacks?country=FRA", 400),
    ("/api/explain?entry=%3Cscript%3E", 404), ("/at/now/preview/config.plist", 400), ("/at", 400),
    ("/at/2030-01-01T00:00:00+01:00/preview/config.plist", 400),
    ("/at/2030-01-01T00:00:00Z/none", 404),
    ("/at/2030-13-01T00:00:00Z/preview/config.plist", 400),
  ])
  func reportsErrorsInASentence(path: String, status: Int) async throws {
    let live = try await LivePreview()
    let response = try await live.get(path)
    #expect(response.status == status)
    #expect(response["content-type"] == "application/json")
    #expect(response.body.hasPrefix(#"{"error":""#))
    await live.preview.stop()
  }

  @Test func showsTheEditorToThisMachineOnly() async throws {
    var editor = try #require(EditorLink("vscode"))
    editor.root = "/somewhere/shop"
    var endpoint = Preview.Endpoint()
    endpoint.isOnNetwork = true
    endpoint.names = ["shop.local"]
    let live = try await LivePreview(endpoint: endpoint, editor: editor)
    let expected =
      #""editor":{"root":"/somewhere/shop","template":"vscode://file{path}:{line}:{column}"}"#
    #expect(try await live.get("/api/state").body.contains(expected))
    // Requests with the network name are not local.
    let other = try await live.get(
      "/api/state", host: "shop.local:\(live.preview.port)",
      fields: ["Cookie: \(HostPolicy.cookiePair)"])
    #expect(other.status == 200)
    #expect(!other.body.contains("editor") && !other.body.contains("somewhere"))
    await live.preview.stop()
  }

  @Test(arguments: [
    ("127.0.0.1:4820", "127.0.0.1", true), ("localhost", "::1", true), ("[::1]:4820", "::1", true),
    // A program on another machine can send any host name.
    ("127.0.0.1:4820", "192.168.1.20", false), ("192.168.1.20:4820", "192.168.1.20", false),
    ("10.0.2.2:4820", "127.0.0.1", false), ("localhost", nil, false),
  ])
  func recognizesThisMachine(host: String, localAddress: String?, isLocal: Bool) {
    #expect(HostPolicy.isLocal(host: host, localAddress: localAddress) == isLocal)
  }

  @Test func listsDevicesInTheOrderOfDeclaration() async throws {
    let live = try await LivePreview(
      project: try SmallContent.project("devices: {tv: {}, phone: {}}"))
    try live.folder.write(
      "out/preview/config.plist", "{ devices = { car = any; phone = any; tv = any; }; }")
    let devices = ["tv", "phone", "car"].map { #"{"name":"\#($0)","parent":"any"}"# }.joined(
      separator: ",")
    #expect(try await live.get("/api/state").body.contains(#""devices":[\#(devices)]"#))
    await live.preview.stop()
  }

  @Test func tellsTheRulesOfTiles() async throws {
    let bundles = "bundles: {stores: {include: store/*, split: place, max: 300, minimumTile: 5km}}"
    let live = try await LivePreview(project: try SmallContent.project(bundles))
    #expect(
      try await live.get("/api/state").body
        .contains(#""tiles":{"stores":{"max":300,"minimumTile":5000}}"#))
    await live.preview.stop()
  }

  @Test func drawsAQRCode() async throws {
    let live = try await LivePreview(networkAddresses: ["192.168.1.20"])
    let response = try await live.get("/api/qr?text=http%3A%2F%2F192.168.1.20%2F")
    let rows = try #require(QRCode("http://192.168.1.20/")).rows.map { "\"\($0)\"" }.joined(
      separator: ",")
    #expect(response.body == "{\"rows\":[\(rows)]}\n")
    #expect(try await live.get("/api/qr").status == 400)
    #expect(try await live.get("/api/state").body.contains(#""network":["192.168.1.20"]"#))
    await live.preview.stop()
  }

  @Test func suggestsTheNearestEntry() async throws {
    let live = try await LivePreview()
    let response = try await live.get("/api/explain?entry=product/ros")
    #expect(
      response.body == "{\"error\":\"unknown entry 'product/ros'; did you mean 'product/rose'?\"}\n"
    )
    let other = try await live.get("/api/explain?entry=product/iris")
    #expect(other.body == "{\"error\":\"unknown entry 'product/iris'\"}\n")
    await live.preview.stop()
  }

  @Test func explainsAnEntry() async throws {
    let live = try await LivePreview()
    let path = "/api/explain?entry=product/rose&locale=fr-CA&device=phone"
    #expect(try await live.get(path)["cache-control"] == "no-store")
    let explanation = try await live.json(path)
    #expect(explanation["id"] == "product/rose" && explanation["locale"] == "fr-CA")
    #expect(explanation["ok"] == true && explanation["exitStatus"] == 0)
    await live.preview.stop()
  }

  @Test(arguments: ["", "&country=&app=&at=", "&country=FR&app=2.1&at=2030-01-01T00:00:00Z"])
  func explainsAnEntryForOneReader(query: String) async throws {
    let live = try await LivePreview()
    let explanation = try await live.json("/api/explain?entry=product/rose\(query)")
    #expect(explanation["id"] == "product/rose")
    #expect(explanation["country"] == (query.contains("FR") ? "FR" : nil))
    await live.preview.stop()
  }

  @Test(.timeLimit(.minutes(1)), arguments: [true, false])
  func marksExplanationsOfContentThatIsNotServed(wasAskedBefore: Bool) async throws {
    let isBad = Mutex(false)
    let live = try await LivePreview { _ in
      let mistakes =
        isBad.withLock { $0 }
        ? [Diagnostic(.error, rule: .wrongType, at: nil, message: "it is wrong")] : []
      return .finished(facts: [:], diagnostics: mistakes, source: { _ in nil })
    }
    var lines = live.lines.makeAsyncIterator()
    #expect(await lines.next()?.isGood == true)
    let path = "/api/explain?entry=product/rose"
    if wasAskedBefore { #expect(try await live.json(path)["isShown"] == nil) }
    isBad.withLock { $0 = true }
    try live.folder.write("content/a.yaml", "x: 1")
    while await lines.next()?.isGood == true {}
    #expect(try await live.json(path)["isShown"] == (wasAskedBefore ? nil : false))
    isBad.withLock { $0 = false }
    try live.folder.write("content/a.yaml", "x: 2")
    while await lines.next()?.isGood == false {}
    #expect(try await live.json(path)["isShown"] == nil)
    await live.preview.stop()
  }

  @Test(arguments: [
    (
      "fr-CA",
      #"{"product/rose":{"badges[hot].label":"en","badges[new].label":"fr","care":"en"},"strings/app":{"bye":"en","hello":"fr"}}"#
    ),
    ("fr", #"{"product/rose":{"badges[hot].label":"en","care":"en"},"strings/app":{"bye":"en"}}"#),
    ("en", "{}"),
  ])
  func listsTextsOfOtherLocales(locale: String, entries: String) async throws {
    let live = try await LivePreview()
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let response = try await live.get("/api/fallbacks?locale=\(locale)&device=phone")
    #expect(response.body.replacing(/"generation":\d+/, with: "") == "{\"entries\":\(entries),}\n")
    await live.preview.stop()
  }

  @Test(arguments: [
    (
      "locale=fr-CA&datatype=strings",
      #"{"datatypes":["strings"],"entries":[{"entry":"strings/app","fields":["#
        + #"{"from":"en","location":"content/strings/app.en.yaml:1:25","path":"bye","state":"fallback"},"#
        + #"{"from":"fr","location":"content/strings/app.fr.yaml:1:13","path":"hello","state":"inherited"}]}],"#
        + #""errors":0,"isLocked":false,"locales":[{"datatypes":{"strings":"#
        + #"{"fallback":1,"inherited":1,"missing":0,"outdated":0,"share":0.5,"translated":0}},"fallback":1,"inherited":1,"#
        + #""locale":"fr-CA","missing":0,"outdated":0,"share":0.5,"translated":0}],"ok":true,"share":0.5,"sourceLocale":"en","warnings":0}"#
    ),
    ("locale=fr-CB", #"{"error":"unknown locale 'fr-CB'; did you mean 'fr-CA'?"}"#),
    ("datatype=produkt", #"{"error":"unknown datatype 'produkt'; did you mean 'product'?"}"#),
    ("device=phone", #"{"error":"unknown parameter 'device'"}"#),
  ])
  func reportsCoverage(query: String, body: String) async throws {
    let live = try await LivePreview()
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let response = try await live.get("/api/coverage?\(query)")
    #expect(response.body.replacing(/"generation":\d+,/, with: "") == body + "\n")
    #expect(response.status == (query.contains("&") ? 200 : 400))
    await live.preview.stop()
  }

  /// Without a lock file, `"outdated": 0` would look as if all translations were current.
  @Test(arguments: [true, false])
  func saysWhetherOutdatedTranslationsAreKnown(isLocked: Bool) async throws {
    let lock = isLocked ? [TranslationLock.fileName: ""] : [:]
    let live = try await LivePreview(texts: SmallContent.texts.merging(lock) { $1 })
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let body = try await live.get("/api/coverage").body
    #expect(body.contains(#""isLocked":\#(isLocked),"#), "\(body)")
    await live.preview.stop()
  }

  @Test func listsScheduledMoments() async throws {
    let live = try await LivePreview()
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let moment =
      #"{"entry":"product/rose","field":"badges[hot]","instant":"2030-01-01T00:00:00Z","kind":"ends","#
      + #""location":"content/entries/product/rose.yaml:5:69","text":"2030-01-01T00:00:00Z"}"#
    let response = try await live.get("/api/schedule")
    #expect(
      response.body.replacing(/"generation":\d+,/, with: "")
        == "{\"at\":\"2001-09-09T01:46:40Z\",\"moments\":[\(moment)]}\n")
    await live.preview.stop()
  }

  @Test func marksTheEndOfAnEmbargo() async throws {
    let tulip = "title: Tulip\nwhen: {from: 2029-01-01T00:00:00Z, embargo: true}\n"
    let live = try await LivePreview(
      texts: SmallContent.texts.merging(["entries/product/tulip.yaml": tulip]) { $1 })
    var lines = live.lines.makeAsyncIterator()
    _ = await lines.next()
    let response = try await live.get("/api/schedule").body
    #expect(
      response.contains(
        #""moments":[{"embargo":true,"entry":"product/tulip","instant":"2029-01-01T00:00:00Z""#))
    #expect(response.contains(#"{"entry":"product/rose","field":"badges[hot]""#), "\(response)")
    await live.preview.stop()
  }

  @Test func buildsTheContentAtAnotherInstant() async throws {
    let tulip = "title: Tulip\nwhen: {from: 2030-01-01T00:00:00Z, embargo: true}\n"
    let live = try await LivePreview(
      texts: SmallContent.texts.merging(["entries/product/tulip.yaml": tulip]) { $1 })
    let early = try await live.get("/at/2029-12-31T23:59:59Z/preview/latest/en/phone/all.plist")
    let late = try await live.get("/at/2030-01-01T00:00:00Z/preview/latest/en/phone/all.plist")
    #expect(early.status == 200)
    #expect(!early.body.contains("Tulip"))
    #expect(late.status == 200)
    #expect(late.body.contains("Tulip"))
    // Readers, not the build, leave out a list item that has ended.
    #expect(early.body.contains("Hot") && late.body.contains("Hot"))
    let config = try await live.get("/at/2030-01-01T00:00:00Z/preview/config.plist")
    #expect(config["cache-control"] == "no-cache")
    let tag = try #require(config["etag"])
    let again = try await live.get(
      "/at/2030-01-01T00:00:00Z/preview/config.plist", ["If-None-Match: \(tag)"])
    #expect(again.status == 304)
    await live.preview.stop()
  }

  @Test func embedsFilesInThePage() throws {
    let index =
      "<!doctype html>\n  <!-- style: a.css -->\n<!-- script: b.js -->\n<!-- script: none.js -->\n<!-- other -->"
    let page = Page(index: index, files: ["a.css": "p {}", "b.js": "1 < 2"])
    let response = page.response(to: PreviewRequest(isHead: false, target: try RequestTarget("/")))
    guard case .bytes(let bytes) = response.body else { throw Problem("the page has no text") }
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "<!doctype html>\n<style>p {}</style>\n<script>1 < 2</script>\n<!-- script: none.js -->\n<!-- other -->\n"
    )
    let policy = try #require(
      response.fields.first { $0.name == "content-security-policy" }?.value)
    // printf '1 < 2' | openssl dgst -sha256 -binary | base64
    #expect(policy.contains("script-src 'sha256-T8Xibs7zV8KTQdRXjpKJTlizX17SudRlddrZKaeFg9E='"))
    #expect(policy.contains("style-src 'sha256-SNJDlN1Iy2mnt7DOjQIyDb2LQE6O5PQiSZomcdzawQ4='"))
  }

  @Test func compressesThePageForBrowsersThatAcceptGzip() throws {
    let target = try RequestTarget("/")
    let sizes = try ["gzip, br", "br", nil].map { accepted in
      let fields = accepted.map { [("accept-encoding", $0)] } ?? []
      let response = Page.bundled.response(
        to: PreviewRequest(isHead: false, target: target, fields: fields))
      let encoding = response.fields.first { $0.name == "content-encoding" }?.value
      #expect(encoding == (accepted == "gzip, br" ? "gzip" : nil))
      #expect(response.fields.contains { $0 == ("vary", "accept-encoding") })
      return try #require(response.length)
    }
    #expect(sizes[0] * 3 < sizes[1])
    #expect(sizes[1] == sizes[2])
  }

  @Test func embedsAllFilesOfTheBundledPage() throws {
    let request = PreviewRequest(isHead: false, target: try RequestTarget("/"))
    let response = Page.bundled.response(to: request)
    guard case .bytes(let bytes) = response.body else { throw Problem("the page has no text") }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("<!-- script:"))
    #expect(!text.contains("<!-- style:"))
    let elements = text.split(separator: "\n").count {
      $0.hasPrefix("<script>") || $0.hasPrefix("<style>")
    }
    let policy = try #require(
      response.fields.first { $0.name == "content-security-policy" }?.value)
    #expect(policy.occurrences(of: "sha256-") == elements)
    // `</script` within a file would end its element.
    #expect(text.lowercased().occurrences(of: "</script") == text.occurrences(of: "<script>"))
  }
}

extension String {
  /// Returns the number of occurrences of a text.
  fileprivate func occurrences(of text: String) -> Int {
    var (count, rest) = (0, self[...])
    while let range = rest.firstRange(of: text) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
