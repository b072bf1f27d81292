extension [UInt8] {
  /// Appends the lowest bytes of a number, the highest of them first.
  mutating func appendBigEndian(_ number: UInt64, width: Int) {
    var shift = UInt64(width &* 8)
    for _ in 0..<width {
      shift &-= 8
      append(UInt8(truncatingIfNeeded: number &>> shift))
    }
  }
}

extension UInt64 {
  /// How many bytes, of 1, 2, 4 and 8, hold the number.
  var byteWidth: Int {
    switch self {
    case 0...0xFF: 1
    case 0...0xFFFF: 2
    case 0...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
