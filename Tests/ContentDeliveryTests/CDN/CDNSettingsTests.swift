import ContentModel
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

  @Test(arguments: ["../zones", "a/b", "a?b", "ä"])
  func refusesNamesThatWouldChangeTheURL(zone: String) {
    let error = #expect(throws: CDNSettingsError.self) {
      try CDNCase.cloudflare("free").cdn(["CF_ZONE": zone])
    }
    #expect(
      error?.description.contains("CF_ZONE") == true && error?.description.contains(zone) == false)
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
  @Test func everyCacheHasAConfigurationAndATest() {
    #expect(ServerName.allCases.filter { $0.cache == nil } == [.caddy, .apache, .haproxy])
    #expect(Set(ServerName.allCases.compactMap(\.cache)) == Set(CacheName.allCases))
    #expect(Set(CDNCase.all.map(\.name)) == Set(CacheName.allCases))
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
