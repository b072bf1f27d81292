import ContentModel
import PropertyLists

/// Bundles of one locale as bytes, in the format that the bundle has.
struct BodyWriter: ~Copyable {
  private let format: PropertyListFormat
  private var binary: SharedEntries
  private var text = TextLinker()

  /// Encodes what all those bundles begin with; the rows are those of any one of them.
  ///
  /// - Throws: what the format cannot carry.
  init(_ selection: Selection, _ rows: [BundleBody.Row], _ evaluation: Evaluation)
    throws(PropertyListEncodingError)
  {
    format = evaluation.format
    binary = try SharedEntries(selection, format == .binary ? rows : [], evaluation)
  }

  /// A bundle's bytes, and where stretches begin in them that others have, too.
  ///
  /// - Throws: what the format cannot carry.
  mutating func encoded(_ body: BundleBody) throws(PropertyListEncodingError) -> (
    bytes: [UInt8], seams: [Int]
  ) {
    guard format == .binary else { return (try body.text(in: format, &text), []) }
    let file = try binary.linked(body)
    return (file.bytes, file.seams)
  }
}
