import ContentModel
import System

extension FolderStamps {
  /// The paths of all files, in order of code points.
  package var allPaths: [String] {
    folders.flatMap(files(in:)).map(\.path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// The paths of all files.
  package var paths: [String] { folders.flatMap(files(in:)).map(\.path) }

  /// The paths of all files in a folder and the folders in it.
  package func paths(below folder: String) -> [String] {
    folders.filter { $0.path.hasSameBytes(as: folder) || $0.path.hasBytePrefix("\(folder)/") }
      .flatMap(files(in:)).map(\.path)
  }

  /// The size of every file, in bytes, by its path.
  var sizes: [ExactString: Int] {
    Dictionary(
      firstOf: folders.flatMap(files(in:)).map { ($0.path, Int(min(max(0, $0.size), 1 << 40))) })
  }

  /// Examines some files again, with `moment` as the current time; returns `false` if one is
  /// missing.
  package mutating func restamp(_ paths: [String], in root: String, at moment: Int64) -> Bool {
    let places = places(of: paths)
    for path in paths {
      guard let place = places[path], let stamp = FileStamp(at: "\(root)/\(path)") else {
        return false
      }
      let bytes = stamp.bytes(isSettled: stamp.isSettled(at: moment))
      let start = items.startIndex + place + FileStamp.offsetInItem
      items.replaceSubrange(start..<start + bytes.count, with: bytes)
    }
    return true
  }

  private func files(in folder: Folder) -> [(path: String, size: Int64)] {
    var files: [(path: String, size: Int64)] = []
    try? forEachItem(of: folder) { item, _ in
      if item.kind != .folder { files.append((folder.path(of: item.name), item.stamp.size)) }
    }
    return files
  }

  /// Returns the places of the items of files.
  ///
  /// After a first build, all files may be among them, so each folder is walked once.
  private func places(of paths: [String]) -> [ExactString: Int] {
    let parents = Set(
      names: paths.lazy.map { path in
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<$0]) } ?? ""
      })
    let wanted = Set(names: paths)
    var found: [ExactString: Int] = [:]
    for folder in folders where parents.contains(folder.path) {
      try? forEachItem(of: folder) { item, place in
        let path = ExactString(folder.path(of: item.name))
        if wanted.contains(path), found[path] == nil { found[path] = place }
      }
    }
    return found
  }
}

extension FolderStamps.Folder {
  func path(of name: UnsafeRawBufferPointer) -> String {
    let name = String(decoding: name, as: UTF8.self)
    return path.isEmpty ? name : "\(path)/\(name)"
  }
}
