import Synchronization

@testable import ContentTargets
@testable import TestDelivery

/// A target that gives false answers: to one call, or to all calls from that one on.
///
/// A class because it counts its calls.
final class LyingTarget: Target {
  enum Lie: String, CaseIterable, Sendable {
    /// A write is reported as done but dropped.
    case droppedWrite
    /// A write is done, but its answer is lost.
    case lostAnswer
    /// A write is neither done nor answered.
    case lostRequest
    /// A read or a list returns the state from before the command.
    case staleRead
    /// A read returns half of a file.
    case truncatedRead

    var isOfWrites: Bool { [.droppedWrite, .lostAnswer, .lostRequest].contains(self) }
  }

  /// The calls that get a false answer.
  enum Place: Sendable {
    case never
    /// One write, or one read, counted from 0.
    case one(Int)
    /// The write or read with this number and all later ones.
    case from(Int)
    /// The calls for keys with this prefix.
    case keys(String)

    func contains(_ number: Int, _ key: String) -> Bool {
      switch self {
      case .never: false
      case .one(let place): number == place
      case .from(let place): number >= place
      case .keys(let beginning): key.hasPrefix(beginning)
      }
    }
  }

  private let target: any Target
  private let before: any Target
  private let lie: Lie
  private let place: Place
  private let counts = Mutex((reads: 0, writes: 0))

  /// Creates a target that gives false answers about `target`.
  ///
  /// Stale reads return the state of `before`.
  init(_ target: any Target, before: any Target, _ lie: Lie, at place: Place) {
    (self.target, self.before, self.lie, self.place) = (target, before, lie, place)
  }

  /// The number of calls to which the lie applies.
  var calls: Int { counts.withLock { lie.isOfWrites ? $0.writes : $0.reads } }

  var name: String { target.name }
  var hasLock: Bool { false }
  func honorsConditions() throws(TargetError) -> Bool { try target.honorsConditions() }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }

  func read(_ key: String) throws(TargetError) -> StoredFile? {
    guard liesAtRead(of: key) else { return try target.read(key) }
    if lie == .staleRead { return try before.read(key) }
    return try target.read(key).map {
      StoredFile(bytes: Array($0.bytes.prefix($0.bytes.count / 2)), tag: $0.tag)
    }
  }

  func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try read(key)?.bytes == file.bytes
  }

  func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    guard liesAtRead(of: prefix), lie == .staleRead else { return try target.list(below: prefix) }
    return try before.list(below: prefix)
  }

  func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try write(key) { () throws(TargetError) in try target.create(key, as: file) }
  }

  func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool
  {
    try write(key) { () throws(TargetError) in try target.replace(key, with: file, tagged: tagged) }
  }

  func remove(_ key: String) throws(TargetError) {
    _ = try write(key) { () throws(TargetError) in
      try target.remove(key)
      return true
    }
  }

  private func liesAtRead(of key: String) -> Bool {
    let number = counts.withLock { counts in
      defer { counts.reads += 1 }
      return counts.reads
    }
    return !lie.isOfWrites && place.contains(number, key)
  }

  private func write(_ key: String, _ work: () throws(TargetError) -> Bool) throws(TargetError)
    -> Bool
  {
    let number = counts.withLock { counts in
      defer { counts.writes += 1 }
      return counts.writes
    }
    guard lie.isOfWrites, place.contains(number, key) else { return try work() }
    if lie == .droppedWrite { return true }
    if lie == .lostAnswer { _ = try work() }
    throw TargetError(.unreachable, "no answer")
  }
}
