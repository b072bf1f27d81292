import ContentModel
import HTTPTransport
import Synchronization
import System
import XML

/// The earlier versions that a bucket keeps of removed files.
extension S3Target {
  /// Removes a file and all its versions.
  ///
  /// The plain removal comes first: if the versions may not be deleted, readers at least no longer
  /// get the file. After the deletions, the versions are listed again, since a server may falsely
  /// report success.
  package func erase(_ key: String) throws(TargetError) {
    let start = bucket.environment.milliseconds()
    let answer = try delete(key)
    // A removal that adds a marker or a version proves that the bucket keeps versions.
    if answer.header("x-amz-delete-marker") != nil || answer.header("x-amz-version-id") != nil {
      keepsVersions.withLock { $0 = true }
    }
    guard try hasVersions() else { return }
    let ids = try versions(of: key)
    for id in ids {
      // The caller's lock expires: a version that appears later may be a new publication's.
      guard bucket.environment.milliseconds() - start < Self.mostMilliseconds else {
        throw TargetError(.unreachable, "\(name) takes too long; the next run removes the rest")
      }
      try delete(id, of: key)
    }
    guard !ids.isEmpty, let left = try versions(of: key).first(where: ids.contains) else { return }
    throw TargetError(
      .failed,
      "\(name) says that it deleted version '\(left)' of '\(key)', and still has it; run again")
  }

  /// The time after which no deletion begins: with the last one, an erasure takes two minutes.
  private static let mostMilliseconds: Int64 = 60_000
  /// The most pages of a list of one file's versions: a faulty server may never end it.
  private static let mostPages = 100

  /// Returns whether the bucket keeps versions of removed files, or kept them before versioning was
  /// suspended.
  ///
  /// Many servers do not know the question, and credentials may not be allowed to ask it. Then only
  /// the answers to removals tell.
  private func hasVersions() throws(TargetError) -> Bool {
    try keepsVersions.withLock { known throws(TargetError) in
      if let known { return known }
      let request = S3Request(.get, key: "", query: [("versioning", "")])
      let answer = try bucket.ask(request)
      if answer.status >= 500, answer.status != 501 { throw bucket.error(answer, to: request) }
      let root = answer.status == 200 ? XMLTree(answer.body) : nil
      let state = root?.name == "VersioningConfiguration" ? root?["Status"]?.text : nil
      let found = state == "Enabled" || state == "Suspended"
      known = found
      return found
    }
  }

  /// Returns the ids of all versions of a file, without the markers that hide it, which have no
  /// bytes.
  private func versions(of key: String) throws(TargetError) -> [ExactString] {
    var ids: [ExactString] = []
    var marker: [(name: String, value: String)] = []
    for _ in 0..<Self.mostPages {
      var request = S3Request(
        .get, key: "", query: [("versions", ""), ("prefix", place(key))] + marker)
      request.answerLimit = S3Request.pageLimit
      let answer = try bucket.ask(request)
      guard answer.status == 200 else { throw remaining(key, answer, to: request) }
      guard let root = XMLTree(answer.body), root.name == "ListVersionsResult" else { break }
      for item in root.children where item.name == "Version" {
        guard item["Key"]?.text.hasSameBytes(as: place(key)) ?? false else { continue }
        if let id = item["VersionId"]?.text, !id.isEmpty { ids.append(ExactString(id)) }
      }
      guard root["IsTruncated"]?.text == "true" else { return ids }
      guard let nextKey = root["NextKeyMarker"]?.text, !nextKey.isEmpty else { break }
      marker = [("key-marker", nextKey)]
      if let id = root["NextVersionIdMarker"]?.text { marker.append(("version-id-marker", id)) }
    }
    throw TargetError(
      .failed, "\(name) answers with a list of versions that cannot be read: run again")
  }

  private func delete(_ version: ExactString, of key: String) throws(TargetError) {
    let request = S3Request(.delete, key: place(key), query: [("versionId", version.text)])
    let answer = try bucket.ask(request, for: 20_000)
    guard (200..<300).contains(answer.status) || answer.status == 404 else {
      throw remaining(key, answer, to: request)
    }
  }

  /// Returns the error for versions that cannot be listed or deleted, with the ways out.
  private func remaining(
    _ key: String, _ answer: HTTPAnswer, to request: S3Request
  ) -> TargetError {
    guard (400..<500).contains(answer.status) else { return bucket.error(answer, to: request) }
    let said = bucket.said(answer, to: request)
    return TargetError(
      .denied,
      bucket.credentials.hidden(
        in:
          "\(name) keeps '\(key)' as an earlier version, for all who may read versions (\(said)); run the same command "
          + "again with credentials that may do s3:ListBucketVersions and s3:DeleteObjectVersion, such as those of "
          + "'AWS_PROFILE=admin', or after a lifecycle rule of the bucket has deleted the version"))
  }
}
