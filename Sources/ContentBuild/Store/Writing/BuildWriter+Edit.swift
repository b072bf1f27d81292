package import ContentModel
import Synchronization
package import System

extension BuildWriter {
  /// Puts an edit of an earlier build in place: added files join or replace the files of that
  /// build, and the `removed` objects are deleted.
  ///
  /// The folder must be as that build left it, which is not checked. `earlier` is the summary of
  /// that build. Some added files were links to the `relinked` objects before. As safe as
  /// `commit(config:bytes:)`.
  package func commitEdit(
    config path: String, bytes: [UInt8], after earlier: BuildSummary,
    removing removed: [(digest: Digest, fileExtension: String)],
    relinking relinked: [(digest: Digest, fileExtension: String)]
  ) throws(StoreError) -> Edit {
    let strays = Strays(in: self, objects: try names(of: removed))
    let sizes = strays.sizes
    let plan = plan.withLock { $0 }
    let new = plan.objects.values.filter(\.isNew)
    let touched =
      strays.paths + (try names(of: relinked)).map(\.path) + plan.objects.keys.map(\.path)
      + plan.files.keys
      + [try RelativePath(path)]
    var summary = try placeBuild(config: path, bytes: bytes) { _, _ in strays }
    summary.objectsKept = earlier.objects - removed.count
    summary.filesKept = earlier.files - summary.filesWritten
    summary.bytesTotal = earlier.bytesTotal - sizes.plain + new.map(\.plain.size).reduce(0, +)
    summary.gzipBytesTotal =
      earlier.gzipBytesTotal - sizes.compressed + new.map(\.compressed.size).reduce(0, +)
    return Edit(
      summary: summary, folders: Set(names: [""] + touched.flatMap(\.folders).map(\.text)))
  }

  /// The changes that an edit made to the folder.
  package struct Edit: Sendable {
    package var summary: BuildSummary
    /// Every folder that may have changed, by path below the output; the output itself is the empty
    /// path.
    package var folders: Set<ExactString>
  }

  private func names(of objects: [(digest: Digest, fileExtension: String)]) throws(StoreError)
    -> [ObjectName]
  {
    var names: [ObjectName] = []
    for (digest, fileExtension) in objects {
      names.append(try ObjectName(digest, extension: fileExtension))
    }
    return names
  }
}

extension AddedFiles.Object {
  /// A Boolean value that indicates whether the build wrote the object.
  fileprivate var isNew: Bool { if case .kept = plain { false } else { true } }
}
