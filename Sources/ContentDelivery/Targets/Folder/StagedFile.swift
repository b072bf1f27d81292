import ContentStore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// A file under a temporary name, in the folder where it belongs.
///
/// A class, since its end removes the temporary name.
final class StagedFile {
  let path: String
  private static let count = Atomic(0)

  /// Writes the file; that it is on the disk is waited for by nobody.
  init(_ body: FileBody, in folder: String) throws(StoreError) {
    path = try Self.create(body, in: folder)
  }

  deinit { try? Disk.removeFile(path) }

  /// Whether a name is one of these.
  static func isStaged(_ name: String) -> Bool { name.hasPrefix(FolderKey.reserved) && name.hasSuffix(".tmp") }

  private static func create(_ body: FileBody, in folder: String) throws(StoreError) -> String {
    while true {
      let number = count.add(1, ordering: .relaxed).newValue
      let path = "\(folder)/\(FolderKey.reserved)-\(getpid())-\(number).tmp"
      do {
        try Disk.create(path) { file throws(StoreError) in
          try body.forEachPiece { piece throws(StoreError) in try file.write(piece) }
        }
        return path
      } catch StoreError.failed(.open, _, EEXIST) {
        // A killed process that had the same number, or one on another machine.
        continue
      } catch {
        try? Disk.removeFile(path)
        throw error
      }
    }
  }

  /// Replaces what stands at a path.
  func replace(_ path: String) throws(StoreError) { try Disk.rename(self.path, to: path) }

  /// Takes a name unless a file has it, and says whether none had; anything but a file is an error.
  func place(_ path: String, _ ways: [Placing]) throws(StoreError) -> Bool {
    for way in ways {
      guard let isPlaced = try way.place(self.path, as: path) else { continue }
      if !isPlaced { _ = try FolderFile.isThere(path) }
      return isPlaced
    }
    throw .failed(.rename, path: path, errno: EOPNOTSUPP)
  }

  /// When it was written, in whole seconds since 1970, by the clock of its file system.
  func modified() throws(StoreError) -> Int { try Descriptor(path, O_RDONLY | O_NOFOLLOW).status().modifiedSecond }

  /// Gives it a time in a later second than `moment`, if it does not have one, and waits until it is on the disk.
  func settle(after moment: Int?) throws(StoreError) {
    if let moment { try move(after: moment) }
    try Descriptor(path, O_WRONLY | O_NOFOLLOW).sync()
  }

  /// Gives it a time in a later second than `moment`, if it does not have one.
  func move(after moment: Int) throws(StoreError) {
    let file = try Descriptor(path, O_WRONLY | O_NOFOLLOW)
    // FAT counts in steps of two seconds.
    for second in moment + 1...moment + 3 where try file.status().modifiedSecond <= moment {
      try file.setModified(seconds: second)
    }
    guard try file.status().modifiedSecond > moment else { throw .failed(.write, path: path, errno: ERANGE) }
  }
}
