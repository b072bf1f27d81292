import ContentModel
import Synchronization

/// The objects that were handed on, each once, whichever thread was first.
///
/// A class: the threads of a build share it.
final class ObjectLedger: Sendable {
  /// By name: the same bytes may be there under two extensions.
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

  /// Every object by digest, then by extension.
  var rows: [(digest: Digest, fileExtension: String, size: Int)] {
    known.withLock { known in
      known.map { (digest: $0.key.digest, fileExtension: $0.key.fileExtension, size: $0.value) }
    }.sorted { ($0.digest, $0.fileExtension) < ($1.digest, $1.fileExtension) }
  }
}
