import ContentModel

/// A stack of values whose containers have not ended; a container takes its values from the top.
///
/// The memory at `base` holds `count` values and has room for `capacity`; no other pointer refers
/// to it.
struct ValueStack: ~Copyable {
  private var base: UnsafeMutablePointer<Value>
  private(set) var count = 0
  private var capacity = 64

  init() { base = .allocate(capacity: capacity) }

  deinit {
    base.deinitialize(count: count)
    base.deallocate()
  }

  @inline(__always)
  mutating func push(_ value: consuming Value) {
    if count == capacity { grow() }
    (base + count).initialize(to: value)
    count += 1
  }

  /// The topmost value.
  var last: Value {
    precondition(count > 0)
    return base[count - 1]
  }

  /// Removes and returns the topmost value.
  mutating func takeLast() -> Value {
    precondition(count > 0)
    count -= 1
    return (base + count).move()
  }

  /// Removes the values from an index and returns them in order.
  mutating func takeItems(from start: Int) -> [Value] {
    // `Array(unsafeUninitializedCapacity:)` takes twice the time (Swift 6.3).
    var items: [Value] = []
    items.reserveCapacity(count - start)
    for index in start..<count { items.append((base + index).move()) }
    count = start
    return items
  }

  /// Removes the values from an index and returns them in another order.
  ///
  /// `origins` has each value's distance from `start` once.
  mutating func takeItems(from start: Int, inOrder origins: ArraySlice<Int32>) -> [Value] {
    precondition(origins.count == count - start)
    var items: [Value] = []
    items.reserveCapacity(count - start)
    for origin in origins { items.append((base + start + Int(origin)).move()) }
    count = start
    return items
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 4)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    (base, capacity) = (larger, capacity * 4)
  }
}
