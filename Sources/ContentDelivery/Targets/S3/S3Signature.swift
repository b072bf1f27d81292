import Crypto
import HTTPTransport

/// Signature Version 4 for S3: what proves who sends a request, and that nothing in it was changed.
///
/// By "Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk" in Amazon's reference
/// of S3.
struct S3Signature {
  let credentials: S3Credentials
  let region: String

  /// The headers that a request is sent with: its own, and those that sign it.
  ///
  /// Every one of them is signed.
  func headers(of request: S3Request, host: String, path: String, at seconds: Int64) -> [(name: String, value: String)]
  {
    let time = S3Time.basic(seconds)
    let bodyHash = Self.hex(SHA256.hash(data: request.body))
    var headers = request.headers + [("x-amz-content-sha256", bodyHash), ("x-amz-date", time)]
    if let token = credentials.sessionToken { headers.append(("x-amz-security-token", token)) }
    let signed = Self.canonical(headers + [("host", host)])
    let names = signed.map(\.name).joined(separator: ";")
    let lines = [
      request.method.rawValue, S3Escape.path(path), S3Escape.query(request.query),
      signed.map { "\($0.name):\($0.value)\n" }.joined(), names, bodyHash,
    ]
    let scope = "\(time.prefix(8))/\(region)/s3/aws4_request"
    let hash = Self.hex(SHA256.hash(data: Array(lines.joined(separator: "\n").utf8)))
    let signature = Self.hex(code("AWS4-HMAC-SHA256\n\(time)\n\(scope)\n\(hash)", key(time: time)))
    let authorization =
      "AWS4-HMAC-SHA256 Credential=\(credentials.accessKey)/\(scope), SignedHeaders=\(names), Signature=\(signature)"
    return headers + [("Authorization", authorization)]
  }

  /// The key of a day, a region and a service.
  private func key(time: String) -> SymmetricKey {
    let first = SymmetricKey(data: Array("AWS4\(credentials.secretKey)".utf8))
    return [String(time.prefix(8)), region, "s3", "aws4_request"].reduce(first) {
      SymmetricKey(data: code($1, $0))
    }
  }

  private func code(_ text: String, _ key: SymmetricKey) -> HMAC<SHA256>.MAC {
    HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: key)
  }

  /// Names in lower case and in order, values without spaces around them, and with one between words.
  private static func canonical(_ headers: [(name: String, value: String)]) -> [(name: String, value: String)] {
    headers.map { ($0.name.lowercased(), $0.value.split(whereSeparator: \.isWhitespace).joined(separator: " ")) }
      .sorted { $0.0 < $1.0 }
  }

  private static func hex(_ bytes: some Sequence<UInt8>) -> String {
    bytes.reduce(into: "") { text, byte in
      text += String(byte >> 4, radix: 16)
      text += String(byte & 15, radix: 16)
    }
  }
}
