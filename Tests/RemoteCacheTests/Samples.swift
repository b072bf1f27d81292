import ContentModel
import Crypto

@testable import RemoteCache

/// Contents that differ, each with its key.
struct Sample: Sendable {
  let bytes: [UInt8]
  var key: Digest { sha256(bytes) }

  /// So many of them; the same each time.
  static func samples(_ count: Int, bytes: Int = 3_000) -> [Sample] {
    (0..<count).map { number in
      Sample(
        bytes: (0..<bytes).map { UInt8(truncatingIfNeeded: ($0 &* 31) ^ ($0 >> 5) &+ number &* 7) } + [
          UInt8(number & 0xFF), UInt8(number >> 8),
        ])
    }
  }
}

func sha256(_ bytes: [UInt8]) -> ContentModel.Digest {
  guard let digest = ContentModel.Digest(bytes: SHA256.hash(data: bytes)) else { preconditionFailure("32 bytes") }
  return digest
}

extension CacheLimits {
  /// As quick as a test wants them.
  static var quick: CacheLimits {
    var limits = CacheLimits()
    limits.connectMilliseconds = 500
    limits.requestMilliseconds = 700
    limits.finishMilliseconds = 500
    return limits
  }
}
