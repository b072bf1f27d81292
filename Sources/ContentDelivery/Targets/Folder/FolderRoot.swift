import ContentStore
import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The folder that holds a target, and those below it.
///
/// A class, since all who write through one target share what it has found and has to wait for.
final class FolderRoot: Sendable {
  private struct State {
    var path: String?
    /// One folder in each file system that may hold what is not on the disk yet, by the file system's number.
    var volumes: [UInt64: Volume] = [:]
    var swept: Set<String> = []
  }

  /// A class, since a dictionary cannot hold a descriptor.
  private final class Volume: Sendable {
    let folder: Descriptor
    init(_ path: String) throws(StoreError) { folder = try Descriptor(path, O_RDONLY | O_DIRECTORY) }
  }

  let given: String
  private let state = Mutex(State())

  init(_ path: String) { given = path }

  /// Where the folder really is, the same for as long as this lives; `nil` if it is yet to be made.
  func find() throws(StoreError) -> String? {
    if let path = state.withLock({ $0.path }) { return path }
    guard let found = realpath(given, nil) else {
      if errno != ENOENT { throw .failed(.open, path: given, errno: errno) }
      try requireRoom()
      return nil
    }
    defer { free(found) }
    let path = String(cString: found)
    guard try Disk.examine(path).kind == .folder else { throw .failed(.open, path: given, errno: ENOTDIR) }
    return state.withLock { state in
      state.path = state.path ?? path
      return state.path
    }
  }

  /// The same; makes the folder if it is not there.
  func make() throws(StoreError) -> String {
    if let path = try find() { return path }
    try Disk.makeFolder(given)
    guard let path = try find() else { throw .failed(.open, path: given, errno: ENOENT) }
    return path
  }

  /// Throws unless the folder could be made: there is one to hold it, and no link that leads nowhere in its place.
  private func requireRoom() throws(StoreError) {
    guard try Disk.examine(given).kind == .nothing, !given.isEmpty else {
      throw .failed(.open, path: given, errno: ENOENT)
    }
    let parts = given.split(separator: "/").dropLast()
    let parent = given.hasPrefix("/") ? "/" + parts.joined(separator: "/") : "./" + parts.joined(separator: "/")
    guard access(parent, F_OK) == 0 else { throw .failed(.open, path: parent, errno: errno) }
  }

  /// Where a key's file belongs; `nil` if its folder is not there.
  func place(of key: FolderKey) throws(StoreError) -> FolderPlace? {
    guard let folder = try folder(key.folders) else { return nil }
    return FolderPlace(of: key, in: folder)
  }

  /// The folder of these names, one in the other; `nil` if it is not there.
  func folder(_ names: [Substring]) throws(StoreError) -> String? {
    guard var path = try find() else { return nil }
    for name in names {
      path += "/" + name
      guard try isFolder(path) else { return nil }
    }
    return path
  }

  /// Where a key's file belongs, in a folder that is made if needed, and that a later `sync` waits for.
  func makePlace(of key: FolderKey) throws(StoreError) -> FolderPlace {
    var path = try make()
    for name in key.folders {
      path += "/" + name
      if try !isFolder(path) { try Disk.makeFolder(path) }
    }
    let device = try Disk.examine(path).identity.device
    if state.withLock({ $0.volumes[device] }) == nil {
      let volume = try Volume(path)
      state.withLock { $0.volumes[device] = volume }
    }
    return FolderPlace(of: key, in: path)
  }

  private func isFolder(_ path: String) throws(StoreError) -> Bool {
    switch try Disk.examine(path).kind {
    case .folder: true
    case .nothing: false
    case .symbolicLink: throw .symbolicLink(path: path)
    case .file, .other: throw .failed(.open, path: path, errno: ENOTDIR)
    }
  }

  /// Waits until everything written so far is on the disk, by whomever.
  func sync() throws(StoreError) {
    for volume in state.withLock({ Array($0.volumes.values) }) { try volume.folder.syncFileSystem() }
  }

  /// Says of each folder once that its leftovers are to be removed.
  func claimSweep(of folder: String) -> Bool { state.withLock { $0.swept.insert(folder).inserted } }
}
