import ContentModel
import PropertyLists
import SystemC

/// A folder with objects, state and journal, which several processes may share.
final class FolderStorage: ContentStorage {
  private let folder: String
  private let files: ObjectFolder

  /// The most bytes of a state: a config of 64 kB, three times, and much room.
  private static let stateLimit = 4 << 20

  init(_ folder: String) { (self.folder, files) = (folder, ObjectFolder(folder)) }

  private var statePath: String { "\(folder)/state.plist" }

  // MARK: State

  func state() throws(ContentError) -> StoredState? {
    switch FolderFile.presence(statePath) {
    case .absent: return nil
    case .unknown: throw unreadable(statePath)
    case .present(let size) where size > Self.stateLimit:
      throw ContentError(.damaged, because: "\(statePath) is damaged; the client starts without it")
    case .present:
      guard let bytes = FolderFile.contents(statePath, limit: Self.stateLimit) else {
        throw unreadable(statePath)
      }
      guard let state = (try? PropertyList.decode(bytes).value).flatMap({ StoredState($0) }) else {
        throw ContentError(
          .damaged, because: "\(statePath) is damaged; the client starts without it")
      }
      return state
    }
  }

  func store(_ state: StoredState, isDurable: Bool) throws(ContentError) -> StoredState {
    try prepare()
    let lock = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure(at: "\(folder)/lock", code: errno) }
    defer { close(lock) }
    while flock(lock, LOCK_EX) != 0 {
      guard errno == EINTR else { throw failure(at: "\(folder)/lock", code: errno) }
    }
    var merged = state
    do {
      if let other = try self.state() { merged.merge(other) }
    } catch  where error.kind == .damaged {
      // A damaged state counts as absent.
    }
    try write(merged.value, to: statePath, isDurable: isDurable)
    return merged
  }

  var stamp: Int {
    var status = stat()
    guard lstat(statePath, &status) == 0 else { return 0 }
    #if os(Linux)
      let time = status.st_mtim.tv_nsec
    #else
      let time = status.st_mtimespec.tv_nsec
    #endif
    return Int(truncatingIfNeeded: status.st_ino) &* 1_000_000_007 &+ Int(time)
  }

  // MARK: Journal

  func journal() -> Journal {
    guard let bytes = FolderFile.contents("\(folder)/journal.plist", limit: 64 << 20),
      let value = try? PropertyList.decode(bytes).value
    else { return Journal() }
    return Journal(value)
  }

  func store(_ journal: Journal) throws(ContentError) {
    try prepare()
    try write(journal.value, to: "\(folder)/journal.plist", isDurable: true)
  }

  private func write(_ value: Value, to path: String, isDurable: Bool) throws(ContentError) {
    do {
      try FolderFile.replace(
        path, with: PropertyList.encode(value, as: .binary), isDurable: isDurable)
    } catch {
      throw ContentError(.storage, because: "\(error)")
    }
  }

  // MARK: Objects

  func bytes(of object: SiteObject) -> [UInt8]? { files.bytes(of: object) }

  func contains(_ object: SiteObject, size: Int?) -> Bool { files.contains(object, size: size) }

  func holds(_ object: SiteObject, size: Int?) -> Bool { files.holds(object, size: size) }

  func store(_ bytes: [UInt8], of object: SiteObject) throws(ContentError) {
    try prepare()
    let path = files.path(of: object)
    do {
      try FolderFile.makeFolder(String(path.prefix(path.count - object.fileName.count - 1)))
      try FolderFile.replace(path, with: bytes, isDurable: true)
    } catch {
      throw ContentError(.storage, because: "\(error)")
    }
    files.noteChecked(object)
  }

  func remove(_ object: SiteObject) { unlink(files.path(of: object)) }

  func objects() -> [(object: SiteObject, size: Int)] {
    var found: [(object: SiteObject, size: Int, used: Int)] = []
    for part in FolderFile.names(in: "\(folder)/objects") {
      for name in FolderFile.names(in: "\(folder)/objects/\(part)") {
        let path = "objects/\(part)/\(name)"
        var status = stat()
        guard let object = SiteObject(path: path), lstat("\(folder)/\(path)", &status) == 0 else {
          continue
        }
        found.append((object, Int(status.st_size), Self.time(of: status)))
      }
    }
    return found.sorted { $0.used < $1.used }.map { ($0.object, $0.size) }
  }

  func path(of object: SiteObject) -> String? { files.path(of: object) }

  private static func time(of status: stat) -> Int {
    #if os(Linux)
      Int(max(status.st_atim.tv_sec, status.st_mtim.tv_sec))
    #else
      Int(max(status.st_atimespec.tv_sec, status.st_mtimespec.tv_sec))
    #endif
  }

  private func prepare() throws(ContentError) {
    do { try FolderFile.makeFolder("\(folder)/objects") } catch {
      throw ContentError(.storage, because: "\(error)")
    }
  }

  private func unreadable(_ path: String) -> ContentError {
    ContentError(.storage, because: "\(path) cannot be read now")
  }

  private func failure(at path: String, code: CInt) -> ContentError {
    ContentError(.storage, because: "\(FolderFile.Failure(path: path, code: code))")
  }
}
