import ContentStore
import Synchronization
import SystemC

/// A file under a temporary name, in the folder where it belongs.
///
/// A class, since its end removes the temporary name.
final class StagedFile {
  private let place: FolderPlace
  private static let count = Atomic(0)

  /// Writes the file without waiting for the disk.
  init(_ body: FileBody, in folder: HeldFolder) throws(StoreError) {
    place = FolderPlace(try Self.create(body, in: folder), in: folder)
  }

  deinit { try? place.folder.removeFile(place.name) }

  /// Returns whether a name is that of a staged file.
  static func isStaged(_ name: String) -> Bool {
    name.hasPrefix(FolderKey.reserved) && name.hasSuffix(".tmp")
  }

  private static func create(_ body: FileBody, in folder: HeldFolder) throws(StoreError) -> String {
    while true {
      let number = count.add(1, ordering: .relaxed).newValue
      let name = "\(FolderKey.reserved)-\(getpid())-\(number).tmp"
      do {
        try folder.create(name) { file throws(StoreError) in
          try body.forEachPiece { piece throws(StoreError) in try file.write(piece) }
        }
        return name
      } catch StoreError.failed(.open, _, EEXIST) {
        // A killed process that had the same number, or one on another machine.
        continue
      } catch {
        try? folder.removeFile(name)
        throw error
      }
    }
  }

  /// Replaces what has a name in the same folder.
  func replace(_ name: String) throws(StoreError) { try place.folder.rename(place.name, to: name) }

  /// Takes a name unless a file has it, and says whether none had; anything but a file is an error.
  func place(_ name: String, _ ways: [Placing]) throws(StoreError) -> Bool {
    let wanted = FolderPlace(name, in: place.folder)
    for way in ways {
      guard let isPlaced = try way.place(place.name, as: name, in: place.folder) else { continue }
      if !isPlaced { _ = try FolderFile.isThere(wanted) }
      return isPlaced
    }
    throw .failed(.rename, path: wanted.path, errno: EOPNOTSUPP)
  }

  /// When it was written, in whole seconds since 1970, by the clock of its file system.
  func modified() throws(StoreError) -> Int {
    try place.folder.open(place.name, flags: O_RDONLY).status().modifiedSecond
  }

  /// Gives it a time in a later second than `moment`, if it does not have one, and waits until it
  /// is on the disk.
  func settle(after moment: Int?) throws(StoreError) {
    if let moment { try move(after: moment) }
    try place.folder.open(place.name, flags: O_WRONLY).sync()
  }

  /// Gives it a time in a later second than `moment`, if it does not have one.
  func move(after moment: Int) throws(StoreError) {
    let file = try place.folder.open(place.name, flags: O_WRONLY)
    // FAT counts in steps of two seconds. No file system has a later time than the last of these.
    let last = moment.addingReportingOverflow(3)
    for second
      in (last.overflow ? Int.max - 2 : moment + 1)...(last.overflow ? Int.max : last.partialValue)
    where try file.status().modifiedSecond <= moment {
      try file.setModified(seconds: second)
    }
    guard try file.status().modifiedSecond > moment else {
      throw .failed(.write, path: place.path, errno: ERANGE)
    }
  }
}
