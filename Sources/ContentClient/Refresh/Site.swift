import ContentModel

/// The server side of a channel: requests for config and objects.
struct Site: Sendable {
  let url: String
  let channel: String
  let transport: any ContentTransport

  /// The most redirections of a request, all to the same origin.
  private static let redirects = 3

  /// Requests config.
  ///
  /// With `asksOrigin`, caches ask the origin.
  func config(ending: String, entityTag: String?, asksOrigin: Bool)
    async throws(TransportFailure) -> ContentResponse
  {
    var request = ContentRequest(url: "\(url)/\(channel)/config.\(ending)")
    request.entityTag = entityTag
    request.asksOrigin = asksOrigin
    request.maximumBytes = Limits.configBytes
    return try await send(request) { _ in }
  }

  /// Requests an object of at most `size` bytes.
  func object(
    _ object: SiteObject, size: Int, allowsConstrained: Bool,
    progress: @escaping @Sendable (Int) -> Void
  ) async throws(TransportFailure) -> ContentResponse {
    var request = ContentRequest(url: "\(url)/\(object.path)")
    request.maximumBytes = size
    request.allowsConstrained = allowsConstrained
    return try await send(request, progress: progress)
  }

  /// Requests an object, and checks its size and hash.
  func received(_ item: Requirements.Item, progress: RefreshProgress) async
    -> Result<Requirements.Arrived, ContentError>
  {
    let answer: ContentResponse
    do {
      answer = try await object(item.object, size: item.size, allowsConstrained: true) {
        progress.receive($0)
      }
    } catch { return .failure(ContentError(unanswered: error)) }
    switch answer.status {
    case 200: break
    case 403, 404, 410:
      return .failure(
        ContentError(.missing, because: "object \(item.object.digest) answers \(answer.status)"))
    default:
      return .failure(
        ContentError(
          .server(status: answer.status),
          because: "object \(item.object.digest) answers \(answer.status)"))
    }
    guard !item.isExact || answer.body.count == item.size, item.object.isHeld(by: answer.body)
    else {
      return .failure(
        ContentError(.refused, because: "object \(item.object.digest) has other bytes"))
    }
    return .success(.init(item: item, bytes: answer.body))
  }

  private func send(_ first: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    var request = first
    for _ in 0...Self.redirects {
      let answer = try await transport.send(request, progress: progress)
      guard [301, 302, 303, 307, 308].contains(answer.status),
        let place = answer.header("Location").flatMap(sameOrigin)
      else { return answer }
      request.url = place
    }
    return ContentResponse(status: 310)
  }

  /// Returns the address of a redirection that stays at the origin of the site.
  private func sameOrigin(_ location: String) -> String? {
    let scheme = url.hasPrefix("https://") ? "https://" : "http://"
    let origin = scheme + url.dropFirst(scheme.utf8.count).prefix { $0 != "/" }
    if location.hasPrefix("/"), !location.hasPrefix("//") { return origin + location }
    return location.hasPrefix("\(origin)/") ? location : nil
  }
}
