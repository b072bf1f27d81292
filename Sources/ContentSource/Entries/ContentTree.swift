package import ContentModel
package import Diagnostics

/// The content of a folder, read and checked against its schemas.
package struct ContentTree: Sendable {
  package var project: Project
  package var datatypes: [Datatype]
  /// The entries and string catalogs, by id in order of code points.
  package var entries: [Entry]
  /// The texts that apps show while the service is down.
  package var maintenance: Entry?
  /// The variants of each asset by its path below `assets/`, in order.
  package var assets: [Asset]
  /// The files that were read, except assets, by path.
  package var sources: [SourceFile]
  /// The folder that assets are read from.
  package var folder: ContentFolder
  /// The ids of unreadable entries, for which a mistake was reported.
  var unread = UnreadIDs()

  /// `true` if an error was reported, so that the content cannot be built.
  package internal(set) var hasErrors = false

  /// `true` if entries may be missing or shown to the wrong readers, because a file or a condition
  /// could not be read.
  package var isPartial: Bool { !unread.isEmpty || entries.contains(where: \.hasUnreadConditions) }

  /// Adds the pseudo-locales to the project; the errors are those of ``Project``.
  package mutating func addPseudoLocales() -> [Diagnostic] {
    let problems = project.addPseudoLocales()
    hasErrors = hasErrors || !problems.isEmpty
    return problems
  }

  /// Returns `true` if an unknown id may be that of an unreadable entry.
  package func mayHave(_ id: EntryID) -> Bool { unread.contains(id.text) }

  /// A file that was read.
  package struct SourceFile: Sendable {
    /// The path below the content folder.
    package var path: String
    package var size: Int
    /// The SHA-256 of its bytes.
    package var digest: Digest

    package init(path: String, size: Int, digest: Digest) {
      (self.path, self.size, self.digest) = (path, size, digest)
    }
  }
}

/// The ids of entries that could not be read, some of them known by patterns only.
struct UnreadIDs: Sendable {
  private var patterns: Set<Glob> = []
  private var ids: Set<ExactString> = []

  var isEmpty: Bool { patterns.isEmpty && ids.isEmpty }

  /// Adds an id, or a pattern of ids; text that is neither is ignored.
  mutating func insert(_ pattern: String) {
    guard let glob = Glob(pattern) else { return }
    if glob.isLiteral { ids.insert(pattern) } else { patterns.insert(glob) }
  }

  /// Adds the ids and patterns of another set.
  mutating func formUnion(_ other: UnreadIDs) {
    patterns.formUnion(other.patterns)
    ids.formUnion(other.ids)
  }

  /// Returns `true` if an id is in the set, or matches a pattern of it.
  func contains(_ id: String) -> Bool {
    ids.contains(id) || patterns.contains { $0.matches(id) }
  }
}

/// A picture or another file that content can refer to, in one or more scales.
package struct Asset: Sendable {
  /// The path below `assets/` without a scale, as content writes it.
  package var path: String
  /// Scales from 1 up, and the path of each below the content folder.
  package var variants: [(scale: Int, file: String)]

  /// Returns the part of a path after its last dot, in lower case; `nil` unless that is 1 to 8 of
  /// `a-z0-9`.
  ///
  /// Names of objects end in it, so clients can check the `path` of an asset before they fetch it.
  package static func fileExtension(of path: String) -> String? {
    let name =
      path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
      ?? path.utf8[...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let ending = name[name.index(after: dot)...].map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    let isPlain = ending.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
    return isPlain && (1...8).contains(ending.count) ? String(decoding: ending, as: UTF8.self) : nil
  }
}
