import ContentModel
import ContentSource
import Testing

@Suite struct StalenessBoundTests {
  private static let nodes = ["nodes": ["http://127.0.0.1"]]

  /// Returns the bound of caches by name; a name with `!` is a purgeable cache.
  private static func bound(
    _ caches: String..., origin: TimeSpan = .zero, edge: TimeSpan = .minutes(5),
    app: TimeSpan = .minutes(10)
  ) throws -> StalenessBound {
    StalenessBound(
      StalenessBound.Lifetimes(
        origin: origin, edge: edge, staleWhileRevalidate: edge > .zero ? .seconds(30) : .zero,
        staleIfError: .days(1),
        app: app), caches: try caches.map(layer))
  }

  private static func layer(_ name: String) throws -> CacheLayer {
    let isPurgeable = name.hasSuffix("!")
    let cache = try #require(CacheName(rawValue: isPurgeable ? String(name.dropLast()) : name))
    return CacheLayer(cache, settings: isPurgeable ? nodes : [:])
  }

  @Test func matchesTheExampleOfTheDocumentation() {
    let fastly = CacheLayer(
      .fastly, settings: ["service": ["FASTLY_SERVICE"], "token": ["FASTLY_TOKEN"]])
    let bound = StalenessBound(
      StalenessBound.Lifetimes(
        edge: .minutes(5), staleWhileRevalidate: .seconds(30), app: .minutes(10)),
      caches: [fastly])
    #expect(bound.correction == TimeSpan("15m30s"))
    #expect(bound.afterPurge == .minutes(10))
    #expect(bound.parts.map(\.layer) == ["fastly", "app"])
  }

  @Test func consistsOfTheAppWithoutACache() throws {
    #expect(try Self.bound().correction == .minutes(10))
  }

  /// `Age` is in whole seconds, so each further cache may count up to a second too few.
  @Test func countsCachesThatSendAgeOnce() throws {
    let bound = try Self.bound("varnish", "fastly")
    #expect(bound.correction == TimeSpan("15m31s"))
    #expect(
      bound.parts[0].terms.last?.name == "Age" && bound.parts[0].terms.last?.span == .seconds(1))
    #expect(try Self.bound("varnish", "squid", "fastly").correction == TimeSpan("15m32s"))
    #expect(try Self.bound("varnish", "fastly", edge: .zero).parts.map(\.layer) == ["app"])
    #expect(bound.parts.map(\.layer) == ["varnish and fastly", "app"])
  }

  @Test func addsEveryCacheThatIgnoresAgeWithItsRounding() throws {
    let bound = try Self.bound("nginx", "fastly", "nginx", origin: .minutes(1))
    #expect(bound.correction == TimeSpan("27m32s"))
    #expect(bound.parts.map(\.layer) == ["origin", "fastly", "nginx", "nginx", "app"])
  }

  @Test func omitsLayersOfZeroTime() throws {
    let bound = try Self.bound("fastly", "nginx", edge: .zero, app: .seconds(1))
    #expect(bound.parts.map(\.layer) == ["app"])
  }

  @Test(arguments: [
    (["varnish!", "nginx!"], "10m12s", ["purge", "app"]),
    // A cache that is not purged refills the caches behind it.
    (["varnish", "nginx!"], "21m13s", ["purge", "varnish", "nginx", "app"]),
    (["varnish!", "fastly", "nginx"], "21m13s", ["purge", "fastly", "nginx", "app"]),
    (["fastly"], "15m42s", ["purge", "fastly", "app"]),
  ])
  func replacesPurgedCachesByTheTimeOfThePurge(caches: [String], span: String, layers: [String])
    throws
  {
    let bound = StalenessBound(
      StalenessBound.Lifetimes(
        edge: .minutes(5), staleWhileRevalidate: .seconds(30), app: .minutes(10)),
      caches: try caches.map(Self.layer))
    let change = StalenessBound.Change.purge(time: .seconds(12))
    #expect(bound.span(of: change) == TimeSpan(span))
    #expect(bound.parts(of: change).map(\.layer) == layers)
    #expect(bound.span(of: .maintenanceOn(time: .seconds(12))) == TimeSpan(span))
  }

  @Test func countsTheRetryDelayAtTheEndOfMaintenance() throws {
    let bound = try Self.bound("varnish!")
    let change = StalenessBound.Change.maintenanceOff(time: .seconds(12), retryAfter: .minutes(2))
    #expect(bound.span(of: change) == TimeSpan("2m12s"))
    #expect(bound.parts(of: change).last?.terms.map(\.name) == ["retryAfter"])
  }

  @Test func isLongerWhileTheOriginFails() throws {
    let bound = try Self.bound("varnish", "nginx")
    #expect(bound.correction == TimeSpan("21m1s"))
    #expect(bound.span(of: .correction, originAnswers: false) == TimeSpan("2d21m1s"))
    let purged = try Self.bound("varnish!", "nginx!")
    #expect(purged.span(of: .purge(time: .zero), originAnswers: false) == .minutes(10))
  }

  @Test func namesTheRuleOfEachNumber() throws {
    let terms = try Self.bound("varnish", "nginx", origin: .minutes(1)).parts(
      of: .correction, originAnswers: false
    )
    .flatMap(\.terms)
    let rules = terms.map { "\($0.name): \($0.rule)" }.joined(separator: "\n")
    for section in [
      "RFC 9213, 2.2", "RFC 9111, 4.2.1", "4.2.3", "5.2.2.10", "RFC 5861, 3", "RFC 5861, 4",
      "nginx#1234",
    ] {
      #expect(rules.contains(section))
    }
    #expect(terms.allSatisfy { !$0.rule.isEmpty && $0.span > .zero })
  }

  @Test(arguments: ["", "Fastly", "cdn", "fastly "])
  func refusesUnknownCaches(name: String) { #expect(CacheName(rawValue: name) == nil) }

  @Test(arguments: CacheName.allCases)
  func isPurgeableOnlyWithItsSettings(name: CacheName) {
    #expect(CacheLayer(name).isPurgeable == false)
    let all = Dictionary(
      uniqueKeysWithValues: name.settings.map { ($0.name, ["https://one", "two"]) })
    #expect(CacheLayer(name, settings: all).isPurgeable)
    for required in name.settings where required.isRequired {
      #expect(!CacheLayer(name, settings: all.filter { $0.key != required.name }).isPurgeable)
    }
  }
}
