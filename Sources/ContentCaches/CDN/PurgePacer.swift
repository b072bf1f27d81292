import Synchronization

/// The quotas of one cache during one purge, shared by all selectors, scopes and rounds.
///
/// A class, since all requests to the cache share it.
final class PurgePacer: Sendable {
  private enum Kind: Hashable {
    case requests, units
  }

  private struct Key: Hashable {
    let kind: Kind
    let bucket: CDNPace.Bucket
  }

  private let buckets = Mutex<[Key: TokenBucket]>([:])

  /// Returns the moment at which all quotas are full, in milliseconds.
  func fullMoment(from now: Int64) -> Int64 {
    buckets.withLock { buckets in buckets.values.reduce(now) { max($0, $1.fullMoment) } }
  }

  /// Takes the tokens of a request, and returns the moment at which it may be sent, in
  /// milliseconds.
  func moment(for request: CDNRequest, at pace: CDNPace, from now: Int64) -> Int64 {
    buckets.withLock { buckets in
      func take(_ count: Int, _ kind: Kind, of bucket: CDNPace.Bucket?, from moment: Int64) -> Int64
      {
        guard let bucket else { return moment }
        return buckets[Key(kind: kind, bucket: bucket), default: TokenBucket(bucket, at: moment)]
          .take(count, from: moment)
      }
      return take(
        request.units, .units, of: pace.units,
        from: take(1, .requests, of: pace.requests, from: now))
    }
  }
}
