package import ContentModel
package import Diagnostics

/// The place of a node in a file whose text has been discarded.
package struct SourcePlace: Hashable, Sendable {
  /// The file, as messages name it.
  package let path: ExactString
  private let start: UInt32
  private let end: UInt32

  /// Offsets in the bytes of `YAMLText`; `.max` as the end means the first character alone.
  private init(path: ExactString, start: UInt32, end: UInt32) {
    (self.path, self.start, self.end) = (path, start, end)
  }

  /// A range of the bytes of `YAMLText`.
  init(path: ExactString, span: Range<Int>) {
    self.init(path: path, start: UInt32(span.lowerBound), end: UInt32(span.upperBound))
  }

  fileprivate init(_ node: YAMLNode) {
    let span = node.tree.span(of: node.row)
    self.init(path: node.path, start: UInt32(span.lowerBound), end: UInt32(span.upperBound))
  }

  /// Hashes the offsets only: most places that are compared are in the same file.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(start)
    hasher.combine(end)
  }

  /// The first character alone, for nodes that are too large to underline.
  package var firstCharacter: SourcePlace { SourcePlace(path: path, start: start, end: .max) }

  /// The place in lines and columns of the file's text.
  fileprivate func location(_ lines: YAMLLines, in bytes: UnsafeBufferPointer<UInt8>)
    -> SourceLocation
  {
    let first = lines.mark(at: Int(start), in: bytes)
    guard end < .max else { return SourceLocation(path: path, range: first.span(1).range) }
    let last = lines.mark(at: Int(end), in: bytes)
    return SourceLocation(path: path, range: SourceRange(from: first.position, to: last.position))
  }
}

extension YAMLNode {
  /// The place of the node, as a value that does not keep the text.
  package var sourcePlace: SourcePlace { SourcePlace(self) }
}

/// The text and the lines of a file, which locate places that were found in an earlier reading.
package struct PlaceLocator {
  private let text: [UInt8]
  private let lines: YAMLLines

  /// Creates a locator for a file; `nil` if YAML cannot be read from its bytes.
  package init?(of bytes: [UInt8], path: String) {
    guard let text = YAMLText.checked(bytes, path: path).output else { return nil }
    self.text = text.bytes
    lines = text.bytes.withUnsafeBufferPointer { YAMLLines($0) }
  }

  /// The place in lines and columns.
  package func location(of place: SourcePlace) -> SourceLocation {
    text.withUnsafeBufferPointer { place.location(lines, in: $0) }
  }
}
