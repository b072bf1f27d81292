import ContentModel
import Synchronization

@testable import ContentReleases
@testable import ContentTargets

/// A target in memory that fulfills the whole contract of `Target`.
final class MemoryTarget: Target {
  private struct State {
    var files: [String: OutgoingFile] = [:]
    var tags: [String: Int] = [:]
    var writes = 0
    var isHeld = false
    var times: [String: Instant] = [:]
    var now = Instant(secondsSince1970: 0)
    var time: Instant?
  }

  let name = "memory"
  private let state: Mutex<State>

  convenience init() { self.init(State()) }

  private init(_ state: State) { self.state = Mutex(state) }

  /// Returns another target with the same files.
  func copy() -> MemoryTarget { MemoryTarget(state.withLock { $0 }) }

  func honorsConditions() -> Bool { true }

  var hasLock: Bool { true }

  func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    let isFree = state.withLock { state in
      defer { state.isHeld = true }
      return !state.isHeld
    }
    guard isFree else { throw TargetError(.busy, "memory: another publisher is at work") }
    defer { state.withLock { $0.isHeld = false } }
    return try work()
  }

  func read(_ key: String) -> StoredFile? {
    state.withLock { state in
      let tag = state.tags[key] ?? 0
      return state.files[key].map { StoredFile(bytes: $0.bytes, tag: "\(tag)") }
    }
  }

  func create(_ key: String, as file: OutgoingFile) -> Bool {
    replace(key, with: file, tagged: nil)
  }

  func replace(_ key: String, with file: OutgoingFile, tagged: String?) -> Bool {
    state.withLock { state in
      guard state.tags[key].map({ "\($0)" }) == tagged else { return false }
      state.writes += 1
      (state.files[key], state.tags[key], state.times[key]) = (file, state.writes, state.now)
      return true
    }
  }

  func holds(_ key: String, as file: OutgoingFile) -> Bool {
    state.withLock { $0.files[key]?.bytes == file.bytes }
  }

  func remove(_ key: String) {
    state.withLock { state in
      state.files[key] = nil
      state.tags[key] = nil
      state.times[key] = nil
    }
  }

  func list(below prefix: String) -> [ListedFile] {
    state.withLock { state in
      state.files.filter { $0.key.hasPrefix(prefix) }.map {
        ListedFile(
          key: $0.key, size: $0.value.bytes.count,
          modified: state.times[$0.key] ?? Instant(secondsSince1970: 0))
      }.sorted { $0.key < $1.key }
    }
  }

  /// The time that the target's answers show; `nil` at first.
  var time: Instant? { state.withLock { $0.time } }

  /// Sets the time that the target's answers show.
  func setTime(to time: Instant?) { state.withLock { $0.time = time } }

  /// Sets the modification time of later writes.
  func setClock(to now: Instant) { state.withLock { $0.now = now } }

  /// Sets the modification time of all files to `instant`, except for those in `others`.
  func setTimes(to instant: Instant, but others: [String: Instant] = [:]) {
    state.withLock { state in
      for key in state.files.keys { state.times[key] = others[key] ?? instant }
    }
  }
}

extension MemoryTarget {
  /// `true` if no command holds the lock against publishers: it was never taken, or was released.
  var isReleased: Bool {
    let past = Instant(secondsSinceReferenceDate: 1)
    return read(RemovalLock.key).flatMap { RemovalHolder($0, now: past) } == nil
  }
}

extension MemoryTarget {
  /// Writes a file, whatever its place has: as an operator does, or a fault of the storage.
  func overwrite(_ key: String, with bytes: [UInt8]) {
    _ = replace(key, with: OutgoingFile(bytes: bytes), tagged: read(key)?.tag)
  }

  /// Writes an earlier config of the channel `production`, as after a backup was restored.
  func restore(config: [UInt8]) { overwrite("production/config.plist", with: config) }
}

extension OutgoingFile {
  /// Creates a file whose headers no test looks at.
  init(bytes: [UInt8]) {
    self.init(bytes: bytes, headers: FileHeaders(contentType: "x", cacheControl: "y"))
  }
}
