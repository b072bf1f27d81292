import Hashing
import ContentModel
package import Diagnostics

/// Where a node stood in a file whose text is no longer at hand.
package struct SourcePlace: Hashable, Sendable {
  /// The file, as messages name it.
  package let path: String
  private let start: UInt32
  private let end: UInt32

  /// Bytes of the file as `YAMLText` gives it; no end stands for the first character alone.
  private init(path: String, start: UInt32, end: UInt32) {
    (self.path, self.start, self.end) = (path, start, end)
  }

  fileprivate init(_ node: YAMLNode) {
    let span = node.tree.span(of: node.row)
    self.init(path: node.path, start: UInt32(span.lowerBound), end: UInt32(span.upperBound))
  }

  /// Only the beginning, where a whole mapping would be too much to underline.
  var firstCharacter: SourcePlace { SourcePlace(path: path, start: start, end: .max) }

  /// The place in lines and columns of the file's text.
  fileprivate func location(_ lines: YAMLLines, in bytes: UnsafeBufferPointer<UInt8>)
    -> SourceLocation
  {
    let first = lines.mark(at: Int(start), in: bytes)
    guard end < .max else { return SourceLocation(path: path, range: first.span(1).range) }
    let last = lines.mark(at: Int(end), in: bytes)
    return SourceLocation(path: path, range: SourceRange(first.position, last.position))
  }
}

extension YAMLNode {
  /// Where it stands, without the text that it stands in.
  package var sourcePlace: SourcePlace { SourcePlace(self) }
}

/// Finds the lines and columns of places by reading their files once more, for the messages that
/// few builds have.
package struct SourcePlaces {
  private let folder: ContentFolder
  private let sources: [ContentTree.SourceFile]
  /// By path, once one is asked for.
  private lazy var known = Dictionary(firstOf: sources.map { (folder.shownPath($0.path), $0) })
  /// The file that was read last: messages come file by file.
  private var last: (path: String, text: [UInt8], lines: YAMLLines)?

  /// The places in a tree's files.
  package init(_ tree: ContentTree) { (folder, sources) = (tree.folder, tree.sources) }

  /// A place in lines and columns; the file alone where that is no longer what was compiled.
  package mutating func location(of place: SourcePlace) -> SourceLocation {
    if last?.path != place.path { last = read(place.path) }
    guard let last else { return SourceLocation(path: place.path) }
    return last.text.withUnsafeBufferPointer { place.location(last.lines, in: $0) }
  }

  private mutating func read(_ path: String) -> (path: String, text: [UInt8], lines: YAMLLines)? {
    guard let file = known[path], let bytes = try? folder.read(file.path),
      Digest(of: bytes) == file.digest,
      let text = YAMLText.checked(bytes, path: path).output
    else { return nil }
    return (path, text.bytes, text.bytes.withUnsafeBufferPointer { YAMLLines($0) })
  }
}
