import HTTPTransport
import TestServers

@testable import ContentCaches

/// Sends a plan's requests sequentially at the plan's pace, and retries where the verdict allows
/// it.
struct SequentialPurge {
  let cdn: any CDN
  let clock: TestClock
  /// The limit of attempts for each request, including the first.
  var mostTries = 6
  private(set) var sent = 0
  private(set) var waits: [Double] = []
  private let client: HTTPClient

  /// Sets short timeouts for a server that is known to be silent.
  ///
  /// Other servers may be slow, so they keep the long ones.
  init(_ cdn: any CDN, _ clock: TestClock, fault: ScriptedServer.Reply? = nil) {
    (self.cdn, self.clock) = (cdn, clock)
    var limits = HTTPLimits()
    if case .silence = fault { (limits.requestMilliseconds, limits.silentSeconds) = (1_000, 1) }
    client = HTTPClient(limits: limits)
  }

  /// Runs the plan and returns the failures; an empty array means success.
  mutating func run(_ plan: CDNPlan, paced: Bool = true) -> [String] {
    var requests = Tokens(paced ? plan.pace.requests : nil, clock)
    var units = Tokens(paced ? plan.pace.units : nil, clock)
    return plan.requests.compactMap { request in
      requests.take(1)
      units.take(request.units)
      return finish(request)
    }
  }

  private mutating func finish(_ first: CDNRequest) -> String? {
    var (request, failures, polls) = (first, 0, 0)
    var said = ""
    while failures < mostTries, polls < 100 {
      switch ask(request) {
      case .done: return nil
      case .refused(let why): return why
      case .begun(let next, let seconds):
        (request, polls) = (next, polls + 1)
        wait(seconds)
      case .again(let seconds, let why):
        (said, failures) = (why, failures + 1)
        wait(seconds ?? 1)
      }
    }
    return "given up: \(said)"
  }

  private mutating func ask(_ request: CDNRequest) -> CDNVerdict {
    sent += 1
    let signed = cdn.authorized(request, at: Int64(clock.now), unique: UInt64(sent))
    do {
      return cdn.verdict(on: try client.send(signed), to: request)
    } catch {
      return .again(afterSeconds: nil, "\(error)")
    }
  }

  private mutating func wait(_ seconds: Double) {
    waits.append(seconds)
    clock.wait(seconds)
  }
}

/// A token bucket that refills over time.
struct Tokens {
  private(set) var left: Double
  private let bucket: CDNPace.Bucket?
  private let clock: TestClock
  private var filled: Double

  init(_ bucket: CDNPace.Bucket?, _ clock: TestClock) {
    (self.bucket, self.clock, left, filled) = (bucket, clock, Double(bucket?.size ?? 0), clock.now)
  }

  /// Waits until enough tokens are available, and takes them.
  mutating func take(_ count: Int) {
    guard let bucket else { return }
    fill()
    // A little more than needed compensates for rounding.
    if left < Double(count) { clock.wait((Double(count) - left) / bucket.perSecond + 0.001) }
    _ = tryTake(count)
  }

  /// Takes the tokens if enough are available.
  mutating func tryTake(_ count: Int) -> Bool {
    fill()
    // A tolerance of half a token absorbs rounding to fractions and milliseconds.
    guard left >= Double(count) - 0.5 else { return false }
    left -= Double(count)
    return true
  }

  private mutating func fill() {
    guard let bucket else { return }
    left = min(left + (clock.now - filled) * bucket.perSecond, Double(bucket.size))
    filled = clock.now
  }
}
