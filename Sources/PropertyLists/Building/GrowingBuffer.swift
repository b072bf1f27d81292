/// A growing buffer of trivial values without an array's bounds checks.
///
/// The memory at `base` holds `count` values and has room for `capacity`. Callers use only indices
/// below `count`.
struct GrowingBuffer<Element: BitwiseCopyable>: ~Copyable {
  private(set) var base: UnsafeMutablePointer<Element>
  private(set) var count = 0
  private var capacity: Int

  init(capacity: Int) {
    self.capacity = max(capacity, 16)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  subscript(index: Int) -> Element {
    @inline(__always) get { base[index] }
    @inline(__always) nonmutating set { base[index] = newValue }
  }

  @inline(__always)
  mutating func append(_ element: Element) {
    if count == capacity { grow(by: 1) }
    base[count] = element
    count += 1
  }

  /// Adds `added` uninitialized values and returns a pointer to them; the caller writes them.
  @inline(__always)
  mutating func extend(by added: Int) -> UnsafeMutablePointer<Element> {
    if count + added > capacity { grow(by: added) }
    let start = base + count
    count += added
    return start
  }

  /// Removes all values from an index.
  @inline(__always)
  mutating func truncate(to count: Int) { self.count = count }

  private mutating func grow(by added: Int) {
    capacity = max(capacity * 2, count + added)
    let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity)
    larger.update(from: base, count: count)
    base.deallocate()
    base = larger
  }
}

extension GrowingBuffer<UInt8> {
  /// Appends the lowest 1, 2, 4 or 8 bytes of a number in big-endian order.
  @inline(__always)
  mutating func appendBigEndian(_ number: UInt64, width: Int) {
    UnsafeMutableRawPointer(extend(by: width)).storeBigEndian(number, width: width)
  }

  @inline(__always)
  mutating func append(contentsOf bytes: UnsafeRawBufferPointer) {
    guard let source = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(extend(by: bytes.count)).copyMemory(
      from: source, byteCount: bytes.count)
  }
}
