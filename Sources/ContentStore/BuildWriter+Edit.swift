package import ContentModel
import Synchronization

extension BuildWriter {
  /// Puts an edit of an earlier build in place: what was added joins that build's files, or replaces those of the same
  /// name, and the `removed` objects go.
  ///
  /// The folder must be as that build left it; nobody looks whether it is. `earlier` is what was said of it. As safe as
  /// `commit(config:bytes:)`.
  package func commit(
    config path: String, bytes: [UInt8], after earlier: BuildSummary,
    removing removed: [(digest: Digest, fileExtension: String)]
  ) throws(StoreError) -> BuildSummary {
    var names: [ObjectName] = []
    for (digest, fileExtension) in removed { names.append(try ObjectName(digest, fileExtension)) }
    let strays = Strays(in: self, objects: names)
    let sizes = strays.sizes
    let new = plan.withLock { $0.objects.values.filter(\.isNew) }
    var summary = try commit(config: path, bytes: bytes) { _, _ in strays }
    summary.objectsKept = earlier.objects - removed.count
    summary.filesKept = earlier.files - summary.filesWritten
    summary.bytesTotal = earlier.bytesTotal - sizes.plain + new.map(\.plain.size).reduce(0, +)
    summary.gzipBytesTotal = earlier.gzipBytesTotal - sizes.compressed + new.map(\.compressed.size).reduce(0, +)
    return summary
  }
}

extension BuildPlan.Object {
  /// Whether it did not stand there already.
  fileprivate var isNew: Bool { if case .kept = plain { false } else { true } }
}
