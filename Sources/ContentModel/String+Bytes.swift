// Swift compares strings by canonical equivalence; content is compared by its UTF-8 bytes, whose order is also the
// order of code points.
extension String {
  /// Whether both strings are the same UTF-8 bytes.
  public func hasSameBytes(as other: String) -> Bool {
    guard utf8.count == other.utf8.count else { return false }
    return utf8.elementsEqual(other.utf8)
  }

  /// Whether this string comes before another by code point.
  public func precedesInBytes(_ other: String) -> Bool {
    utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Feeds the UTF-8 bytes, so that strings with different bytes hash apart.
  public func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
