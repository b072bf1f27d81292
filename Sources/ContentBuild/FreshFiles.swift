package import ContentModel
import Synchronization

/// The files of a build that are served before they are in its folder: a disk takes longer than an
/// edit.
///
/// A class, since the builder adds what connections ask for.
package final class FreshFiles: Sendable {
  private let files = Mutex<[ExactString: [UInt8]]>([:])

  package init() {}

  /// The bytes of a file, by its path below the folder; `nil` if it is not one of these.
  package subscript(path: String) -> [UInt8]? { files.withLock { $0[path] } }

  /// Adds the files of one build, all at once: no reader sees some of them only.
  package func add(_ new: [ExactString: [UInt8]]) {
    files.withLock { $0.merge(new) { _, new in new } }
  }

  /// Forgets them: they stand in the folder, or nobody wants them any more.
  package func removeAll() { files.withLock { $0 = [:] } }
}
