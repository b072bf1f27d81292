package import HTTPTransport
import SiteFormat

/// A request for a file of a site, which follows redirections as an app does.
package struct SiteRequest {
  /// Sends a request once.
  package typealias Send = @Sendable (HTTPRequest) throws(HTTPFailure) -> HTTPAnswer

  private let url: String
  private let limit: Int

  /// Creates a request for a file of at most `limit` bytes.
  package init(_ url: String, limit: Int) { (self.url, self.limit) = (url, limit) }

  /// Returns the bytes of the file; `nil` if there is none.
  ///
  /// - Throws: `BakeError`: `.refused` for an answer that no app accepts, and `.unreachable`
  ///   without an answer or for the status of an error.
  package func file(by send: Send) throws(BakeError) -> [UInt8]? {
    var request = HTTPRequest(.get, url, headers: [("Accept-Encoding", "identity")])
    request.answerLimit = limit
    for _ in 0...Redirection.limit {
      let answer = try self.answer(to: request, by: send)
      guard Redirection.isOne(answer.status) else { return try file(in: answer) }
      let location = answer.header("Location") ?? ""
      guard let next = Redirection.address(of: location, from: url) else {
        throw BakeError(.refused, "\(url) redirects to '\(location)', which no app follows")
      }
      request.url = next
    }
    throw BakeError(.refused, "\(url) redirects more than \(Redirection.limit) times")
  }

  /// Returns the bytes of a file that must exist.
  package func neededFile(by send: Send) throws(BakeError) -> [UInt8] {
    guard let bytes = try file(by: send) else {
      throw BakeError(.unreachable, "there is no file at \(url)")
    }
    return bytes
  }

  private func answer(
    to request: HTTPRequest, by send: Send
  ) throws(BakeError) -> HTTPAnswer {
    do { return try send(request) } catch {
      switch error.kind {
      case .tooLong: throw BakeError(.refused, "\(url) has more than \(limit) bytes")
      case .lost where error.hasBegunAnswer: throw BakeError(.refused, "\(url) is cut off")
      default: throw BakeError(.unreachable, "\(url) cannot be requested: \(error)")
      }
    }
  }

  private func file(in answer: HTTPAnswer) throws(BakeError) -> [UInt8]? {
    switch answer.status {
    case 200 where (answer.header("Content-Encoding") ?? "identity") == "identity":
      return answer.body
    case 200: throw BakeError(.refused, "\(url) answers in an encoding that was not asked for")
    case 404, 410: return nil
    default: throw BakeError(.unreachable, "\(url) answers with status \(answer.status)")
    }
  }
}
