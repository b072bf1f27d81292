package import ContentModel
import System

extension FolderTarget {
  package func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try reporting { () throws(StoreError) in
      let place = try root.makePlace(of: FolderKey(key))
      if try TargetFile.isThere(place) { return false }
      try steps.willPerform(.stage(place.path))
      let plain = try StagedFile(file.body, in: place.folder)
      let compressed = try staged(file.compressed, in: place.folder)
      sweep(place.folder, writing: plain)
      return try lock.locked { () throws(StoreError) in
        if try TargetFile.isThere(place) { return false }
        try requireNoConfusion(at: place)
        // The compressed copy is placed first: a server that prefers it then never sends another
        // file's bytes.
        if let compressed {
          try steps.willPerform(.place(place.compressed.path))
          try compressed.replace(place.compressed.name)
        } else {
          try requireNothingElse(than: file.body, compressed: place.compressed)
        }
        try steps.willPerform(.place(place.path))
        guard try plain.place(as: place.name, by: placings) else { return false }
        try root.mustSettle(key, in: place.folder)
        return true
      }
    }
  }

  package func remove(_ key: String) throws(TargetError) {
    try reporting { () throws(StoreError) in
      guard let place = try root.place(of: FolderKey(key)), try TargetFile.isThere(place) else {
        return
      }
      _ = try lock.locked { () throws(StoreError) in
        // In this order, a process that is killed in between leaves no file that no list shows.
        guard try TargetFile.isThere(place) else { return false }
        for file in [place.compressed, place] {
          try steps.willPerform(.removeStray(file.path))
          try file.folder.removeFile(file.name)
        }
        return true
      }
    }
  }

  private func staged(_ body: FileBody?, in folder: HeldFolder) throws(StoreError) -> StagedFile? {
    guard let body else { return nil }
    return try StagedFile(body, in: folder)
  }

  /// Throws if servers would take the file for the compressed copy of another one.
  private func requireNoConfusion(at place: FolderPlace) throws(StoreError) {
    if let plain = place.plain, try TargetFile.isThere(plain) {
      throw .notOurs(folder: name, example: place.path)
    }
  }

  /// Throws if servers would send a foreign compressed copy for a file that is to have none.
  private func requireNothingElse(than body: FileBody, compressed place: FolderPlace)
    throws(StoreError)
  {
    guard let there = try TargetFile.body(place) else { return }
    if try !there.isCompressed(from: body) { throw .notOurs(folder: name, example: place.path) }
  }

  package func removeLeftovers(age: Int) throws(TargetError) -> Int {
    try reporting { () throws(StoreError) in
      guard let folder = try root.folder([]) else { return 0 }
      let now = try StagedFile(.bytes([]), in: folder).modified()
      return try Self.removeLeftovers(in: folder, before: now - age, dry: false, depth: 0)
    }
  }

  package func countLeftovers(age: Int, at now: Instant) throws(TargetError) -> Int {
    try reporting { () throws(StoreError) in
      guard let folder = try root.folder([]) else { return 0 }
      let now = Int(
        now.secondsSinceReferenceDate - Instant(secondsSince1970: 0).secondsSinceReferenceDate)
      return try Self.removeLeftovers(in: folder, before: now - age, dry: true, depth: 0)
    }
  }

  /// Removes temporary files that were last written before `second`, unless `dry`, and returns
  /// their number; skips folders that cannot be opened.
  private static func removeLeftovers(
    in folder: HeldFolder, before second: Int, dry: Bool, depth: Int
  ) throws(StoreError) -> Int {
    guard let entries = try? folder.entries() else { return 0 }
    var count = 0
    for entry in entries {
      if entry.kind == .folder, depth < 32, let below = try? folder.folder(entry.name) {
        count += try removeLeftovers(in: below, before: second, dry: dry, depth: depth + 1)
      }
      guard entry.kind == .file, StagedFile.isStaged(entry.name),
        let status = try TargetFile.status(FolderPlace(entry.name, in: folder)),
        status.modifiedSecond < second
      else { continue }
      if !dry { try folder.removeFile(entry.name) }
      count += 1
    }
    return count
  }

  /// Removes temporary files in a folder that were last written more than a day before `file`.
  func sweep(_ folder: HeldFolder, writing file: StagedFile) {
    guard root.claimSweep(of: folder.path), let now = try? file.modified(),
      let entries = try? folder.entries()
    else { return }
    // Errors do not matter: a later run removes the remaining files.
    for entry in entries where entry.kind == .file && StagedFile.isStaged(entry.name) {
      let place = FolderPlace(entry.name, in: folder)
      guard let status = try? TargetFile.status(place), status.modifiedSecond < now - 86_400 else {
        continue
      }
      try? folder.removeFile(entry.name)
    }
  }
}
