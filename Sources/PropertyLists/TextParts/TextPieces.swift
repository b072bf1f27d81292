/// Parts of text property lists, encoded once for many files at a fixed depth.
package struct TextPieces: Sendable {
  /// The range of a part.
  package struct Place: Sendable {
    var start: UInt32 = 0
    var end: UInt32 = 0

    /// Creates an empty range.
    package init() {}

    init(_ range: Range<Int>) {
      (start, end) = (UInt32(range.lowerBound), UInt32(range.upperBound))
    }
  }

  let bytes: [UInt8]

  /// An empty set of parts.
  package static let none = TextPieces(bytes: [])
}

/// A linker that concatenates parts of text property lists.
package struct TextLinker: ~Copyable {
  private var output = GrowingBuffer<UInt8>(capacity: 1 << 12)

  /// Creates a linker with an empty file.
  package init() {}

  /// Appends a part.
  package mutating func append(_ place: TextPieces.Place, of pieces: TextPieces) {
    pieces.bytes.withUnsafeBytes { bytes in
      output.append(
        contentsOf: UnsafeRawBufferPointer(rebasing: bytes[Int(place.start)..<Int(place.end)]))
    }
  }

  /// Returns the file and prepares the linker for the next one.
  package mutating func finish() -> [UInt8] {
    defer { output.truncate(to: 0) }
    return Array(UnsafeBufferPointer(start: output.base, count: output.count))
  }
}
