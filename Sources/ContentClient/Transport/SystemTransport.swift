import ContentModel

#if os(Linux)
  import Dispatch
  import HTTPTransport

  /// The transport of the system: libcurl on Linux, `URLSession` on Apple systems.
  ///
  /// ```swift
  /// configuration.transport = SystemTransport()
  /// ```
  public struct SystemTransport: ContentTransport {
    private let client: HTTPClient
    var queue = DispatchQueue(label: "ContentClient.transport", attributes: .concurrent)
    /// The time from the start of a request to the first byte of the body.
    var patience = Duration.seconds(10)

    /// Creates a transport without connections; they are opened on first use and kept.
    public init() {
      // A slow network is no failure: the wait for the first byte and the rate are limited.
      var limits = HTTPLimits()
      limits.requestMilliseconds = 600_000
      limits.bytesPerMillisecond = 1
      limits.silentSeconds = 20
      client = HTTPClient(limits: limits)
    }

    /// Sends a request on a thread that waits for its answer.
    public func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
      async throws(TransportFailure) -> ContentResponse
    {
      let watch = Locked(Watch(patience: patience))
      var sent = HTTPRequest(.get, request.url, headers: Self.headers(of: request))
      sent.answerLimit = request.maximumBytes
      sent.decodesBody = true
      sent.observer = HTTPObserver(
        received: { count in
          watch.withLock { $0.hasAnswer = true }
          progress(count)
        }, isCancelled: { watch.withLock { $0.isOver } })
      let answer = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          queue.async { [client, sent] in
            // The wait for a thread is not the server's.
            watch.withLock { $0.start = .now }
            continuation.resume(
              returning: Self.result { () throws(HTTPFailure) in
                try client.send(sent)
              })
          }
        }
      } onCancel: {
        watch.withLock { $0.isCancelled = true }
      }
      switch answer {
      case .success(let answer):
        return ContentResponse(status: answer.status, headers: answer.headers, body: answer.body)
      case .failure(let failure):
        // The end that the watch demanded.
        throw failure.kind == .cancelled && !watch.withLock({ $0.isCancelled })
          ? .timedOut : Self.failure(failure.kind)
      }
    }

    /// The end of a request before its answer.
    private struct Watch: Sendable {
      let patience: Duration
      var start = ContinuousClock.now
      var isCancelled = false
      /// `true` once a byte of the body arrived.
      var hasAnswer = false

      var isOver: Bool { isCancelled || (!hasAnswer && .now - start > patience) }
    }

    private static func result(
      _ body: () throws(HTTPFailure) -> HTTPAnswer
    ) -> Result<HTTPAnswer, HTTPFailure> {
      do { return .success(try body()) } catch { return .failure(error) }
    }

    private static func headers(of request: ContentRequest) -> [(name: String, value: String)] {
      var headers = request.headers
      if let tag = request.entityTag { headers.append(("If-None-Match", tag)) }
      if request.asksOrigin { headers.append(("Cache-Control", "no-cache")) }
      return headers
    }

    private static func failure(_ kind: HTTPFailure.Kind) -> TransportFailure {
      switch kind {
      case .unconnected, .noLibrary, .unusable: .unreachable
      case .late: .timedOut
      case .lost, .unreadable: .interrupted
      case .tooLong: .tooLarge
      case .untrusted: .untrusted
      case .cancelled: .cancelled
      }
    }
  }
#endif
