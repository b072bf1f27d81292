import ContentModel

extension GrowingBuffer<UInt8> {
  /// Appends the object of a scalar; does nothing for a container.
  mutating func appendBinary(scalar value: Value) throws(PropertyListEncodingError) {
    switch value {
    case .string(let text): appendBinary(text)
    case .integer(let number): appendBinary(number)
    case .real(let number):
      append(0x23)
      appendBigEndian(number.bitPattern, width: 8)
    case .boolean(let flag): append(flag ? 0x09 : 0x08)
    case .date(let instant): appendBinary(date: try BinaryWriter.seconds(of: instant))
    case .data(let data): appendBinary(data: data)
    case .array, .dictionary: break
    }
  }

  /// Appends the first byte of an object with its count: in the low half of the byte or, from 15,
  /// as an integer after it.
  @inline(__always)
  mutating func appendBinaryHeader(_ kind: UInt8, count: Int) {
    if count < 15 {
      append(kind | UInt8(truncatingIfNeeded: count))
    } else {
      append(kind | 15)
      appendBinary(Int64(count))
    }
  }

  /// Appends an integer as CoreFoundation does: one, two or four bytes are unsigned, eight signed.
  mutating func appendBinary(_ number: Int64) {
    let bits = UInt64(bitPattern: number)
    let width = bits.byteWidth
    append(0x10 | UInt8(truncatingIfNeeded: width.trailingZeroBitCount))
    appendBigEndian(bits, width: width)
  }

  /// Appends a date, in seconds since 2001-01-01T00:00:00Z.
  mutating func appendBinary(date seconds: Double) {
    append(0x33)
    appendBigEndian(seconds.bitPattern, width: 8)
  }

  mutating func appendBinary(data: [UInt8]) {
    appendBinaryHeader(0x40, count: data.count)
    data.withUnsafeBytes { append(contentsOf: $0) }
  }

  /// Appends a string: as ASCII if possible, as UTF-16 otherwise.
  mutating func appendBinary(_ text: String) {
    var text = text
    text.withUTF8 { bytes in
      let bytes = UnsafeRawBufferPointer(bytes)
      if bytes.isASCII {
        appendBinaryHeader(0x50, count: bytes.count)
        append(contentsOf: bytes)
      } else {
        appendUTF16(of: bytes)
      }
    }
  }

  /// Appends well-formed UTF-8 as big-endian UTF-16.
  private mutating func appendUTF16(of bytes: UnsafeRawBufferPointer) {
    var count = 0
    // One unit for each leading byte, two for the leading byte of four.
    for byte in bytes { count += (byte & 0xC0 != 0x80 ? 1 : 0) + (byte >= 0xF0 ? 1 : 0) }
    appendBinaryHeader(0x60, count: count)
    var output = UnsafeMutableRawPointer(extend(by: count * 2))
    var index = 0
    while index < bytes.count {
      let (scalar, length) = bytes.scalar(at: index)
      index += length
      if scalar < 0x10000 {
        output.storeBigEndian(UInt64(scalar), width: 2)
        output += 2
      } else {
        output.storeBigEndian(
          UInt64(0xD7C0 + scalar >> 10) << 16 | UInt64(0xDC00 | scalar & 0x3FF), width: 4)
        output += 4
      }
    }
  }
}
