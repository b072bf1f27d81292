import ContentModel

extension BinaryWriter {
  /// The first byte of an object and its count: in the low half of the byte or, from 15 on, as an integer after it.
  @inline(__always)
  mutating func appendHeader(_ kind: UInt8, count: Int) {
    if count < 15 {
      body.append(kind | UInt8(truncatingIfNeeded: count))
    } else {
      body.append(kind | 15)
      appendInteger(Int64(count))
    }
  }

  /// As Apple does it: one, two or four bytes are unsigned, eight are signed.
  mutating func appendInteger(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    let width = bits.byteWidth
    body.append(0x10 | UInt8(truncatingIfNeeded: width.trailingZeroBitCount))
    body.appendBigEndian(bits, width: width)
  }

  static func seconds(of instant: Instant) throws(PropertyListEncodingError) -> Double {
    let seconds = instant.secondsSinceReferenceDate
    guard seconds.isFinite else { throw PropertyListEncodingError(.nonFiniteDate, in: .binary) }
    // Moments compare as numbers, so both zeros are one moment and must give the same bytes.
    return seconds == 0 ? 0 : seconds
  }

  mutating func appendDate(_ seconds: Double) {
    body.append(0x33)
    body.appendBigEndian(seconds.bitPattern, width: 8)
  }

  mutating func append(_ data: [UInt8]) {
    appendHeader(0x40, count: data.count)
    data.withUnsafeBytes { body.append(contentsOf: $0) }
  }

  /// ASCII where that is enough, UTF-16 otherwise.
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if bytes.isASCII {
        appendHeader(0x50, count: bytes.count)
        body.append(contentsOf: bytes)
      } else {
        appendUTF16(of: bytes)
      }
    }
  }

  /// Well-formed UTF-8 as UTF-16, the high byte of each unit first.
  private mutating func appendUTF16(of bytes: UnsafeRawBufferPointer) {
    let count = bytes.utf16Count
    appendHeader(0x60, count: count)
    var output = UnsafeMutableRawPointer(body.extend(by: count * 2))
    func put(_ unit: UInt32) {
      output.storeBigEndian(UInt64(unit), width: 2)
      output += 2
    }
    var index = 0
    while index < bytes.count {
      let (scalar, length) = bytes.scalar(at: index)
      index += length
      if scalar < 0x10000 {
        put(scalar)
      } else {
        put(0xD7C0 + scalar >> 10)
        put(0xDC00 | scalar & 0x3FF)
      }
    }
  }
}

extension UnsafeRawBufferPointer {
  /// How many units of UTF-16 well-formed UTF-8 takes: one for each first byte, two where four bytes are one character.
  fileprivate var utf16Count: Int {
    var units = 0
    for byte in self { units += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0) }
    return units
  }

  /// The character that begins at an index of well-formed UTF-8, and the count of its bytes.
  @inline(__always)
  func scalar(at index: Int) -> (scalar: UInt32, length: Int) {
    func tail(_ distance: Int) -> UInt32 { UInt32(self[index + distance] & 0x3F) }
    let first = UInt32(self[index])
    switch first {
    case 0..<0x80: return (first, 1)
    case 0..<0xE0: return ((first & 0x1F) << 6 | tail(1), 2)
    case 0..<0xF0: return ((first & 0x0F) << 12 | tail(1) << 6 | tail(2), 3)
    default: return ((first & 0x07) << 18 | tail(1) << 12 | tail(2) << 6 | tail(3), 4)
    }
  }
}
