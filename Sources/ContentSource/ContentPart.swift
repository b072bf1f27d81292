import SourceYAML
package import ContentModel
import Diagnostics

/// Some entries of a content folder, read without the others: what an edit of a few needs.
///
/// The rest is taken to be as good as it was when the whole folder was last read.
package struct ContentPart: Sendable {
  /// The files that were opened first, by path.
  let opened: [ExactString: LoadedFile]
  /// The ids of the entries that are wanted; of files that hold others besides, these are left out.
  package var entries: Set<ExactString> = []
  /// The names of the datatypes of the whole folder.
  package var datatypes: [String] = []

  /// Opens files of entries, to see what they hold.
  package init(opening paths: [String], in folder: ContentFolder) {
    let store = YAMLStore()
    let files = paths.map {
      LoadedFile($0, in: folder, problem: nil, duplicateKeys: .error, store: store)
    }
    opened = Dictionary(firstOf: files.map { ($0.path, $0) })
  }

  /// A print of what a file below `entries/` that was opened says of each of its entries, by id;
  /// `nil` where it has mistakes.
  package func prints(of path: String) -> [ExactString: UInt64]? {
    guard let file = opened[path], file.folder == "entries", file.diagnostics.isEmpty,
      let root = file.root,
      root.kind == .mapping, let name = file.name
    else { return nil }
    if name.isOfOne { return [ExactString(name.stem): root.print] }
    return Dictionary(firstOf: root.members.map { ("\(name.stem)/\($0.key.text)", $0.value.print) })
  }
}
