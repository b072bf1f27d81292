import ContentModel
import PropertyLists
import SiteFormat
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
      let value = try? PropertyList.decode(bytes).value
      if let newer = NewerFormat(value?["format"], above: StoredState.version) {
        throw ContentError(
          .damaged,
          because: "\(newer.sentence(about: statePath)); the client starts without the file")
      }
      guard let state = value.flatMap({ StoredState($0) }) else {
        throw ContentError(
          .damaged, because: "\(statePath) is damaged; the client starts without it")
      }
      return state
    }
  }

  func exclusively<Result>(
    waits: Bool, _ work: () throws(ContentError) -> Result
  ) throws(ContentError) -> Result? {
    try prepare()
    let lock = open("\(folder)/lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard lock >= 0 else { throw failure(at: "\(folder)/lock", code: errno) }
    defer {
      // A process that the app starts has a copy of the descriptor until it runs its program, and a copy
      // keeps the lock.
      _ = flock(lock, LOCK_UN)
      close(lock)
    }
    while flock(lock, waits ? LOCK_EX : LOCK_EX | LOCK_NB) != 0 {
      if errno == EWOULDBLOCK, !waits { return nil }
      guard errno == EINTR else { throw failure(at: "\(folder)/lock", code: errno) }
    }
    return try work()
  }

  func store(_ state: StoredState, isDurable: Bool) throws(ContentError) {
    try prepare()
    try write(state.value, to: statePath, isDurable: isDurable)
  }

  var stamp: Int {
    // Before the first unlock of a device, the file has a status but cannot be opened.
    let descriptor = open(statePath, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else { return errno == ENOENT ? 0 : -1 }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return -1 }
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

  func store(_ journal: Journal, isDurable: Bool) throws(ContentError) {
    try prepare()
    try write(journal.value, to: "\(folder)/journal.plist", isDurable: isDurable)
  }

  private func write(_ value: Value, to path: String, isDurable: Bool) throws(ContentError) {
    do {
      try FolderFile.replace(
        path, with: PropertyList.encode(value, as: .binary), isDurable: isDurable)
    } catch {
      throw ContentError(.storage, because: "\(error)")
    }
  }

  // MARK: The unit

  private var unitPath: String { "\(folder)/unit" }
  /// The number of a drawn unit's digits: 128 random bits.
  private static let unitLength = 32

  var unit: String? {
    guard let bytes = FolderFile.contents(unitPath, limit: Self.unitLength),
      bytes.count == Self.unitLength, bytes.allSatisfy("0123456789abcdef".utf8.contains)
    else { return nil }
    return String(decoding: bytes, as: UTF8.self)
  }

  func unit(drawnBy random: any ContentRandom) -> String? {
    let stored = try? exclusively(waits: false) { () throws(ContentError) -> String? in
      // Another process may have drawn the unit before this one got the lock.
      if let unit { return unit }
      guard mayDrawUnit else { return nil }
      let drawn = (0..<Self.unitLength).map { _ in
        String(Int(random.fraction() * 16), radix: 16)
      }.joined()
      do { try FolderFile.replace(unitPath, with: Array(drawn.utf8), isDurable: true) } catch {
        throw ContentError(.storage, because: "\(error)")
      }
      return drawn
    }
    return stored ?? nil
  }

  /// Returns whether there is no unit, or a damaged one, rather than one that cannot be read now.
  private var mayDrawUnit: Bool {
    switch FolderFile.presence(unitPath) {
    case .absent: true
    case .present: FolderFile.contents(unitPath, limit: 1 << 20) != nil
    case .unknown: false
    }
  }

  // MARK: Objects

  func bytes(of object: SiteObject) -> [UInt8]? { files.bytes(of: object) }

  func contains(_ object: SiteObject, size: Int?) -> Bool { files.contains(object, size: size) }

  func holds(_ object: SiteObject, size: Int?) -> Bool { files.holds(object, size: size) }

  func takeDamagedObjects() -> [SiteObject] { files.takeDamagedObjects() }

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
    usedObjects().sorted { $0.used < $1.used }.map { ($0.object, $0.size) }
  }

  func objects(usedWithin seconds: Int) -> Set<SiteObject> {
    let first = time(nil) - seconds
    return Set(usedObjects().filter { $0.used >= first }.map(\.object))
  }

  func noteUse(of object: SiteObject) { FolderFile.noteUse(files.path(of: object)) }

  /// The stored objects with their sizes and the Unix times of their last uses.
  private func usedObjects() -> [(object: SiteObject, size: Int, used: Int)] {
    var found: [(object: SiteObject, size: Int, used: Int)] = []
    for part in FolderFile.names(in: "\(folder)/objects") {
      for name in FolderFile.names(in: "\(folder)/objects/\(part)") {
        let path = "objects/\(part)/\(name)"
        var status = stat()
        guard let object = SiteObject(path: path), lstat("\(folder)/\(path)", &status) == 0 else {
          continue
        }
        found.append((object, Int(status.st_size), status.secondsOfLastUse))
      }
    }
    return found
  }

  func path(of object: SiteObject) -> String? { files.path(of: object) }

  // MARK: Indexes of entries

  /// The most bytes of an index of entries.
  private static let entryIndexLimit = 64 << 20

  func entryIndex(_ name: Digest) -> [UInt8]? {
    FolderFile.contents("\(folder)/entries/\(name.hex)", limit: Self.entryIndexLimit)
  }

  func store(entryIndex: [UInt8], named name: Digest) {
    guard entryIndex.count <= Self.entryIndexLimit, (try? prepare()) != nil,
      (try? FolderFile.makeFolder("\(folder)/entries")) != nil
    else { return }
    try? FolderFile.replace(
      "\(folder)/entries/\(name.hex)", with: entryIndex, isDurable: false)
  }

  func removeEntryIndexes(besides names: Set<Digest>) {
    for name in FolderFile.names(in: "\(folder)/entries") {
      if Digest(hex: name).map({ !names.contains($0) }) ?? false {
        unlink("\(folder)/entries/\(name)")
      }
    }
  }

  /// The seconds after which no process still writes a temporary file.
  private static let longestWrite = 6 * 3600

  func removeAbandonedFiles() {
    let parts = FolderFile.names(in: "\(folder)/objects").map { "\(folder)/objects/\($0)" }
    for place in [folder, "\(folder)/entries"] + parts {
      FolderFile.removeTemporaryFiles(in: place, olderThan: Self.longestWrite)
    }
  }

  private func prepare() throws(ContentError) {
    do { try FolderFile.makeFolder("\(folder)/objects") } catch {
      throw ContentError(.storage, because: "\(error)")
    }
    #if canImport(Darwin)
      FolderFile.excludeFromBackups(folder)
    #endif
  }

  private func unreadable(_ path: String) -> ContentError {
    ContentError(.storage, because: "\(path) cannot be read now")
  }

  private func failure(at path: String, code: CInt) -> ContentError {
    ContentError(.storage, because: "\(FolderFile.Failure(path: path, code: code))")
  }
}
