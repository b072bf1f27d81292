/// A cache of the strings and arrays that a writer has written, keyed by their bits in memory
/// instead of their contents.
///
/// A short string holds its text in its value, and copies of a long string share a buffer, so
/// equal bits mean equal text. Copies of an array share a buffer, too. The cache is valid only
/// while the strings and arrays in it are alive. A miss does not mean that the contents are new.
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

  /// The object of a string.
  struct StringSlot {
    var low: UInt64
    var high: UInt64
    /// -1 in a free slot.
    var object: Int32
  }

  /// The index of the first reference that was written for the array at an address.
  struct ArraySlot {
    var address: UInt
    var firstReference: Int
  }

  private let strings: UnsafeMutablePointer<StringSlot>
  private let arrays: UnsafeMutablePointer<ArraySlot>

  init() {
    arrays = .allocate(capacity: 256)
    arrays.initialize(repeating: ArraySlot(address: 0, firstReference: 0), count: 256)
    strings = .allocate(capacity: 1024)
    strings.initialize(repeating: StringSlot(low: 0, high: 0, object: -1), count: 1024)
  }

  deinit {
    strings.deallocate()
    arrays.deallocate()
  }

  subscript(key: Key) -> Int32? {
    @inline(__always) get {
      let slot = strings[key.slot]
      return slot.low == key.low && slot.high == key.high && slot.object >= 0 ? slot.object : nil
    }
    @inline(__always) nonmutating set {
      guard key.isUsable, let newValue else { return }
      strings[key.slot] = StringSlot(low: key.low, high: key.high, object: newValue)
    }
  }

  /// Returns the index of the first reference that was written for an array before, or `nil`.
  @inline(__always)
  func firstReference<Element>(of items: [Element]) -> Int? {
    let address = Self.address(of: items)
    let known = arrays[Self.index(of: address)]
    return known.address == address && address != 0 && !items.isEmpty ? known.firstReference : nil
  }

  /// Stores the index of the first reference that was written for an array.
  @inline(__always)
  func remember<Element>(firstReference: Int, of items: [Element]) {
    let address = Self.address(of: items)
    arrays[Self.index(of: address)] = ArraySlot(address: address, firstReference: firstReference)
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
