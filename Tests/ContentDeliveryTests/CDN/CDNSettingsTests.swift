import ContentModel
import ContentSource
import HTTPTransport
import Testing

@testable import ContentCaches
@testable import TestDelivery

@Suite struct CDNSettingsTests {
  @Test(arguments: CDNCase.hosted)
  func namesTheUnsetVariable(for vendor: CDNCase) throws {
    for value in ["", "two\nlines", "sp ace"] {
      let error = #expect(throws: CDNSettingsError.self) {
        try vendor.cdn([vendor.variable: value])
      }
      #expect(error?.description.contains(vendor.variable) == true)
      #expect(value.isEmpty || error?.description.contains(value) == false)
    }
  }

  @Test func explainsWhyAVariableIsNeeded() {
    let layer = CacheLayer(
      .fastly, settings: ["service": ["FASTLY_ID"], "token": ["FASTLY_TOKEN"]])
    let error = #expect(throws: CDNSettingsError.self) {
      try CDNSettings(layer) { $0 == "FASTLY_ID" ? "SU1Z" : nil }.cdn()
    }
    #expect(
      error?.description
        == "FASTLY_TOKEN is not set; content.yaml names it as the token of 'fastly'")
  }

  @Test(arguments: CacheName.allCases)
  func namesTheMissingSetting(for name: CacheName) {
    let layer = CacheLayer(name)
    let error = #expect(throws: CDNSettingsError.self) { try CDNSettings(layer) { _ in "x" }.cdn() }
    #expect(error?.description.hasPrefix("content.yaml has no '") == true)
  }

  @Test(arguments: CDNCase.all, ["../zones", "a/b", "a?b", "ä"])
  func refusesNamesThatWouldChangeTheURL(of vendor: CDNCase, value: String) throws {
    for setting in vendor.name.settings where setting.kind == .name {
      // The names of Azure's resource groups may have letters of any script.
      if setting.name == "resourceGroup", value == "ä" { continue }
      let variable = try #require(vendor.settings[setting.name]?.first)
      let error = #expect(throws: CDNSettingsError.self) { try vendor.cdn([variable: value]) }
      let text = error?.description
      #expect(text?.contains(variable) == true && text?.contains(value) == false)
    }
  }

  @Test(arguments: CDNCase.all, [".", ".."])
  func refusesNamesThatAreDotSegments(of vendor: CDNCase, value: String) throws {
    for setting in vendor.name.settings where setting.kind == .name {
      let variable = try #require(vendor.settings[setting.name]?.first)
      let error = #expect(throws: CDNSettingsError.self) { try vendor.cdn([variable: value]) }
      #expect(error?.description.contains(variable) == true)
    }
  }

  /// "Can include alphanumeric, underscore, parentheses, hyphen, period (except at end), and Unicode
  /// characters that match the allowed characters": `resourceGroups` of Azure's reference.
  @Test(arguments: [
    ("Shop_1.eu-west", "Shop_1.eu-west"), ("shop(eu)", "shop%28eu%29"),
    ("läden", "l%C3%A4den"), ("店舗", "%E5%BA%97%E8%88%97"),
  ])
  func escapesTheResourceGroupOfFrontDoor(name: String, segment: String) throws {
    let cdn = try CDNCase.frontDoor.cdn(["AZ_GROUP": name])
    let request = try #require(cdn.plan(CDNCase.scope(1)).requests.first).request
    #expect(request.url.contains("/resourceGroups/\(segment)/providers/"))
  }

  @Test(arguments: ["a b", "a%2Fb", "a#b", "a\nb", "a\u{202E}b", "a:b"])
  func refusesOtherCharactersInTheResourceGroupOfFrontDoor(name: String) {
    #expect(throws: CDNSettingsError.self) { try CDNCase.frontDoor.cdn(["AZ_GROUP": name]) }
  }

  /// Each setting of `content.yaml` that names a credential reaches a request as it is.
  @Test(arguments: CDNCase.all)
  func acceptsAnyCharacterOfASecret(of vendor: CDNCase) throws {
    for setting in vendor.name.settings where setting.kind == .secret {
      let variable = try #require(vendor.settings[setting.name]?.first, "\(setting.name)")
      _ = try vendor.cdn([variable: "a/b+c=="])
    }
  }

  @Test func sendsRequestsToTheConfiguredAPI() throws {
    for vendor in CDNCase.hosted {
      let plan = try vendor.cdn(api: "http://127.0.0.1:8080/").plan(CDNCase.scope(1))
      #expect(plan.requests.allSatisfy { $0.request.url.hasPrefix("http://127.0.0.1:8080/") })
      #expect(
        plan.requests.allSatisfy { !$0.request.url.dropFirst(7).contains("//") })
    }
  }

  /// `contentc server` prints configurations for servers that are no caches, too.
  @Test func everyCacheHasAConfiguration() {
    #expect(ServerKind.all.filter { $0.cache == nil } == [.caddy, .apache, .haproxy])
    #expect(ServerKind.all.compactMap(\.cache).count == CacheName.allCases.count)
    for name in CacheName.allCases {
      #expect(ServerKind.all.contains(name.cache.server) && name.cache.server.cache == name)
    }
  }

  @Test(arguments: CDNCase.all)
  func theAdapterHasTheNameOfItsCache(vendor: CDNCase) throws {
    #expect(try vendor.cdn().name == vendor.name)
  }

  @Test(arguments: CacheName.allCases)
  func originsSendKeysToEachCacheThatReadsThem(cache: CacheName) {
    var settings = ServerSettings(
      app: "shop", channel: "qa", root: "/srv", state: "/var/lib/a", maintenance: "/m",
      lifetimes: ServerSettings.Lifetimes(
        app: 60, edge: 60, staleWhileRevalidate: 0, staleIfError: 0, originTimeout: 5),
      languages: MaintenanceLanguages(source: "en", declared: ["en"]))
    settings.addHeaders(for: [cache])
    let readsKeys = cache.settings.contains { $0.name == "keys" }
    #expect(settings.keyHeaders.isEmpty == !readsKeys)
  }

  @Test func sendsTheSessionTokenOnlyIfSet() throws {
    for (value, isSent) in [("", false), ("t0ken", true)] {
      let cdn = try CDNCase.cloudFront.cdn(["CF_SESSION": value])
      let request = try #require(cdn.plan(CDNCase.scope(1)).requests.first)
      let headers = cdn.authorized(request, at: 1_800_000_000, unique: 1).headers
      #expect(headers.contains { $0.name.lowercased() == "x-amz-security-token" } == isSent)
    }
  }
}
