/// Puts parts of text property lists together, end to end.
package struct TextLinker: ~Copyable {
  private var output: GrowingBuffer<UInt8>

  /// Nothing yet, with room for so many bytes.
  package init(capacity: Int) { output = GrowingBuffer(capacity: capacity) }

  /// Appends a part.
  package mutating func append(_ place: TextPieces.Place, of pieces: TextPieces) {
    pieces.bytes.withUnsafeBytes { bytes in
      output.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[Int(place.start)..<Int(place.end)]))
    }
  }

  /// The bytes in their order.
  package consuming func finish() -> [UInt8] { Array(UnsafeBufferPointer(start: output.base, count: output.count)) }
}
