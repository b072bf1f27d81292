package import ContentModel
package import Diagnostics

/// The files of a content folder.
///
/// All source text is read through this type.
package struct ContentFolder: Sendable {
  /// A file or folder in the content folder.
  package struct Item: Sendable {
    /// The path below the folder, with parts joined by `/`.
    package var path: ExactString
    /// The reason why the file cannot be used; `nil` if it can.
    package var problem: Problem?

    package init(path: String, problem: Problem? = nil) {
      (self.path, self.problem) = (ExactString(path), problem)
    }
  }

  /// A reason why a file of the content folder cannot be used.
  package enum Problem: Error, Hashable, Sendable {
    case missing
    case unreadable(reason: String)
    /// A folder whose files cannot be listed.
    case unreadableFolder(reason: String)
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
  /// The largest size in bytes of an asset: a build holds each in memory, and no command reads a
  /// larger object of a release.
  static let assetLimit = 1 << 30

  /// The name of the file with the source texts of translations, which is no content.
  package static let translationLock = "translations.lock"

  /// The name of the folder in messages, and the first part of every path in them.
  package var name: String
  /// All files except dotfiles, by path in order of code points; a folder is listed only if it has
  /// a problem.
  package var items: [Item]
  /// Reads the bytes of a file, by its relative path.
  package var read: @Sendable (_ path: String) throws(Problem) -> [UInt8]

  package init(
    name: String, items: [Item],
    read: @escaping @Sendable (_ path: String) throws(Problem) -> [UInt8]
  ) {
    (self.name, self.items, self.read) = (name, items, read)
  }

  /// A folder in memory, with texts by relative path.
  package init(name: String = "content", texts: [String: String]) {
    self.init(name: name, files: texts.mapValues { Array($0.utf8) })
  }

  /// A folder in memory, with bytes by relative path.
  package init(name: String = "content", files: [String: [UInt8]]) {
    self.init(name: name, exactFiles: Dictionary(firstOf: files.map { ($0, $1) }))
  }

  /// A folder in memory, whose names may be canonically equivalent.
  package init(name: String = "content", exactFiles files: [ExactString: [UInt8]]) {
    self.init(name: name, items: files.names.map { Item(path: $0) }) { path throws(Problem) in
      guard let bytes = files[path] else { throw .missing }
      return bytes
    }
  }

  /// The problems of files, by path.
  var problems: [ExactString: Problem] {
    Dictionary(firstOf: items.compactMap { item in item.problem.map { (item.path.text, $0) } })
  }

  /// The paths of folders whose files cannot be listed.
  var unreadableFolders: [String] {
    items.compactMap { item -> String? in
      if case .unreadableFolder = item.problem { item.path.text } else { nil }
    }
  }

  /// Returns the path of a file as a user would type it.
  package func shownPath(_ path: String) -> String { name.isEmpty ? path : "\(name)/\(path)" }
}

extension ContentFolder.Problem {
  /// Returns the diagnostic for a file with this problem.
  package func diagnostic(at path: String) -> Diagnostic {
    let (rule, message): (Rule, String) =
      switch self {
      case .missing: (.missingFile, "the file must be there")
      case .unreadable(let reason): (.unreadableFile, "the file must be readable: \(reason)")
      case .unreadableFolder(let reason):
        (.unreadableFile, "the folder must be readable: \(reason)")
      case .isFolder: (.folderForFile, "a folder must not have the name of a file")
      case .linksOutside:
        (.linkOutside, "a symbolic link must not lead out of the content folder")
      case .linksToFolder:
        (.linkToFolder, "a symbolic link must lead to a file, not to a folder")
      case .linksNowhere:
        (.danglingLink, "a symbolic link must lead to a file; this one leads nowhere")
      case .linksInCircle:
        (.cyclicLink, "a symbolic link must lead to a file; this one leads back to itself")
      case .isNoFile: (.notAFile, "content must be plain files, not devices, pipes or sockets")
      case .nameIsNotUTF8: (.fileName, "a file's name must be UTF-8")
      case .tooLarge(let limit):
        (
          .tooLarge,
          limit == ContentFolder.yamlLimit
            ? "a YAML file must have at most \(limit >> 20) MiB; divide it, or delete it if it is not yours"
            : "an asset must have at most \(limit >> 30) GiB; make it smaller"
        )
      }
    return Diagnostic(
      .error, rule: rule, at: SourceLocation(path: path), message: message,
      notes: isOfWholeFolder ? [Diagnostic.Note("what refers to its files is not checked")] : [])
  }

  private var isOfWholeFolder: Bool {
    if case .unreadableFolder = self { true } else { false }
  }
}

extension String {
  /// A folder's path as the prefix of another path, without redundant `.`.
  package var withoutTrailingSlashes: String {
    // The search is by bytes, since a view of characters would cost a no-op build half a
    // millisecond.
    let bytes = utf8
    var end = bytes.endIndex
    while end > bytes.startIndex, bytes[bytes.index(before: end)] == UInt8(ascii: "/") {
      end = bytes.index(before: end)
    }
    return end == bytes.startIndex || end == bytes.endIndex ? self : String(self[..<end])
  }
}
