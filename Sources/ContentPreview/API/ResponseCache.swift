import ContentModel
import ContentSource
import Synchronization

/// Answers that take their time, each computed once for a build, one after the other.
///
/// A class, since all who ask share them.
final class ResponseCache: Sendable {
  private let content: PreviewContent
  private let router: ByteCache

  /// The most bytes that are kept.
  static let memory = 64 << 20

  init(_ content: PreviewContent, memory: Int = memory) {
    (self.content, router) = (content, ByteCache(limit: memory))
  }

  /// The answer to a question under a name, which depends on nothing but the content; called by one
  /// thread.
  func response(
    _ name: String, _ request: PreviewRequest,
    compute: (_ content: ContentSnapshot) throws(RequestError) -> Members
  ) throws(RequestError) -> PreviewResponse {
    let read = try content.read()
    let query = request.target.query.map { "\($0.name)=\($0.value)" }.sorted().joined(
      separator: "&")
    let key = "\(read.generation) \(read.isShown) \(name)?\(query)"
    if let bytes = router[key] { return .json(bytes) }
    let bytes = PreviewResponse.bytes(.dictionary(read.marked(try compute(read))))
    router.keep(bytes, as: key)
    return .json(bytes)
  }

  /// Forgets them: the content is another.
  func forget() { router.removeAll() }
}
