import ContentModel
import Testing

@Suite struct StalenessBoundTests {
  private static func bound(_ caches: String..., origin: TimeSpan = .zero, edge: TimeSpan = .minutes(5)) throws
    -> StalenessBound
  {
    StalenessBound(
      origin: origin, caches: try caches.map { try #require(CacheLayer($0)) }, edge: edge,
      staleWhileRevalidate: .seconds(30), app: .minutes(10))
  }

  @Test func isThatOfTheWorkedExample() throws {
    let bound = try Self.bound("fastly")
    #expect(bound.correction == TimeSpan("15m30s"))
    #expect(bound.afterPurge == .minutes(10))
    #expect(bound.parts.map(\.layer) == ["fastly", "app"])
  }

  @Test func isTheAppsAloneWhereThereIsNoCache() throws {
    #expect(try Self.bound().correction == .minutes(10))
  }

  @Test func countsCachesThatPassAgeOnOnce() throws {
    let bound = try Self.bound("varnish", "fastly")
    #expect(bound.correction == TimeSpan("15m30s"))
    #expect(bound.parts.map(\.layer) == ["varnish and fastly", "app"])
  }

  @Test func addsEveryCacheThatIgnoresAge() throws {
    let bound = try Self.bound("nginx", "fastly", "nginx", origin: .minutes(1))
    #expect(bound.correction == TimeSpan("27m30s"))
    #expect(bound.afterPurge == .minutes(11))
  }

  @Test func countsNoLayerOfNoTime() throws {
    let bound = StalenessBound(
      origin: .zero, caches: [try #require(CacheLayer("fastly"))], edge: .zero, staleWhileRevalidate: .zero,
      app: .seconds(1))
    #expect(bound.parts.map(\.layer) == ["app"])
  }

  @Test(arguments: ["", "Fastly", "cdn", "fastly "])
  func knowsOnlyTheCachesThatCanBePurged(name: String) { #expect(CacheLayer(name) == nil) }
}
