/// A cache of the objects of strings, keyed by the bits of the string value instead of its text.
///
/// A short string holds its text in its value, and copies of a long string share a buffer, so
/// equal bits mean equal text. The cache is valid only while the strings and arrays in it are
/// alive. A miss does not mean that the text is new.
struct RecentScalars: ~Copyable {
  /// The bits of a string value.
  struct Key: Equatable {
    fileprivate let low: UInt64
    fileprivate let high: UInt64

    @inline(__always)
    init(_ text: String) {
      (low, high) = withUnsafeBytes(of: text) { bits in
        bits.count == 16 ? (bits.word(at: 0), bits.word(at: 8)) : (0, 0)
      }
    }

    /// `false` on a machine whose strings are not 16 bytes wide; such a key is never stored.
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

  /// The slot of the references that were written for the array at an address.
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

  /// Returns the slot of the references that were written for an array before, or `nil`.
  @inline(__always)
  func slot<Element>(of items: [Element]) -> Int? {
    let address = Self.address(of: items)
    let known = keySlots[Self.index(of: address)]
    return known.address == address && address != 0 && !items.isEmpty ? known.slot : nil
  }

  /// Stores the slot of the references that were written for an array.
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
