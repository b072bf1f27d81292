import ContentModel
import System

extension FolderTarget {
  package func read(_ key: String) throws(TargetError) -> StoredFile? {
    do {
      guard let place = try root.place(of: FolderKey(key)) else { return nil }
      let file = try TargetFile.read(place, limit: ReadLimit.bytes(of: key))
      return file.map { StoredFile(bytes: $0.bytes, tag: $0.tag) }
    } catch StoreError.tooLarge(_, let size) {
      throw TargetError(tooLarge: key, at: name, size: size)
    } catch {
      throw TargetError(error, target: name)
    }
  }

  package func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try reporting { () throws(StoreError) in
      guard let place = try root.place(of: FolderKey(key)), try holds(place, as: file) else {
        return false
      }
      // A process that was killed may have written it a moment ago, unsynced.
      try root.mustSettle(key, in: place.folder)
      return true
    }
  }

  private func holds(_ place: FolderPlace, as file: OutgoingFile) throws(StoreError) -> Bool {
    guard try TargetFile.isThere(place), let size = try TargetFile.status(place)?.size,
      size == file.body.count,
      let there = try TargetFile.body(place), there.isSame(as: file.body)
    else { return false }
    guard let compressed = try TargetFile.body(place.compressed) else {
      return file.compressed == nil
    }
    if let own = file.compressed, compressed.isSame(as: own) { return true }
    return try compressed.isCompressed(from: file.body)
  }

  package func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    try reporting { () throws(StoreError) in
      var found: [ListedFile] = []
      try visitFiles(below: prefix) { key, place throws(StoreError) in
        guard let status = try TargetFile.status(place) else { return }
        found.append(
          ListedFile(
            key: key, size: status.size,
            modified: Instant(secondsSince1970: Int64(status.modifiedSecond))))
      }
      return found.sorted { $0.key.precedesInBytes($1.key) }
    }
  }

  package func names(below prefix: String) throws(TargetError) -> [String] {
    try reporting { () throws(StoreError) in
      var keys: [String] = []
      try visitFiles(below: prefix) { key, _ in keys.append(key) }
      return keys.sorted { $0.precedesInBytes($1) }
    }
  }

  package func folders() throws(TargetError) -> [String] {
    try reporting { () throws(StoreError) in
      guard let folder = try root.folder([]) else { return [] }
      return try folder.entries().filter { $0.kind == .folder && FolderKey.isPlain($0.name[...]) }
        .map(\.name)
    }
  }

  /// Calls `body` with the key and the place of each file whose key has a prefix, in any order.
  private func visitFiles(
    below prefix: String, _ body: (String, FolderPlace) throws(StoreError) -> Void
  ) throws(StoreError) {
    let end = prefix.lastIndex(of: "/").map { prefix.index(after: $0) } ?? prefix.startIndex
    let top = String(prefix[..<end])
    // The last part of a key is a file name; any name will do.
    guard let folder = try root.folder(FolderKey(top + "a").folders) else { return }
    try visitFiles(of: folder, at: top, below: prefix, body)
  }

  private func visitFiles(
    of folder: HeldFolder, at start: String, below prefix: String, depth: Int = 0,
    _ body: (String, FolderPlace) throws(StoreError) -> Void
  ) throws(StoreError) {
    let entries = try folder.entries()
    // Most folders have no compressed copies.
    lazy var files = Set(names: entries.filter { $0.kind == .file }.map(\.name))
    for entry in entries where FolderKey.isPlain(entry.name[...]) {
      let key = start + entry.name
      // Each level keeps a folder open, and no file of contentc is deeper.
      if entry.kind == .folder, depth < 32,
        (key + "/").hasPrefix(prefix) || prefix.hasPrefix(key + "/"),
        let below = try folder.folder(entry.name)
      {
        try visitFiles(of: below, at: key + "/", below: prefix, depth: depth + 1, body)
      }
      guard entry.kind == .file, key.hasPrefix(prefix),
        !(entry.name.hasSuffix(FolderKey.compressedEnding)
          && files.contains(String(entry.name.dropLast(FolderKey.compressedEnding.utf8.count))))
      else { continue }
      try body(key, FolderPlace(entry.name, in: folder))
    }
  }
}
