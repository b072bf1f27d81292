import ContentModel
import ContentStore

extension FolderTarget {
  package func read(_ key: String) throws(TargetError) -> StoredFile? {
    try reporting { () throws(StoreError) in
      guard let place = try root.place(of: FolderKey(key)) else { return nil }
      return try FolderFile.read(place.path).map { StoredFile(bytes: $0.bytes, tag: $0.tag) }
    }
  }

  package func holds(_ key: String, _ file: OutgoingFile) throws(TargetError) -> Bool {
    try reporting { () throws(StoreError) in
      guard let place = try root.place(of: FolderKey(key)), try FolderFile.isThere(place.path),
        let size = try FolderFile.status(place.path)?.size, size == file.body.count,
        let there = try FolderFile.body(place.path), there.isSame(as: file.body)
      else { return false }
      guard let compressed = try FolderFile.body(place.compressed) else { return file.compressed == nil }
      if let own = file.compressed, compressed.isSame(as: own) { return true }
      return try compressed.isCompressed(from: file.body)
    }
  }

  package func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    try reporting { () throws(StoreError) in
      let end = prefix.lastIndex(of: "/").map { prefix.index(after: $0) } ?? prefix.startIndex
      let top = String(prefix[..<end])
      // Any file there stands for those that are looked for.
      let names = try FolderKey(top + "a").folders
      guard let folder = try root.folder(names) else { return [] }
      var found: [ListedFile] = []
      try list(folder, top, prefix, into: &found)
      return found.sorted { $0.key.precedesInBytes($1.key) }
    }
  }

  private func list(
    _ folder: String, _ key: String, _ prefix: String, into found: inout [ListedFile]
  ) throws(StoreError) {
    let entries = try Disk.entries(in: folder)
    let files = Set(entries.filter { $0.kind == .file }.map(\.name))
    for entry in entries where FolderKey.isPlain(entry.name[...]) {
      let (path, key) = ("\(folder)/\(entry.name)", key + entry.name)
      if entry.kind == .folder, (key + "/").hasPrefix(prefix) || prefix.hasPrefix(key + "/") {
        try list(path, key + "/", prefix, into: &found)
      }
      guard entry.kind == .file, key.hasPrefix(prefix), !Self.isCompressedCopy(entry.name, among: files),
        let status = try FolderFile.status(path)
      else { continue }
      found.append(
        ListedFile(
          key: key, size: status.size, modified: Instant(secondsSince1970: Int64(status.modifiedSecond))))
    }
  }

  private static func isCompressedCopy(_ name: String, among files: Set<String>) -> Bool {
    name.hasSuffix(FolderKey.compressedEnding) && files.contains(String(name.dropLast(3)))
  }
}
