extension UnsafeRawBufferPointer {
  /// Where the bytes first stop being UTF-8 (RFC 3629, section 4); `nil` if they never do.
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
