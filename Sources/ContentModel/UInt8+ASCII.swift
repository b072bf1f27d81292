// Readers of YAML and property lists test every byte, so these are inlined into their modules.
extension UInt8 {
  /// `true` for the ASCII digits 0 to 9.
  @inlinable @inline(__always)
  package var isDigit: Bool { self &- 0x30 < 10 }

  /// `true` for the ASCII letters a to z and A to Z.
  @inlinable @inline(__always)
  package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// `true` for ASCII letters and digits.
  @inlinable @inline(__always)
  package var isAlphanumeric: Bool { isDigit || isLetter }

  /// `true` for white space of YAML, JSON and XML: space, tab, LF and CR.
  @inlinable @inline(__always)
  package var isWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x09 || self == 0x0D }

  /// The value of a hexadecimal digit of either case; `nil` for other bytes.
  @inlinable @inline(__always)
  package var hexadecimalValue: UInt8? {
    switch self {
    case 0x30...0x39: self - 0x30
    case 0x41...0x46: self - 0x41 + 10
    case 0x61...0x66: self - 0x61 + 10
    default: nil
    }
  }
}
