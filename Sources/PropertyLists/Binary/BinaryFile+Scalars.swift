import ContentModel

extension BinaryFile {
  /// Returns the value of an object that is no container.
  func scalar(_ object: Object) throws(PropertyListDecodingError) -> Value {
    switch object.kind {
    case .ascii, .utf16: .string(try string(object))
    case .integer: .integer(try integer(object))
    case .boolean: .boolean(boolean(object))
    case .real: .real(real(object))
    case .date: .date(try date(object))
    default: .data(Array(bytes[object.content..<object.end]))
    }
  }

  /// Returns an integer: one, two and four bytes are unsigned, eight are signed, and sixteen must
  /// fit in eight.
  func integer(_ object: Object) throws(PropertyListDecodingError) -> Int64 {
    guard object.count == 16 else {
      return Int64(bitPattern: bytes.bigEndian(at: object.content, width: object.count))
    }
    let number = Int64(bitPattern: bytes.bigEndian(at: object.content + 8, width: 8))
    guard Int64(bitPattern: bytes.bigEndian(at: object.content, width: 8)) == (number < 0 ? -1 : 0)
    else {
      throw failure(.integerOutOfRange, at: object.start)
    }
    return number
  }

  func boolean(_ object: Object) -> Bool { bytes[object.start] == 0x09 }

  func real(_ object: Object) -> Double {
    let bits = bytes.bigEndian(at: object.content, width: object.count)
    return object.count == 4 ? Double(Float(bitPattern: UInt32(bits))) : Double(bitPattern: bits)
  }

  func date(_ object: Object) throws(PropertyListDecodingError) -> Instant {
    let seconds = real(object)
    guard seconds.isFinite else { throw failure(.badDate, at: object.start) }
    return Instant(secondsSinceReferenceDate: seconds)
  }

  func string(_ object: Object) throws(PropertyListDecodingError) -> String {
    let content = UnsafeRawBufferPointer(rebasing: bytes[object.content..<object.end])
    if object.kind == .ascii {
      guard content.isASCII else { throw failure(.badString, at: object.start) }
      return String(decoding: content, as: UTF8.self)
    }
    guard let text = String(bigEndianUTF16: content) else {
      throw failure(.badString, at: object.start)
    }
    return text
  }
}

extension String {
  /// Creates the text of well-formed big-endian UTF-16; `nil` for other bytes.
  fileprivate init?(bigEndianUTF16 bytes: UnsafeRawBufferPointer) {
    let capacity = bytes.count / 2 * 3
    // Buffers of up to a kilobyte are usually allocated on the stack.
    let text = withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) {
      buffer -> String? in
      guard let count = bytes.transcodeBigEndianUTF16(into: buffer) else { return nil }
      let text = UnsafeBufferPointer(rebasing: buffer[..<count])
      return count == bytes.count / 2
        ? String(decoding: text, as: UTF8.self) : String(nonASCII: text)
    }
    guard let text else { return nil }
    self = text
  }
}

extension UnsafeRawBufferPointer {
  /// Writes UTF-16 as UTF-8 into a buffer of three bytes for each unit.
  ///
  /// Returns the number of bytes written, or `nil` if the UTF-16 is not well formed.
  fileprivate func transcodeBigEndianUTF16(into output: UnsafeMutableBufferPointer<UInt8>) -> Int? {
    var index = 0
    var written = 0
    while index + 2 <= count {
      if index + 8 <= count, let four = word(at: index).bigEndian.asciiUnits {
        UnsafeMutableRawPointer(output.baseAddress.unsafelyUnwrapped + written).storeBigEndian(
          four, width: 4)
        index += 8
        written += 4
        continue
      }
      let unit = UInt32(loadUnaligned(fromByteOffset: index, as: UInt16.self).bigEndian)
      index += 2
      var scalar = unit
      if unit & 0xF800 == 0xD800 {
        guard unit < 0xDC00, index + 2 <= count else { return nil }
        let low = UInt32(loadUnaligned(fromByteOffset: index, as: UInt16.self).bigEndian)
        guard low & 0xFC00 == 0xDC00 else { return nil }
        index += 2
        scalar = 0x10000 + (unit & 0x3FF) << 10 + (low & 0x3FF)
      }
      written = output.putUTF8(scalar, at: written)
    }
    return written
  }
}

extension UInt64 {
  /// Four UTF-16 units, the first one highest, as four bytes; `nil` unless all are ASCII.
  @inline(__always)
  fileprivate var asciiUnits: UInt64? {
    guard self & 0xFF80_FF80_FF80_FF80 == 0 else { return nil }
    let pairs = (self | self >> 8) & 0x0000_FFFF_0000_FFFF
    return (pairs | pairs >> 16) & 0xFFFF_FFFF
  }
}

extension UnsafeMutableBufferPointer<UInt8> {
  /// Writes one scalar and returns the index after it; the buffer must have room for four bytes.
  @inline(__always)
  func putUTF8(_ scalar: UInt32, at start: Int) -> Int {
    func tail(_ shift: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: 0x80 | scalar >> shift & 0x3F) }
    switch scalar {
    case 0..<0x80:
      self[start] = UInt8(truncatingIfNeeded: scalar)
      return start + 1
    case 0x80..<0x800:
      self[start] = UInt8(truncatingIfNeeded: 0xC0 | scalar >> 6)
      self[start + 1] = tail(0)
      return start + 2
    case 0x800..<0x10000:
      self[start] = UInt8(truncatingIfNeeded: 0xE0 | scalar >> 12)
      self[start + 1] = tail(6)
      self[start + 2] = tail(0)
      return start + 3
    default:
      self[start] = UInt8(truncatingIfNeeded: 0xF0 | scalar >> 18)
      self[start + 1] = tail(12)
      self[start + 2] = tail(6)
      self[start + 3] = tail(0)
      return start + 4
    }
  }
}
