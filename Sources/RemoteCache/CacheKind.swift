/// What a cache holds.
package enum CacheKind: Sendable {
  /// Bytes under their own SHA-256.
  case content
  /// A small note under the SHA-256 of what it was made from.
  case record

  /// The folder's name in Bazel's protocol: content-addressable storage, and action cache.
  var folder: String {
    switch self {
    case .content: "cas"
    case .record: "ac"
    }
  }
}
