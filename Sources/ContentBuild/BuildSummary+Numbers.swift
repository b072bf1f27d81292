import ContentStore

extension BuildSummary {
  /// Its numbers by the names under which a program finds them.
  var numbers: [(String, Int)] {
    [
      ("objectsWritten", objectsWritten), ("objectsKept", objectsKept),
      ("filesWritten", filesWritten),
      ("filesKept", filesKept), ("bytes", bytesTotal), ("bytesGzipped", gzipBytesTotal),
      ("bytesWritten", bytesWritten), ("straysRemoved", straysRemoved),
    ]
  }

  /// What a build says that found all of this in place.
  var allKept: BuildSummary {
    var summary = BuildSummary()
    summary.objectsKept = objects
    summary.filesKept = files
    (summary.bytesTotal, summary.gzipBytesTotal) = (bytesTotal, gzipBytesTotal)
    return summary
  }
}
