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

/// The files that diagnostics show lines of, by path as messages name it.
package struct SourceTexts: Sendable {
  /// The bytes of a file; `nil` if there is no such file.
  package let bytes: @Sendable (_ path: String) -> [UInt8]?

  /// No files: nothing is shown.
  package init() { bytes = { _ in nil } }

  /// One file.
  package init(path: String, bytes: [UInt8]) { self.bytes = { $0 == path ? bytes : nil } }

  /// The files of a content folder.
  package init(_ folder: ContentFolder) {
    bytes = { path in
      let prefix = folder.shownPath("")
      guard path.hasPrefix(prefix) else { return nil }
      return try? folder.read(path.dropping(prefix))
    }
  }
}
