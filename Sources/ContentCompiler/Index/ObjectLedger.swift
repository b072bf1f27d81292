import ContentModel
import Synchronization

/// The objects of a build; each is emitted once, even if several threads make it.
///
/// A class, since the threads of a build share it.
final class ObjectLedger: Sendable {
  /// The sizes by name; the same bytes can have two extensions.
  private let known = Mutex<[Name: Int]>([:])
  private let emit: @Sendable (OutputObject) throws -> Void

  private struct Name: Hashable {
    var digest: Digest
    var fileExtension: String
  }

  init(emit: @escaping @Sendable (OutputObject) throws -> Void) { self.emit = emit }

  func add(_ object: OutputObject) throws {
    let isNew = known.withLock { known in
      let name = Name(digest: object.digest, fileExtension: object.fileExtension)
      return known.updateValue(object.bytes.count, forKey: name) == nil
    }
    if isNew { try emit(object) }
  }

  /// Every object, in order of digest and extension.
  var rows: [(digest: Digest, fileExtension: String, size: Int)] {
    known.withLock { known in
      known.map { (digest: $0.key.digest, fileExtension: $0.key.fileExtension, size: $0.value) }
    }.sorted { ($0.digest, $0.fileExtension) < ($1.digest, $1.fileExtension) }
  }
}
