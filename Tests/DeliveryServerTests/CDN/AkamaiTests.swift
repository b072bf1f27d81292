import HTTPTransport
import TestServers
import Testing

@testable import ContentCaches
@testable import TestDelivery

@Suite struct AkamaiTests {
  private let clock = TestClock()
  private let fake: FakeAkamai
  private let server: ScriptedServer

  init() throws {
    let fake = FakeAkamai(clock)
    (self.fake, server) = (fake, try ScriptedServer { fake.answer($0) })
  }

  private func cdn(
    _ credentials: EdgeGridCredentials = FakeAkamai.credentials, hasKeys: Bool = false,
    network: AkamaiCDN.Network = .production
  ) -> AkamaiCDN {
    AkamaiCDN(credentials, network: network, hasKeys: hasKeys, api: server.address)
  }

  @Test(arguments: [
    (1, false, CDNPlan.Selector.urls, 1), (10_000, true, .urls, 10_000),
    (22_000, true, .urls, 22_000),
    (25_000, true, .keys, 2),
    (25_000, false, .urls, 25_000), (0, false, .urls, 0),
  ])
  func purgesWithinEveryLimit(urls: Int, hasKeys: Bool, selector: CDNPlan.Selector, objects: Int) {
    let cdn = cdn(hasKeys: hasKeys)
    let scope = PurgeScope(urls: urls)
    let plan = cdn.plan(scope)
    var purge = SequentialPurge(cdn, clock)
    #expect(plan.selector == selector && purge.run(plan) == [])
    #expect(fake.purged.flatMap(\.objects) == (selector == .urls ? scope.urls : ["home", "bad"]))
    let kind = selector == .urls ? "url" : "tag"
    #expect(fake.purged.allSatisfy { $0.path == "/ccu/v3/delete/\(kind)/production" })
    #expect(
      plan.requests.map(\.units).reduce(0, +) == objects
        && plan.requests.allSatisfy { $0.request.body.count <= 50_000 }
    )
  }

  /// Proves that the fake enforces its limits, on which the test above relies.
  @Test func waitsForTokensWhenSentUnpaced() {
    var purge = SequentialPurge(cdn(), clock)
    fake.take(urls: 10_000)
    let plan = cdn().plan(PurgeScope(urls: 2_000))
    #expect(purge.run(plan, paced: false) == [])
    let first = Double(plan.requests.first?.units ?? 0)
    #expect(first > 500 && purge.waits.first == max(first / 200, 5))
    #expect(fake.purged.flatMap(\.objects).count == 2_000)
  }

  @Test func splitsBodiesByBytesAndObjects() {
    let scope = PurgeScope(urls: (0..<23_000).map { "a\($0)" }, keys: [], prefix: "")
    let plan = cdn().plan(scope)
    let bodies = plan.requests.map(\.request.body.count)
    #expect(
      bodies.dropLast().allSatisfy { (49_900...50_000).contains($0) } && plan.requests.count == 4)
    #expect(plan.requests.allSatisfy { $0.units <= 10_000 })
    let keys = PurgeScope(urls: scope.urls, keys: (0..<5_000).map { "\($0)" }, prefix: "")
    #expect(cdn(hasKeys: true).plan(keys).requests.map(\.units) == [5_000])
  }

  @Test(arguments: [(49_980, [2], 50_000), (49_981, [1, 1], 49_997)])
  func fillsBodiesToTheByteLimit(length: Int, units: [Int], bytes: Int) {
    let urls = [String(repeating: "x", count: length), "y"]
    let requests = cdn().plan(PurgeScope(urls: urls, keys: [], prefix: "")).requests
    #expect(requests.map(\.units) == units && requests.first?.request.body.count == bytes)
  }

  @Test func purgesTheStagingNetwork() {
    let cdn = cdn(network: .staging)
    var purge = SequentialPurge(cdn, clock)
    #expect(purge.run(cdn.plan(PurgeScope(urls: 1))) == [])
    #expect(fake.purged.map(\.path) == ["/ccu/v3/delete/url/staging"])
    #expect(server.requests.last?.path == "/ccu/v3/rate-limit-status/url")
  }

  @Test func waitsForTheEstimatedTime() {
    var purge = SequentialPurge(cdn(), clock)
    #expect(purge.run(cdn().plan(PurgeScope(urls: 1))) == [])
    #expect(purge.waits == [5] && purge.sent == 2)
  }

  /// The purge is already accepted.
  ///
  /// The status query only lets time pass, so its answer does not matter.
  @Test(arguments: [401, 429, 500])
  func ignoresTheStatusAnswerOfAnAcceptedPurge(status: Int) {
    let cdn = cdn()
    let status = HTTPAnswer(status: status)
    let request = CDNRequest(HTTPRequest(.post, "\(server.address)/ccu/v3/rate-limit-status/tag"))
    guard case .done = cdn.verdict(on: status, to: request) else {
      Issue.record("\(status)")
      return
    }
  }

  @Test(arguments: [
    (ScriptedServer.Reply.answer(status: 429), 5.0),
    (.answer(status: 429, headers: ["Retry-After: 11"]), 11),
    (
      .answer(
        status: 429,
        headers: [
          "X-Ratelimit-Remaining-Objects: -1999", "X-Ratelimit-Limit-Per-Second-Objects: 200.00",
        ]),
      10
    ),
    (
      .answer(
        status: 429, headers: ["X-Ratelimit-Remaining: 0", "X-Ratelimit-Limit-Per-Second: 0"]), 5
    ),
    (
      .answer(
        status: 429, headers: ["X-Ratelimit-Remaining: nan", "X-Ratelimit-Limit-Per-Second: inf"]),
      5
    ),
    (
      .answer(
        status: 429, headers: ["X-Ratelimit-Remaining: -1e300", "X-Ratelimit-Limit-Per-Second: 1"]),
      3_600
    ),
    (.answer(status: 503, headers: ["Retry-After: 2"]), 2), (.answer(status: 500), 1),
    (.answer(status: 504), 1),
    (.answer(status: 507), 5), (.answer(status: 408), 1), (.silence, 1), (.bytes([]), 1),
  ])
  func retriesAfterTransientErrors(fault: ScriptedServer.Reply, wait: Double) {
    fake.fail([fault, fault])
    var purge = SequentialPurge(cdn(), clock, fault: fault)
    #expect(purge.run(cdn().plan(PurgeScope(urls: 1))) == [])
    #expect(purge.waits == [wait, wait, 5] && fake.purged.count == 1)
  }

  @Test(arguments: [
    (400, "does not take"), (403, "may not purge these hosts"), (404, "'host'"), (413, "too large"),
    (302, "'api'"),
  ])
  func doesNotRetryPermanentErrors(status: Int, advice: String) {
    fake.fail([.answer(status: status, body: Array("{\"detail\":\"s3cret\"}".utf8))])
    var purge = SequentialPurge(cdn(), clock)
    let problems = purge.run(cdn().plan(PurgeScope(urls: 1)))
    #expect(purge.sent == 1 && problems.count == 1)
    #expect(problems.allSatisfy { $0.contains("\(status)") && $0.contains(advice) }, "\(problems)")
    expectNoSecret(in: [problems])
  }

  @Test(arguments: [
    ("akab-cl1ent", "wr0ng", "akab-acc3ss"), ("0ther", "s3cret/+=", "akab-acc3ss"),
    ("akab-cl1ent", "s3cret/+=", "0ther"),
  ])
  func namesVariablesOfWrongCredentialsWithoutSecrets(
    client: String, secret: String, access: String
  ) {
    let cdn = cdn(
      EdgeGridCredentials(clientToken: client, clientSecret: secret, accessToken: access))
    var purge = SequentialPurge(cdn, clock)
    let plan = cdn.plan(PurgeScope(urls: 1))
    let problems = purge.run(plan)
    #expect(
      problems.count == 1
        && problems.allSatisfy {
          $0.contains("AK_CLIENT, AK_SECRET and AK_ACCESS") && $0.contains("401")
        })
    expectNoSecret(in: [problems, cdn, plan])
    #expect(fake.purged.isEmpty)
  }

  @Test func signsEachAttemptAgain() {
    fake.fail(Array(repeating: .answer(status: 503), count: 5))
    var purge = SequentialPurge(cdn(), clock)
    #expect(purge.run(cdn().plan(PurgeScope(urls: 1))) == [])
    let signatures = server.requests.compactMap {
      $0.headers.first { $0.hasPrefix("Authorization") }
    }
    #expect(signatures.count == 7 && Set(signatures).count == 7)
  }
}
