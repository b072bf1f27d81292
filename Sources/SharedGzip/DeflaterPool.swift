import Synchronization

/// A pool of compressors, as many as threads compressed at once.
struct DeflaterPool: ~Copyable, Sendable {
  private let level: Int
  private let idle = Mutex<[Deflater]>([])

  init(level: Int) { self.level = level }

  /// Lends a compressor.
  ///
  /// The output does not depend on the compressor.
  func withDeflater<Result>(_ body: (Deflater) throws(GzipError) -> Result) throws(GzipError)
    -> Result
  {
    guard let deflater = idle.withLock({ $0.popLast() }) ?? Deflater(level: level) else {
      throw .noCompressor(level: level)
    }
    defer { idle.withLock { $0.append(deflater) } }
    return try body(deflater)
  }
}
