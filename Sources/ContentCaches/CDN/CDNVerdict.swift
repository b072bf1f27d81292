import ContentModel
import HTTPTransport
import PropertyLists

/// The meaning of a cache's answer.
package enum CDNVerdict: Sendable {
  /// The cache has purged the scope, or had nothing of it.
  case done
  /// The purge has begun; this request asks whether it has ended.
  case begun(CDNRequest, afterSeconds: Double)
  /// The same request may succeed later, after the given seconds if the cache names any.
  case again(afterSeconds: Double?, String)
  /// The cache refuses, for a reason without a secret.
  case refused(String)
}

extension CDNVerdict {
  /// Interprets an answer by its status alone (RFC 9110, section 15).
  ///
  /// `permission` is the advice for a refusal, such as "check FASTLY_TOKEN".
  static func byStatus(_ answer: HTTPAnswer, permission: String) -> CDNVerdict {
    switch answer.status {
    case 200..<300: .done
    case 401, 403: .refused("answers \(answer.status): \(permission)")
    case 408, 429, 500...:
      .again(afterSeconds: answer.retryAfterSeconds, "answers \(answer.status)")
    default: .refused("answers \(answer.status) to what should be a purge")
    }
  }
}

extension HTTPAnswer {
  /// The seconds in `Retry-After` (RFC 9110, section 10.2.3).
  var retryAfterSeconds: Double? {
    header("Retry-After").flatMap { Int($0) }.flatMap { $0 >= 0 ? Double($0) : nil }
  }

  /// Returns the first whole number after a key of a JSON body, which the strict reader might
  /// reject because of a `null`.
  func number(after key: String) -> Int? {
    word(after: key).flatMap { Int($0) }
  }

  /// Returns the first number, `true`, `false` or `null` after a key of a JSON body.
  func word(after key: String) -> String? {
    let quoted = Array("\"\(key)\"".utf8)
    guard let start = body.indices.first(where: { body[$0...].starts(with: quoted) }) else {
      return nil
    }
    let rest = body[(start + quoted.count)...].drop { " \t\r\n:".utf8.contains($0) }
    return String(decoding: rest.prefix { !" \t\r\n,}]".utf8.contains($0) }, as: UTF8.self)
  }
}

extension HTTPRequest {
  /// Returns a `POST` request with a JSON body: members by their names, in a fixed order.
  static func post(json value: Value, to url: String) -> HTTPRequest {
    // Encoding succeeds for all strings, arrays and dictionaries.
    let body = (try? PropertyList.encode(value, as: .json)) ?? []
    return HTTPRequest(.post, url, headers: [("Content-Type", "application/json")], body: body)
  }
}

extension Array {
  /// Returns consecutive parts of `size` elements; the last part may be smaller.
  func batches(of size: Int) -> [[Element]] {
    stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}
