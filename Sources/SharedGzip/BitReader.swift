/// Bits from memory, the lowest of each byte first, as deflate has them.
struct BitReader {
  /// The bits that come next, and perhaps some more above the first `held`.
  private(set) var bits: UInt64 = 0
  private var held = 0
  private var next = 0
  private let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many bits were taken.
  var position: Int { next * 8 - held }

  /// Whether more was taken than there is.
  var isPastEnd: Bool { held < 0 }

  /// Makes `bits` hold 56 bits at least, unless the end is near.
  @inline(__always) mutating func fill() {
    if next + 8 <= bytes.count {
      // In bounds by the line above. What comes twice into a place is the same bits.
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

  /// Goes to the next whole byte, and over some more.
  mutating func skipBytes(_ count: Int) {
    next = (position + 7) / 8 + count
    (bits, held) = (0, next > bytes.count ? -1 : 0)
  }
}
