import ContentModel
import Synchronization
import System
import SystemC

/// The root folder of a target, and the folders below it.
///
/// A class, since all writers through one target share its state.
final class FolderRoot: Sendable {
  private struct State {
    var path: String?
    /// The keys of files that may not be on the disk yet, at most `FolderRoot.few`.
    var unsettled: Set<String> = []
    /// `true` if there were more.
    var areMany = false
    /// A folder in each file system with unsynced files, by the file system's number.
    var volumes: [UInt64: HeldFolder] = [:]
    var swept: Set<ExactString> = []
  }

  /// The largest number of files that `sync` waits for one by one.
  ///
  /// For more files, syncing the whole file system is faster, although it also waits for writes of
  /// other programs (7 s were measured).
  private static let few = 256

  let given: String
  private let state = Mutex(State())

  init(_ path: String) { given = path }

  /// Returns the resolved path of the folder, which stays the same during the life of this value;
  /// `nil` if the folder does not exist yet.
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

  /// Returns the resolved path of the folder, which is created if needed.
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
    let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// Throws unless the folder could be created: its parent exists, and no dangling link is in its
  /// place.
  private func requireRoom() throws(StoreError) {
    guard try Disk.examine(given).kind == .nothing, !given.isEmpty else {
      throw .failed(.open, path: given, errno: ENOENT)
    }
    let parts = given.pathParts.dropLast()
    let parent =
      given.hasBytePrefix("/")
      ? "/" + parts.joined(separator: "/") : "./" + parts.joined(separator: "/")
    guard access(parent, F_OK) == 0 else { throw .failed(.open, path: parent, errno: errno) }
  }

  /// Returns the place of a key's file; `nil` if its folder does not exist.
  func place(of key: FolderKey) throws(StoreError) -> FolderPlace? {
    guard let folder = try folder(key.folders) else { return nil }
    return FolderPlace(of: key, in: folder)
  }

  /// Returns the folder at a path of names; `nil` if it does not exist.
  ///
  /// Opens folder after folder from an open one, and follows no symbolic link.
  func folder(_ names: [Substring]) throws(StoreError) -> HeldFolder? {
    guard let path = try find(), var folder = try Self.open(path) else { return nil }
    for name in names {
      guard let next = try folder.folder(String(name)) else { return nil }
      folder = next
    }
    return folder
  }

  /// Returns the place of a key's file, in a folder that is created if needed.
  func makePlace(of key: FolderKey) throws(StoreError) -> FolderPlace {
    var folder = try HeldFolder(try make())
    for name in key.folders { folder = try folder.makeFolder(String(name)) }
    return FolderPlace(of: key, in: folder)
  }

  /// Records that a later `sync` has to wait for a file and for the names of its folders.
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

  /// Waits until the disk has every file that was written or found since the last call.
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
    // One after the other, since the first sync waits for most of the others' data.
    for key in keys { try settle(FolderKey(key)) }
    var folders: Set<[Substring]> = []
    for key in keys {
      let names = try FolderKey(key).folders
      for count in 0...names.count { folders.insert(Array(names.prefix(count))) }
    }
    for names in folders { try folder(names)?.sync() }
  }

  /// Waits for a file and its compressed copy, as far as they still exist.
  private func settle(_ key: FolderKey) throws(StoreError) {
    guard let place = try place(of: key) else { return }
    for file in [place, place.compressed] where try file.folder.kind(of: file.name) == .file {
      try file.folder.open(file.name, flags: O_RDONLY | O_NONBLOCK).sync()
    }
  }

  /// Returns whether the leftovers of a folder are to be removed: `true` once for each folder.
  func claimSweep(of folder: String) -> Bool { state.withLock { $0.swept.insert(folder) } }
}
