import ContentModel
import RemoteCache
import TestServers
import Testing

@Suite struct RequestTests {
  @Test func asksOverOneConnectionForOneAfterTheOther() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let cache = try RemoteCache(at: server.address)
    for sample in Sample.samples(30) { #expect(cache.fetch(.content, sample.key) == nil) }
    #expect(server.requests.count == 30 && server.acceptedConnections == 1)
  }

  @Test func asksOverAFewConnectionsForManyAtOnce() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    var limits = CacheLimits()
    limits.readers = 5
    let cache = try RemoteCache(at: server.address, limits: limits)
    _ = cache.fetch(.content, Sample.samples(300).map(\.key))
    #expect(server.requests.count == 300 && server.acceptedConnections <= 5)
  }

  @Test func namesThingsAsBazelDoes() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let key = Sample.samples(1)[0].key
    let cache = try RemoteCache(at: "\(server.address)/team/shop/")
    _ = cache.fetch(.content, key)
    _ = cache.fetch(.record, key)
    #expect(
      server.requests.map(\.path) == ["/team/shop/cas/\(key.hex)", "/team/shop/ac/\(key.hex)"])
    #expect(server.requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
  }

  @Test func putsBytesAsTheyAre() throws {
    let server = try ScriptedServer { _ in .answer(status: 201) }
    defer { server.stop() }
    let sample = Sample(bytes: Array(0...255) + Array("\r\n\r\n&=+ ".utf8))
    let cache = try RemoteCache(at: server.address)
    cache.store(.content, sample.key, sample.bytes)
    #expect(cache.finish().stored == 1)
    let request = try #require(server.requests.first)
    #expect(
      request.method == "PUT" && request.path == "/cas/\(sample.key.hex)"
        && request.body == sample.bytes)
  }

  @Test func writesContentsBeforeRecords() throws {
    let server = try ScriptedServer { _ in .answer(status: 201) }
    defer { server.stop() }
    let cache = try RemoteCache(at: server.address)
    for sample in Sample.samples(50) {
      cache.store(.content, sample.key, sample.bytes)
    }
    cache.store(.record, Sample.samples(1)[0].key, [1])
    #expect(cache.finish().stored == 51)
    #expect(server.requests.last?.path.hasPrefix("/ac/") == true)
  }

  @Test func holdsNoMoreToBeWrittenThanTheLimit() throws {
    let server = try ScriptedServer { _ in .silence }
    defer { server.stop() }
    var limits = CacheLimits.quick
    limits.waitingBytes = 10_000
    let cache = try RemoteCache(at: server.address, limits: limits)
    let time = ContinuousClock().measure {
      for sample in Sample.samples(100) { cache.store(.content, sample.key, sample.bytes) }
      let summary = cache.finish()
      #expect(summary.unsent == 100 && server.requests.count <= 3)
    }
    #expect(time < .seconds(4))
  }

  @Test func hasNothingToWaitForAfterTheEnd() throws {
    let server = try ScriptedServer { _ in .answer(status: 201) }
    defer { server.stop() }
    let sample = Sample.samples(1)[0]
    let cache = try RemoteCache(at: server.address)
    _ = cache.finish()
    cache.store(.content, sample.key, sample.bytes)
    #expect(cache.fetch(.content, sample.key) == nil)
    #expect(cache.finish().unsent == 1)
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("YW5uYTpzZSBjcmV0", "anna:se%20cret@"), ("YW5uYTo=", "anna@"), ("YUBiOmM6ZA==", "a%40b:c:d@"),
  ])
  func sendsTheUserPartAndNeverShowsIt(encoded: String, user: String) throws {
    let server = try ScriptedServer { _ in .answer(status: 500) }
    defer { server.stop() }
    let cache = try RemoteCache(
      at: "http://\(user)\(server.address.dropFirst(7))/shop", limits: .quick)
    for sample in Sample.samples(5) { _ = cache.fetch(.content, sample.key) }
    #expect(server.requests.first?.headers.contains("Authorization: Basic \(encoded)") == true)
    #expect(cache.shownAddress == "\(server.address)/shop")
    let warning = try #require(cache.finish().warning)
    #expect(warning.contains("'\(server.address)/shop'") && !warning.contains("@"))
  }

  @Test func sendsTheAuthorizationThatTheEnvironmentHas() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let access = try CacheAccess { $0 == "CONTENTC_CACHE_AUTHORIZATION" ? "Bearer t0ken" : nil }
    let cache = try RemoteCache(at: server.address, access: access)
    _ = cache.fetch(.content, Sample.samples(1)[0].key)
    #expect(server.requests.first?.headers.contains("Authorization: Bearer t0ken") == true)
  }

  @Test func signsForABucketWithTheTokenThatTheEnvironmentHas() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let environment = [
      "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret", "AWS_SESSION_TOKEN": "t0ken",
      "AWS_REGION": "eu-west-1",
    ]
    let access = try CacheAccess { environment[$0] }
    let cache = try RemoteCache(at: "s3+\(server.address)/bucket/shop", access: access)
    let key = Sample.samples(1)[0].key
    _ = cache.fetch(.content, key)
    let request = try #require(server.requests.first)
    #expect(request.path == "/bucket/shop/cas/\(key.hex)")
    #expect(request.headers.contains("x-amz-security-token: t0ken"))
    #expect(request.headers.contains("x-amz-content-sha256: \(sha256([]).hex)"))
    let authorization = try #require(
      request.headers.first { $0.hasPrefix("Authorization: AWS4-HMAC-SHA256 ") })
    #expect(
      authorization.contains("Credential=AKID/")
        && authorization.contains("/eu-west-1/s3/aws4_request"))
    #expect(authorization.contains("x-amz-security-token"))
    #expect(!request.headers.contains { $0.contains("s3cret") })
  }

  @Test func refusesAuthorizationThatWouldBeTwoHeaders() {
    #expect(throws: CacheAddressError.unprintable(variable: "CONTENTC_CACHE_AUTHORIZATION")) {
      try CacheAccess { $0 == "CONTENTC_CACHE_AUTHORIZATION" ? "Bearer a\r\nX: b" : nil }
    }
  }
}
