/// The objects of strings that were written before, found by how a string is held in memory rather
/// than by its text.
///
/// Short strings hold their text in themselves, and longer ones that are copies of one another
/// share it: the same bits are the same text. It must be used only while the strings and arrays
/// that went in are alive. A miss says nothing.
struct RecentScalars: ~Copyable {
  /// The bits of a string, without its text if that is long.
  struct Key: Equatable {
    fileprivate let low: UInt64
    fileprivate let high: UInt64

    @inline(__always)
    init(_ text: String) {
      (low, high) = withUnsafeBytes(of: text) { bits in
        bits.count == 16 ? (bits.word(at: 0), bits.word(at: 8)) : (0, 0)
      }
    }

    /// Whether the bits mean something: on a machine of other widths no string is found again.
    fileprivate var isUsable: Bool { low | high != 0 }

    @inline(__always)
    fileprivate var slot: Int {
      let mixed = (low ^ high &* 0x9E37_79B9_7F4A_7C15) &* 0xE703_7ED1_A0B4_28DB
      return Int(truncatingIfNeeded: mixed >> 54)
    }
  }

  struct Slot {
    var low: UInt64
    var high: UInt64
    var object: Int32
  }

  /// Where the references stand of what was written from an array of keys or of scalars, told by
  /// where that is in memory.
  struct KeySlot {
    var address: UInt
    var slot: Int
  }

  private let slots: UnsafeMutablePointer<Slot>
  private let keySlots: UnsafeMutablePointer<KeySlot>

  init() {
    keySlots = .allocate(capacity: 256)
    keySlots.initialize(repeating: KeySlot(address: 0, slot: 0), count: 256)
    slots = .allocate(capacity: 1024)
    slots.initialize(repeating: Slot(low: 0, high: 0, object: -1), count: 1024)
  }

  deinit {
    slots.deallocate()
    keySlots.deallocate()
  }

  subscript(key: Key) -> Int32? {
    @inline(__always) get {
      let slot = slots[key.slot]
      return slot.low == key.low && slot.high == key.high && slot.object >= 0 ? slot.object : nil
    }
    @inline(__always) nonmutating set {
      guard key.isUsable, let newValue else { return }
      slots[key.slot] = Slot(low: key.low, high: key.high, object: newValue)
    }
  }

  /// Where the references to what is in an array, keys or scalars, were written before.
  @inline(__always)
  func slot<Element>(of items: [Element]) -> Int? {
    let address = Self.address(of: items)
    let known = keySlots[Self.index(of: address)]
    return known.address == address && address != 0 && !items.isEmpty ? known.slot : nil
  }

  @inline(__always)
  func remember<Element>(_ slot: Int, of items: [Element]) {
    let address = Self.address(of: items)
    keySlots[Self.index(of: address)] = KeySlot(address: address, slot: slot)
  }

  @inline(__always)
  private static func address<Element>(of items: [Element]) -> UInt {
    items.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
  }

  @inline(__always)
  private static func index(of address: UInt) -> Int {
    Int(truncatingIfNeeded: address >> 5 ^ address >> 13) & 255
  }
}
