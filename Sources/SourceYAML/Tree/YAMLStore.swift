import Synchronization
import SystemC

/// Room for the trees of files that are read one after another, for one thread at a time.
///
/// Thousands of small trees side by side: their memory goes back to the system as soon as the last
/// of a stretch is freed, where single allocations would leave holes that nothing large fits in.
///
/// A class: whoever reads goes on where the last one stopped. Unchecked, since the pool lends it to
/// one thread at a time.
package final class YAMLStore: @unchecked Sendable {
  private var region: YAMLRegion?
  private static let regionSize = 1 << 18

  package init() {}

  /// Room for so many bytes, aligned for anything, in a region that must be kept as long as it is
  /// used.
  func room(_ size: Int) -> (region: YAMLRegion, start: UnsafeMutableRawPointer) {
    if let region, let start = region.take(size) { return (region, start) }
    let new = YAMLRegion(size: max(size, Self.regionSize))
    // What is large has a region of its own; the small ones go on where they were.
    if size < Self.regionSize / 4 { region = new }
    return (new, new.take(size) ?? new.start)
  }
}

/// Stores that wait for the next thread that reads; as many as threads read at once.
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

/// Memory of the system's own: a class, so that the last tree in it gives it back.
///
/// Unchecked: room is taken by the one thread that has the store; the memory is written before the
/// tree is handed on.
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

  /// The next so many bytes; `nil` where there are no more.
  func take(_ count: Int) -> UnsafeMutableRawPointer? {
    let first = (used + 7) & ~7
    guard count <= size - first else { return nil }
    used = first + count
    return start + first
  }
}
