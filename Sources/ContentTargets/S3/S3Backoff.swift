import System

/// The random pauses before a request is repeated; each can be up to twice as long as the one
/// before.
///
/// This is "full jitter" (M. Brooker, "Exponential Backoff And Jitter", 2015): clients that were
/// refused together do not return together.
struct S3Backoff {
  private let retries: Int
  private static let firstMilliseconds = 200

  private let environment: RequestEnvironment
  private var used = 0

  init(_ environment: RequestEnvironment, retries: Int = 5) {
    (self.environment, self.retries) = (environment, retries)
  }

  /// Waits, and returns `true`; returns `false` at once after the last retry.
  mutating func wait() -> Bool {
    guard used < retries else { return false }
    let most = Self.firstMilliseconds << used
    used += 1
    environment.sleep(Int(environment.random() % UInt64(most + 1)))
    return true
  }
}
