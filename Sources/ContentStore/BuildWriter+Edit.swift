package import ContentModel
import Synchronization

extension BuildWriter {
  /// Puts an edit of an earlier build in place: what was added joins that build's files, or
  /// replaces those of the same name, and the `removed` objects go.
  ///
  /// The folder must be as that build left it; nobody looks whether it is. `earlier` is what was
  /// said of it, and some files that are added now were links to the `relinked` objects. As safe as
  /// `commit(config:bytes:)`.
  package func commit(
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
    var summary = try commit(config: path, bytes: bytes) { _, _ in strays }
    summary.objectsKept = earlier.objects - removed.count
    summary.filesKept = earlier.files - summary.filesWritten
    summary.bytesTotal = earlier.bytesTotal - sizes.plain + new.map(\.plain.size).reduce(0, +)
    summary.gzipBytesTotal =
      earlier.gzipBytesTotal - sizes.compressed + new.map(\.compressed.size).reduce(0, +)
    return Edit(
      summary: summary, folders: Set(names: [""] + touched.flatMap(\.folders).map(\.text)))
  }

  /// What an edit did to the folder.
  package struct Edit: Sendable {
    package var summary: BuildSummary
    /// Below the folder, itself among them as an empty path: every folder in which something may be
    /// other than before.
    package var folders: Set<ExactString>
  }

  private func names(of objects: [(digest: Digest, fileExtension: String)]) throws(StoreError)
    -> [ObjectName]
  {
    var names: [ObjectName] = []
    for (digest, fileExtension) in objects { names.append(try ObjectName(digest, fileExtension)) }
    return names
  }
}

extension BuildPlan.Object {
  /// Whether it did not stand there already.
  fileprivate var isNew: Bool { if case .kept = plain { false } else { true } }
}
