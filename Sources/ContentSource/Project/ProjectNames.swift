import ContentModel

/// The names in a content folder, for the completion of commands in a shell.
///
/// Only `content.yaml` is parsed. Other names come from the names of files, and from the starts of
/// lines in files that hold many entries. Limits keep the answer fast: a project above them gives
/// only some of its names.
package struct ProjectNames {
  /// The names that `content.yaml` declares.
  package let declared: DeclaredNames
  private let root: String

  /// The most bytes of `content.yaml`, and of all files with many entries together.
  private static let byteLimit = 4 << 20
  /// The largest number of files in a folder that are listed.
  private static let fileLimit = 20_000

  /// Reads the `content.yaml` of a folder on disk; `nil` if the folder has none that can be read.
  package init?(in root: String) {
    guard var folder = try? ContentFolder.disk(unlisted: root, name: root) else { return nil }
    let read = folder.read
    folder.read = { path throws(ContentFolder.Problem) in
      let bytes = try read(path)
      guard bytes.count <= Self.byteLimit else { throw .tooLarge(limit: Self.byteLimit) }
      return bytes
    }
    guard let file = try? ProjectFile(in: folder) else { return nil }
    (declared, self.root) = (file.names, root.withoutTrailingSlashes)
  }

  /// The names of the datatypes, by the names of their files.
  package var datatypes: [String] {
    files(in: "datatypes").compactMap { path in
      EntryFileName(path).flatMap { EntryID.isPart($0.stem) ? $0.stem : nil }
    }
  }

  /// Returns the ids of entries in order, each once.
  ///
  /// If the word begins with a datatype and a slash, only the ids of this datatype are returned.
  package func ids(beginning word: String) -> [String] {
    let datatype = word.utf8.contains(UInt8(ascii: "/")) ? String(word.beforeFirstSlash) : nil
    var ids: Set<ExactString> = []
    if datatype == nil || datatype == "strings" {
      for path in files(in: "strings") { ids.insert("strings/\(Self.catalog(of: path))") }
    }
    if let datatype {
      guard EntryID.isPart(datatype) else { return [] }
      let singles = files(in: "entries/\(datatype)").map { "\(datatype)/\($0)" }
      add(singles + ["\(datatype).yaml", "\(datatype).yml"], to: &ids)
    } else {
      add(files(in: "entries"), to: &ids)
    }
    return ids.names.filter { EntryID($0) != nil }
  }

  /// Adds the ids of entries in files below `entries/`.
  private func add(_ paths: [String], to ids: inout Set<ExactString>) {
    guard let folder = try? ContentFolder.disk(unlisted: root, name: root) else { return }
    var bytesLeft = Self.byteLimit
    for path in paths {
      guard let name = EntryFileName(path) else { continue }
      if name.holdsOneEntry {
        ids.insert(ExactString(name.stem))
      } else if name.locale == nil, name.device == nil, bytesLeft > 0,
        let bytes = try? folder.read("entries/\(path)")
      {
        bytesLeft -= bytes.count
        guard bytesLeft >= 0 else { continue }
        for key in bytes.plainKeys { ids.insert(ExactString("\(name.stem)/\(key)")) }
      }
    }
  }

  /// Returns the paths of files below a folder of the content; none if it cannot be listed.
  private func files(in folder: String) -> [String] {
    let path = "\(root)/\(folder)"
    let listed = try? ContentFolder.disk(at: path, name: path, atMost: Self.fileLimit)
    return listed?.items.filter { $0.problem == nil }.map(\.path.text) ?? []
  }

  /// Returns the name of the string catalog that a file below `strings/` belongs to.
  private static func catalog(of path: String) -> String {
    guard let name = EntryFileName(path) else { return "" }
    let parts = name.stem.pathParts
    return parts.count == 1 && name.locale == nil ? "app" : parts.first ?? ""
  }
}

extension [UInt8] {
  /// The unquoted keys of the YAML mapping at the start of lines.
  fileprivate var plainKeys: [String] {
    var keys: [String] = []
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex(of: UInt8(ascii: "\n")) ?? endIndex
      let key = self[start..<end].prefix { $0 != UInt8(ascii: ":") && $0 != UInt8(ascii: " ") }
      if !key.isEmpty, key.endIndex < end, self[key.endIndex] == UInt8(ascii: ":") {
        let next = self[(key.endIndex + 1)..<end].first
        if next == nil || next == UInt8(ascii: " ") || next == UInt8(ascii: "\r") {
          keys.append(String(decoding: key, as: UTF8.self))
        }
      }
      start = end + 1
    }
    return keys
  }
}
