package import ContentModel
package import Diagnostics

/// The files of a content folder.
///
/// All source text is read through this type.
package struct ContentFolder: Sendable {
  /// A file or folder in the content folder.
  package struct Item: Hashable, Sendable {
    /// Relative to the folder, parts joined by `/`.
    package var path: String
    /// Why it cannot be used, if it cannot.
    package var problem: Problem?

    package init(path: String, problem: Problem? = nil) {
      (self.path, self.problem) = (path, problem)
    }
  }

  /// Why a file of the content folder cannot be used.
  package enum Problem: Error, Hashable, Sendable {
    case missing
    case unreadable(reason: String)
    case isFolder
    case linksOutside
    case linksToFolder
    case linksNowhere
    case linksInCircle
    case isNoFile
    case nameIsNotUTF8
    case tooLarge(limit: Int)
  }

  /// The largest size in bytes of a YAML file: its tree takes several times as much memory.
  static let yamlLimit = 64 << 20
  /// The largest size in bytes of another file: a bucket takes no larger object.
  static let assetLimit = 5 << 30

  /// The name of the folder in messages; the beginning of every shown path.
  package var name: String
  /// Everything but dotfiles, by path in order of code points; folders are listed only where they
  /// are a problem.
  package var items: [Item]
  /// The bytes of a file, by its relative path.
  package var read: @Sendable (_ path: String) throws(Problem) -> [UInt8]

  package init(
    name: String, items: [Item],
    read: @escaping @Sendable (_ path: String) throws(Problem) -> [UInt8]
  ) {
    (self.name, self.items, self.read) = (name, items, read)
  }

  // String keys: for literals in tests
  /// A folder in memory: relative paths to texts.
  package init(name: String = "content", texts: [String: String]) {
    self.init(name: name, files: texts.mapValues { Array($0.utf8) })
  }

  // String keys: for literals in tests
  /// A folder in memory: relative paths to bytes.
  package init(name: String = "content", files: [String: [UInt8]]) {
    self.init(name: name, exactFiles: Dictionary(firstOf: files.map { ($0, $1) }))
  }

  /// A folder in memory, of which the names may be spellings that Swift takes for the same.
  package init(name: String = "content", exactFiles files: [ExactString: [UInt8]]) {
    self.init(name: name, items: files.names.map { Item(path: $0) }) { path throws(Problem) in
      guard let bytes = files[path] else { throw .missing }
      return bytes
    }
  }

  /// Why files cannot be used, by path.
  var problems: [ExactString: Problem] {
    Dictionary(firstOf: items.compactMap { item in item.problem.map { (item.path, $0) } })
  }

  /// The path of a file as a person would type it.
  package func shownPath(_ path: String) -> String { name.isEmpty ? path : "\(name)/\(path)" }
}

extension ContentFolder.Problem {
  /// The diagnostic for a file with this problem.
  package func diagnostic(at path: String) -> Diagnostic {
    let (id, message) =
      switch self {
      case .missing: ("missing-file", "the file must be there")
      case .unreadable(let reason): ("unreadable-file", "the file must be readable: \(reason)")
      case .isFolder: ("folder-for-file", "a folder must not have the name of a file")
      case .linksOutside:
        ("link-outside", "a symbolic link must not lead out of the content folder")
      case .linksToFolder:
        ("link-to-folder", "a symbolic link must lead to a file, not to a folder")
      case .linksNowhere:
        ("dangling-link", "a symbolic link must lead to a file; this one leads nowhere")
      case .linksInCircle:
        ("cyclic-link", "a symbolic link must lead to a file; this one leads back to itself")
      case .isNoFile: ("not-a-file", "content must be plain files, not devices, pipes or sockets")
      case .nameIsNotUTF8: ("file-name", "a file's name must be UTF-8")
      case .tooLarge(let limit):
        (
          "too-large",
          limit == ContentFolder.yamlLimit
            ? "a YAML file must have at most \(limit >> 20) MiB; divide it, or delete it if it is not yours"
            : "an asset must have at most \(limit >> 30) GiB; make it smaller"
        )
      }
    return Diagnostic(.error, id: id, at: SourceLocation(path: path), message: message)
  }
}

extension String {
  /// A folder's path as the beginning of another path; `.` is left out where it says nothing.
  package var withoutTrailingSlashes: String {
    // By bytes: a no-op build has few milliseconds, and the views of characters would take half of
    // one to set up.
    let bytes = utf8
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[bytes.index(before: end)] == UInt8(ascii: "/") {
      end = bytes.index(before: end)
    }
    return end == bytes.startIndex || end == bytes.endIndex ? self : String(self[..<end])
  }
}
