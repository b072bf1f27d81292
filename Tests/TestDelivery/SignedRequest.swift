import ContentModel
import HTTPTransport
import TestServers

/// A request as Amazon's servers read it: with its headers by name, its form and its signature.
struct SignedRequest {
  let request: ScriptedServer.Request
  /// The path without the query, as it was sent.
  let path: String
  /// The query, as it was sent.
  let query: String

  init(_ request: ScriptedServer.Request) {
    self.request = request
    let parts = request.path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    path = String(parts[0])
    query = parts.count > 1 ? String(parts[1]) : ""
  }

  /// Returns the value of a header by its lower-case name; `nil` if there is none.
  func header(_ name: String) -> String? {
    request.headers.lazy.compactMap { line -> String? in
      guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == name else {
        return nil
      }
      return String(line[colon...].dropFirst().drop { $0 == " " })
    }.first
  }

  /// The names and values of a form or a query; `nil` for a malformed one, or if a name occurs
  /// twice.
  static func form(_ text: String) -> [String: String]? {
    var form: [String: String] = [:]
    for pair in text.split(separator: "&") {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = URLEscape.unescaped(parts[0]),
        let value = URLEscape.unescaped(parts[1]), form[name] == nil
      else { return nil }
      form[name] = value
    }
    return form
  }

  /// The access key that signed the request; `nil` if it is not signed.
  var accessKey: String? {
    header("authorization").flatMap { text in
      text.split(separator: "Credential=").last?.split(separator: "/").first.map(String.init)
    }
  }

  /// Returns whether these credentials signed the request for a service, at most 15 minutes before
  /// `now`.
  func isSigned(
    by credentials: AmazonCredentials, for service: SignatureV4.Service, region: String, now: Int64
  ) -> Bool {
    guard let authorization = header("authorization"), let host = header("host"),
      let method = HTTPRequest.Method(rawValue: request.method),
      let date = header("x-amz-date").flatMap(Self.seconds), abs(date - now) <= 900,
      let list = authorization.split(separator: "SignedHeaders=").last?.split(separator: ",").first
    else { return false }
    let added = ["host", "x-amz-content-sha256", "x-amz-date", "x-amz-security-token"]
    let names = list.split(separator: ";").map(String.init).filter { !added.contains($0) }
    let message = SignatureV4.Message(
      method: method, path: path, query: query, headers: names.map { ($0, header($0) ?? "") },
      bodyHash: Digest(of: request.body).hex)
    let right = SignatureV4(service, credentials: credentials, region: region).headers(
      of: message, host: host, at: date)
    return right.last?.value == authorization
  }

  /// Returns the seconds since 1970 of a time such as `20270115T080000Z`.
  private static func seconds(_ text: String) -> Int64? {
    let digits = Array(text)
    guard digits.count == 16 else { return nil }
    func part(_ range: Range<Int>) -> String { String(digits[range]) }
    let date = "\(part(0..<4))-\(part(4..<6))-\(part(6..<8))"
    return Instant(rfc3339: "\(date)T\(part(9..<11)):\(part(11..<13)):\(part(13..<15))Z").map {
      Int64($0.secondsSinceReferenceDate) + Instant.referenceDateInUnixTime
    }
  }
}
