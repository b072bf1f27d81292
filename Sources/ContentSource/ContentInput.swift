package import Diagnostics

/// A content folder, read and checked against its schemas.
package struct ContentInput {
  package private(set) var folder: ContentFolder
  /// `nil` only where `content.yaml` does not tell the locales and devices.
  package private(set) var tree: ContentTree?
  package let diagnostics: [Diagnostic]

  /// Reads a folder.
  package init(reading folder: ContentFolder) {
    self.folder = folder
    let read = ContentReader.read(folder)
    (tree, diagnostics) = (read.output, read.diagnostics)
    // No later step needs the list, which has an item per file.
    self.folder.items = []
  }

  /// Gives the tree away.
  package mutating func takeTree() -> ContentTree? { tree.take() }

  /// The files that the diagnostics are about.
  package var sources: SourceTexts { SourceTexts(folder) }
}
