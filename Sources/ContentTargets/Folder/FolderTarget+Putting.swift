import ContentStore

extension FolderTarget {
  /// Writes bytes under a key, in place of any other file, without waiting for the disk.
  ///
  /// For files that need not be reliable: after a crash of the machine, only a part may remain.
  package func put(_ bytes: [UInt8], at key: String) throws(TargetError) {
    try reporting { () throws(StoreError) in
      let place = try root.makePlace(of: FolderKey(key))
      _ = try lock.locked { () throws(StoreError) in
        let current = try FolderFile.read(place, limit: ReadLimit.bytes(of: key))
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
