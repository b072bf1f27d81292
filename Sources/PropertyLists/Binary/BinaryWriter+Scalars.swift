import ContentModel

extension BinaryWriter {
  static func seconds(of instant: Instant) throws(PropertyListEncodingError) -> Double {
    let seconds = instant.secondsSinceReferenceDate
    guard seconds.isFinite else { throw PropertyListEncodingError(.nonFiniteDate, in: .binary) }
    // Moments compare as numbers, so both zeros are one moment and must give the same bytes.
    return seconds == 0 ? 0 : seconds
  }
}

extension UnsafeRawBufferPointer {
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
