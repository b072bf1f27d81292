import Hashing
import ContentModel
package import Diagnostics
package import SourceYAML

/// Finds the lines and columns of places by reading their files once more, for the messages that
/// few builds have.
package struct SourcePlaces {
  private let folder: ContentFolder
  private let sources: [ContentTree.SourceFile]
  /// By path, once one is asked for.
  private lazy var known = Dictionary(firstOf: sources.map { (folder.shownPath($0.path), $0) })
  /// The file that was read last: messages come file by file.
  private var last: (path: String, lines: PlaceLocator)?

  /// The places in a tree's files.
  package init(_ tree: ContentTree) { (folder, sources) = (tree.folder, tree.sources) }

  /// A place in lines and columns; the file alone where that is no longer what was compiled.
  package mutating func location(of place: SourcePlace) -> SourceLocation {
    if last?.path != place.path { last = read(place.path) }
    guard let last else { return SourceLocation(path: place.path) }
    return last.lines.location(of: place)
  }

  private mutating func read(_ path: String) -> (path: String, lines: PlaceLocator)? {
    guard let file = known[path], let bytes = try? folder.read(file.path),
      Digest(of: bytes) == file.digest,
      let lines = PlaceLocator(of: bytes, path: path)
    else { return nil }
    return (path, lines)
  }
}
