/// The current state of a token bucket.
struct TokenBucket: Sendable {
  /// The seconds of refill that are never spent: connections take unequal times, so requests may
  /// arrive closer together than they were sent.
  static let spareSeconds = 0.5

  private let bucket: CDNPace.Bucket
  private let most: Double
  /// The number of tokens; negative if more are promised than available.
  private var tokens: Double
  private var time: Int64

  /// Creates a full bucket.
  init(_ bucket: CDNPace.Bucket, at time: Int64) {
    most = max(Double(bucket.size) - bucket.perSecond * Self.spareSeconds, 1)
    (self.bucket, self.tokens, self.time) = (bucket, most, time)
  }

  /// The moment at which the bucket is full again if no more tokens are taken, in milliseconds.
  var fullMoment: Int64 { time + Int64(((most - tokens) * 1_000 / bucket.perSecond).rounded(.up)) }

  /// Takes tokens, and returns the moment at which they are available, in milliseconds.
  ///
  /// Earlier callers are served first. A request for more tokens than a full bucket holds needs one
  /// full bucket.
  mutating func take(_ count: Int, from moment: Int64) -> Int64 {
    let moment = max(moment, time)
    tokens = min(most, tokens + Double(moment - time) * bucket.perSecond / 1_000)
    time = moment
    tokens -= Double(min(count, bucket.size))
    return tokens >= 0 ? moment : moment + Int64((-tokens * 1_000 / bucket.perSecond).rounded(.up))
  }
}
