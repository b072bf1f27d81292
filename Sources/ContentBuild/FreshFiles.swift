package import ContentModel
import Synchronization

/// The files of a build that are served before they are in the output folder, since writing takes
/// longer than an edit.
///
/// A class, since the builder and the connections share it.
package final class FreshFiles: Sendable {
  private let files = Mutex<[ExactString: [UInt8]]>([:])

  package init() {}

  /// The bytes of a file, by its path below the output folder; `nil` if it is not a fresh file.
  package subscript(path: String) -> [UInt8]? { files.withLock { $0[path] } }

  /// Adds the files of one build at once, so that no reader sees only some of them.
  package func add(_ new: [ExactString: [UInt8]]) {
    files.withLock { $0.merge(new) { _, new in new } }
  }

  /// Removes all files, once they are in the output folder or obsolete.
  package func removeAll() { files.withLock { $0 = [:] } }
}
