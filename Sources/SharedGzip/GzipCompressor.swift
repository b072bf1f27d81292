import Synchronization

/// Makes gzip files (RFC 1952) of many objects that have long stretches in common.
///
/// Several threads may call it at once. With one version of libdeflate, equal bytes with equal
/// seams give equal files. The header holds no time, no name, and `unknown` as the operating
/// system.
///
/// A class, since threads share its compressors and its cache.
package final class GzipCompressor: Sendable {
  /// The default level, which compresses better than zlib's 9, several times as fast.
  package static let defaultLevel = 6

  private let deflaters: DeflaterPool
  private let cache: StretchCache
  private let compressed = Atomic(0)

  /// Compresses at a level from 0 to 12, and remembers stretches of up to `cacheLimit` bytes
  /// together.
  package init(level: Int = defaultLevel, cacheLimit: Int = 8 << 20) {
    deflaters = DeflaterPool(level: level)
    cache = StretchCache(limit: cacheLimit)
  }

  /// The number of stretches that were compressed.
  package var compressions: Int { compressed.load(ordering: .relaxed) }

  /// Compresses bytes to one gzip member.
  ///
  /// At the seams begin stretches that other objects may have, too.
  ///
  /// A stretch between two seams is compressed once for all objects that follow soon. The last
  /// stretch is not shared: objects that end alike mostly have more in common. Each seam costs
  /// about as much size as 32 kB less context; seams closer than `StretchCut.minimum` are ignored.
  package func compress(_ bytes: [UInt8], seams: [Int] = []) throws(GzipError) -> [UInt8] {
    try bytes.withUnsafeBufferPointer { bytes throws(GzipError) in
      try deflaters.withDeflater { deflater throws(GzipError) in
        let before = deflater.uses
        defer { compressed.add(deflater.uses - before, ordering: .relaxed) }
        return try GzipMember(
          of: UnsafeRawBufferPointer(bytes), seams: seams, deflater: deflater, cache: cache
        )
        .compressed()
      }
    }
  }
}
