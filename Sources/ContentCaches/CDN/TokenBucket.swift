/// A bucket of tokens in use: says when so many can be taken, and takes them.
struct TokenBucket: Sendable {
  /// Connections take unequal times, and requests arrive closer together than they were sent: what
  /// comes back in so many seconds is never spent.
  static let spareSeconds = 0.5

  private let bucket: CDNPace.Bucket
  private let most: Double
  /// Below zero where more was promised than there is.
  private var tokens: Double
  private var time: Int64

  /// A full one.
  init(_ bucket: CDNPace.Bucket, at time: Int64) {
    most = max(Double(bucket.size) - bucket.perSecond * Self.spareSeconds, 1)
    (self.bucket, self.tokens, self.time) = (bucket, most, time)
  }

  /// When it is full again if nobody takes any more, in milliseconds.
  var fullMoment: Int64 { time + Int64(((most - tokens) * 1_000 / bucket.perSecond).rounded(.up)) }

  /// When the tokens are there, in milliseconds, not before a moment; from then on they are taken.
  ///
  /// Those who ask first are served first. Of more tokens than the bucket holds, one bucketful is
  /// enough.
  mutating func take(_ count: Int, from moment: Int64) -> Int64 {
    let moment = max(moment, time)
    tokens = min(most, tokens + Double(moment - time) * bucket.perSecond / 1_000)
    time = moment
    tokens -= Double(min(count, bucket.size))
    return tokens >= 0 ? moment : moment + Int64((-tokens * 1_000 / bucket.perSecond).rounded(.up))
  }
}
