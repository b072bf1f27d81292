import ContentSource
import Diagnostics

/// Where the lines that diagnostics show come from, by path as messages name it.
struct SourceTexts: Sendable {
  let bytes: @Sendable (_ path: String) -> [UInt8]?

  /// No files: nothing is shown.
  init() { bytes = { _ in nil } }

  /// One file.
  init(path: String, bytes: [UInt8]) { self.bytes = { $0 == path ? bytes : nil } }

  /// The files of a content folder.
  init(_ folder: ContentFolder) {
    bytes = { path in
      let prefix = folder.shownPath("")
      guard path.hasPrefix(prefix) else { return nil }
      return try? folder.read(path.dropping(prefix))
    }
  }
}
