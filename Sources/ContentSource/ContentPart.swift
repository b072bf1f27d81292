package import ContentModel
import Diagnostics
import YAML

/// Some entries of a content folder, which an incremental build reads without the others.
///
/// All other files are assumed to be as valid as when the whole folder was last read.
package struct ContentPart: Sendable {
  /// The opened files, by path.
  let opened: [ExactString: LoadedFile]
  /// The ids of the entries to read; other entries of the same files are left out.
  package var entries: Set<ExactString> = []
  /// The names of the datatypes of the whole folder.
  package var datatypes: [String] = []

  /// Opens files of entries, in order to fingerprint their entries.
  package init(opening paths: [String], in folder: ContentFolder) {
    let store = YAMLStore()
    let files = paths.map {
      LoadedFile($0, in: folder, problem: nil, duplicateKeys: .error, store: store)
    }
    opened = Dictionary(firstOf: files.map { ($0.path, $0) })
  }

  /// Returns the fingerprints of the entries in an opened file below `entries/`, by id; `nil` if
  /// the file has mistakes.
  package func prints(of path: String) -> [ExactString: UInt64]? {
    guard let file = opened[path], file.folder == "entries", file.diagnostics.isEmpty,
      let root = file.root,
      root.kind == .mapping, let name = file.name
    else { return nil }
    if name.holdsOneEntry { return [ExactString(name.stem): root.print] }
    return Dictionary(firstOf: root.members.map { ("\(name.stem)/\($0.key.text)", $0.value.print) })
  }
}
