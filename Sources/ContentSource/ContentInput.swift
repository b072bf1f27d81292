package import ContentModel
package import Diagnostics

/// A content folder, read and checked against its schemas.
package struct ContentInput {
  package private(set) var folder: ContentFolder
  /// The tree; `nil` if `content.yaml` does not define locales and devices, if `datatypes/` cannot
  /// be listed, or after `takeTree`.
  package private(set) var tree: ContentTree?
  package let diagnostics: [Diagnostic]

  private init(_ folder: ContentFolder, tree: ContentTree?, diagnostics: [Diagnostic]) {
    (self.folder, self.tree, self.diagnostics) = (folder, tree, diagnostics)
  }

  /// Reads a folder, and adds the pseudo-locales if the caller asks for them.
  package static func read(
    _ folder: ContentFolder, addingPseudoLocales addsPseudoLocales: Bool = false
  ) -> ContentInput {
    var read = ContentReader.read(folder)
    if addsPseudoLocales { read.diagnostics += read.output?.addPseudoLocales() ?? [] }
    var folder = folder
    // No later step needs the list, which has an item per file.
    folder.items = []
    return ContentInput(folder, tree: read.output, diagnostics: read.diagnostics)
  }

  /// Returns the tree and removes it from this value.
  package mutating func takeTree() -> ContentTree? { tree.take() }

  /// The source texts that diagnostics quote.
  package var sources: SourceTexts { SourceTexts(folder) }
}

/// The source texts that diagnostics quote, by the paths of messages.
package struct SourceTexts: Sendable {
  /// The bytes of a file; `nil` if there is no such file.
  package let bytes: @Sendable (_ path: ExactString) -> [UInt8]?

  /// No files, so that diagnostics quote no lines.
  package init() { bytes = { _ in nil } }

  /// A few files.
  package init(files: [(path: String, bytes: [UInt8])]) {
    let files = Dictionary(firstOf: files)
    bytes = { path in files[path] }
  }

  /// The files of a content folder.
  package init(_ folder: ContentFolder) {
    bytes = { path in
      let prefix = folder.shownPath("")
      guard path.hasPrefix(prefix) else { return nil }
      return try? folder.read(path.text.dropping(prefix))
    }
  }
}
