/// The scalars of one file by their encoded bytes, which also tell their kinds apart: an open hash table.
struct ScalarTable {
  private struct Slot {
    var hash: UInt32
    /// -1 in a free slot.
    var object: Int32
    var length: Int
  }

  private static let free = Slot(hash: 0, object: -1, length: 0)
  private var slots = [Slot](repeating: free, count: 64)
  private var count = 0

  /// The object that has the same bytes as those from `start` to the end of `body`; if there is none, those become
  /// known as `object`, and the result is `nil`.
  mutating func insert(_ object: Int32, from start: Int, in body: [UInt8], starts: [Int]) -> Int32? {
    body.withUnsafeBytes { bytes in
      let new = UnsafeRawBufferPointer(rebasing: bytes[start...])
      let hash = Self.hash(new)
      var index = Int(hash) & (slots.count - 1)
      while slots[index].object >= 0 {
        let slot = slots[index]
        if slot.hash == hash, slot.length == new.count {
          let known = starts[Int(slot.object)]
          if bytes[known..<known + new.count].elementsEqual(new) { return slot.object }
        }
        index = (index + 1) & (slots.count - 1)
      }
      slots[index] = Slot(hash: hash, object: object, length: new.count)
      count += 1
      if count * 2 > slots.count { grow() }
      return nil
    }
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Self.free, count: old.count * 4)
    for slot in old where slot.object >= 0 {
      var index = Int(slot.hash) & (slots.count - 1)
      while slots[index].object >= 0 { index = (index + 1) & (slots.count - 1) }
      slots[index] = slot
    }
  }

  /// Eight bytes at a time through a multiplication, of which both halves are kept.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
    var state = UInt64(bytes.count) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    while index + 8 <= bytes.count {
      state = mix(state ^ bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var tail: UInt64 = 0
    while index < bytes.count {
      tail = tail << 8 | UInt64(bytes[index])
      index += 1
    }
    let mixed = mix(state ^ tail)
    return UInt32(truncatingIfNeeded: mixed ^ mixed >> 32)
  }

  private static func mix(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
