import HTTPTransport
import TestServers
import Testing

@testable import ContentCaches
@testable import TestDelivery

/// Adapters, the purge engine and the HTTP client against fakes on loopback.
@Suite struct CDNLoopbackTests {
  private func run(
    _ vendor: CDNCase, _ scope: PurgeScope, values: [String: String] = [:],
    limits: HTTPLimits = HTTPLimits(),
    reply: @escaping @Sendable (Int) -> ScriptedServer.Reply? = { _ in nil }
  ) throws -> (outcome: CachePurge.Outcome, fake: FakeCDN) {
    let clock = SimulatedClock()
    var rules = vendor.rules
    // Concurrent threads advance the simulated clock past one another. The pace is therefore
    // measured in tests that send one request at a time.
    (rules.requests, rules.units) = (nil, nil)
    let fake = FakeCDN(rules, clock: clock)
    let counter = Counter()
    let server = try ScriptedServer { request in
      if let reply = reply(counter.next()) { return reply }
      guard let sent = request.asSent(to: "http://host"), let answer = try? fake.send(sent) else {
        return .death
      }
      return .answer(
        status: answer.status, headers: answer.headers.map { "\($0.name): \($0.value)" },
        body: answer.body)
    }
    defer { server.stop() }
    let client = HTTPClient(limits: limits)
    let outcome = CachePurge(
      [try vendor.cdn(values, api: server.address)],
      send: { request throws(HTTPFailure) in try client.send(request) },
      environment: clock.environment
    ).run([scope], deadlineSeconds: 3_600)
    return (try #require(outcome.first), fake)
  }

  @Test(arguments: CDNCase.all, [1, 25_000])
  func purgesEveryURL(at vendor: CDNCase, count: Int) throws {
    let isMany = vendor.settings["nodes"] != nil && count > 1_000
    let scope = CDNCase.scope(isMany ? 70 : count)
    let (outcome, fake) = try run(vendor, scope)
    #expect(outcome.failure == nil && fake.refusals == [])
    for variant in vendor.variants {
      CDNCase.expectCovered(fake.forgotten(at: "host", variant), scope)
    }
  }

  @Test(arguments: CDNCase.all)
  func retriesAfterServerFaults(of vendor: CDNCase) throws {
    var limits = HTTPLimits()
    (limits.requestMilliseconds, limits.silentSeconds) = (300, 1)
    let (outcome, fake) = try run(vendor, CDNCase.scope(1, variesByEncoding: false), limits: limits)
    { number in
      switch number {
      case 1: .answer(status: 503)
      case 2: .silence
      case 3: .bytes([])
      case 4: .answer(status: 429, headers: ["Retry-After: 0"])
      default: nil
      }
    }
    #expect(outcome.failure == nil && outcome.requests >= 5 && fake.refusals == [])
  }

  @Test(arguments: CDNCase.all)
  func refusesWrongCredentialsOnce(of vendor: CDNCase) throws {
    let (outcome, fake) = try run(
      vendor, CDNCase.scope(1, variesByEncoding: false), values: [vendor.variable: "wr0ng"])
    #expect(outcome.failure?.contains(vendor.variable) == true && fake.requests == 1)
  }
}

extension ScriptedServer.Request {
  /// Returns the request in the form in which a client sends it.
  fileprivate func asSent(to address: String) -> HTTPRequest? {
    guard let method = HTTPRequest.Method(rawValue: method) else { return nil }
    let headers = headers.compactMap { line -> (name: String, value: String)? in
      guard let colon = line.firstIndex(of: ":") else { return nil }
      return (String(line[..<colon]), String(line[colon...].dropFirst(2)))
    }
    return HTTPRequest(method, address + path, headers: headers, body: body)
  }
}
