import HTTPTransport

/// The machines of a cache that is run by oneself: each keeps its own copies, so that each is told
/// of each URL.
package struct CacheNodes: Sendable {
  /// Beginnings of addresses, without `/` at the end.
  private let addresses: [String]
  /// Sent as `Purge-Token`, where the cache wants more than an address that it knows.
  private let token: CDNSecret?

  package init(_ addresses: [String], token: CDNSecret? = nil) {
    self.addresses = addresses.map { String($0.reversed().drop { $0 == "/" }.reversed()) }
    self.token = token
  }

  /// Some requests at once to each machine, an answer each in the time that a line between data
  /// centres takes.
  static let pace = CDNPace(atOnce: 8, answerMilliseconds: 20)

  /// A request to each machine, which takes it for one to a host.
  func requests(
    _ method: HTTPRequest.Method, _ target: String, host: String,
    headers: [(name: String, value: String)] = []
  ) -> [CDNRequest] {
    addresses.map {
      CDNRequest(HTTPRequest(method, $0 + target, headers: [("Host", host)] + headers))
    }
  }

  /// A request for each URL of a scope and each of its variants, to each machine.
  func purgeOfVariants(
    _ scope: PurgeScope, _ method: HTTPRequest.Method = .purge, below path: String = ""
  ) -> CDNPlan {
    let urls = scope.urls.compactMap(WebAddress.init)
    let requests = EncodingVariant.of(scope).flatMap { headers in
      urls.flatMap { self.requests(method, path + $0.target, host: $0.host, headers: headers) }
    }
    return CDNPlan(.urls, requests, Self.pace)
  }

  func authorized(_ request: CDNRequest) -> HTTPRequest {
    var request = request.request
    if let token { request.headers.append(("Purge-Token", token.value)) }
    return request
  }

  /// Interprets an answer; some caches send 404 if they have nothing to purge.
  func verdict(on answer: HTTPAnswer, of cache: String, absent: Int? = nil) -> CDNVerdict {
    guard answer.status != absent else { return .done }
    let server = "compare its configuration with what 'contentc server \(cache)' prints"
    switch answer.status {
    case 404, 405, 501:
      return .refused("answers \(answer.status), and knows of no purge: \(server)")
    default:
      let who =
        "this machine must be among those that may purge\(token.map { ", and \($0.variable) right" } ?? "")"
      return .byStatus(answer, permission: "\(who); \(server)")
    }
  }
}

/// The values of `Accept-Encoding` for which a cache may keep separate answers; all of them are
/// purged.
enum EncodingVariant {
  /// The one without the header is last: Squid finds the others through it.
  static let all: [[(name: String, value: String)]] = [
    [("Accept-Encoding", "gzip")], [("Accept-Encoding", "br")], [],
  ]

  static func of(_ scope: PurgeScope) -> [[(name: String, value: String)]] {
    scope.variesByEncoding ? all : [[]]
  }
}
