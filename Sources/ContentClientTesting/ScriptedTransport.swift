public import ContentClient

/// A transport whose answers a test writes, and which keeps all requests.
///
/// ```swift
/// let transport = ScriptedTransport { request in
///   request.url.hasSuffix("config.plist") ? .init(status: 503) : .init(status: 404)
/// }
/// configuration.transport = transport
/// ```
///
/// A class, since client and test share the requests.
public final class ScriptedTransport: ContentTransport {
  /// Returns the answer to a request, or throws the reason for which there is none.
  public typealias Script =
    @Sendable (ContentRequest) async throws(TransportFailure) -> ContentResponse

  private let script: Locked<Script>
  private let log = Locked<[ContentRequest]>([])

  /// Creates a transport with a script.
  public init(_ script: @escaping Script) { self.script = Locked(script) }

  /// All requests so far.
  public var requests: [ContentRequest] { log.withLock { $0 } }

  /// Forgets the requests so far.
  public func forgetRequests() { log.withLock { $0 = [] } }

  /// Replaces the script.
  ///
  /// ```swift
  /// transport.answer { _ throws(TransportFailure) in throw .unreachable }
  /// ```
  public func answer(_ script: @escaping Script) { self.script.withLock { $0 = script } }

  /// Answers a request by the script; a body above the request's limit fails, as with a real server.
  public func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
  {
    log.withLock { $0.append(request) }
    if Task.isCancelled { throw .cancelled }
    let answer = try await script.withLock { $0 }(request)
    guard answer.body.count <= request.maximumBytes else { throw .tooLarge }
    progress(answer.body.count)
    return answer
  }
}
