import ContentModel
package import Diagnostics
package import YAML

/// The lines and columns of places, found by reading their files again, since few builds have
/// messages.
package struct SourcePlaces {
  private let folder: ContentFolder
  private let sources: [ContentTree.SourceFile]
  /// The files by path, made for the first lookup.
  private lazy var known = Dictionary(firstOf: sources.map { (folder.shownPath($0.path), $0) })
  /// The last file that was read, since messages are ordered by file.
  private var last: (path: ExactString, lines: PlaceLocator)?

  /// The places in a tree's files.
  package init(_ tree: ContentTree) { (folder, sources) = (tree.folder, tree.sources) }

  /// Returns a place in lines and columns; only the file if it has changed since it was compiled.
  package mutating func location(of place: SourcePlace) -> SourceLocation {
    if last?.path != place.path { last = read(place.path) }
    guard let last else { return SourceLocation(path: place.path) }
    return last.lines.location(of: place)
  }

  private mutating func read(_ path: ExactString) -> (path: ExactString, lines: PlaceLocator)? {
    guard let file = known[path], let bytes = try? folder.read(file.path),
      Digest(of: bytes) == file.digest,
      let lines = PlaceLocator(of: bytes, path: path.text)
    else { return nil }
    return (path, lines)
  }
}
