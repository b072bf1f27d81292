import ContentModel
import HTTPTransport
import Testing

@testable import ContentTargets

@Suite struct S3SignatureTests {
  @Test func signsLikeBotocore() throws {
    let rows = try SignedTable.s3.rows()
    for row in rows {
      let (name, path) = (row["name"]?.text ?? "", row["path"]?.text ?? "")
      let method = try #require(HTTPRequest.Method(rawValue: row["method"]?.text ?? ""))
      let request = S3Request(
        method, key: "", query: Self.pairs(row["query"]), headers: Self.pairs(row["headers"]),
        body: .bytes(try Self.bytes(row["body"])))
      let signature = SignatureV4(
        .s3, credentials: try #require(AmazonCredentials(row)), region: row["region"]?.text ?? "")
      let headers = signature.headers(
        of: request, host: row["host"]?.text ?? "", path: path,
        at: Int64(try #require(row["seconds"]?.number)))
      #expect(URLEscape.path(path) == row["sent"]?.text, "\(name)")
      #expect(headers.last?.value == row["authorization"]?.text, "\(name)")
    }
    #expect(rows.count >= 50)
  }

  /// From "Signature Calculations for the Authorization Header", Amazon S3 API Reference.
  @Test(arguments: [
    (
      S3Request(.get, key: "test.txt", headers: [("Range", "bytes=0-9")]),
      "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    ),
    (
      S3Request(
        .put, key: "test$file.text",
        headers: [
          ("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY"),
        ],
        body: .bytes(Array("Welcome to Amazon S3.".utf8))),
      "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
    ),
    (
      S3Request(.get, key: "", query: [("lifecycle", "")]),
      "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
    ),
    (
      S3Request(.get, key: "", query: [("max-keys", "2"), ("prefix", "J")]),
      "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
    ),
  ])
  func signsAmazonsOwnExamples(request: S3Request, signature: String) {
    let credentials = AmazonCredentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
      sessionToken: nil)
    let headers = SignatureV4(.s3, credentials: credentials, region: "us-east-1").headers(
      of: request, host: "examplebucket.s3.amazonaws.com", path: "/\(request.key)",
      at: 1_369_353_600)
    #expect(
      headers.last?.name == "Authorization"
        && headers.last?.value.hasSuffix("Signature=\(signature)") == true)
  }

  @Test func showsNoSecret() {
    let credentials = AmazonCredentials(
      accessKey: "AKID", secretKey: "s3cret", sessionToken: "t0ken")
    var dumped = ""
    dump(credentials, to: &dumped)
    let shown = "\(credentials) \(String(reflecting: credentials)) \(dumped)"
    #expect(!shown.contains("s3cret") && !shown.contains("t0ken"))
  }

  private static func pairs(_ value: Value?) -> [(name: String, value: String)] {
    (value?.items ?? []).map { pair in
      let texts = pair.items?.compactMap(\.text) ?? []
      return (texts.first ?? "", texts.last ?? "")
    }
  }

  /// Returns the bytes of hexadecimal digits.
  private static func bytes(_ value: Value?) throws -> [UInt8] {
    let digits = Array(try #require(value?.text))
    return try stride(from: 0, to: digits.count, by: 2).map {
      try #require(UInt8(String(digits[$0...$0 + 1]), radix: 16))
    }
  }
}

extension AmazonCredentials {
  /// The credentials that sign a row.
  init?(_ row: Value) {
    guard let key = row["key"]?.text, let secret = row["secret"]?.text,
      let token = row["token"]?.text
    else {
      return nil
    }
    self.init(accessKey: key, secretKey: secret, sessionToken: token.isEmpty ? nil : token)
  }
}
