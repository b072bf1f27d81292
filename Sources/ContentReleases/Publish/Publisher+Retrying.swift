import ContentModel

extension Publisher {
  /// The number of swaps that an emergency tries to win.
  private static let attempts = 30

  /// Publishes for an emergency: repeats an attempt that loses its swap, after the winning release.
  ///
  /// At a folder, an emergency gets the lock first. At a bucket, which cannot exclude other
  /// writers, the next swap may win. `live` is a release that was live recently; each attempt gets
  /// the present one.
  ///
  /// - Throws: The errors of `attempt`; among them `.lost` if no other release was published
  ///   meanwhile, or if 30 attempts have lost.
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
