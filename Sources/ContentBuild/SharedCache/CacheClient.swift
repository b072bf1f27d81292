import ContentModel
import HTTPTransport
import System

/// The requests to a cache's server, with its credentials.
struct CacheClient: Sendable {
  private let client: HTTPClient
  private let signature: SignatureV4?
  /// The value of the header `Authorization`, if requests are not signed.
  private let authorization: String?

  /// Creates a client whose requests end as soon as the cache is given up.
  init(_ address: CacheAddress, access: CacheAccess, limits: HTTPLimits, health: CacheHealth) {
    client = HTTPClient(limits: limits, certificates: access.certificates) { health.isOver }
    signature = address.isBucket && access.authorization == nil ? access.bucket : nil
    authorization = access.authorization ?? address.user.map { "Basic \(Array($0.utf8).base64)" }
  }

  /// Requests a file.
  func get(_ url: String) throws(HTTPFailure) -> HTTPAnswer { try send(HTTPRequest(.get, url)) }

  /// Writes a file.
  func put(_ bytes: [UInt8], to url: String) throws(HTTPFailure) -> HTTPAnswer {
    let type = (name: "Content-Type", value: "application/octet-stream")
    var request = HTTPRequest(.put, url, headers: [type], body: bytes)
    // A bucket may refuse a file before it reads it. A plain server might not know the header.
    request.expectsContinue = signature != nil
    return try send(request)
  }

  /// Closes all connections that are not in use.
  func close() { client.close() }

  private func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPAnswer {
    guard let signature else {
      var request = request
      if let authorization { request.headers.append(("Authorization", authorization)) }
      return try client.send(request)
    }
    return try client.send(signature.signed(request, at: RequestEnvironment.system.now()))
  }
}

extension HTTPFailure {
  /// `true` if other requests would fail, too.
  ///
  /// A broken or oversized answer concerns one request only.
  var concernsAllRequests: Bool { ![.lost, .tooLong].contains(kind) }
}
