import ContentSource
import Diagnostics

/// A content folder as a command begins with it: read and checked against its schemas.
struct ContentInput {
  private(set) var folder: ContentFolder
  /// `nil` only where `content.yaml` does not tell the locales and devices.
  private(set) var tree: ContentTree?
  let diagnostics: [Diagnostic]

  /// Reads the folder that the flags name.
  init(_ options: ContentOptions) throws(Failure) { try self.init(options.place) }

  /// Reads the folder at a place.
  init(_ place: ContentPlace) throws(Failure) {
    folder = try place.open()
    let read = ContentReader.read(folder)
    (tree, diagnostics) = (read.output, read.diagnostics)
    // Nobody asks for the list any more, which is as long as the content has files.
    folder.items = []
  }

  /// Gives the tree away.
  mutating func takeTree() -> ContentTree? { tree.take() }

  /// Where diagnostics find the lines they are about.
  var sources: SourceTexts { SourceTexts(folder) }
}
