import TestServers

@testable import ContentReleases
@testable import ContentTargets

/// A target without a lock, where a test answers each write.
struct ScriptedTarget: Target {
  enum Write: Sendable {
    case create(String)
    case replace(String)
    case remove(String)

    var key: String {
      switch self {
      case .create(let key), .replace(let key), .remove(let key): key
      }
    }
  }

  /// Answers a write; `work` does it, and returns the true answer.
  typealias Answer =
    @Sendable (_ write: Write, _ work: () throws(TargetError) -> Bool) throws(TargetError) -> Bool

  let target: any Target
  let answer: Answer
  /// Returns the error of a read; `nil` if the file can be read.
  var readError: @Sendable (_ key: String) -> TargetError? = { _ in nil }
  /// Returns whether an emergency waits for the target.
  var isWanted: @Sendable () -> Bool = { false }

  init(_ target: any Target, answering answer: @escaping Answer) {
    (self.target, self.answer) = (target, answer)
  }

  /// Creates a target that loses the answer to the first write of a key, after which `follow` runs.
  ///
  /// The writer gets no answer, or the refusal of a repeated request.
  init(
    _ target: any Target, losingAnswerTo key: String, isRepeated: Bool,
    then follow: @escaping @Sendable () throws -> Void
  ) {
    let writes = Counter()
    self.init(target) { write, work throws(TargetError) in
      guard write.key == key, writes.next() == 1 else { return try work() }
      _ = try work()
      do { try follow() } catch { throw TargetError(.failed, "\(error)") }
      if isRepeated { return false }
      throw TargetError(.unreachable, "no answer")
    }
  }

  var name: String { target.name }
  var hasLock: Bool { false }
  var isWantedByEmergency: Bool { isWanted() }
  func honorsConditions() throws(TargetError) -> Bool { try target.honorsConditions() }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }
  func read(_ key: String) throws(TargetError) -> StoredFile? {
    if let error = readError(key) { throw error }
    return try target.read(key)
  }
  func holds(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try target.holds(key, as: file)
  }
  func list(below prefix: String) throws(TargetError) -> [ListedFile] {
    try target.list(below: prefix)
  }
  func names(below prefix: String) throws(TargetError) -> [String] {
    try target.names(below: prefix)
  }

  func create(_ key: String, as file: OutgoingFile) throws(TargetError) -> Bool {
    try answer(.create(key)) { () throws(TargetError) in try target.create(key, as: file) }
  }

  func replace(_ key: String, with file: OutgoingFile, tagged: String?) throws(TargetError) -> Bool
  {
    try answer(.replace(key)) { () throws(TargetError) in
      try target.replace(key, with: file, tagged: tagged)
    }
  }

  func remove(_ key: String) throws(TargetError) {
    _ = try answer(.remove(key)) { () throws(TargetError) in
      try target.remove(key)
      return true
    }
  }
}

extension ChannelPlace {
  /// Publishes the live content again, with the next number, as another publisher.
  func republish() throws {
    guard let live = try live() else { throw DeliveryError(.unknown, "nothing is published") }
    var draft = Draft(content: live.content(at: target), of: live.record.contentRelease)
    draft.above = live.number
    _ = try publisher(run: "republished").publish { _ in draft }
  }
}
