import ContentModel

extension [UInt8] {
  /// Appends the object of a scalar; of a container, nothing.
  mutating func appendBinaryScalar(_ value: Value) throws(PropertyListEncodingError) {
    switch value {
    case .string(let text): appendBinaryString(text)
    case .integer(let number): appendBinaryInteger(number)
    case .real(let number):
      append(0x23)
      appendBigEndian(number.bitPattern, width: 8)
    case .boolean(let flag): append(flag ? 0x09 : 0x08)
    case .date(let instant):
      let seconds = instant.secondsSinceReferenceDate
      guard seconds.isFinite else { throw PropertyListEncodingError(.nonFiniteDate, in: .binary) }
      // Moments compare as numbers, so both zeros are one moment and must give the same bytes.
      append(0x33)
      appendBigEndian((seconds == 0 ? 0 : seconds).bitPattern, width: 8)
    case .data(let data):
      appendBinaryHeader(0x40, count: data.count)
      append(contentsOf: data)
    case .array, .dictionary: break
    }
  }

  /// The first byte of an object and its count: in the low half of the byte or, from 15 on, as an integer after it.
  mutating func appendBinaryHeader(_ kind: UInt8, count: Int) {
    if count < 15 {
      append(kind | UInt8(count))
    } else {
      append(kind | 15)
      appendBinaryInteger(Int64(count))
    }
  }

  /// As Apple does it: one, two or four bytes are unsigned, eight are signed.
  private mutating func appendBinaryInteger(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    let width = bits.byteWidth
    append(0x10 | UInt8(width.trailingZeroBitCount))
    appendBigEndian(bits, width: width)
  }

  /// ASCII where that is enough, UTF-16 otherwise.
  mutating func appendBinaryString(_ text: String) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      appendBinaryHeader(0x50, count: text.utf8.count)
      append(contentsOf: text.utf8)
    } else {
      appendBinaryHeader(0x60, count: text.utf16.count)
      for unit in text.utf16 { appendBigEndian(UInt64(unit), width: 2) }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// A hash of an encoded scalar: eight bytes at a time through a multiplication, of which both halves are kept.
  var scalarHash: UInt32 {
    var state = UInt64(count) &* 0x9E37_79B9_7F4A_7C15
    var index = 0
    while index + 8 <= count {
      state = Self.mix(state ^ loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var tail: UInt64 = 0
    while index < count {
      tail = tail << 8 | UInt64(self[index])
      index += 1
    }
    let mixed = Self.mix(state ^ tail)
    return UInt32(truncatingIfNeeded: mixed ^ mixed >> 32)
  }

  private static func mix(_ word: UInt64) -> UInt64 {
    let product = (word ^ 0xA076_1D64_78BD_642F).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
    return product.high ^ product.low
  }
}
