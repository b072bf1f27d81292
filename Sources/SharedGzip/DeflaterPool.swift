import Synchronization

/// Compressors that wait for the next thread that needs one; as many as threads were at work at
/// once.
struct DeflaterPool: ~Copyable, Sendable {
  private let level: Int
  private let idle = Mutex<[Deflater]>([])

  init(level: Int) { self.level = level }

  /// Lends a compressor.
  ///
  /// Which one it is does not show in what it writes.
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
