import ContentModel
import ContentTargets
import Synchronization

/// A target that answers each read and each list once: the state of a channel at one moment.
///
/// The questions about many files of killed commands share records and lists, so that a purge need
/// not wait for the same answers again.
struct RememberingTarget: Target {
  private let target: any Target
  private let memory = Memory()

  /// A class, since copies of the target share it.
  private final class Memory: Sendable {
    let files = Mutex<[String: StoredFile?]>([:])  // String keys: keys are ASCII
    let lists = Mutex<[String: [ListedFile]]>([:])  // String keys: keys are ASCII
  }

  init(_ target: any Target) { self.target = target }

  func read(_ key: String) throws(TargetError) -> StoredFile? {
    if let known = memory.files.withLock({ $0[key] }) { return known }
    let stored = try target.read(key)
    memory.files.withLock { $0[key] = .some(stored) }
    return stored
  }

  func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    if let known = memory.lists.withLock({ $0[prefix] }) { return known }
    let files = try target.list(below: prefix)
    memory.lists.withLock { $0[prefix] = files }
    return files
  }

  var name: String { target.name }
  var hasLock: Bool { target.hasLock }
  var time: Instant? { target.time }
  func honorsConditions() throws(TargetError) -> Bool { try target.honorsConditions() }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    try target.exclusively(work)
  }
  func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try target.create(key, as: file)
  }
  func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool
  {
    try target.replace(key, with: file, tagged: tagged)
  }
  func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try target.holds(key, as: file)
  }
  func remove(_ key: String) throws(TargetError) { try target.remove(key) }
  func erase(_ key: String) throws(TargetError) { try target.erase(key) }
}
