import Platform

/// The pauses before the same request is sent again: random, and up to twice as long each time.
///
/// "Full jitter" (M. Brooker, "Exponential Backoff And Jitter", 2015): those who were turned away
/// together do not come back together.
struct S3Backoff {
  static let retries = 5
  private static let firstMilliseconds = 200

  private let surroundings: RequestEnvironment
  private var used = 0

  init(_ surroundings: RequestEnvironment) { self.surroundings = surroundings }

  /// Waits; `false`, at once, if it was tried often enough.
  mutating func wait() -> Bool {
    guard used < Self.retries else { return false }
    let most = Self.firstMilliseconds << used
    used += 1
    surroundings.sleep(Int(surroundings.random() % UInt64(most + 1)))
    return true
  }
}
