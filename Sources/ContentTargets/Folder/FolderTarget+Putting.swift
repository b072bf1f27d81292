import ContentStore

extension FolderTarget {
  /// Gives a name to bytes, in the place of whatever file has it; nobody waits until they are on
  /// the disk.
  ///
  /// For what is nothing to rely on: a crash of the machine may leave a part of it.
  package func put(_ key: String, _ bytes: [UInt8]) throws(TargetError) {
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
