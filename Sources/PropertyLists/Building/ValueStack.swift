import ContentModel

/// Values that have been read and wait for their container to end: each container takes the topmost ones as its own.
///
/// The memory from `base` holds `count` values and room for `capacity`; nothing else points into it.
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

  mutating func takeLast() -> Value {
    precondition(count > 0)
    count -= 1
    return (base + count).move()
  }

  /// The values from an index on, in the order in which they came.
  mutating func takeItems(from start: Int) -> [Value] {
    let added = count - start
    let source = base + start
    count = start
    return Array(unsafeUninitializedCapacity: added) { buffer, initialized in
      if let target = buffer.baseAddress { target.moveInitialize(from: source, count: added) }
      initialized = added
    }
  }

  /// The values from an index on under the keys of a shape, which must have as many.
  mutating func takeMembers(from start: Int, as shape: borrowing DictionaryShape) -> Members {
    let source = base + start
    precondition(shape.keys.count == count - start)
    count = start
    return Members(canonicalKeys: shape.keys) { position in
      (source + shape.origin(of: position)).move()
    }
  }

  private mutating func grow() {
    let larger = UnsafeMutablePointer<Value>.allocate(capacity: capacity * 4)
    larger.moveInitialize(from: base, count: count)
    base.deallocate()
    (base, capacity) = (larger, capacity * 4)
  }
}
