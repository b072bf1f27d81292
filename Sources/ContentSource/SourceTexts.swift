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
