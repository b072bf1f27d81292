import Synchronization
import SystemC

/// A cache of compressed stretches, for those that recur soon.
///
/// Bounded: a stretch is removed if it is not used while half the limit is added. A stretch is
/// compared by its bytes; the checksum only finds it.
final class StretchCache: Sendable {
  struct Key: Hashable {
    let checksum: UInt32
    let count: Int
  }

  /// The recent entries, and those before them.
  private struct Generations {
    var young: [Key: SharedStretch] = [:]
    var old: [Key: SharedStretch] = [:]
    var youngBytes = 0
  }

  private let generations = Mutex(Generations())
  private let limit: Int

  /// Creates a cache of stretches of up to `limit` bytes together, before compression.
  init(limit: Int) { self.limit = limit }

  /// The stretch of these bytes, shared by all callers that ask at the same time.
  func stretch(of bytes: UnsafeRawBufferPointer, checksum: UInt32) -> SharedStretch {
    let key = Key(checksum: checksum, count: bytes.count)
    if let found = find(key) { return found.holds(bytes) ? found : SharedStretch(bytes) }
    let made = SharedStretch(bytes)
    let added = generations.withLock { add(made, under: key, to: &$0) }
    return added === made || added.holds(bytes) ? added : made
  }

  private func find(_ key: Key) -> SharedStretch? {
    generations.withLock { generations in
      if let found = generations.young[key] { return found }
      return generations.old[key].map { add($0, under: key, to: &generations) }
    }
  }

  private func add(_ stretch: SharedStretch, under key: Key, to generations: inout Generations)
    -> SharedStretch
  {
    if let there = generations.young[key] { return there }
    if generations.youngBytes + key.count > limit / 2 {
      (generations.old, generations.young, generations.youngBytes) = (generations.young, [:], 0)
    }
    generations.young[key] = stretch
    generations.youngBytes += key.count
    return stretch
  }
}

/// A stretch of bytes that several objects have, compressed by the first caller that needs it.
///
/// A class, since the other callers wait for the same value.
final class SharedStretch: Sendable {
  private let bytes: [UInt8]
  private let blocks = Mutex<[UInt8]?>(nil)

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = Array(bytes) }

  func holds(_ other: UnsafeRawBufferPointer) -> Bool {
    bytes.withUnsafeBytes { mine in
      guard mine.count == other.count, let first = mine.baseAddress, let second = other.baseAddress
      else { return mine.count == other.count }
      return memcmp(first, second, mine.count) == 0
    }
  }

  /// The deflate blocks; waits while another thread makes them.
  func blocks(_ make: () throws(GzipError) -> [UInt8]) throws(GzipError) -> [UInt8] {
    try blocks.withLock { blocks throws(GzipError) in try Self.fill(&blocks, by: make) }
  }

  /// The deflate blocks; `nil` while another thread makes them.
  func blocksUnlessBusy(_ make: () throws(GzipError) -> [UInt8]) throws(GzipError) -> [UInt8]? {
    try blocks.withLockIfAvailable { blocks throws(GzipError) in try Self.fill(&blocks, by: make) }
  }

  private static func fill(
    _ blocks: inout [UInt8]?, by make: () throws(GzipError) -> [UInt8]
  ) throws(GzipError) -> [UInt8] {
    if let blocks { return blocks }
    let made = try make()
    blocks = made
    return made
  }
}
