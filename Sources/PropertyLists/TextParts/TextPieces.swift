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
