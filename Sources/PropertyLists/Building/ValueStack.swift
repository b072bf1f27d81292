import ContentModel

/// Values that have been read and wait for their container to end: each container takes the topmost
/// ones as its own.
///
/// The memory from `base` holds `count` values and room for `capacity`; nothing else points into
/// it.
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

  /// The topmost value, which stays.
  var last: Value {
    precondition(count > 0)
    return base[count - 1]
  }

  /// The topmost value, which goes.
  mutating func takeLast() -> Value {
    precondition(count > 0)
    count -= 1
    return (base + count).move()
  }

  /// The values from an index on, in the order in which they came.
  mutating func takeItems(from start: Int) -> [Value] {
    // Reserving and appending: an array's initializer for memory not yet written is twice as slow
    // (Swift 6.3).
    var items: [Value] = []
    items.reserveCapacity(count - start)
    for index in start..<count { items.append((base + index).move()) }
    count = start
    return items
  }

  /// The values from an index on in another order, which names each of them once by its distance
  /// from there.
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
