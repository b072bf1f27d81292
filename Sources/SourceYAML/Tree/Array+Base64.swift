extension [UInt8] {
  /// Decodes base64 (RFC 4648, section 4) with any white space in it; nil if it is not well formed.
  package init?(base64 text: some Sequence<UInt8>) {
    self.init()
    var bits: UInt32 = 0
    var (digits, padding) = (0, 0)
    for byte in text where !byte.isYAMLSpace {
      if byte == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let digit = byte.base64Value else { return nil }
      bits = bits << 6 | UInt32(digit)
      digits += 1
      if digits % 4 == 0 {
        append(contentsOf: [UInt8(bits >> 16 & 255), UInt8(bits >> 8 & 255), UInt8(bits & 255)])
      }
    }
    switch (digits % 4, padding) {
    case (0, 0): break
    case (2, 2) where bits & 15 == 0: append(UInt8(bits >> 4 & 255))
    case (3, 1) where bits & 3 == 0:
      append(contentsOf: [UInt8(bits >> 10 & 255), UInt8(bits >> 2 & 255)])
    default: return nil
    }
  }
}

extension UInt8 {
  /// A Boolean value that indicates whether the byte is a space, a tab or part of a line break.
  var isYAMLSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }

  fileprivate var base64Value: UInt8? {
    switch self {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): self - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): self - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
