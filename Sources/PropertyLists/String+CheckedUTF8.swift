extension String {
  /// The text of bytes that are known to be UTF-8, so that what is not ASCII need not be checked
  /// again.
  @inline(__always)
  init(checkedUTF8 bytes: UnsafeBufferPointer<UInt8>) {
    if UnsafeRawBufferPointer(bytes).isASCII {
      self.init(decoding: bytes, as: UTF8.self)
    } else {
      self.init(nonASCII: bytes)
    }
  }

  /// As above, of bytes of which one at least is not ASCII.
  init(nonASCII bytes: UnsafeBufferPointer<UInt8>) {
    if #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
      self.init(copying: UTF8Span(unchecked: bytes.span))
    } else {
      self.init(decoding: bytes, as: UTF8.self)
    }
  }
}
