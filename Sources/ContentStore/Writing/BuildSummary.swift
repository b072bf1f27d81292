/// The changes that a build made to its folder.
package struct BuildSummary: Hashable, Sendable {
  /// Objects that were not there, or damaged.
  package var objectsWritten = 0
  /// Objects that an earlier build had written already.
  package var objectsKept = 0
  /// Other files (config and links among them) whose bytes are new.
  package var filesWritten = 0
  /// Other files that stood there with the same bytes.
  package var filesKept = 0
  /// Bytes that went to the disk, `.gz` files among them, links not.
  package var bytesWritten = 0
  /// Bytes of all objects of the build, without `.gz` files.
  package var bytesTotal = 0
  /// Bytes of all `.gz` files of the build.
  package var gzipBytesTotal = 0
  /// Files and links that no longer belong to the build.
  package var straysRemoved = 0

  package init() {}

  /// The number of objects in the build.
  package var objects: Int { objectsWritten + objectsKept }
  /// The number of other files in the build.
  package var files: Int { filesWritten + filesKept }
}
