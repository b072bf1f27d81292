import ContentModel
import HTTPTransport
import TestInputs
import Testing

@testable import ContentCaches
@testable import TestDelivery

/// The requirements for every adapter, checked against a fake that enforces the vendor's documented
/// rules.
@Suite struct CDNConformanceTests {
  private let clock = SimulatedClock()

  private func run(
    _ cdn: any CDN, _ fake: FakeCDN, _ scopes: [PurgeScope], deadlineSeconds: Int = 3_600
  ) -> [CachePurge.Outcome] {
    CachePurge(
      [SequentialCDN(cdn)], send: { request throws(HTTPFailure) in try fake.send(request) },
      environment: clock.environment
    )
    .run(scopes, deadlineSeconds: deadlineSeconds)
  }

  @Test(arguments: CDNCase.all, [1, 70, 25_000])
  func purgesEveryURLWithinTheRateLimits(of vendor: CDNCase, count: Int) throws {
    let isMany = count > 1_000
    let hosts = isMany ? [vendor.hosts[0]] : vendor.hosts
    let scope = CDNCase.scope(count, variesByEncoding: !isMany)
    for keys in vendor.keySettings {
      let fake = FakeCDN(vendor.rules, clock: clock)
      let node = isMany && vendor.settings["nodes"] != nil ? "http://\(hosts[0])" : nil
      let outcome = try #require(run(try vendor.cdn(keys: keys, api: node), fake, [scope]).first)
      #expect(outcome.failure == nil && fake.refusals == [] && outcome.requests == fake.requests)
      for host in hosts {
        for variant in isMany ? [nil] : vendor.variants {
          CDNCase.expectCovered(fake.forgotten(at: host, variant), scope)
        }
      }
    }
  }

  @Test(arguments: CDNCase.all)
  func choosesTheNarrowestSelectorThatFinishesInTime(of vendor: CDNCase) throws {
    let few = try vendor.cdn(keys: "origin").plan(CDNCase.scope(1))
    #expect(few.selector == .urls)
    let many = CDNCase.scope(25_000, variesByEncoding: false)
    let plan = try vendor.cdn().plan(many)
    #expect(plan.seconds <= CDNPlan.patienceSeconds || !vendor.purgesManyAtOnce)
    #expect(vendor.purgesManyAtOnce || plan.selector == .urls)
    guard vendor.purgesManyAtOnce, plan.selector != .urls, vendor.keySettings.count > 1 else {
      return
    }
    #expect(try vendor.cdn(keys: "origin").plan(many).selector == .keys)
  }

  /// Each scope alone would be within the quota.
  @Test(arguments: CDNCase.hosted)
  func keepsTheRateLimitAcrossScopes(of vendor: CDNCase) throws {
    let fake = FakeCDN(vendor.rules, clock: clock)
    let scopes = (0..<4).map { number in
      let urls = (0..<400).map { "https://cdn.example.com/v\(number)/\($0)" }
      return PurgeScope(urls: urls, keys: [], prefix: "https://cdn.example.com/v\(number)/")
    }
    let outcome = try #require(run(try vendor.cdn(), fake, scopes).first)
    #expect(outcome.failure == nil && fake.refusals == [])
    for scope in scopes { CDNCase.expectCovered(fake.forgotten(at: vendor.hosts[0]), scope) }
  }

  @Test(arguments: CDNCase.all)
  func waitsForRetryAfter(of vendor: CDNCase) throws {
    let busy = FakeCDN.Fault.answer(HTTPAnswer(status: 429, headers: [("retry-after", "7")]))
    let fake = FakeCDN(vendor.rules, clock: clock, faults: [busy])
    let outcome = try #require(
      run(try vendor.cdn(), fake, [CDNCase.scope(1, variesByEncoding: false)]).first)
    #expect(outcome.failure == nil && outcome.seconds >= 7 && outcome.seconds < 30)
    #expect(fake.moments.contains { $0 >= 7_000 })
    #expect(!fake.moments.dropFirst(vendor.hosts.count).contains { $0 < 7_000 })
  }

  @Test(arguments: CDNCase.all)
  func retriesAfterTransientErrors(at vendor: CDNCase) throws {
    let faults: [FakeCDN.Fault] = [
      .answer(HTTPAnswer(status: 503)),
      .failure(HTTPFailure(.late, mayHaveTakenEffect: true, reason: "too late")),
      .failure(HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "no route")),
      .answer(HTTPAnswer(status: 500)),
      .failure(HTTPFailure(.lost, mayHaveTakenEffect: true, reason: "hung up")),
    ]
    let fake = FakeCDN(vendor.rules, clock: clock, faults: faults)
    let scope = CDNCase.scope(1, variesByEncoding: false)
    let outcome = try #require(run(try vendor.cdn(), fake, [scope]).first)
    #expect(outcome.failure == nil && outcome.seconds > 0)
    for host in vendor.hosts { CDNCase.expectCovered(fake.forgotten(at: host), scope) }
  }

  @Test(arguments: CDNCase.all)
  func givesUpAfterSixAttempts(at vendor: CDNCase) throws {
    let tries = 6 * vendor.hosts.count
    let fake = FakeCDN(
      vendor.rules, clock: clock, faults: (0..<tries).map { _ in .answer(HTTPAnswer(status: 502)) })
    let outcome = try #require(
      run(try vendor.cdn(), fake, [CDNCase.scope(1, variesByEncoding: false)]).first)
    #expect(fake.requests == tries && outcome.requests == tries)
    #expect(outcome.failure?.contains("answers 502 (tried 6 times)") == true)
  }

  @Test(arguments: CDNCase.all)
  func namesTheVariableWithWrongCredentials(for vendor: CDNCase) throws {
    let fake = FakeCDN(vendor.rules, clock: clock)
    let wrong = "wr0ng-0123456789"
    let cdn = try vendor.cdn([vendor.variable: wrong])
    let outcome = try #require(run(cdn, fake, [CDNCase.scope(1, variesByEncoding: false)]).first)
    #expect(outcome.failure?.contains(vendor.variable) == true)
    #expect(fake.requests == vendor.hosts.count)
    #expect(!String(reflecting: outcome).contains(wrong))
  }

  @Test(arguments: CDNCase.all)
  func showsNoSecret(of vendor: CDNCase) throws {
    let cdn = try vendor.cdn(keys: "origin")
    let fake = FakeCDN(vendor.rules, clock: clock, faults: [.answer(HTTPAnswer(status: 418))])
    var shown = String(describing: cdn) + String(reflecting: cdn)
    dump(cdn, to: &shown)
    let purge = CachePurge(
      [cdn], send: { request throws(HTTPFailure) in try fake.send(request) },
      environment: clock.environment)
    dump(purge.plan([CDNCase.scope(2)]), to: &shown)
    dump(purge, to: &shown)
    let outcomes = purge.run([CDNCase.scope(2)], deadlineSeconds: 60)
    dump(outcomes, to: &shown)
    #expect(outcomes.first?.failure?.contains("answers 418") == true)
    #expect(shown.contains(vendor.variable) && !shown.discloses(CDNCase.secret))
  }

  @Test(arguments: ["", "u:", "us:", "use:", "user:"], ["", "\n", ":x"])
  func findsASecretWithinBase64(before: String, after: String) {
    let code = Array("\(before)\(CDNCase.secret)\(after)".utf8).base64
    #expect("Basic \(code)".discloses(CDNCase.secret))
    #expect(!"Basic \(code)".discloses("another-secret"))
  }
}
