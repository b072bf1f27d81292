import ContentModel
import TestServers
import Testing

@testable import ContentBuild

@Suite struct RequestTests {
  @Test func sendsConsecutiveRequestsOverOneConnection() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let cache = try RemoteCache(at: server.address)
    for sample in Sample.samples(30) { #expect(cache.fetch(sample.content) == nil) }
    #expect(server.requests.count == 30 && server.acceptedConnections == 1)
  }

  @Test func sendsManyRequestsOverAFewConnections() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    var limits = CacheLimits()
    limits.readers = 5
    let cache = try RemoteCache(at: server.address, limits: limits)
    _ = cache.fetch(Sample.samples(300).map(\.content))
    #expect(server.requests.count == 300 && server.acceptedConnections <= 5)
  }

  @Test func requestsThePathsOfBazelsProtocol() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let key = Sample.samples(1)[0].digest
    let cache = try RemoteCache(at: "\(server.address)/team/shop/")
    _ = cache.fetch(.content(key))
    _ = cache.fetch(.record(key))
    #expect(
      server.requests.map(\.path) == ["/team/shop/cas/\(key.hex)", "/team/shop/ac/\(key.hex)"])
    #expect(server.requests.allSatisfy { $0.method == "GET" && $0.body.isEmpty })
  }

  @Test func writesBytesUnchanged() throws {
    let server = try ScriptedServer { _ in .answer(status: 201) }
    defer { server.stop() }
    let sample = Sample(bytes: Array(0...255) + Array("\r\n\r\n&=+ ".utf8))
    let cache = try RemoteCache(at: server.address)
    cache.store(sample.bytes, under: sample.content)
    #expect(cache.finish().stored == 1)
    let request = try #require(server.requests.first)
    #expect(
      request.method == "PUT" && request.path == "/cas/\(sample.digest.hex)"
        && request.body == sample.bytes)
  }

  @Test func writesContentsBeforeRecords() throws {
    let server = try ScriptedServer { _ in .answer(status: 201) }
    defer { server.stop() }
    let cache = try RemoteCache(at: server.address)
    for sample in Sample.samples(50) {
      cache.store(sample.bytes, under: sample.content)
    }
    cache.store([1], under: Sample.samples(1)[0].record)
    #expect(cache.finish().stored == 51)
    #expect(server.requests.last?.path.hasPrefix("/ac/") == true)
  }

  @Test func keepsNoMoreUploadsThanTheLimit() throws {
    let server = try ScriptedServer { _ in .silence }
    defer { server.stop() }
    var limits = CacheLimits.quick
    limits.waitingBytes = 10_000
    let cache = try RemoteCache(at: server.address, limits: limits)
    let time = ContinuousClock().measure {
      for sample in Sample.samples(100) { cache.store(sample.bytes, under: sample.content) }
      let summary = cache.finish()
      #expect(summary.unsent == 100 && server.requests.count <= 3)
    }
    #expect(time < .seconds(4))
  }

  @Test func sendsNoRequestsAfterTheEnd() throws {
    let server = try ScriptedServer { _ in .answer(status: 201) }
    defer { server.stop() }
    let sample = Sample.samples(1)[0]
    let cache = try RemoteCache(at: server.address)
    _ = cache.finish()
    cache.store(sample.bytes, under: sample.content)
    #expect(cache.fetch(sample.content) == nil)
    #expect(cache.finish().unsent == 1)
    #expect(server.requests.isEmpty)
  }

  @Test(arguments: [
    ("YW5uYTpzZSBjcmV0", "anna:se%20cret@"), ("YW5uYTo=", "anna@"), ("YUBiOmM6ZA==", "a%40b:c:d@"),
  ])
  func sendsTheUserPartAndNeverPrintsIt(encoded: String, user: String) throws {
    let server = try ScriptedServer { _ in .answer(status: 500) }
    defer { server.stop() }
    let cache = try RemoteCache(
      at: "http://\(user)\(server.address.dropFirst(7))/shop", limits: .quick)
    for sample in Sample.samples(5) { _ = cache.fetch(sample.content) }
    #expect(server.requests.first?.headers.contains("Authorization: Basic \(encoded)") == true)
    #expect(cache.shownAddress == "\(server.address)/shop")
    let warning = try #require(cache.finish().warning)
    #expect(warning.contains("'\(server.address)/shop'") && !warning.contains("@"))
  }

  @Test func sendsTheAuthorizationOfTheEnvironment() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let access = try CacheAccess { $0 == "CONTENTC_CACHE_AUTHORIZATION" ? "Bearer t0ken" : nil }
    let cache = try RemoteCache(at: server.address, access: access)
    _ = cache.fetch(Sample.samples(1)[0].content)
    #expect(server.requests.first?.headers.contains("Authorization: Bearer t0ken") == true)
  }

  @Test func signsForABucketWithTheTokenOfTheEnvironment() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let environment = [
      "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret", "AWS_SESSION_TOKEN": "t0ken",
      "AWS_REGION": "eu-west-1",
    ]
    let access = try CacheAccess { environment[$0] }
    let cache = try RemoteCache(at: "s3+\(server.address)/bucket/shop", access: access)
    let key = Sample.samples(1)[0].digest
    _ = cache.fetch(.content(key))
    let request = try #require(server.requests.first)
    #expect(request.path == "/bucket/shop/cas/\(key.hex)")
    #expect(request.headers.contains("x-amz-security-token: t0ken"))
    #expect(request.headers.contains("x-amz-content-sha256: \(Digest(of: []))"))
    let authorization = try #require(
      request.headers.first { $0.hasPrefix("Authorization: AWS4-HMAC-SHA256 ") })
    #expect(
      authorization.contains("Credential=AKID/")
        && authorization.contains("/eu-west-1/s3/aws4_request"))
    #expect(authorization.contains("x-amz-security-token"))
    #expect(!request.headers.contains { $0.contains("s3cret") })
  }

  /// Only a bucket is asked before it receives a large file.
  @Test(arguments: [("", false), ("s3+", true)])
  func expectsAnAnswerBeforeALargeFile(scheme: String, expects: Bool) throws {
    let server = try ScriptedServer { _ in .answer(status: 200) }
    defer { server.stop() }
    let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret"]
    let cache = try RemoteCache(
      at: "\(scheme)\(server.address)/bucket", access: try CacheAccess { keys[$0] })
    let sample = Sample(bytes: [UInt8](repeating: 7, count: (1 << 20) + 1))
    cache.store(sample.bytes, under: sample.content)
    #expect(cache.finish().stored == 1)
    let request = try #require(server.requests.first)
    #expect(request.headers.contains("Expect: 100-continue") == expects)
  }

  @Test func prefersTheAuthorizationOfTheEnvironmentToASignature() throws {
    let server = try ScriptedServer { _ in .answer(status: 404) }
    defer { server.stop() }
    let environment = [
      "AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret",
      "CONTENTC_CACHE_AUTHORIZATION": "Bearer t0ken",
    ]
    let cache = try RemoteCache(
      at: "s3+\(server.address)/bucket", access: try CacheAccess { environment[$0] })
    _ = cache.fetch(Sample.samples(1)[0].content)
    let headers = try #require(server.requests.first).headers
    #expect(headers.filter { $0.hasPrefix("Authorization") } == ["Authorization: Bearer t0ken"])
  }

  @Test func refusesAuthorizationWithALineBreak() {
    #expect(throws: CacheAddressError.unprintable(variable: "CONTENTC_CACHE_AUTHORIZATION")) {
      try CacheAccess { $0 == "CONTENTC_CACHE_AUTHORIZATION" ? "Bearer a\r\nX: b" : nil }
    }
  }
}
