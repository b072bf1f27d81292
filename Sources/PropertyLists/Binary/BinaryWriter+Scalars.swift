import ContentModel

extension BinaryWriter {
  /// The first byte of an object and its count: in the low half of the byte or, from 15 on, as an integer after it.
  mutating func appendHeader(_ kind: UInt8, count: Int) {
    if count < 15 {
      body.append(kind | UInt8(count))
    } else {
      body.append(kind | 15)
      appendInteger(Int64(count))
    }
  }

  /// As Apple does it: one, two or four bytes are unsigned, eight are signed.
  mutating func appendInteger(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    let width = bits.byteWidth
    body.append(0x10 | UInt8(width.trailingZeroBitCount))
    body.appendBigEndian(bits, width: width)
  }

  mutating func append(_ instant: Instant) throws(PropertyListEncodingError) {
    let seconds = instant.secondsSinceReferenceDate
    guard seconds.isFinite else { throw PropertyListEncodingError(.nonFiniteDate, in: .binary) }
    // Moments compare as numbers, so both zeros are one moment and must give the same bytes.
    body.append(0x33)
    body.appendBigEndian((seconds == 0 ? 0 : seconds).bitPattern, width: 8)
  }

  /// ASCII where that is enough, UTF-16 otherwise.
  mutating func append(_ text: String) {
    var text = text
    let isASCII = text.withUTF8 { bytes in
      guard bytes.isASCII else { return false }
      appendHeader(0x50, count: bytes.count)
      body.append(contentsOf: bytes)
      return true
    }
    if isASCII { return }
    appendHeader(0x60, count: text.utf16.count)
    for unit in text.utf16 { body.appendBigEndian(UInt64(unit), width: 2) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  fileprivate var isASCII: Bool {
    let raw = UnsafeRawBufferPointer(self)
    var index = 0
    while index + 8 <= raw.count {
      if raw.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 != 0 { return false }
      index += 8
    }
    return raw[index...].allSatisfy { $0 < 0x80 }
  }
}
