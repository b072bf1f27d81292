/// An open hash table of numbered scalars.
///
/// The number of slots is a power of two, and at least half of them are free.
struct ScalarIndex: ~Copyable {
  /// The hash in the upper half and the object's number plus one in the lower half; 0 if free.
  private var slots: GrowingBuffer<UInt64>
  private var mask: Int
  private var count = 0
  /// The slots that were filled since the last call of `keep`.
  private var taken = GrowingBuffer<UInt32>(capacity: 1_024)
  private var hasGrown = false

  init() {
    slots = Self.free(1_024)
    mask = slots.count - 1
  }

  /// Returns the first object with a hash for which `isEqual` is true; otherwise adds and returns
  /// `number`.
  @inline(__always)
  mutating func find(
    _ hash: UInt32, orAdd number: UInt32, where isEqual: (UInt32) -> Bool
  ) -> UInt32 {
    var index = Int(hash) & mask
    while slots[index] != 0 {
      let slot = slots[index]
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let object = UInt32(truncatingIfNeeded: slot) - 1
        if isEqual(object) { return object }
      }
      index = (index + 1) & mask
    }
    slots[index] = UInt64(hash) << 32 | UInt64(number + 1)
    taken.append(UInt32(index))
    count += 1
    if count * 2 > slots.count { grow() }
    return number
  }

  /// Makes all current objects permanent.
  mutating func keep() {
    taken.truncate(to: 0)
    hasGrown = false
  }

  /// Removes the objects from `number`, which were added since the last call of `keep`.
  mutating func truncate(to number: UInt32) {
    count -= taken.count
    if hasGrown {
      refill(slots.count) { UInt32(truncatingIfNeeded: $0) <= number }
    } else {
      for index in 0..<taken.count { slots[Int(taken[index])] = 0 }
    }
    keep()
  }

  private mutating func grow() {
    hasGrown = true
    refill(slots.count * 4) { _ in true }
  }

  private mutating func refill(_ capacity: Int, where isWanted: (UInt64) -> Bool) {
    let larger = Self.free(capacity)
    mask = capacity - 1
    for place in 0..<slots.count where slots[place] != 0 && isWanted(slots[place]) {
      var index = Int(slots[place] >> 32) & mask
      while larger[index] != 0 { index = (index + 1) & mask }
      larger[index] = slots[place]
    }
    slots = larger
  }

  private static func free(_ count: Int) -> GrowingBuffer<UInt64> {
    var slots = GrowingBuffer<UInt64>(capacity: count)
    slots.extend(by: count).update(repeating: 0, count: count)
    return slots
  }
}
