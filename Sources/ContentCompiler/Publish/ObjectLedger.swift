import ContentModel
import Synchronization

/// The objects that were handed on, each once, whichever thread was first.
///
/// A class: the threads of a build share it.
final class ObjectLedger: Sendable {
  private let known = Mutex<[Digest: (fileExtension: String, size: Int)]>([:])
  private let emit: @Sendable (OutputObject) throws -> Void

  init(emit: @escaping @Sendable (OutputObject) throws -> Void) { self.emit = emit }

  func add(_ object: OutputObject) throws {
    let isNew = known.withLock { known in
      known.updateValue((object.fileExtension, object.bytes.count), forKey: object.digest) == nil
    }
    if isNew { try emit(object) }
  }

  /// Every object by digest.
  var rows: [(digest: Digest, fileExtension: String, size: Int)] {
    known.withLock { known in
      known.map { (digest: $0.key, fileExtension: $0.value.fileExtension, size: $0.value.size) }
    }.sorted { $0.digest < $1.digest }
  }
}
