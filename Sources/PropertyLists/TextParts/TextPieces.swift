/// Parts of text property lists that were encoded once, to be put into many files at the depth they
/// were made for.
package struct TextPieces: Sendable {
  /// Where a part is.
  package struct Place: Sendable {
    var start: UInt32 = 0
    var end: UInt32 = 0

    /// Nothing.
    package init() {}

    init(_ range: Range<Int>) {
      (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
    }
  }

  let bytes: [UInt8]

  /// No parts.
  package static let none = TextPieces(bytes: [])
}

/// Puts parts of text property lists together, end to end.
package struct TextLinker: ~Copyable {
  private var output = GrowingBuffer<UInt8>(capacity: 1 << 12)

  /// Nothing yet.
  package init() {}

  /// Appends a part.
  package mutating func append(_ place: TextPieces.Place, of pieces: TextPieces) {
    pieces.bytes.withUnsafeBytes { bytes in
      output.append(
        contentsOf: UnsafeRawBufferPointer(rebasing: bytes[Int(place.start)..<Int(place.end)]))
    }
  }

  /// The bytes in their order; after that, the next file can be put together.
  package mutating func finish() -> [UInt8] {
    defer { output.cut(to: 0) }
    return Array(UnsafeBufferPointer(start: output.base, count: output.count))
  }
}
