package import SourceYAML
package import ContentModel
package import Diagnostics

/// One piece of content as it was written: its base and everything that overrides it.
package struct Entry: Sendable {
  package var id: EntryID
  package var datatype: Datatype
  /// In the order in which files were read; the base is among them.
  package var layers: [Layer]
  /// Conditions on locale or device, wherever they stand in a layer.
  package var contextConditions: [Condition] = []
  /// Fields that a reported mistake already explains, so that a missing one is not reported on top.
  package var excusedFields: Set<ExactString> = []
  /// `true` if an error in a condition was reported, so that the readers of the entry are not all
  /// known.
  package var hasUnreadConditions = false

  /// The beginning of the entry: the place for messages about missing fields.
  package var location: SourceLocation { base.keyLocation }
  /// The same, whether the texts are at hand or not.
  package var place: SourcePlace { base.keyPlace }

  private var base: Layer { layers.first { $0.isBase } ?? layers[0] }

  /// Keeps only the scopes and places of the layers, for an entry that is not resolved again.
  package mutating func letGo() { for index in layers.indices { layers[index].letGo() } }
}

/// Everything in a content folder, read and checked against its schemas.
package struct ContentTree: Sendable {
  package var project: Project
  package var datatypes: [Datatype]
  /// By id, in order of code points; string catalogs are among them.
  package var entries: [Entry]
  /// Shown while the service is down.
  package var maintenance: Entry?
  /// The variants of each asset by its path below `assets/`, in order.
  package var assets: [Asset]
  /// Every file that was read, assets apart, by path.
  package var sources: [SourceFile]
  /// The folder that assets are read from.
  package var folder: ContentFolder
  /// Ids of what could not be read, for which a mistake was reported.
  var unread: [Glob] = []

  /// True if an error was reported, so that nothing will be built of it.
  package internal(set) var hasErrors = false

  /// True if entries may be missing, or be there for others than they should be, because of what
  /// could not be read.
  package var isPartial: Bool { !unread.isEmpty || entries.contains(where: \.hasUnreadConditions) }

  /// Returns whether an unknown id may be that of an entry that could not be read.
  package func mayHave(_ id: EntryID) -> Bool { unread.contains { $0.matches(id.text) } }

  /// A file that was read.
  package struct SourceFile: Sendable {
    /// Below the content folder.
    package var path: String
    package var size: Int
    /// The SHA-256 of its bytes.
    package var digest: Digest

    package init(path: String, size: Int, digest: Digest) {
      (self.path, self.size, self.digest) = (path, size, digest)
    }
  }
}

/// A picture or another file that content may name, in one or more scales.
package struct Asset: Sendable {
  /// The path below `assets/` without a scale, as content names it.
  package var path: String
  /// Scales from 1 up, and the path of each below the content folder.
  package var variants: [(scale: Int, file: String)]

  /// The part of a path after its name's last dot, in lower case; `nil` unless that is 1 to 8 of
  /// `a-z0-9`.
  ///
  /// Objects are named with it, so clients can check the `path` of an asset before they fetch it.
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
