import Hashing
import ContentModel

import RemoteCache

/// Distinct contents, each with its key.
struct Sample: Sendable {
  let bytes: [UInt8]
  var key: Digest { sha256(bytes) }

  /// Returns `count` samples, the same in every call.
  static func samples(_ count: Int, bytes: Int = 3_000) -> [Sample] {
    (0..<count).map { number in
      let pattern = (0..<bytes).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 / 256 &+ number) }
      return Sample(bytes: pattern + [UInt8(number % 256), UInt8(number / 256)])
    }
  }
}

func sha256(_ bytes: [UInt8]) -> Digest { Digest(of: bytes) }

extension RemoteCache {
  /// Returns `true` if the cache holds all samples.
  ///
  /// A failure would otherwise print all their bytes.
  func holds(_ samples: [Sample]) -> Bool {
    fetch(.content, samples.map(\.key)) == samples.map(\.bytes)
  }

  /// Returns `true` if the cache holds the record.
  func holds(record: [UInt8], _ key: Digest) -> Bool { fetch(.record, key) == record }
}

extension CacheLimits {
  /// Short limits for tests.
  static var quick: CacheLimits {
    var limits = CacheLimits()
    limits.connectMilliseconds = 500
    limits.requestMilliseconds = 700
    limits.finishMilliseconds = 500
    return limits
  }
}
