import HTTPTransport
import TestServers
import Testing

@testable import ContentCaches
@testable import TestDelivery

@Suite struct CloudFrontTests {
  private let clock = TestClock()
  private let fake: FakeCloudFront
  private let server: ScriptedServer

  init() throws {
    let fake = FakeCloudFront(clock)
    (self.fake, server) = (fake, try ScriptedServer { fake.answer($0) })
  }

  private func cdn(
    _ credentials: AmazonCredentials = FakeCloudFront.credentials, hasKeys: Bool = false,
    unique: UInt64 = 1
  ) -> CloudFrontCDN {
    CloudFrontCDN(
      distribution: FakeCloudFront.distribution, credentials, api: server.address, hasKeys: hasKeys,
      unique: { unique })
  }

  @Test(arguments: [
    (1, false, CDNPlan.Selector.urls, 1), (3_000, true, .urls, 3_000), (3_001, true, .keys, 2),
    (3_001, false, .prefix, 1),
    (25_000, true, .keys, 2), (25_000, false, .prefix, 1), (0, true, .urls, 0),
  ])
  func choosesTheNarrowestSelectorWithinTheQuota(
    urls: Int, hasKeys: Bool, selector: CDNPlan.Selector, items: Int
  ) throws {
    let cdn = cdn(hasKeys: hasKeys)
    let plan = cdn.plan(PurgeScope(urls: urls))
    #expect(plan.selector == selector && plan.requests.map(\.units).reduce(0, +) == items)
    var purge = SequentialPurge(cdn, clock)
    #expect(purge.run(plan) == [])
    #expect(fake.invalidations.flatMap(\.items).count == items)
    #expect(fake.invalidations.allSatisfy { $0.ends <= clock.now })
  }

