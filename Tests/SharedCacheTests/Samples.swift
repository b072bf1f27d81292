import ContentBuild
import ContentModel
import HTTPTransport

/// The content of a file, with its keys.
struct Sample: Sendable {
  let bytes: [UInt8]
  var digest: Digest { Digest(of: bytes) }
  var content: CacheKey { .content(digest) }
  /// The key of a record with the same digest.
  var record: CacheKey { .record(digest) }

  /// Returns `count` samples, the same in every call.
  static func samples(_ count: Int, bytes: Int = 3_000) -> [Sample] {
    (0..<count).map { number in
      let pattern = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256 &+ number) }
      return Sample(bytes: pattern + [UInt8(number % 256), UInt8(number / 256)])
    }
  }
}

extension RemoteCache {
  /// Returns `true` if the cache holds all samples.
  ///
  /// A failure would otherwise print all their bytes.
  func holds(_ samples: [Sample]) -> Bool {
    fetch(samples.map(\.content)) == samples.map(\.bytes)
  }

  /// Returns `true` if the cache holds the bytes under a key.
  func holds(_ bytes: [UInt8], under key: CacheKey) -> Bool { fetch(key) == bytes }
}

extension CacheLimits {
  /// Short limits for tests.
  static var quick: CacheLimits {
    var limits = CacheLimits()
    limits.request.connectMilliseconds = 500
    limits.request.requestMilliseconds = 700
    limits.finishMilliseconds = 500
    return limits
  }
}
