import ContentModel
package import ContentReleases

/// An asset of an earlier form of an entry, which the target no longer has.
///
/// A purge removes the assets that only the purged entry shows: one of them may be the bad part. So
/// they return only if the user names them.
package struct RemovedAsset: Sendable {
  /// Returns the bytes of an object, and the path of the file that has them; `nil` if there is no
  /// such file.
  package typealias Search = @Sendable (ReleaseObject) -> (path: String, bytes: [UInt8])?

  /// The id of the entry.
  package var entry: String
  /// The number of the release in which the entry showed the asset.
  package var release: Int
  var object: ReleaseObject
  /// The path of a file with the same bytes; `nil` if there is none.
  package var file: String?
  /// The purge that removed the asset, if its manifest says so.
  var purge: KnownPurge?

  /// The asset, its entry and its purge, such as `'content/assets/rose.png' of product/rose, which
  /// purge 1 removed (A swear word)`.
  package var description: String {
    let cause =
      purge.map { "which purge \($0.begun.number) removed (\($0.begun.reason))" }
      ?? "which the target no longer has"
    return "'\(file ?? object.key)' of \(entry), \(cause)"
  }

  /// The option that lets the asset return; `nil` if there is no file to send.
  package var option: String? { file.map { _ in "--unpurge \(object.digest.hex)" } }

  /// Returns the error that refuses to restore entries without some assets; `nil` for no assets.
  ///
  /// The error adds options to `command`.
  static func refusal(for assets: [RemovedAsset], in command: String?) -> DeliveryError? {
    guard let first = assets.first else { return nil }
    let names = assets.prefix(3).map(\.description).joined(separator: ", and ")
    let others = assets.count > 3 ? ", and \(assets.count - 3) other assets" : ""
    let options = assets.compactMap(\.option)
    let correction = "publish \(first.entry) in a corrected form"
    let flags = options.prefix(10).joined(separator: " ")
    return DeliveryError(
      .refused, "release \(first.release) shows \(names)\(others)",
      notes: options.isEmpty
        ? ["nothing was changed; the content folder has no such file, so \(correction)"]
        : [
          "nothing was changed; \(correction)",
          "or if it is not bad, let it return: \(command ?? "the same command with") \(flags)",
        ])
  }
}
