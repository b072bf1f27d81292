import Synchronization
import SystemC

/// Memory for the trees of files that one thread reads one after another.
///
/// Thousands of small trees are allocated side by side. Their memory returns to the system with the
/// last tree of a region; single allocations would leave holes that are too small for anything
/// large.
///
/// A class, since the next reader continues in the region of the last one. Unchecked, since the
/// pool lends it to one thread at a time.
package final class YAMLStore: @unchecked Sendable {
  private var region: YAMLRegion?
  private static let regionSize = 1 << 18

  package init() {}

  /// Returns memory of a size, aligned for anything, and its region, which must be kept as long as
  /// the memory is used.
  func room(_ size: Int) -> (region: YAMLRegion, start: UnsafeMutableRawPointer) {
    if let region, let start = region.take(size) { return (region, start) }
    let new = YAMLRegion(size: max(size, Self.regionSize))
    // A large tree has a region of its own; small ones continue in the current region.
    if size < Self.regionSize / 4 { region = new }
    return (new, new.take(size) ?? new.start)
  }
}

/// A pool of stores, as many as threads read at once.
package struct YAMLStorePool: ~Copyable, Sendable {
  private let idle = Mutex<[YAMLStore]>([])

  package init() {}

  /// Lends a store.
  package func withStore<Result>(_ body: (YAMLStore) -> Result) -> Result {
    let store = idle.withLock { $0.popLast() } ?? YAMLStore()
    defer { idle.withLock { $0.append(store) } }
    return body(store)
  }
}

/// A region of memory, mapped from the system.
///
/// A class, so that the memory is unmapped when the last tree in it is released. Unchecked, since
/// only the thread that has the store allocates, and the memory is written before the tree is
/// shared.
final class YAMLRegion: @unchecked Sendable {
  let start: UnsafeMutableRawPointer
  private let size: Int
  private var used = 0

  init(size: Int) {
    let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory, memory != MAP_FAILED else { preconditionFailure("out of memory") }
    (start, self.size) = (memory, size)
  }

  deinit { munmap(start, size) }

  /// Returns the next `count` bytes; `nil` if they do not fit.
  func take(_ count: Int) -> UnsafeMutableRawPointer? {
    let first = (used + 7) & ~7
    guard count <= size - first else { return nil }
    used = first + count
    return start + first
  }
}
