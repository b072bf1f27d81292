import CDeflate
import Synchronization

/// A compressor of libdeflate, and its output buffer; both are expensive to make.
///
/// A class, since it owns memory of C. Not safe to share: `DeflaterPool` lends it to one thread at
/// a time.
final class Deflater: @unchecked Sendable {
  private let compressor: OpaquePointer
  /// The number of times it was used.
  private(set) var uses = 0
  private var room: UnsafeMutableRawBufferPointer

  /// A compressor of a level from 0 to 12; `nil` for another level, or without memory.
  init?(level: Int) {
    guard let level = Int32(exactly: level), let compressor = libdeflate_alloc_compressor(level)
    else { return nil }
    self.compressor = compressor
    room = .allocate(byteCount: 1 << 16, alignment: 16)
  }

  deinit {
    libdeflate_free_compressor(compressor)
    room.deallocate()
  }

  /// Calls a closure with a whole deflate stream (RFC 1951) of some bytes, which is valid only
  /// inside the closure.
  func withCompressed<Result, Failure: Error>(
    _ bytes: UnsafeRawBufferPointer, body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    uses += 1
    makeRoom(libdeflate_deflate_compress_bound(compressor, bytes.count))
    let count = libdeflate_deflate_compress(
      compressor, bytes.baseAddress, bytes.count, room.baseAddress, room.count)
    return try body(UnsafeRawBufferPointer(rebasing: room[..<count]))
  }

  private func makeRoom(_ count: Int) {
    if room.count >= count { return }
    room.deallocate()
    room = .allocate(byteCount: count, alignment: 16)
  }
}

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
