import System
import SystemC

extension FolderTarget {
  package func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError)
    -> Bool
  {
    let place = try reporting { () throws(StoreError) in
      let key = try FolderKey(key)
      return tagged == nil ? try root.makePlace(of: key) : try existingPlace(of: key)
    }
    guard let place else { return false }
    let isReplaced = try reporting { () throws(StoreError) in
      try lock.locked { () throws(StoreError) in
        try replace(key, at: place, with: file.body, tagged: tagged)
      }
    }
    if isReplaced { try waitForName(of: place) }
    return isReplaced
  }

  private func existingPlace(of key: FolderKey) throws(StoreError) -> FolderPlace? {
    guard let place = try root.place(of: key), try TargetFile.isThere(place) else { return nil }
    return place
  }

  private func replace(
    _ key: String, at place: FolderPlace, with body: FileBody, tagged: String?
  ) throws(StoreError) -> Bool {
    let current = try TargetFile.read(place, limit: ReadLimit.bytes(of: key))
    guard current?.tag == tagged else { return false }
    try steps.willPerform(.stage(place.path))
    let staged = try StagedFile(body, in: place.folder)
    sweep(place.folder, writing: staged)
    try staged.settle(after: current?.modified)
    try steps.willPerform(.syncFileSystem)
    try root.sync()
    // A pointer has no compressed copy, which servers would continue to send.
    try place.folder.removeFile(place.compressed.name)
    try steps.willPerform(.place(place.path))
    if current == nil { return try staged.place(as: place.name, by: placings) }
    try staged.replace(place.name)
    return true
  }

  /// Waits until the new name is on the disk; an error at this point cannot claim that nothing has
  /// changed.
  private func waitForName(of place: FolderPlace) throws(TargetError) {
    do {
      try steps.willPerform(.syncFolder(place.folder.path))
      try place.folder.sync()
    } catch {
      let failure = TargetError(error, target: name)
      throw TargetError(
        .unreachable,
        "\(failure.description) ('\(place.path)' is replaced, but may not survive a crash)")
    }
  }

  /// Writes bytes under a key, in place of any other file, without waiting for the disk.
  ///
  /// For files that need not be reliable: after a crash of the machine, only a part may remain.
  package func put(_ bytes: [UInt8], at key: String) throws(TargetError) {
    try reporting { () throws(StoreError) in
      let place = try root.makePlace(of: FolderKey(key))
      _ = try lock.locked { () throws(StoreError) in
        let current = try TargetFile.read(place, limit: ReadLimit.bytes(of: key))
        if current?.bytes.hasSameBytes(as: bytes) ?? false { return false }
        try steps.willPerform(.stage(place.path))
        let staged = try StagedFile(.bytes(bytes), in: place.folder)
        sweep(place.folder, writing: staged)
        if let current { try staged.move(after: current.modified) }
        try steps.willPerform(.place(place.path))
        try staged.replace(place.name)
        return true
      }
    }
  }
}
