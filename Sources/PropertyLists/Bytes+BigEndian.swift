extension UnsafeRawBufferPointer {
  /// Returns the big-endian number in `width` bytes, at most eight, which are inside the buffer.
  @inline(__always)
  func bigEndian(at offset: Int, width: Int) -> UInt64 {
    switch width {
    case 1: return UInt64(self[offset])
    case 2: return UInt64(loadUnaligned(fromByteOffset: offset, as: UInt16.self).bigEndian)
    case 4: return UInt64(loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian)
    case 8: return loadUnaligned(fromByteOffset: offset, as: UInt64.self).bigEndian
    default:
      var number: UInt64 = 0
      for index in offset..<offset + width { number = number << 8 | UInt64(self[index]) }
      return number
    }
  }
}

extension UnsafeMutableRawPointer {
  /// Writes the lowest 1, 2, 4 or 8 bytes of a number in big-endian order.
  @inline(__always)
  func storeBigEndian(_ number: UInt64, width: Int) {
    switch width {
    case 1: storeBytes(of: UInt8(truncatingIfNeeded: number), as: UInt8.self)
    case 2: storeBytes(of: UInt16(truncatingIfNeeded: number).bigEndian, as: UInt16.self)
    case 4: storeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian, as: UInt32.self)
    default: storeBytes(of: number.bigEndian, as: UInt64.self)
    }
  }
}

extension UInt64 {
  /// The smallest of 1, 2, 4 and 8 bytes that holds the number.
  var byteWidth: Int {
    switch self {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
