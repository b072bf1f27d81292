import ContentModel
import Diagnostics

/// The entry, locale and device that a file's path names.
///
/// `product/country-charm.fr@ipad.yaml` is `product/country-charm`, `fr`, `ipad`.
struct EntryFileName: Hashable {
  /// The path without locale, device and ending.
  var stem: String
  var locale: String?
  var device: String?

  /// A Boolean value that indicates whether the file holds one entry, not many of a datatype.
  var holdsOneEntry: Bool { stem.utf8.contains(UInt8(ascii: "/")) }

  /// Parses a file's name; returns `nil` if the ending is neither `.yaml` nor `.yml`.
  init?(_ path: String) { self.init(path[...]) }

  /// Parses a part of a path.
  init?(_ path: Substring) {
    let bytes = path.utf8
    guard let ending = path.yamlEnding else { return nil }
    let bareEnd = bytes.index(bytes.endIndex, offsetBy: -ending)
    let folderEnd =
      bytes[..<bareEnd].lastIndex(of: UInt8(ascii: "/")).map(bytes.index(after:))
      ?? bytes.startIndex
    var nameEnd = bareEnd
    if let at = bytes[folderEnd..<nameEnd].firstIndex(of: UInt8(ascii: "@")) {
      device = String(path[bytes.index(after: at)..<nameEnd])
      nameEnd = at
    }
    if let dot = bytes[folderEnd..<nameEnd].firstIndex(of: UInt8(ascii: ".")) {
      locale = String(path[bytes.index(after: dot)..<nameEnd])
      nameEnd = dot
    }
    stem = String(path[..<nameEnd])
  }
}

extension ContentFolder {
  /// Returns the ids of entries that a word may mean, each once, without parsing a file: those in
  /// names of files, and the word as a key of a file for many entries.
  package func ids(like word: String) -> [String] {
    var known: Set<ExactString> = []
    for item in items where item.path.hasPrefix("entries/") {
      guard let name = EntryFileName(item.path.text.dropping("entries/")) else { continue }
      if name.holdsOneEntry {
        if let id = EntryID(name.stem) { known.insert(id.text) }
      } else if EntryID.isPart(word), let bytes = try? read(item.path.text), bytes.hasKey(word) {
        known.insert("\(name.stem)/\(word)")
      }
    }
    return known.names
  }
}

extension [UInt8] {
  /// Returns `true` if a line of YAML begins with a key.
  fileprivate func hasKey(_ key: String) -> Bool {
    let start = Array("\(key):".utf8)
    return self.starts(with: start) || firstRange(of: [0x0A] + start) != nil
  }
}

extension String {
  /// The text up to the first slash, or all of it.
  var beforeFirstSlash: Substring {
    self[..<(utf8.firstIndex(of: UInt8(ascii: "/")) ?? endIndex)]
  }

}

extension Substring {
  /// The length of `.yaml` or `.yml` at the end.
  fileprivate var yamlEnding: Int? {
    [".yaml", ".yml"].first { utf8.suffix($0.utf8.count).elementsEqual($0.utf8) }?.utf8.count
  }

}

extension String {
  /// A Boolean value that indicates whether the name has an ending of YAML.
  var isYAMLName: Bool { self[...].yamlEnding != nil }

  /// The path with the probable ending for a misspelt one such as `.YAML` or `.ymal`; `nil` for
  /// other endings.
  var meantYAMLPath: String? {
    guard !isYAMLName, let dot = utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    let ending = String(self[utf8.index(after: dot)...]).lowercased()
    guard ending.hasPrefix("y"),
      ending.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }),
      let meant = ending.nearest(among: ["yaml", "yml"])
    else { return nil }
    return String(self[...dot]) + meant
  }
}
