/// Reads bits from memory, the lowest bit of each byte first, as deflate stores them.
struct BitReader {
  /// The next bits, and perhaps some more above the first `held`.
  private(set) var bits: UInt64 = 0
  private var held = 0
  private var next = 0
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number of bits that were taken.
  var position: Int { next * 8 - held }

  /// A Boolean value that indicates whether more bits were taken than there are.
  var isPastEnd: Bool { held < 0 }

  /// Fills `bits` with at least 56 bits, unless the end is near.
  @inline(__always) mutating func fill() {
    if next + 8 <= bytes.count {
      // In bounds by the line above. Bits that are loaded twice into one place are equal.
      bits |=
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: next, as: UInt64.self))
        << UInt64(held & 63)
      next += (63 - held) >> 3
      held |= 56
    } else {
      while held >= 0, held <= 56, next < bytes.count {
        bits |= UInt64(bytes[next]) << UInt64(held)
        next += 1
        held += 8
      }
    }
  }

  @inline(__always) mutating func skip(_ count: Int) {
    bits >>= UInt64(count)
    held -= count
  }

  /// Takes up to 16 bits.
  mutating func take(_ count: Int) -> Int {
    fill()
    let taken = Int(bits & ((1 << UInt64(count)) - 1))
    skip(count)
    return taken
  }

  /// Skips to the next whole byte, and over `count` more.
  mutating func skipBytes(_ count: Int) {
    next = (position + 7) / 8 + count
    (bits, held) = (0, next > bytes.count ? -1 : 0)
  }
}
