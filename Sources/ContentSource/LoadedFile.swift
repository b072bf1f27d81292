import ContentModel
import Diagnostics
import YAML

/// A parsed YAML file.
///
/// A class, since thousands of them are passed from step to step.
final class LoadedFile: Sendable {
  let path: String
  /// The first part of the path; `nil` for files at the top.
  let folder: String?
  /// The parsed rest of the path.
  let name: EntryFileName?
  /// The only entry of a file below `entries/`; `nil` for a file of many entries, and for an
  /// invalid id.
  let id: EntryID?
  let root: YAMLNode?
  let source: ContentTree.SourceFile?
  let diagnostics: [Diagnostic]

  init(
    _ path: String, in folder: ContentFolder, problem: ContentFolder.Problem?,
    duplicateKeys: Diagnostic.Severity, store: YAMLStore
  ) {
    self.path = path
    let slash = path.utf8.firstIndex(of: UInt8(ascii: "/"))
    self.folder = slash.map { String(path[..<$0]) }
    let name = EntryFileName(slash.map { path[path.utf8.index(after: $0)...] } ?? path[...])
    self.name = name
    id = slash == nil ? nil : name.flatMap { EntryID($0.stem) }
    if let problem {
      (root, source, diagnostics) = (nil, nil, [problem.diagnostic(at: folder.shownPath(path))])
      return
    }
    do {
      let bytes = try folder.read(path)
      var reader = YAMLReader(duplicateKeys: duplicateKeys)
      reader.store = store
      let read = reader.read(bytes, path: folder.shownPath(path))
      (root, diagnostics) = (read.output, read.diagnostics)
      source = ContentTree.SourceFile(path: path, size: bytes.count, digest: Digest(of: bytes))
    } catch {
      (root, source, diagnostics) = (nil, nil, [error.diagnostic(at: folder.shownPath(path))])
    }
  }
}
