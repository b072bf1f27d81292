public import ContentClient
public import ContentModel

/// A clock whose time only a test advances.
///
/// ```swift
/// let clock = ManualClock(now: Instant(rfc3339: "2026-12-24T18:00:00Z")!)
/// configuration.clock = clock
/// clock.advance(by: 600)
/// ```
///
/// A class, since client and test share the time.
public final class ManualClock: ContentClock {
  private struct Sleeper: Sendable {
    var end: Double
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct Time: Sendable {
    var now: Instant
    var uptime = 1_000.0
    var boot = "boot 1"
    var sleepers: [Int: Sleeper] = [:]
    var cancelled: Set<Int> = []
    var next = 0
  }

  private let time: Locked<Time>

  /// Creates a clock; by default, at 2027-01-15T08:00:00Z.
  ///
  /// ```swift
  /// let christmas = ManualClock(now: Instant(rfc3339: "2026-12-24T18:00:00Z")!)
  /// ```
  public init(now: Instant = Instant(secondsSince1970: 1_800_000_000)) {
    time = Locked(Time(now: now))
  }

  /// The time of day.
  public var now: Instant { time.withLock { $0.now } }

  /// The time since the start of the simulated system.
  public var uptime: Uptime { time.withLock { Uptime(boot: $0.boot, seconds: $0.uptime) } }

  /// The number of tasks that sleep.
  ///
  /// ```swift
  /// let isWaiting = clock.sleepers > 0
  /// ```
  public var sleepers: Int { time.withLock { $0.sleepers.count } }

  /// The seconds until each of them wakes, sorted.
  ///
  /// ```swift
  /// if let first = clock.wakes.first { clock.advance(by: first) }
  /// ```
  public var wakes: [Double] {
    time.withLock { time in time.sleepers.values.map { $0.end - time.uptime }.sorted() }
  }

  /// Lets time pass, and wakes the tasks whose time has come.
  ///
  /// They go on after the call. To wait for what a client does then, use ``advance(by:until:)``.
  ///
  /// ```swift
  /// clock.advance(by: 60)
  /// ```
  public func advance(by seconds: Double) {
    let woken = time.withLock { time in
      time.uptime += seconds
      time.now = Instant(
        secondsSinceReferenceDate: time.now.secondsSinceReferenceDate + seconds)
      let due = time.sleepers.filter { $0.value.end <= time.uptime }
      for key in due.keys { time.sleepers[key] = nil }
      return due.values.sorted { $0.end < $1.end }.map(\.continuation)
    }
    for continuation in woken { continuation.resume() }
  }

  /// Lets time pass in steps, from one sleeping task to the next, until a condition holds; returns
  /// whether it does within `seconds`.
  ///
  /// After each step, woken tasks have a few milliseconds of real time to go on. A condition that
  /// does not hold costs five seconds of real time. Clients check within their channel's `ttl`.
  ///
  /// ```swift
  /// client.start()
  /// #expect(await clock.advance(by: 1) { client.snapshot.release == 1 })
  /// site.publish(["catalog": ["product/rose": ["title": "Red rose", "price": 45]]])
  /// #expect(await clock.advance(by: 600) { client.snapshot.release == 2 })
  /// ```
  public func advance(by seconds: Double, until condition: () -> Bool) async -> Bool {
    let end = uptime.seconds + seconds
    while !Task.isCancelled {
      if await holds(condition, withinMilliseconds: 5) { return true }
      let left = end - uptime.seconds
      guard left > 0 else { break }
      advance(by: min(wakes.first ?? left, left))
    }
    return await holds(condition, withinMilliseconds: 5_000)
  }

  /// Asks every millisecond of real time.
  private func holds(_ condition: () -> Bool, withinMilliseconds count: Int) async -> Bool {
    for _ in 0..<count {
      if condition() { return true }
      guard (try? await Task.sleep(for: .milliseconds(1))) != nil else { break }
    }
    return condition()
  }

  /// Sets the time of day, as a user can.
  ///
  /// ```swift
  /// clock.set(Instant(rfc3339: "2016-01-01T00:00:00Z")!)
  /// ```
  public func set(_ now: Instant) { time.withLock { $0.now = now } }

  /// Starts the simulated system again: its uptime begins at 0.
  ///
  /// ```swift
  /// clock.restart()
  /// ```
  public func restart() {
    time.withLock { time in
      time.next += 1
      time.boot = "boot \(time.next + 1)"
      time.uptime = 0
    }
  }

  /// Waits until the time was advanced so far.
  public func sleep(seconds: Double) async throws {
    let number = time.withLock { time in
      time.next += 1
      return time.next
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isOver: Result<Bool, any Error> = time.withLock { time in
          if time.cancelled.remove(number) != nil { return .failure(CancellationError()) }
          if seconds <= 0 { return .success(true) }
          time.sleepers[number] = Sleeper(end: time.uptime + seconds, continuation: continuation)
          return .success(false)
        }
        switch isOver {
        case .success(true): continuation.resume()
        case .success(false): break
        case .failure(let error): continuation.resume(throwing: error)
        }
      }
    } onCancel: {
      let sleeper = time.withLock { time in
        let sleeper = time.sleepers.removeValue(forKey: number)
        if sleeper == nil { time.cancelled.insert(number) }
        return sleeper
      }
      sleeper?.continuation.resume(throwing: CancellationError())
    }
  }
}