  @Test(arguments: [
    ("https://cdn.example.com/app/v1/", CDNPlan.Selector.prefix, "/app/v1/*"),
    ("https://cdn.example.com/", .everything, "/*"),
    ("https://cdn.example.com/grün/", .prefix, "/gr%C3%BCn/*"),
  ])
  func coversTooManyURLsWithOneWildcard(prefix: String, selector: CDNPlan.Selector, item: String) {
    let plan = cdn().plan(
      PurgeScope(urls: (0...3_000).map { "\(prefix)\($0)" }, keys: ["bad"], prefix: prefix))
    var purge = SequentialPurge(cdn(), clock)
    #expect(
      plan.selector == selector && purge.run(plan) == []
        && fake.invalidations.map(\.items) == [[item]])
  }

  @Test func coversTooLongPathsWithTheirPrefix() {
    let long = "https://cdn.example.com/v1/" + String(repeating: "x", count: 4_000)
    #expect(
      cdn().plan(PurgeScope(urls: [long], keys: [], prefix: "https://cdn.example.com/v1/")).selector
        == .prefix)
  }

  @Test func pollsUntilTheInvalidationEnds() {
    var purge = SequentialPurge(cdn(), clock)
    #expect(purge.run(cdn().plan(PurgeScope(urls: 2))) == [])
    #expect(
      purge.waits == [3, 3, 3, 3]
        && server.requests.map(\.method) == ["POST", "GET", "GET", "GET", "GET"])
  }

  /// CloudFront starts the invalidation, but its answer is lost.
  ///
  /// The retry must repeat the same invalidation.
  @Test(arguments: [
    ScriptedServer.Reply.silence, .bytes([]), FakeCloudFront.error(500, "InternalFailure"),
  ])
  func retriesWithoutStartingASecondInvalidation(reply: ScriptedServer.Reply) throws {
    let fake = fake
    let counter = Counter()
    let server = try ScriptedServer { request in
      let answer = fake.answer(request)
      return counter.next() == 1 ? reply : answer
    }
    defer { server.stop() }
    let cdn = CloudFrontCDN(
      distribution: FakeCloudFront.distribution, FakeCloudFront.credentials, api: server.address)
    var purge = SequentialPurge(cdn, clock, fault: reply)
    #expect(purge.run(cdn.plan(PurgeScope(urls: 3))) == [])
    #expect(fake.invalidations.count == 1 && server.requests.count { $0.method == "POST" } == 2)
  }

  @Test func startsNewInvalidationsForOtherPurgesOrURLs() {
    for (unique, urls) in [(1, 3), (1, 4), (2, 3), (1, 3)] as [(UInt64, Int)] {
      let cdn = cdn(unique: unique)
      var purge = SequentialPurge(cdn, clock)
      #expect(purge.run(cdn.plan(PurgeScope(urls: urls))) == [])
    }
    #expect(fake.invalidations.count == 3)
  }

  @Test func waitsForInvalidationsInProgress() {
    fake.begin((0..<2_999).map { "/\($0)" })
    var purge = SequentialPurge(cdn(), clock)
    #expect(purge.run(cdn().plan(PurgeScope(urls: 2))) == [])
    #expect(purge.waits.first == 20 && fake.invalidations.count == 2)
  }

  @Test func waitsForWildcardsInProgress() {
    fake.begin((0..<15).map { "/\($0)/*" })
    var purge = SequentialPurge(cdn(), clock)
    #expect(purge.run(cdn().plan(PurgeScope(urls: 3_001))) == [])
    #expect(purge.waits.first == 20 && fake.invalidations.count == 2)
  }

  @Test(arguments: [
    (ScriptedServer.Reply.answer(status: 429, headers: ["Retry-After: 7"]), 7.0),
    (.answer(status: 429), 5),
    (.answer(status: 503, headers: ["Retry-After: 9"]), 9), (.answer(status: 500), 1),
    (.answer(status: 502), 1),
    (FakeCloudFront.error(400, "Throttling", "Rate exceeded"), 5), (.silence, 1), (.bytes([]), 1),
    (.answer(status: 201, body: Array("<html>".utf8)), 1),
    (.bytes(Array("no HTTP\r\n\r\n".utf8)), 1),
  ])
  func retriesAfterTransientErrors(fault: ScriptedServer.Reply, wait: Double) {
    fake.fail([fault, fault])
    var purge = SequentialPurge(cdn(), clock, fault: fault)
    #expect(purge.run(cdn().plan(PurgeScope(urls: 1))) == [])
    #expect(purge.waits.prefix(2) == [wait, wait] && fake.invalidations.count == 1)
  }

  @Test(arguments: [
    (403, "AccessDenied", "cloudfront:CreateInvalidation"), (403, "ExpiredToken", "CF_TOKEN"),
    (403, "RequestExpired", "clock"), (404, "NoSuchDistribution", "'distribution'"),
    (413, "BatchTooLarge", "too large"),
    (400, "BatchTooLarge", "too large"), (400, "InvalidArgument", "does not take"),
    (301, "", "'api'"),
  ])
  func doesNotRetryPermanentErrors(status: Int, code: String, advice: String) {
    fake.fail([FakeCloudFront.error(status, code)])
    var purge = SequentialPurge(cdn(), clock)
    let problems = purge.run(cdn().plan(PurgeScope(urls: 1)))
    #expect(purge.sent == 1 && problems.count == 1)
    #expect(
      problems.allSatisfy { $0.contains("\(status)") && $0.contains(code) && $0.contains(advice) },
      "\(problems)")
  }

  @Test(arguments: [
    (
      AmazonCredentials(accessKey: "AKIDEXAMPLE", secretKey: "wr0ng", sessionToken: "t0ken/+="),
      "CF_SECRET"
    ),
    (
      AmazonCredentials(accessKey: "0ther", secretKey: "s3cret/+=", sessionToken: "t0ken/+="),
      "CF_KEY"
    ),
    (
      AmazonCredentials(accessKey: "AKIDEXAMPLE", secretKey: "s3cret/+=", sessionToken: nil),
      "CF_SECRET"
    ),
  ])
  func namesVariablesOfWrongCredentialsWithoutSecrets(
    credentials: AmazonCredentials, variable: String
  ) {
    let cdn = cdn(credentials)
    var purge = SequentialPurge(cdn, clock)
    let problems = purge.run(cdn.plan(PurgeScope(urls: 1)))
    #expect(problems.count == 1 && problems.allSatisfy { $0.contains(variable) }, "\(problems)")
    expectNoSecret(in: [problems, cdn, cdn.plan(PurgeScope(urls: 1))])
    #expect(fake.invalidations.isEmpty)
  }

  /// The id is untrusted input and becomes part of a URL.
  @Test func doesNotPollAMalformedInvalidationID() {
    let body = "<Invalidation><Id>../x?</Id><Status>InProgress</Status></Invalidation>"
    fake.fail(Array(repeating: .answer(status: 201, body: Array(body.utf8)), count: 6))
    var purge = SequentialPurge(cdn(), clock)
    #expect(purge.run(cdn().plan(PurgeScope(urls: 1))).count == 1)
    #expect(server.requests.allSatisfy { $0.method == "POST" })
  }
}

