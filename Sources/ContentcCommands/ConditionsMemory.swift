import ContentBuild
import ContentModel
package import ContentTargets
import PropertyLists
import System
import SystemC

/// The servers that supported conditional writes within the last day, in `.contentc/targets.plist`
/// beside the content.
///
/// Only positive answers of this version of contentc are kept. If the file is damaged, the server
/// is tested again.
package struct ConditionsMemory {
  private static let seconds = 86_400.0

  private let folder: String
  private var path: String { "\(folder)/targets.plist" }

  package init(beside content: String) { folder = FolderPath.parent(of: content) + ".contentc" }

  /// Returns `true` if the target supports conditional writes.
  ///
  /// Tests its server unless a recent answer is known.
  package func honorsConditions(_ target: any Target) throws -> Bool {
    guard let key = target.conditionsKey else { return try target.honorsConditions() }
    var known = load()
    if isRecent(known[key]?.instant) { return true }
    let heeds: Bool
    do throws(TargetError) { heeds = try target.honorsConditions() } catch {
      guard error.kind == .denied else { throw error }
      // The test is the first write of a command.
      throw Failure(error).noting(
        "nothing was changed: readers see what they saw before; once this command may write there, run it again"
      )
    }
    guard heeds else { return false }
    known[key] = .date(Clock.now)
    save(known)
    return true
  }

  /// Removes the answer of a target's server, so that the server is tested the next time.
  package func forget(_ target: any Target) {
    var known = load()
    guard let key = target.conditionsKey, known[key] != nil else { return }
    known[key] = nil
    save(known)
  }

  private func isRecent(_ instant: Instant?) -> Bool {
    guard let instant else { return false }
    return (0..<Self.seconds).contains(
      Clock.now.secondsSinceReferenceDate - instant.secondsSinceReferenceDate)
  }

  private func load() -> Members {
    guard !MemoryFolder.isLink(folder), let bytes = try? InputFile(path: path).read(),
      let value = try? PropertyList.decode(bytes).value,
      value["version"]?.text == ContentcVersion.current
    else { return Members() }
    return value["heedsConditions"]?.members ?? Members()
  }

  /// Saves the answers; a failure only costs the next publication a few requests.
  private func save(_ known: Members) {
    let value: Value = [
      "version": .string(ContentcVersion.current), "heedsConditions": .dictionary(known),
    ]
    guard let bytes = try? PropertyList.encode(value, as: .binary), MemoryFolder.make(folder)
    else { return }
    try? AtomicFile(path).write(bytes, durably: false)
  }
}
