import ContentSource
import HTTPTransport

/// The machines of a self-hosted cache, each of which receives every purge.
package struct CacheNodes: Sendable {
  /// The beginnings of the machines' addresses, without `/` at the end.
  private let addresses: [String]
  /// The value of `Purge-Token`, if the cache checks more than the sender's address.
  private let token: CDNSecret?

  package init(_ addresses: [String], token: CDNSecret? = nil) {
    self.addresses = addresses.map { String($0.reversed().drop { $0 == "/" }.reversed()) }
    self.token = token
  }

  /// The pace: a few simultaneous requests to each machine, with the round trip between data
  /// centres.
  static let pace = CDNPace(atOnce: 8, answerMilliseconds: 20)

  /// Returns a request to each machine, with the name of a host.
  func requests(
    _ method: HTTPRequest.Method, to target: String, host: String,
    headers: [(name: String, value: String)] = []
  ) -> [CDNRequest] {
    addresses.map {
      CDNRequest(HTTPRequest(method, $0 + target, headers: [("Host", host)] + headers))
    }
  }

  /// Returns a request with the token added.
  func authorized(_ request: CDNRequest) -> HTTPRequest {
    var request = request.request
    if let token { request.headers.append(("Purge-Token", token.value)) }
    return request
  }

  /// Interprets an answer; `absent` is the status of some caches that have nothing to purge.
  func verdict(on answer: HTTPAnswer, of cache: CacheName, absent: Int? = nil) -> CDNVerdict {
    guard answer.status != absent else { return .done }
    let server = "compare its configuration with what 'contentc server \(cache.rawValue)' prints"
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

/// The values of `Accept-Encoding` for which a cache may keep separate answers; a purge names all
/// of them.
enum EncodingVariant {
  /// The variant without the header is last: Squid finds the others through it.
  static let all: [[(name: String, value: String)]] = [
    [("Accept-Encoding", "gzip")], [("Accept-Encoding", "br")], [],
  ]

  static func of(_ scope: PurgeScope) -> [[(name: String, value: String)]] {
    scope.variesByEncoding ? all : [[]]
  }
}
