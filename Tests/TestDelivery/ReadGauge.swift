import Synchronization
import System

@testable import ContentTargets

/// A target with slow reads, comparisons and lists that records how many run concurrently.
final class ReadGauge: Target {
  private let target: MemoryTarget
  private let counts = Mutex((now: 0, most: 0))
  private let keys = Mutex<[String]>([])

  init(_ target: MemoryTarget) { self.target = target }

  var most: Int { counts.withLock { $0.most } }
  /// The keys of the files that were read.
  var read: [String] { keys.withLock { $0 } }
  var name: String { target.name }
  var hasLock: Bool { true }
  func honorsConditions() -> Bool { true }
  func exclusively<Result>(_ work: () throws -> Result) throws -> Result { try work() }

  private func slowly<Answer>(_ answer: () -> Answer) -> Answer {
    counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
    defer { counts.withLock { $0.now -= 1 } }
    RequestEnvironment.system.sleep(5)
    return answer()
  }

  func read(_ key: String) -> StoredFile? {
    keys.withLock { $0.append(key) }
    return slowly { target.read(key) }
  }

  func create(_ key: String, as file: OutgoingFile) -> Bool { target.create(key, as: file) }
  func replace(_ key: String, with file: OutgoingFile, tagged: String?) -> Bool {
    target.replace(key, with: file, tagged: tagged)
  }
  func holds(_ key: String, as file: OutgoingFile) -> Bool {
    slowly { target.holds(key, as: file) }
  }
  func remove(_ key: String) { target.remove(key) }
  func list(below prefix: String) -> [ListedFile] { slowly { target.list(below: prefix) } }
}
