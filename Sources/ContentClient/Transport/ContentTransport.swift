import ContentModel

/// The way to the server: sends a `GET`, and returns the answer.
///
/// An app needs none of its own: ``SystemTransport`` uses `URLSession` on Apple systems, and
/// libcurl on Linux. A test uses `ScriptedTransport` of `ContentClientTesting`:
///
/// ```swift
/// configuration.transport = ScriptedTransport { request in .init(status: 503) }
/// ```
public protocol ContentTransport: Sendable {
  /// Sends a request once, and returns the whole answer; follows no redirection, and uses no cache
  /// of its own.
  ///
  /// `progress` receives the number of bytes that arrived since its last call. A cancelled task
  /// ends the request.
  ///
  /// - Throws: ``TransportFailure`` if there is no answer; an error's status is an answer.
  func send(_ request: ContentRequest, progress: @escaping @Sendable (Int) -> Void)
    async throws(TransportFailure) -> ContentResponse
}

/// A `GET` that a client sends.
///
/// ```swift
/// var request = ContentRequest(url: "https://content.example.com/production/config.plist")
/// request.entityTag = "\"3fa9\""
/// ```
public struct ContentRequest: Hashable, Sendable {
  /// The absolute address, escaped as it is sent.
  public var url: String
  /// The value of `If-None-Match`; `nil` for a request without this condition.
  public var entityTag: String?
  /// `true` for `Cache-Control: no-cache`, which lets caches ask the origin.
  public var asksOrigin = false
  /// The most bytes of the decoded body; the transport ends a longer one.
  public var maximumBytes = 1 << 20
  /// `false` if the request can wait for a network that is not in Low Data Mode.
  public var allowsConstrained = true
  /// Further headers: those of ``ContentConfiguration/headers``.
  public var headers: [(name: String, value: String)] = []

  /// Creates a request without conditions.
  public init(url: String) { self.url = url }

  /// Compares texts byte by byte.
  public static func == (a: ContentRequest, b: ContentRequest) -> Bool {
    a.url.hasSameBytes(as: b.url) && a.entityTag.hasSameBytes(as: b.entityTag)
      && a.asksOrigin == b.asksOrigin && a.maximumBytes == b.maximumBytes
      && a.allowsConstrained == b.allowsConstrained
      && a.headers.elementsEqual(b.headers) {
        $0.name.hasSameBytes(as: $1.name) && $0.value.hasSameBytes(as: $1.value)
      }
  }

  /// Hashes the address.
  public func hash(into hasher: inout Hasher) { url.hashBytes(into: &hasher) }
}

/// The answer of a server.
///
/// ```swift
/// let answer = ContentResponse(status: 503, headers: [("Retry-After", "60")])
/// ```
public struct ContentResponse: Sendable {
  /// The status, from 100 to 999.
  public var status: Int
  /// Names and values in the order in which they arrived.
  public var headers: [(name: String, value: String)]
  /// The decoded body: without its `Content-Encoding`.
  public var body: [UInt8]

  /// Creates an answer.
  public init(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  /// Returns the value of the first header of a name, in any case; `nil` if there is none.
  public func header(_ name: String) -> String? {
    let name = name.lowercased()
    return headers.first { $0.name.lowercased().hasSameBytes(as: name) }?.value
  }
}

/// Why there is no answer.
///
/// ```swift
/// transport.answer { _ throws(TransportFailure) in throw .unreachable }
/// ```
public enum TransportFailure: Error, Hashable, Sendable {
  /// No connection: no network, no such host, or nothing listens.
  case unreachable
  /// No whole answer in time.
  case timedOut
  /// The connection ended before the answer did.
  case interrupted
  /// The body is longer than ``ContentRequest/maximumBytes``, or its encoding is wrong.
  case tooLarge
  /// The server's certificate is not trusted.
  case untrusted
  /// The task was cancelled.
  case cancelled
}

/// Finds out that an answer arrives too slowly: with less than 1 kB a second over 20 seconds.
///
/// A slow network is no failure, and an answer that never ends is one.
struct RateWatch: Sendable {
  /// The fewest bytes in a span, and the seconds of a span.
  private static let (fewest, span) = (20_000, 20.0)

  private var start: Double
  private var received = 0

  /// Begins with the first byte, at a number of seconds.
  init(at seconds: Double) { start = seconds }

  /// Counts bytes that arrived; returns `true` if they arrive too slowly.
  mutating func isTooSlow(after count: Int, at seconds: Double) -> Bool {
    received += count
    guard seconds - start >= Self.span else { return false }
    let isTooSlow = received < Self.fewest
    (start, received) = (seconds, 0)
    return isTooSlow
  }
}
