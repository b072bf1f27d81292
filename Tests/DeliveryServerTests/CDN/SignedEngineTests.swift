import HTTPTransport
import System
import TestServers
import Testing

@testable import ContentCaches
@testable import TestDelivery

/// The adapters as `CachePurge` uses them: on several threads and at its pace.
@Suite struct SignedEngineTests {
  private let clock = SimulatedClock()

  private func outcomes(_ cdn: any CDN, _ scopes: [PurgeScope], runs: Int = 1) -> [CachePurge
    .Outcome]
  {
    let client = HTTPClient()
    let random = Counter()
    var environment = clock.environment
    environment.random = { UInt64(random.next()) }
    let purge = CachePurge(
      [cdn], send: { (request) throws(HTTPFailure) in try client.send(request) },
      environment: environment)
    return (0..<runs).flatMap { _ in purge.run(scopes, deadlineSeconds: 600) }
  }

  @Test(arguments: [false, true])
  func purgesAkamaiOf25000URLsWithinItsLimits(hasKeys: Bool) throws {
    let fake = FakeAkamai(TestClock(clock))
    let answers = Counter()
    let server = try ScriptedServer { request in
      let reply = fake.answer(request)
      if case .answer(200..<300, _, _) = reply { answers.next() }
      return reply
    }
    defer { server.stop() }
    let scope = PurgeScope(urls: 25_000)
    let outcomes = outcomes(
      AkamaiCDN(FakeAkamai.credentials, hasKeys: hasKeys, api: server.address), [scope])
    #expect(outcomes.map(\.failure) == [nil] && answers.value == server.requests.count)
    #expect(Set(fake.purged.flatMap(\.objects)) == Set(hasKeys ? scope.keys : scope.urls))
    // The purge needs 15,000 URLs more than the bucket holds, at 200 per second. The simulated
    // clock adds up the waits of all threads.
    #expect(hasKeys || outcomes.allSatisfy { $0.seconds >= 70 }, "\(outcomes)")
  }

  @Test func purgesCloudFrontOfSeveralScopesTwice() throws {
    let fake = FakeCloudFront(TestClock(clock))
    let server = try ScriptedServer { fake.answer($0) }
    defer { server.stop() }
    let plans = Counter()
    let cdn = CloudFrontCDN(
      distribution: FakeCloudFront.distribution, FakeCloudFront.credentials, api: server.address,
      unique: { UInt64(plans.next()) })
    let scopes = [PurgeScope(urls: 3_000), PurgeScope(urls: 2_000), PurgeScope(urls: 25_000)]
    let outcomes = outcomes(cdn, scopes, runs: 2)
    #expect(outcomes.map(\.failure) == [nil, nil])
    #expect(fake.invalidations.map(\.items.count) == [3_000, 2_000, 1, 3_000, 2_000, 1])
    #expect(server.requests.count { $0.method == "POST" } == 6)
  }

  @Test func namesVariablesOfWrongCredentials() throws {
    let fake = FakeAkamai(TestClock(clock))
    let server = try ScriptedServer { fake.answer($0) }
    defer { server.stop() }
    let wrong = EdgeGridCredentials(
      clientToken: "akab-cl1ent", clientSecret: "wr0ng", accessToken: "akab-acc3ss")
    let outcomes = outcomes(AkamaiCDN(wrong, api: server.address), [PurgeScope(urls: 1)])
    #expect(
      outcomes.first?.failure?.hasPrefix("akamai answers 401: check AK_CLIENT, AK_SECRET") == true)
    expectNoSecret(in: outcomes)
  }
}
