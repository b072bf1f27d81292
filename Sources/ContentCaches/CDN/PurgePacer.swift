import Synchronization

/// The quotas of one cache, shared by all selectors, scopes and rounds of a purge.
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
      var moment = now
      let quotas: [(kind: Kind, bucket: CDNPace.Bucket?, tokens: Int)] = [
        (.requests, pace.requests, 1), (.units, pace.units, request.units),
      ]
      for (kind, bucket, tokens) in quotas {
        guard let bucket else { continue }
        let key = Key(kind: kind, bucket: bucket)
        moment = buckets[key, default: TokenBucket(bucket, at: moment)].take(tokens, from: moment)
      }
      return moment
    }
  }
}
