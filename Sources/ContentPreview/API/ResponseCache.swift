import ContentModel
import ContentSource
import Synchronization

/// A cache of slow responses, each of which is computed once per build.
///
/// A class, since all connections share it.
final class ResponseCache: Sendable {
  private let content: PreviewContent
  private let cache: ByteCache

  /// The most bytes in the cache.
  static let limit = 64 << 20

  init(_ content: PreviewContent, limit: Int = limit) {
    (self.content, cache) = (content, ByteCache(limit: limit))
  }

  /// Returns a response that depends on the content and the query only.
  ///
  /// Calls must not overlap.
  func response(
    named name: String, to request: PreviewRequest,
    compute: (_ content: AttemptedContent) throws(RequestError) -> Members
  ) throws(RequestError) -> PreviewResponse {
    let snapshot = try content.read()
    let query = request.target.query.map { "\($0.name)=\($0.value)" }
      .sorted { $0.precedesInBytes($1) }.joined(separator: "&")
    let key = "\(snapshot.generation) \(snapshot.isShown) \(name)?\(query)"
    if let bytes = cache[key] { return .json(bytes: bytes) }
    let members = snapshot.marked(try compute(snapshot))
    let bytes = PreviewResponse.jsonBytes(of: .dictionary(members))
    cache.insert(bytes, for: key)
    return .json(bytes: bytes)
  }

  /// Empties the cache, after the content has changed.
  func removeAll() { cache.removeAll() }
}
