import ContentModel

extension Publisher {
  /// The number of swaps that an emergency tries to win.
  private static let attempts = 30

  /// Publishes for an emergency: an attempt that loses its swap is repeated after the release that
  /// won.
  ///
  /// At a folder the lock goes to an emergency first; at a bucket, where no writer can be kept off,
  /// the next swap may be won. `live` is what was live a moment ago, and each attempt gets what is
  /// live by then.
  ///
  /// - Throws: what `attempt` throws; `.lost` where no other release was published meanwhile, or 30
  ///   were.
  package func retryingLostSwaps<Result>(
    after live: LiveRelease, _ attempt: (LiveRelease) throws -> Result
  ) throws -> Result {
    var live = live
    for _ in 1..<Self.attempts {
      do { return try attempt(live) } catch let error as DeliveryError where error.kind == .lost {
        guard let now = try place.live(), now.record.digest != live.record.digest else {
          throw error
        }
        live = now
      }
    }
    return try attempt(live)
  }
}
