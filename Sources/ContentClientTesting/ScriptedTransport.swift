public import ContentClient
import ContentModel

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
  /// Returns the answer to a request, or throws why there is none.
  public typealias Script =
    @Sendable (ContentRequest) async throws(TransportFailure) -> ContentResponse

  private let script: Locked<Script>
  private let log = Locked<[ContentRequest]>([])

  /// Creates a transport with a script.
  public init(_ script: @escaping Script) { self.script = Locked(script) }

  /// Creates a transport that answers as a file server, from a folder that `contentc publish`
  /// wrote.
  ///
  /// `url` is the address of the site in the configuration. So a test reads content as `contentc`
  /// compiles it: with assets, devices, several languages, split bundles and a `minimumApp`.
  ///
  /// ```swift
  /// configuration.transport = ScriptedTransport(folder: published, at: configuration.url)
  /// ```
  public convenience init(folder: String, at url: String) {
    self.init { request throws(TransportFailure) in
      guard let path = Self.path(of: request.url, below: url) else {
        return ContentResponse(status: 404)
      }
      let file = "\(folder)/\(path)"
      guard case .present(let size) = FolderFile.presence(file) else {
        return ContentResponse(status: 404)
      }
      guard size <= request.maximumBytes else { throw .tooLarge }
      guard let body = FolderFile.contents(file, limit: request.maximumBytes) else {
        return ContentResponse(status: 403)
      }
      return ContentResponse(tagged: body, for: request)
    }
  }

  /// The path of an address within a site; `nil` for one outside it.
  private static func path(of url: String, below site: String) -> Substring? {
    guard url.utf8.starts(with: "\(site)/".utf8) else { return nil }
    let path = url.dropFirst(site.count + 1)
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    return names.contains { ["", ".", ".."].contains($0) } ? nil : path
  }

  /// All requests so far.
  ///
  /// ```swift
  /// let addresses = transport.requests.map(\.url)
  /// ```
  public var requests: [ContentRequest] { log.withLock { $0 } }

  /// Forgets the requests so far.
  ///
  /// ```swift
  /// transport.forgetRequests()
  /// ```
  public func forgetRequests() { log.withLock { $0 = [] } }

  /// Replaces the script.
  ///
  /// ```swift
  /// transport.answer { _ throws(TransportFailure) in throw .unreachable }
  /// ```
  public func answer(_ script: @escaping Script) { self.script.withLock { $0 = script } }

  /// Answers a request by the script; a body above the request's limit fails, as with a real
  /// server.
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

extension ContentResponse {
  /// The answer with a body and its tag; one without a body if the request has this tag.
  init(tagged body: [UInt8], for request: ContentRequest) {
    let tag = "\"\(Digest(of: body).hex)\""
    if request.entityTag == tag {
      self.init(status: 304)
    } else {
      self.init(status: 200, headers: [("ETag", tag)], body: body)
    }
  }
}
