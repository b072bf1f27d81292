extension UnsafeRawBufferPointer {
  /// The index of the first byte that is not valid UTF-8 (RFC 3629, section 4), or `nil`.
  var firstInvalidUTF8: Int? {
    var index = 0
    while index < count {
      index = endOfASCII(from: index)
      if index == count { return nil }
      guard let length = lengthOfUTF8Sequence(at: index) else { return index }
      index += length
    }
    return nil
  }

  private func lengthOfUTF8Sequence(at index: Int) -> Int? {
    let (length, second): (Int, ClosedRange<UInt8>) =
      switch self[index] {
      case 0xC2...0xDF: (2, 0x80...0xBF)
      case 0xE0: (3, 0xA0...0xBF)
      case 0xED: (3, 0x80...0x9F)
      case 0xE1...0xEF: (3, 0x80...0xBF)
      case 0xF0: (4, 0x90...0xBF)
      case 0xF1...0xF3: (4, 0x80...0xBF)
      case 0xF4: (4, 0x80...0x8F)
      default: (0, 0...0)
      }
    guard length > 0, index + length <= count, second.contains(self[index + 1]) else { return nil }
    for other in index + 2..<Swift.max(index + 2, index + length) where self[other] & 0xC0 != 0x80 {
      return nil
    }
    return length
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the scalar at an index of well-formed UTF-8, and the number of its bytes.
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

extension String {
  /// Creates a string of bytes that are known to be UTF-8, without checking them again.
  @inline(__always)
  init(checkedUTF8 bytes: UnsafeBufferPointer<UInt8>) {
    if UnsafeRawBufferPointer(bytes).isASCII {
      self.init(decoding: bytes, as: UTF8.self)
    } else {
      self.init(nonASCII: bytes)
    }
  }

  /// Creates a string of bytes that are known to be UTF-8 and not only ASCII.
  init(nonASCII bytes: UnsafeBufferPointer<UInt8>) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      self.init(copying: UTF8Span(unchecked: bytes.span))
    } else {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }
}
