import ContentModel

extension Publisher {
  /// The number of swaps that an emergency tries to win.
  private static let attempts = 30

  /// Publishes for an emergency: an attempt that loses its swap is repeated after the winner.
  ///
  /// At a folder, an emergency gets the lock first. At a bucket, which cannot exclude other
  /// writers, the next swap may win. `live` is a recent look at the live release; each attempt gets
  /// the present one.
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
