import ContentModel
import TestServers
import Testing

@testable import ContentPreview

/// Requests that would change content, from anyone but the preview's own page.
@Suite struct ChangeProtectionTests {
  private static let edit =
    #"{"locale":"fr","id":"product/rose#care","source":"Water {count} times","target":"{count}"}"#

  /// The ways in which a request can differ from one of the preview's page.
  enum Fault: CaseIterable {
    case noOrigin, otherOrigin, nullOrigin, otherPort, otherScheme, otherLoopbackName, twoOrigins
    case crossSite, sameSite, noSite
    case formType, textType, multipartType, noType, otherType
    case noToken, wrongToken, tokenWithRest
    case otherHost, emulatorHost
  }

  private static func fields(_ fault: Fault, token: String, port: Int) -> [String] {
    var host = "localhost:\(port)"
    var origins = ["http://\(host)"]
    var (site, type, tokens) = ("same-origin", "application/json", [token])
    switch fault {
    case .noOrigin: origins = []
    case .otherOrigin: origins = ["http://evil.example"]
    case .nullOrigin: origins = ["null"]
    case .otherPort: origins = ["http://localhost:1"]
    case .otherScheme: origins = ["https://\(host)"]
    case .otherLoopbackName: origins = ["http://127.0.0.1:\(port)"]
    case .twoOrigins: origins.append("http://evil.example")
    case .crossSite: site = "cross-site"
    case .sameSite: site = "same-site"
    case .noSite: site = "none"
    case .formType: type = "application/x-www-form-urlencoded"
    case .textType: type = "text/plain;application/json"
    case .multipartType: type = "multipart/form-data; boundary=a"
    case .noType: type = ""
    case .otherType: type = "application/octet-stream"
    case .noToken: tokens = []
    case .wrongToken: tokens = ["0"]
    case .tokenWithRest: tokens.append(token)
    case .otherHost: (host, origins) = ("evil.example", ["http://evil.example"])
    case .emulatorHost: (host, origins) = ("10.0.2.2:\(port)", ["http://10.0.2.2:\(port)"])
    }
    return ["Host: \(host)", "Sec-Fetch-Site: \(site)", "Cookie: \(HostPolicy.cookiePair)"]
      + origins.map { "Origin: \($0)" } + tokens.map { "X-Contentc-Token: \($0)" }
      + (type.isEmpty ? [] : ["Content-Type: \(type)"])
  }

  @Test(arguments: Fault.allCases)
  func refusesARequestThatDiffers(fault: Fault) async throws {
    let (live, translations) = try await Self.editable()
    let token = try #require(try await live.json("/api/translations")["token"]?.text)
    let before = try Self.texts(translations)
    let fields = Self.fields(fault, token: token, port: live.preview.port)
    let response = try await live.post("/api/translations", fields, body: Self.edit)
    let isTypeFault = [.formType, .textType, .multipartType, .noType, .otherType].contains(fault)
    #expect(response.status == (isTypeFault ? 415 : fault == .otherHost ? 421 : 403))
    #expect(response["access-control-allow-origin"] == nil)
    #expect(try Self.texts(translations) == before)
    // The same request without a fault changes the text.
    let right = try await live.changeFields("application/json")
    #expect(try await live.post("/api/translations", right, body: Self.edit).status == 200)
    #expect(try Self.texts(translations) != before)
    await live.preview.stop()
  }

  @Test(arguments: ["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"])
  func changesNothingByOtherMethods(method: String) async throws {
    let (live, translations) = try await Self.editable()
    let before = try Self.texts(translations)
    let fields = try await live.changeFields("application/json").filter { !$0.hasPrefix("Host") }
    let query = "locale=fr&id=product/rose%23care&source=Water&target=x"
    let response = try await live.get("/api/translations?\(query)", fields, method: method)
    #expect([400, 405].contains(response.status))
    #expect(response["access-control-allow-methods"] == nil)
    #expect(try Self.texts(translations) == before)
    await live.preview.stop()
  }

  @Test func answersNoPreflight() async throws {
    let (live, _) = try await Self.editable()
    let response = try await live.get(
      "/api/translations",
      [
        "Origin: http://evil.example", "Access-Control-Request-Method: POST",
        "Access-Control-Request-Headers: content-type, x-contentc-token",
      ], method: "OPTIONS")
    #expect(response.status == 405)
    #expect(!response.fields.keys.contains { $0.hasPrefix("access-control") })
    await live.preview.stop()
  }

