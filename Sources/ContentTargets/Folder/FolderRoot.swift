import ContentModel
import ContentStore
import Synchronization
import SystemC

/// The folder that holds a target, and those below it.
///
/// A class, since all who write through one target share what it has found and has to wait for.
final class FolderRoot: Sendable {
  private struct State {
    var path: String?
    /// Keys of files that may not be on the disk yet, up to `FolderRoot.few`.
    var unsettled: Set<String> = []  // String keys: keys are ASCII
    /// True if there were more.
    var areMany = false
    /// One folder in each file system with unsynced files, by the file system's number.
    var volumes: [UInt64: HeldFolder] = [:]
    var swept: Set<ExactString> = []
  }

  /// The most files that are waited for one by one.
  ///
  /// For more, it is faster to wait for all that the file system holds, which takes longer where
  /// other programs write much (7 s were measured).
  private static let few = 256

  let given: String
  private let state = Mutex(State())

  init(_ path: String) { given = path }

  /// Returns the resolved path of the folder, the same during the life of this value; `nil` if the
  /// folder does not exist yet.
  func find() throws(StoreError) -> String? {
    if let path = state.withLock({ $0.path }) { return path }
    guard let found = realpath(given, nil) else {
      if errno != ENOENT { throw .failed(.open, path: given, errno: errno) }
      try requireRoom()
      return nil
    }
    defer { free(found) }
    let path = String(cString: found)
    guard try Disk.examine(path).kind == .folder else {
      throw .failed(.open, path: given, errno: ENOTDIR)
    }
    return state.withLock { state in
      state.path = state.path ?? path
      return state.path
    }
  }

  /// The same; makes the folder if it is not there.
  func make() throws(StoreError) -> String {
    if let path = try find() { return path }
    let isNew = try Disk.examine(given).kind == .nothing
    try Disk.makeFolder(given)
    guard let path = try find() else { throw .failed(.open, path: given, errno: ENOENT) }
    if isNew { try HeldFolder(path).open(toReadersAs: HeldFolder(Self.parent(of: path)).mode) }
    return path
  }

  private static func open(_ path: String) throws(StoreError) -> HeldFolder? {
    do { return try HeldFolder(path) } catch StoreError.failed(_, _, ENOENT) { return nil }
  }

  private static func parent(of path: String) -> String {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Throws unless the folder could be made: there is one to hold it, and no link that leads
  /// nowhere in its place.
  private func requireRoom() throws(StoreError) {
    guard try Disk.examine(given).kind == .nothing, !given.isEmpty else {
      throw .failed(.open, path: given, errno: ENOENT)
    }
    let parts = given.split(separator: "/").dropLast()
    let parent =
      given.hasPrefix("/")
      ? "/" + parts.joined(separator: "/") : "./" + parts.joined(separator: "/")
    guard access(parent, F_OK) == 0 else { throw .failed(.open, path: parent, errno: errno) }
  }

  /// Returns the place of a key's file; `nil` if its folder does not exist.
  func place(of key: FolderKey) throws(StoreError) -> FolderPlace? {
    guard let folder = try folder(key.folders) else { return nil }
    return FolderPlace(of: key, in: folder)
  }

  /// The folder of these names, one in the other; `nil` if it is not there.
  ///
  /// Opens folders name by name from an open one, and follows no link in a folder's place.
  func folder(_ names: [Substring]) throws(StoreError) -> HeldFolder? {
    guard let path = try find(), var folder = try Self.open(path) else { return nil }
    for name in names {
      guard let next = try folder.folder(String(name)) else { return nil }
      folder = next
    }
    return folder
  }

  /// The place of a key's file, in a folder that is made if needed.
  func makePlace(of key: FolderKey) throws(StoreError) -> FolderPlace {
    var folder = try HeldFolder(try make())
    for name in key.folders { folder = try folder.makeFolder(String(name)) }
    return FolderPlace(of: key, in: folder)
  }

  /// Takes down that a later `sync` has to wait for a file, and for the names that lead to it.
  func mustSettle(_ key: String, in folder: HeldFolder) throws(StoreError) {
    let device = UInt64(try folder.status().st_dev)
    state.withLock { state in
      if state.volumes[device] == nil { state.volumes[device] = folder }
      if state.unsettled.count < Self.few {
        state.unsettled.insert(key)
      } else {
        state.areMany = true
      }
    }
  }

  /// Waits until every file is on the disk that was written, or found, since the last time.
  func sync() throws(StoreError) {
    let (keys, areMany, volumes) = state.withLock {
      ($0.unsettled, $0.areMany, Array($0.volumes.values))
    }
    if areMany {
      for volume in volumes { try volume.syncFileSystem() }
    } else {
      try settle(keys.sorted { $0.precedesInBytes($1) })
    }
    state.withLock { state in
      if areMany {
        (state.areMany, state.unsettled) = (false, [])
      } else {
        state.unsettled.subtract(keys)
      }
    }
  }

  private func settle(_ keys: [String]) throws(StoreError) {
    // One after the other: the first one waits for most of what the others need.
    for key in keys { try settle(FolderKey(key)) }
    var folders: Set<[Substring]> = []
    for key in keys {
      let names = try FolderKey(key).folders
      for count in 0...names.count { folders.insert(Array(names.prefix(count))) }
    }
    for names in folders { try folder(names)?.sync() }
  }

  /// Waits for a file and its compressed copy, where they are there still.
  private func settle(_ key: FolderKey) throws(StoreError) {
    guard let place = try place(of: key) else { return }
    for file in [place, place.compressed] where try file.folder.kind(of: file.name) == .file {
      try file.folder.open(file.name, flags: O_RDONLY | O_NONBLOCK).sync()
    }
  }

  /// Says of each folder once that its leftovers are to be removed.
  func claimSweep(of folder: String) -> Bool { state.withLock { $0.swept.insert(folder) } }
}
