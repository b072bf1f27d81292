import ContentModel
import SiteFormat
import SystemC

/// Objects, state and journal in memory, for tests and for apps that store nothing.
final class MemoryStorage: ContentStorage {
  private struct Contents: Sendable {
    var state: StoredState?
    var journal = Journal()
    var objects: [SiteObject: [UInt8]] = [:]
    /// The objects in the order of their last use.
    var used: [SiteObject] = []
  }

  private let contents = Locked(Contents())
  private let lock = Locked(())
  /// Files for those who need a path, in the system's folder for temporary files.
  private let files = TemporaryFiles()

  func state() throws(ContentError) -> StoredState? { contents.withLock { $0.state } }

  func exclusively<Result>(
    waits: Bool, _ work: () throws(ContentError) -> Result
  ) throws(ContentError) -> Result? {
    try lock.withLock { _ throws(ContentError) in try work() }
  }

  func store(_ state: StoredState, isDurable: Bool) throws(ContentError) {
    contents.withLock { $0.state = state }
  }

  func store(_ journal: Journal, isDurable: Bool) throws(ContentError) {
    contents.withLock { $0.journal = journal }
  }

  func journal() -> Journal { contents.withLock { $0.journal } }

  func bytes(of object: SiteObject) -> [UInt8]? { contents.withLock { $0.objects[object] } }

  func contains(_ object: SiteObject, size: Int?) -> Bool {
    contents.withLock { contents in contents.objects[object].map { $0.count == size ?? $0.count } }
      ?? false
  }

  func holds(_ object: SiteObject, size: Int?) -> Bool { contains(object, size: size) }

  func takeDamagedObjects() -> [SiteObject] { [] }

  func store(_ bytes: [UInt8], of object: SiteObject) throws(ContentError) {
    contents.withLock {
      if $0.objects.updateValue(bytes, forKey: object) == nil { $0.used.append(object) }
    }
  }

  func remove(_ object: SiteObject) {
    contents.withLock {
      $0.objects[object] = nil
      $0.used.removeAll { $0 == object }
    }
    files.remove(object)
  }

  func objects() -> [(object: SiteObject, size: Int)] {
    contents.withLock { contents in
      contents.used.map { ($0, contents.objects[$0]?.count ?? 0) }
    }
  }

  func path(of object: SiteObject) -> String? {
    bytes(of: object).flatMap { files.path(of: object, with: $0) }
  }

  func removeAbandonedFiles() {}

  var stamp: Int { 0 }
}

/// Files in a folder of their own, which is removed with them.
///
/// A class, since its end removes the folder.
private final class TemporaryFiles: Sendable {
  /// The written files, and their folder; `nil` before the first one.
  private struct Written: Sendable {
    var folder: String?
    var paths: [SiteObject: String] = [:]
  }

  private let written = Locked(Written())

  deinit {
    let written = written.current
    for path in written.paths.values { unlink(path) }
    if let folder = written.folder { rmdir(folder) }
  }

  /// Returns the path of a file with an object's bytes; `nil` if it cannot be written.
  func path(of object: SiteObject, with bytes: [UInt8]) -> String? {
    written.withLock { written in
      if let path = written.paths[object] { return path }
      let root = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
      let folder =
        written.folder ?? "\(root)/ContentClient-\(getpid())-\(UInt64.random(in: 0 ... .max))"
      let path = "\(folder)/\(object.fileName)"
      do {
        try FolderFile.makeFolder(folder)
        written.folder = folder
        try FolderFile.replace(path, with: bytes, isDurable: false)
      } catch { return nil }
      written.paths[object] = path
      return path
    }
  }

  func remove(_ object: SiteObject) {
    let path = written.withLock { $0.paths.removeValue(forKey: object) }
    if let path { unlink(path) }
  }
}