  @Test func refusesToSaveUnlessTheCommandAllowsIt() async throws {
    let translations = try Florist.translations()
    let live = try await LivePreview(translations: translations.translations(isEditable: false))
    let (json, before) = (try await live.json("/api/translations"), try Self.texts(translations))
    #expect(json["token"] == nil && json["isEditable"] == false)
    let port = live.preview.port
    let fields = [
      "Host: localhost:\(port)", "Origin: http://localhost:\(port)",
      "Content-Type: application/json", "X-Contentc-Token: ",
    ]
    for path in ["/api/translations", "/api/translations/import?name=a.csv&dryRun=1"] {
      let response = try await live.post(path, fields, body: Self.edit)
      #expect(response.status == 403)
      #expect(response.body.contains("contentc preview --edit"))
    }
    #expect(try Self.texts(translations) == before)
    await live.preview.stop()
  }

  @Test func neverSavesOnTheNetwork() async throws {
    let translations = try Florist.translations()
    var endpoint = Preview.Endpoint()
    (endpoint.isOnNetwork, endpoint.names) = (true, ["desk.local"])
    let live = try await LivePreview(
      endpoint: endpoint, translations: translations.translations(isEditable: true))
    let json = try await live.json("/api/translations")
    #expect(json["token"] == nil && json["isEditable"] == false)
    let other = try await live.get(
      "/api/translations", host: "desk.local", fields: ["Cookie: \(HostPolicy.cookiePair)"])
    #expect(other.status == 200 && !other.body.contains("token"))
    let fields = [
      "Host: desk.local", "Origin: http://desk.local", "Content-Type: application/json",
      "Cookie: \(HostPolicy.cookiePair)",
    ]
    #expect(try await live.post("/api/translations", fields, body: Self.edit).status == 403)
    await live.preview.stop()
  }

  @Test func givesNoTokenToOtherPagesAndHosts() async throws {
    let (live, _) = try await Self.editable()
    for field in ["Origin: http://evil.example", "Sec-Fetch-Site: cross-site"] {
      let response = try await live.get("/api/translations", [field])
      #expect(response.status == 403 && !response.body.contains("token"))
      #expect(response["cross-origin-resource-policy"] == "same-origin")
    }
    let emulator = try await live.get(
      "/api/translations", host: "10.0.2.2", fields: ["Cookie: \(HostPolicy.cookiePair)"])
    #expect(emulator.status == 200 && !emulator.body.contains("token"))
    await live.preview.stop()
  }

  @Test func makesATokenForEachProcess() {
    let tokens = (0..<100).map { _ in ChangePolicy().token }
    #expect(Set(tokens).count == 100)
    #expect(tokens.allSatisfy { $0.utf8.count > 12 })
  }

  @Test(arguments: [
    ("/api/translations", 1 << 20, 413), ("/api/translations/import?name=a.csv", 64 << 20, 413),
  ])
  func refusesALongerBodyUnread(path: String, limit: Int, status: Int) async throws {
    let (live, _) = try await Self.editable()
    let type = path.contains("import") ? "application/octet-stream" : "application/json"
    let fields = try await live.changeFields(type)
    let head = ["POST \(path) HTTP/1.1", "Content-Length: \(limit + 1)"] + fields
    // The refusal does not wait for the body.
    let response = try await live.send(head.joined(separator: "\r\n") + "\r\n\r\n{")
    #expect(response.status == status)
    await live.preview.stop()
  }

  @Test func refusesABodyOfUnknownLength() async throws {
    let (live, _) = try await Self.editable()
    let fields = try await live.changeFields("application/json")
    let head = ["POST /api/translations HTTP/1.1", "Transfer-Encoding: chunked"] + fields
    let response = try await live.send(
      head.joined(separator: "\r\n") + "\r\n\r\n1\r\n{\r\n0\r\n\r\n")
    #expect(response.status == 411)
    await live.preview.stop()
  }

  @Test(arguments: [
    "/", "/api/state", "/api/coverage", "/api/translations/export", "/api/translations/x",
    "/preview/config.plist", "/at/2030-01-01T00:00:00Z/preview/config.plist",
  ])
  func answersNoOtherPOST(path: String) async throws {
    let (live, _) = try await Self.editable()
    let fields = try await live.changeFields("application/json")
    let response = try await live.post(path, fields, body: "{}")
    #expect(response.status == 405 && response["allow"] == "GET, HEAD")
    await live.preview.stop()
  }

  private static func editable() async throws -> (LivePreview, MemoryTranslations) {
    let translations = try Florist.translations()
    return (
      try await LivePreview(translations: translations.translations(isEditable: true)),
      translations
    )
  }

  private static func texts(_ translations: MemoryTranslations) throws -> [String?] {
    translations.units(of: try #require(LocaleTag("fr"))).map(\.target)
  }
}
