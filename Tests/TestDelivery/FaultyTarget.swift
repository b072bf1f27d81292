import ContentModel
import PropertyLists
import Synchronization

@testable import ContentTargets

/// The binary property list of a value.
enum PropertyListBytes {
  static func binary(_ value: Value) throws -> [UInt8] {
    try PropertyList.encode(value, as: .binary)
  }
}

/// A target without a lock, like a bucket.
struct UnlockedTarget: Target {
  let target: any Target

  var name: String { target.name }
  func honorsConditions() throws(TargetError) -> Bool { try target.honorsConditions() }
  var hasLock: Bool { false }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }
  func read(_ key: String) throws(TargetError) -> StoredFile? { try target.read(key) }
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
  func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    try target.list(below: prefix)
  }
}

/// A target that fails at one of its writes, before or after it takes effect.
final class FaultyTarget: Target {
  enum Fault: String, CaseIterable, Sendable {
    /// The process ends right before the write, or right after it.
    case killedBefore, killedAfter
    /// An error that correctly implies that nothing was written.
    case failedBefore
    /// A server error although the write took effect.
    case failedAfter
    /// A new file is left half written. No target truncates a file that it replaces.
    case cut
    /// No answer, while the write had no effect or did take effect.
    case unansweredBefore, unansweredAfter
    /// A failed condition, as if another client had written first.
    case refused
  }

  private let target: any Target
  private let fault: Fault
  private let place: Int
  private let state = Mutex((writes: 0, isDead: false))

  /// Fails at write number `place`, counted from 0.
  init(_ target: any Target, _ fault: Fault, at place: Int) {
    (self.target, self.fault, self.place) = (target, fault, place)
  }

  var name: String { target.name }

  /// The number of writes so far.
  var writes: Int { state.withLock { $0.writes } }

  func honorsConditions() throws(TargetError) -> Bool { try target.honorsConditions() }

  var hasLock: Bool { target.hasLock }

  func exclusively<Result>(_ work: () throws -> Result) throws -> Result {
    try target.exclusively(work)
  }

  func read(_ key: String) throws(TargetError) -> StoredFile? {
    try checkAlive()
    return try target.read(key)
  }

  func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    if fault == .cut, writes == place {
      let half = OutgoingFile(
        bytes: Array(file.bytes.prefix(file.bytes.count / 2)), headers: file.headers)
      _ = try target.create(key, as: half)
    }
    return try write { () throws(TargetError) in try target.create(key, as: file) }
  }

  func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool
  {
    try write { () throws(TargetError) in try target.replace(key, with: file, tagged: tagged) }
  }

  func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try checkAlive()
    return try target.holds(key, as: file)
  }

  func remove(_ key: String) throws(TargetError) {
    _ = try write { () throws(TargetError) in
      try target.remove(key)
      return true
    }
  }

  func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    try checkAlive()
    return try target.list(below: prefix)
  }

  private func checkAlive() throws(TargetError) {
    if state.withLock({ $0.isDead }) { throw TargetError(.failed, "killed") }
  }

  private func write(_ work: () throws(TargetError) -> Bool) throws(TargetError) -> Bool {
    try checkAlive()
    let number = state.withLock { state in
      defer { state.writes += 1 }
      return state.writes
    }
    guard number == place else { return try work() }
    switch fault {
    case .killedBefore: state.withLock { $0.isDead = true }
    case .killedAfter:
      _ = try work()
      state.withLock { $0.isDead = true }
    case .failedBefore: throw TargetError(.failed, "500")
    case .failedAfter:
      _ = try work()
      throw TargetError(.failed, "500")
    case .cut: throw TargetError(.unreachable, "cut")
    case .unansweredBefore: throw TargetError(.unreachable, "no answer")
    case .unansweredAfter:
      _ = try work()
      throw TargetError(.unreachable, "no answer")
    case .refused: return false
    }
    throw TargetError(.failed, "killed")
  }
}
