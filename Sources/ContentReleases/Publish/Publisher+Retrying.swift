import ContentModel

extension Publisher {
  /// The number of swaps that an emergency tries to win.
  private static let attempts = 30

  /// Repeats an emergency's attempt that lost its swap, after the winning release.
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

  /// Publishes for an emergency.
  ///
  /// It tries again after a faster release. At a bucket, it does not wait for a command that removes
  /// objects.
  ///
  /// `draft` gets the live release of each attempt; `endangered` gets the objects to check once
  /// caches are purged.
  ///
  /// - Throws: `DeliveryError`; `TargetError`; the errors of `draft`.
  package func publishUrgently(
    after live: LiveRelease, endangered: EndangeredObjects, _ draft: (LiveRelease) throws -> Draft
  ) throws -> Outcome {
    let outcome = try retryingLostSwaps(after: live) { live in
      try publish(known: live, endangered: endangered) { now in
        guard let now else {
          throw DeliveryError.removedConfig(of: place.channel)
        }
        return try draft(now)
      }
    }
    // Objects removed before the swap are sent again now; later ones once caches are purged.
    try? endangered.putBack(at: place)
    return outcome
  }
}
