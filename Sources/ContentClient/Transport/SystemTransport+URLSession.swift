#if canImport(Darwin)
  import Foundation

  /// The transport of the system: `URLSession` on Apple systems, libcurl on Linux.
  ///
  /// ```swift
  /// configuration.transport = SystemTransport()
  /// ```
  public struct SystemTransport: ContentTransport {
    private let session: URLSession

    /// Creates a transport with a session of its own, without cache and cookies.
    public init() {
      let settings = URLSessionConfiguration.ephemeral
      settings.requestCachePolicy = .reloadIgnoringLocalCacheData
      settings.urlCache = nil
      settings.httpShouldSetCookies = false
      settings.timeoutIntervalForRequest = 10
      session = URLSession(configuration: settings, delegate: NoRedirects(), delegateQueue: nil)
    }

    /// Sends a request.
    public func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
      async throws(TransportFailure) -> ContentResponse
    {
      guard let url = URL(string: request.url) else { throw .unreachable }
      var sent = URLRequest(url: url)
      sent.allowsConstrainedNetworkAccess = request.allowsConstrained
      for (name, value) in request.headers { sent.addValue(value, forHTTPHeaderField: name) }
      if let tag = request.entityTag { sent.setValue(tag, forHTTPHeaderField: "If-None-Match") }
      if request.asksOrigin { sent.setValue("no-cache", forHTTPHeaderField: "Cache-Control") }
      do {
        let (bytes, answer) = try await session.bytes(for: sent)
        guard let answer = answer as? HTTPURLResponse else { throw TransportFailure.interrupted }
        var body: [UInt8] = []
        let start = ContinuousClock.now
        var rate = RateWatch(at: 0)
        for try await byte in bytes {
          guard body.count < request.maximumBytes else { throw TransportFailure.tooLarge }
          body.append(byte)
          // The session's timeout ends an answer that stops, but none that drips.
          let seconds = (ContinuousClock.now - start) / .seconds(1)
          guard !rate.isTooSlow(after: 1, at: seconds) else { throw TransportFailure.timedOut }
          if body.count.isMultiple(of: 16_384) { progress(16_384) }
        }
        progress(body.count % 16_384)
        return ContentResponse(
          status: answer.statusCode,
          headers: answer.allHeaderFields.compactMap { name, value in
            (name as? String).map { (name: $0, value: "\(value)") }
          }, body: body)
      } catch {
        throw Self.failure(error)
      }
    }

    private static func failure(_ error: any Error) -> TransportFailure {
      if let failure = error as? TransportFailure { return failure }
      if error is CancellationError { return .cancelled }
      switch (error as? URLError)?.code {
      case .cancelled: return .cancelled
      case .timedOut: return .timedOut
      case .networkConnectionLost, .badServerResponse, .cannotParseResponse: return .interrupted
      case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
        .serverCertificateNotYetValid, .serverCertificateHasUnknownRoot:
        return .untrusted
      default: return .unreachable
      }
    }
  }

  /// Leaves redirections to the client, which follows those to the same origin.
  private final class NoRedirects: NSObject, URLSessionTaskDelegate {
    func urlSession(
      _ session: URLSession, task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest
    ) async -> URLRequest? {
      nil
    }
  }
#endif