/// CloudFront as implemented by moto, independently of our fake.
@Suite(.nightly) struct CloudFrontMotoTests {
  @Test func purgesByURLsKeysAndPrefix() throws {
    let moto = try MotoServer()
    let cdn = CloudFrontCDN(
      distribution: moto.distribution, MotoServer.credentials, api: moto.address, hasKeys: true)
    let odd = [
      "https://cdn.example.com/v1/a&b?c=<d>", "https://cdn.example.com/v1/花 \"x\"",
      "https://other.example.com/",
    ]
    let plain = CloudFrontCDN(
      distribution: moto.distribution, MotoServer.credentials, api: moto.address)
    let plans = [
      cdn.plan(PurgeScope(urls: odd, keys: [], prefix: "https://cdn.example.com/")),
      cdn.plan(PurgeScope(urls: 3_000)),
      cdn.plan(PurgeScope(urls: 25_000)), plain.plan(PurgeScope(urls: 25_000)),
    ]
    for plan in plans {
      var purge = SequentialPurge(cdn, TestClock())
      #expect(purge.run(plan) == [])
    }
    let seen = try moto.invalidated()
    #expect(seen.first == ["/v1/a&b?c=%3Cd%3E", "/v1/%E8%8A%B1%20%22x%22", "/"])
    #expect(seen.map(\.count) == [3, 3_000, 2, 1])
    #expect(seen.last == ["/v1/*"] && seen[2] == ["#home", "#bad"])
  }

  @Test func namesTheSettingOfAnUnknownDistribution() throws {
    let moto = try MotoServer()
    let cdn = CloudFrontCDN(
      distribution: "ENOSUCH", MotoServer.credentials, api: moto.address)
    var purge = SequentialPurge(cdn, TestClock())
    #expect(purge.run(cdn.plan(PurgeScope(urls: 1))).first?.contains("'distribution'") == true)
  }
}

extension PurgeScope {
  /// Creates a scope with `urls` URLs, two distinct keys, and a prefix.
  init(urls: Int) {
    self.init(
      urls: (0..<urls).map { "https://cdn.example.com/v1/objects/\($0).plist" },
      keys: ["home", "bad", "home"],
      prefix: "https://cdn.example.com/v1/")
  }
}

/// Expects no secret of the fakes in printed, dumped or reflected values.
func expectNoSecret(in values: [Any], _ location: SourceLocation = #_sourceLocation) {
  for value in values {
    var shown = "\(value) \(String(reflecting: value)) "
    dump(value, to: &shown)
    for secret in ["s3cret", "t0ken", "wr0ng", "acc3ss", "cl1ent", "AKIDEXAMPLE", "0ther"] {
      #expect(!shown.contains(secret), sourceLocation: location)
    }
  }
}
