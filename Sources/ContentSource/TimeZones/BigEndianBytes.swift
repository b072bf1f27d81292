/// Bytes of a binary format whose integers are big-endian.
///
/// The bytes must outlive the value.
struct BigEndianBytes {
  let buffer: UnsafeRawBufferPointer

  init(_ buffer: UnsafeRawBufferPointer) { self.buffer = buffer }

  /// Returns the integer at an offset; `nil` if it is not within the bytes.
  ///
  /// Release builds do not check the bounds of a buffer.
  func integer<Value: FixedWidthInteger & BitwiseCopyable>(_ type: Value.Type, at offset: Int)
    -> Value?
  {
    guard offset >= 0, offset <= buffer.count - MemoryLayout<Value>.size else { return nil }
    return Value(bigEndian: buffer.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// Returns some of the bytes; `nil` if the range ends outside.
  func slice(from offset: Int, count: Int) -> BigEndianBytes? {
    guard offset >= 0, count >= 0, offset <= buffer.count - count else { return nil }
    return BigEndianBytes(UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + count]))
  }
}
