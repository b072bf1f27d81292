/// An open hash table of the scalars of one file, keyed by their encoded bytes, which include the
/// kind.
struct ScalarTable: ~Copyable {
  struct Slot: BitwiseCopyable {
    var hash: UInt32
    /// -1 in a free slot.
    var object: Int32
    var length: Int
  }

  private static let free = Slot(hash: 0, object: -1, length: 0)
  private var slots: GrowingBuffer<Slot>
  private var count = 0

  init() { slots = Self.table(of: 1 << 10) }

  private static func table(of size: Int) -> GrowingBuffer<Slot> {
    var slots = GrowingBuffer<Slot>(capacity: size)
    slots.extend(by: size).initialize(repeating: free, count: size)
    return slots
  }

  /// Returns the object with the same bytes as those from `start` to the end of `body`; if there
  /// is none, stores these as `object` and returns `nil`.
  @inline(__always)
  mutating func insert(
    _ object: Int32, from start: Int, in body: borrowing GrowingBuffer<UInt8>,
    starts: borrowing GrowingBuffer<Int>
  ) -> Int32? {
    let bytes = UnsafeRawBufferPointer(start: body.base, count: body.count)
    let length = body.count - start
    let hash = bytes.hash(at: start, count: length)
    var index = Int(hash) & (slots.count - 1)
    while slots[index].object >= 0 {
      let slot = slots[index]
      if slot.hash == hash, slot.length == length,
        bytes.hasSameBytes(at: starts[Int(slot.object)], as: start, count: length)
      {
        return slot.object
      }
      index = (index + 1) & (slots.count - 1)
    }
    slots[index] = Slot(hash: hash, object: object, length: length)
    count += 1
    if count * 2 > slots.count { grow() }
    return nil
  }

  private mutating func grow() {
    var larger = Self.table(of: slots.count * 4)
    for old in 0..<slots.count where slots[old].object >= 0 {
      var index = Int(slots[old].hash) & (larger.count - 1)
      while larger[index].object >= 0 { index = (index + 1) & (larger.count - 1) }
      larger[index] = slots[old]
    }
    swap(&slots, &larger)
  }
}
