import HTTPTransport
import Synchronization
import System
import TestServers
import Testing

@testable import ContentCaches
@testable import TestDelivery

/// Behavior that all caches share.
@Suite struct CachePurgeTests {
  private let clock = SimulatedClock()

  private func nodes(_ addresses: String...) -> VarnishCDN { VarnishCDN(CacheNodes(addresses)) }

  private func purge(
    _ caches: [any CDN],
    _ answer: @escaping @Sendable (HTTPRequest) throws(HTTPFailure) -> HTTPAnswer
  ) -> CachePurge {
    CachePurge(caches, send: answer, environment: clock.environment)
  }

  @Test func purgesTheCacheNearestTheOriginFirst() {
    let asked = Mutex<[String]>([])
    let caches: [any CDN] = [
      nodes("http://shield"), PerVariantCDN.squid(CacheNodes(["http://edge"])),
    ]
    let outcomes = purge(caches) { request in
      asked.withLock { $0.append(WebAddress(request.url)?.host ?? "") }
      return HTTPAnswer(status: 200)
    }.run([CDNCase.scope(40, variesByEncoding: false)], deadlineSeconds: 60)
    #expect(outcomes.map(\.cache) == ["varnish", "squid"])
    #expect(
      asked.withLock { $0 } == Array(repeating: "shield", count: 40)
        + Array(repeating: "edge", count: 40))
  }

  @Test func purgesOtherCachesWhenOneFails() {
    let caches: [any CDN] = [nodes("http://down"), PerVariantCDN.squid(CacheNodes(["http://up"]))]
    let outcomes = purge(caches) { request throws(HTTPFailure) in
      guard !request.url.contains("down") else {
        throw HTTPFailure(.unconnected, mayHaveTakenEffect: false, reason: "nobody listens")
      }
      return HTTPAnswer(status: 404)
    }.run([CDNCase.scope(3)], deadlineSeconds: 60)
    #expect(outcomes.map { $0.failure == nil } == [false, true])
    #expect(outcomes[0].failure == "varnish cannot be reached: nobody listens (tried 6 times)")
    #expect(outcomes[1].requests == 9)
  }

  @Test func purgesOtherNodesWhenOneIsDown() {
    let done = Counter()
    let outcome = purge([nodes("http://down:80", "http://up:80", "http://user:s3cret@wrong:80")]) {
      request throws(HTTPFailure) in
      guard !request.url.contains("down") else {
        throw HTTPFailure(.late, mayHaveTakenEffect: true, reason: "too late")
      }
      guard !request.url.contains("wrong") else { return HTTPAnswer(status: 405) }
      done.next()
      return HTTPAnswer(status: 200)
    }.run([CDNCase.scope(500)], deadlineSeconds: 60)[0]
    #expect(done.value == 500)
    let failure = outcome.failure ?? ""
    #expect(
      failure.hasPrefix(
        "varnish at down:80 does not answer: too late (tried 6 times); varnish at wrong:80 answers 405"
      )
    )
    #expect(!failure.contains("up:80") && !failure.contains("s3cret"))
    // Eight requests are in flight when the first one fails.
    #expect(outcome.requests < 500 + 8 * 6 + 8 + 1)
  }

  @Test func namesTheNodesThatDidNotConfirm() {
    let outcome = purge([nodes("http://down:80", "http://up:80")]) { request in
      HTTPAnswer(status: request.url.contains("down") ? 405 : 200)
    }.run([CDNCase.scope(2)], deadlineSeconds: 60)[0]
    #expect(outcome.failedNodes == ["down:80"])
  }

  /// A frozen machine would delay each round by six attempts of 30 s.
  @Test func asksANodeThatFailedOnceInTheNextRound() {
    let asked = Counter()
    let purge = purge([nodes("http://down:80", "http://up:80")]) {
      request throws(HTTPFailure) in
      guard request.url.contains("down") else { return HTTPAnswer(status: 200) }
      // The machine is back in the third round.
      if asked.next() > 7 { return HTTPAnswer(status: 200) }
      throw HTTPFailure(.late, mayHaveTakenEffect: true, reason: "too late")
    }
    let scopes = [CDNCase.scope(1, variesByEncoding: false)]
    let failures = (0..<3).map { _ in purge.run(scopes, deadlineSeconds: 60)[0].failure }
    let failure = "varnish at down:80 does not answer: too late (tried 6 times)"
    #expect(failures == [failure, failure, nil])
    #expect(asked.value == 8)
  }

  @Test func stopsSendingAfterARefusal() {
    let outcome = purge([FastlyCDN(service: "a", token: CDNSecret(variable: "T", value: "t"))]) {
      _ in
      HTTPAnswer(status: 401)
    }
    .run([CDNCase.scope(500)], deadlineSeconds: 60)[0]
    #expect(outcome.requests <= 16 && outcome.failure?.contains("check that T is right") == true)
  }

  @Test func staysWithinTheFreePlanAcrossScopes() {
    let fake = FakeCDN(CDNCase.cloudflare("free").rules, clock: clock)
    let cdn = CloudflareCDN(
      zone: "023e105f4ecef8ad9ca31a8372d0c353",
      token: CDNSecret(variable: "CF_TOKEN", value: CDNCase.secret))
    let scopes = (0..<10).map { number in
      PurgeScope(
        urls: (0..<2_500).map { "https://cdn.example.com/\(number)/\($0)" }, keys: [],
        prefix: "https://cdn.example.com/\(number)/")
    }
    let purge = purge([SequentialCDN(cdn)]) { request throws(HTTPFailure) in try fake.send(request)
    }
    let plan = purge.plan(scopes)[0]
    #expect(plan.requests == 250 && plan.units == 25_000 && plan.selectors == [.urls])
    let outcome = purge.run(scopes, deadlineSeconds: 3_600)[0]
    #expect(outcome.failure == nil && fake.refusals == [] && outcome.units == 25_000)
    // A burst of 25 requests, then one every 12 seconds.
    #expect(plan.seconds == 225 * 12)
    #expect(outcome.seconds >= 225 * 12 && outcome.seconds <= 225 * 12 + 1)
    for scope in scopes { CDNCase.expectCovered(fake.forgotten(at: "api.cloudflare.com"), scope) }
  }

  @Test func stopsAtTheDeadline() {
    let fake = FakeCDN(CDNCase.bunny.rules, clock: clock)
    let scopes = (0..<3).map { number in
      PurgeScope(
        urls: (0..<400).map { "https://a.example/\(number)/\($0)" }, keys: [],
        prefix: "https://a.example/")
    }
    let cdn = BunnyCDN(pullZone: "12345", token: CDNSecret(variable: "T", value: CDNCase.secret))
    let outcome = purge([SequentialCDN(cdn)]) { request throws(HTTPFailure) in
      try fake.send(request)
    }
    .run(scopes, deadlineSeconds: 100)[0]
    #expect(
      outcome.failure == "bunny takes no more within the time that is left: its quota is used up")
    #expect(outcome.seconds <= 100 && (610...620).contains(fake.requests))
  }

  @Test func doesNotWaitPastTheDeadline() {
    let fake = FakeCDN(
      CDNCase.fastly.rules, clock: clock,
      faults: [.answer(HTTPAnswer(status: 503, headers: [("Retry-After", "999999999999")]))])
    let outcome = purge([FastlyCDN(service: "a", token: CDNSecret(variable: "T", value: "t"))]) {
      request throws(HTTPFailure) in
      try fake.send(request)
    }.run([CDNCase.scope(1)], deadlineSeconds: 100)[0]
    #expect(
      outcome.failure == "fastly answers 503 (no time is left to try again)" && fake.requests == 1)
  }

  @Test func pollsUntilThePurgeEnds() {
    let polls = Counter()
    let cdn = GoogleCDN(project: "p", urlMap: "m", token: CDNSecret(variable: "T", value: "t"))
    let outcome = purge([cdn]) { request in
      let status = request.method == .get && polls.next() == 4 ? "DONE" : "RUNNING"
      return HTTPAnswer(
        status: 200,
        body: Array(#"{"name": "operation-1", "status": "\#(status)", "user": null}"#.utf8))
    }.run([CDNCase.scope(1)], deadlineSeconds: 60)[0]
    #expect(outcome.failure == nil && polls.value == 4 && outcome.seconds == 8)
    let failed = purge([cdn]) { _ in
      HTTPAnswer(
        status: 200, body: Array(#"{"name":"o","status":"DONE","error":{"errors":[]}}"#.utf8))
    }.run([CDNCase.scope(1)], deadlineSeconds: 60)[0]
    #expect(failed.failure == "google has ended the purge with an error")
  }

  @Test func reportsErrorsInSuccessfulAnswers() {
    let cdn = CloudflareCDN(zone: "z", token: CDNSecret(variable: "CF_TOKEN", value: "t"))
    func failure(_ status: Int, _ body: String) -> String? {
      purge([cdn]) { _ in HTTPAnswer(status: status, body: Array(body.utf8)) }
        .run([CDNCase.scope(1)], deadlineSeconds: 60)[0].failure
    }
    let error =
      #"{"success":false,"errors":[{"code":10000,"message":"Authentication error"}],"result":null}"#
    #expect(failure(200, error) == "cloudflare answers 200, but not that it has purged: code 10000")
    #expect(failure(400, error)?.contains("code 10000: check that CF_TOKEN is right") == true)
    #expect(failure(200, #"{"success" : true}"#) == nil)
  }

  /// The states of an operation at Azure, and the answers of its two kinds of addresses.
  @Test(arguments: [
    (200, #"{"status":"Succeeded"}"#, true), (200, "", true), (204, "", true),
    (200, #"{"status":"Failed"}"#, false), (200, #"{"status":"Canceled"}"#, false),
  ])
  func pollsTheOperationOfFrontDoorUntilItsEnd(status: Int, body: String, isPurged: Bool) {
    let cdn = FrontDoorCDN(
      subscription: "s", resourceGroup: "g", profile: "p", endpoint: "e",
      token: CDNSecret(variable: "AZ_TOKEN", value: "t"))
    let polls = Mutex(0)
    let failure = purge([cdn]) { request in
      guard request.method == .get else {
        return HTTPAnswer(status: 202, headers: [("Location", "https://other.example/op")])
      }
      let count = polls.withLock { polls in
        polls += 1
        return polls
      }
      guard request.url == "https://management.azure.com/op" else { return HTTPAnswer(status: 404) }
      switch count {
      case 1: return HTTPAnswer(status: 202)
      case 2: return HTTPAnswer(status: 200, body: Array(#"{"status":"InProgress"}"#.utf8))
      default: return HTTPAnswer(status: status, body: Array(body.utf8))
      }
    }.run([CDNCase.scope(1)], deadlineSeconds: 60)[0].failure
    #expect(polls.withLock { $0 } == 3)
    #expect(failure == (isPurged ? nil : "frontdoor has ended the purge without success"))
  }

  @Test func repeatsAPurgeDuringAnotherOperationOfFrontDoor() throws {
    let fake = FakeCDN(
      CDNCase.frontDoor.rules, clock: clock, faults: [.answer(HTTPAnswer(status: 409))])
    let outcome = purge([try CDNCase.frontDoor.cdn()]) { request throws(HTTPFailure) in
      try fake.send(request)
    }.run([CDNCase.scope(1)], deadlineSeconds: 60)[0]
    #expect(outcome.failure == nil && outcome.requests == 3 && outcome.seconds >= 30)
  }

  @Test func plansOneRequestIfAScopePurgesEverything() {
    let cdn = FastlyCDN(service: "a", token: CDNSecret(variable: "T", value: "t"))
    let plan = purge([cdn]) { _ in HTTPAnswer(status: 200) }.plan([
      CDNCase.scope(1), CDNCase.scope(25_000),
    ])
    #expect(plan.map(\.requests) == [1] && plan.map(\.selectors) == [[.everything]])
  }

  @Test func sendsNothingForAnEmptyScope() {
    for vendor in CDNCase.all {
      let plan = try? vendor.cdn(keys: "origin").plan(CDNCase.scope(0))
      #expect(plan?.requests.count == 0)
    }
  }

  @Test func reportsProgress() {
    let steps = Mutex<[CachePurge.Progress]>([])
    var purge = purge([nodes("http://a")]) { _ in HTTPAnswer(status: 200) }
    purge.progress = { step in steps.withLock { $0.append(step) } }
    _ = purge.run([CDNCase.scope(20)], deadlineSeconds: 60)
    #expect(
      steps.withLock { $0 }
        == (0...20).map { CachePurge.Progress(cache: "varnish", done: $0, total: 20) })
  }

  @Test(arguments: [
    (CDNPace(requests: .init(25, perSecond: 5.0 / 60)), 25, 0, 0.46875),
    (CDNPace(requests: .init(25, perSecond: 5.0 / 60)), 85, 0, 720),
    (CDNPace(units: .init(800, perSecond: 800)), 1, 4_000, 4),
    (CDNPace(atOnce: 10, answerMilliseconds: 100), 50, 50, 0.5), (CDNPace(), 0, 0, 0),
  ])
  func estimatesTheDurationOfAPace(pace: CDNPace, requests: Int, units: Int, seconds: Double) {
    #expect(abs(pace.seconds(requests: requests, units: units) - seconds) < 1e-9)
  }

  /// No number of callers and threads may exceed the bucket's budget in any period.
  @Test(arguments: [(25, 5.0 / 60, 1), (3_000, 3_000.0, 500), (120, 5.0, 1), (10_000, 200.0, 700)])
  func neverExceedsTheRateLimitOfABucket(size: Int, perSecond: Double, units: Int) throws {
    let (clock, pacer) = (SimulatedClock(), PurgePacer())
    let moments = Mutex<[Int64]>([])
    let pace = CDNPace(units: CDNPace.Bucket(size, perSecond: perSecond))
    let request = CDNRequest(HTTPRequest(.get, "http://a/"), units: units)
    try Threads.runBlocking(8) { _ in
      for _ in 0..<25 {
        let now = clock.environment.milliseconds()
        let moment = pacer.moment(for: request, at: pace, from: now)
        moments.withLock { $0.append(moment) }
        clock.environment.sleep(Int(max(moment - now, 0)))
      }
    }
    let sorted = moments.withLock { $0.sorted() }
    for (first, start) in sorted.enumerated() {
      for last in first..<sorted.count {
        let given = Double(size) + Double(sorted[last] - start) / 1_000 * perSecond
        guard Double((last - first + 1) * units) <= given + 1e-6 else {
          Issue.record("too many from \(start) to \(sorted[last])")
          return
        }
      }
    }
  }
}
