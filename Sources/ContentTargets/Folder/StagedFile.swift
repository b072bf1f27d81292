import ContentModel
import Synchronization
import System
import SystemC

/// A file under a temporary name, in the folder of its final name.
///
/// A class, since its deinitializer removes the temporary name.
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
    name.hasBytePrefix(FolderKey.reserved) && name.hasByteSuffix(".tmp")
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
        // A killed process had the same number, or a process on another machine has it.
        continue
      } catch {
        try? folder.removeFile(name)
        throw error
      }
    }
  }

  /// Takes a name in the same folder, in place of any other file.
  func replace(_ name: String) throws(StoreError) { try place.folder.rename(place.name, to: name) }

  /// Takes a name unless a file has it, and returns whether it did.
  ///
  /// - Throws: `StoreError` if the name belongs to something other than a file.
  func place(as name: String, by ways: [Placing]) throws(StoreError) -> Bool {
    let wanted = FolderPlace(name, in: place.folder)
    for way in ways {
      guard let isPlaced = try way.place(place.name, as: name, in: place.folder) else { continue }
      if !isPlaced { _ = try TargetFile.isThere(wanted) }
      return isPlaced
    }
    throw .failed(.rename, path: wanted.path, errno: EOPNOTSUPP)
  }

  /// Returns the time of the write in whole seconds since 1970, by the clock of the file system.
  func modified() throws(StoreError) -> Int {
    try place.folder.open(place.name, flags: O_RDONLY).status().modifiedSecond
  }

  /// Moves the file's time to a second after `moment`, if needed, and waits until the file is on
  /// the disk.
  func settle(after moment: Int?) throws(StoreError) {
    if let moment { try move(after: moment) }
    try place.folder.open(place.name, flags: O_WRONLY).sync()
  }

  /// Moves the file's time to a second after `moment`, if needed.
  func move(after moment: Int) throws(StoreError) {
    let file = try place.folder.open(place.name, flags: O_WRONLY)
    // FAT has a resolution of two seconds, so one of these seconds is later in every file system.
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
