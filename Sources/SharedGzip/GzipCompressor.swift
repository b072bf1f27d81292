import Synchronization

/// Makes gzip files (RFC 1952) of many objects that have long stretches in common; several threads
/// may ask at once.
///
/// Equal bytes with equal seams give equal files, whatever was compressed before and by whichever
/// thread, with one version of libdeflate. The header holds no time, no name, and `unknown` as the
/// operating system.
///
/// A class, since threads share its compressors and what they have compressed.
package final class GzipCompressor: Sendable {
  /// The level that is smaller than zlib's 9, and several times as fast.
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

  /// How many stretches were compressed, because they had to be.
  package var compressions: Int { compressed.load(ordering: .relaxed) }

  /// One gzip member; at its seams begin stretches that other objects may have, too.
  ///
  /// What stands between two seams is compressed once for all objects that come in short order. The
  /// last stretch is not shared: an object that ends like another one has more in common with it
  /// than that. Seams cost size, about as much as 32 kB less context each; those that are closer
  /// than `StretchCut.minimum` are left out.
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
