import ContentModel

/// Signature Version 4, which proves the sender of a request to Amazon, and that the request is
/// unchanged.
///
/// By "Create a signed AWS API request" in Amazon's reference of IAM.
package struct SignatureV4: Sendable {
  /// The service that a request is for.
  package enum Service: String, Sendable {
    case s3
    case cloudFront = "cloudfront"
    case sts
  }

  /// The signed parts of a request.
  package struct Message {
    package var method: HTTPRequest.Method
    /// The path as it is sent.
    package var path: String
    /// The query as it is sent, in the order of names, without the `?`.
    package var query: String
    package var headers: [(name: String, value: String)]
    /// The SHA-256 of the body, in hex.
    package var bodyHash: String

    package init(
      method: HTTPRequest.Method, path: String, query: String = "",
      headers: [(name: String, value: String)], bodyHash: String
    ) {
      (self.method, self.path, self.query) = (method, path, query)
      (self.headers, self.bodyHash) = (headers, bodyHash)
    }
  }

  let service: Service
  let credentials: AmazonCredentials
  let region: String

  package init(_ service: Service, credentials: AmazonCredentials, region: String) {
    (self.service, self.credentials, self.region) = (service, credentials, region)
  }

  /// Returns a signed request, with the body in memory and a query in the order of names.
  package func signed(_ request: HTTPRequest, at seconds: Int64) -> HTTPRequest {
    let address = SignedAddress(request.url)
    let message = Message(
      method: request.method, path: address.path, query: address.query, headers: request.headers,
      bodyHash: Digest(of: request.body).hex)
    var request = request
    request.headers = headers(of: message, host: address.host, at: seconds)
    return request
  }

  /// Returns the headers of a signed request: its own, and those that sign it.
  ///
  /// All of them are signed.
  package func headers(of message: Message, host: String, at seconds: Int64) -> [(
    name: String, value: String
  )] {
    let time = Self.basic(seconds)
    let headers = message.headers + added(time: time, bodyHash: message.bodyHash)
    let signed = Self.canonical(headers + [("host", host)])
    let names = signed.map(\.name).joined(separator: ";")
    let lines = [
      message.method.rawValue, canonical(path: message.path), message.query,
      signed.map { "\($0.name):\($0.value)\n" }.joined(), names, message.bodyHash,
    ]
    let scope = "\(time.prefix(8))/\(region)/\(service.rawValue)/aws4_request"
    let hash = Digest(of: Array(lines.joined(separator: "\n").utf8)).hex
    let signature = Self.hex(
      code("AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(hash)", key: key(time: time)))
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), "
      + "SignedHeaders=\(names), Signature=\(signature)"
    return headers + [("Authorization", authorization)]
  }

  private func added(time: String, bodyHash: String) -> [(name: String, value: String)] {
    // Only S3 requires the body's hash as a header, too.
    let hash = service == .s3 ? [("x-amz-content-sha256", bodyHash)] : []
    let token = credentials.sessionToken.map { [("x-amz-security-token", $0)] } ?? []
    return hash + [("x-amz-date", time)] + token
  }

  /// Returns the signed form of a path: S3 takes it as a key; other services simplify it and escape
  /// it once more.
  private func canonical(path: String) -> String {
    guard service != .s3 else { return path }
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    let end = path.hasByteSuffix("/") && !parts.isEmpty ? "/" : ""
    return URLEscape.path("/" + parts.joined(separator: "/") + end)
  }

  /// Returns the signing key of a day, a region and a service.
  private func key(time: String) -> [UInt8] {
    let first = Array("AWS4\(credentials.secretKey)".utf8)
    return [String(time.prefix(8)), region, service.rawValue, "aws4_request"].reduce(first) {
      code($1, key: $0)
    }
  }

  private func code(_ text: String, key: [UInt8]) -> [UInt8] {
    HMAC.code(for: Array(text.utf8), key: key)
  }

  /// Returns ISO 8601's basic form of seconds since 1970, such as `20130524T000000Z`.
  private static func basic(_ seconds: Int64) -> String {
    Instant(secondsSince1970: seconds).rfc3339.filter { $0 != "-" && $0 != ":" }
  }

  /// Returns the signed form of headers: names in lower case and in order, values without spaces
  /// around them, and with one between words.
  private static func canonical(_ headers: [(name: String, value: String)]) -> [(
    name: String, value: String
  )] {
    headers.map {
      ($0.name.lowercased(), $0.value.split(whereSeparator: \.isWhitespace).joined(separator: " "))
    }
    .sorted { $0.0.precedesInBytes($1.0) }
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { text, byte in
      text += String(byte >> 4, radix: 16)
      text += String(byte & 15, radix: 16)
    }
  }
}

/// The credentials with which requests to Amazon's services are signed.
package struct AmazonCredentials: Sendable, CustomStringConvertible, CustomReflectable {
  package let accessKey: String
  let secretKey: String
  /// The token of temporary credentials.
  let sessionToken: String?

  /// Creates credentials, which must not hold line breaks: they are sent in headers.
  package init(accessKey: String, secretKey: String, sessionToken: String?) {
    (self.accessKey, self.secretKey, self.sessionToken) = (accessKey, secretKey, sessionToken)
  }

  /// Returns a text without the secrets: a server may quote the request.
  package func hidden(in text: String) -> String {
    [secretKey, sessionToken ?? ""].filter { $0.utf8.count >= 8 }.reduce(text) {
      $0.replacing($1, with: "…")
    }
  }

  /// A text without secrets.
  package var description: String { "credentials" }
  /// A mirror without secrets, since tests and crash reports print it.
  package var customMirror: Mirror { Mirror(self, children: []) }
}
