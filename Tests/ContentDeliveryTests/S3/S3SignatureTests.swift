import ContentModel
import HTTPTransport
import TestServers
import Testing

@testable import ContentTargets

@Suite struct S3SignatureTests {
  /// Compares each line of `Scripts/signatures.py`, which lists requests and their signatures by
  /// botocore.
  @Test(.nightly) func signsLikeBotocore() throws {
    let folder = try ScratchFolder()
    let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2).joined(
      separator: "/")
    let script =
      "import sys, runpy; sys.stdout = open(sys.argv[1], 'w'); runpy.run_path(sys.argv[2])"
    try Program.run(
      "/usr/bin/env",
      ["python3", "-c", script, folder.path("table"), "\(root)/Scripts/signatures.py"])
    let table = try folder.read("table").split(separator: "\n")
    for line in table {
      let request = try #require(SignedRequest(line))
      let headers = request.signature.headers(
        of: request.request, host: request.host, path: request.path, at: request.seconds)
      #expect(URLEscape.path(request.path) == request.sentPath, "\(request.name)")
      #expect(headers.last?.value == request.authorization, "\(request.name)")
    }
    #expect(table.count >= 40)
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
}

/// A row of the reference table.
private struct SignedRequest {
  let name: String
  let request: S3Request
  let host: String
  let path: String
  let seconds: Int64
  let signature: SignatureV4
  let sentPath: String
  let authorization: String

  init?(_ line: Substring) {
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard fields.count == 14, let method = HTTPRequest.Method(rawValue: fields[1]),
      let seconds = Int64(fields[7])
    else {
      return nil
    }
    name = Self.text(fields[0])
    request = S3Request(
      method, key: "", query: Self.pairs(fields[4]), headers: Self.pairs(fields[5]),
      body: .bytes(Self.bytes(fields[6])))
    (host, path, self.seconds) = (fields[2], Self.text(fields[3]), seconds)
    let credentials = AmazonCredentials(
      accessKey: fields[9], secretKey: fields[10],
      sessionToken: fields[11].isEmpty ? nil : fields[11])
    signature = SignatureV4(.s3, credentials: credentials, region: fields[8])
    (sentPath, authorization) = (fields[12], fields[13])
  }

  private static func pairs(_ text: String) -> [(name: String, value: String)] {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", omittingEmptySubsequences: false).map {
        Self.text(String($0))
      }
      return (parts[0], parts[1])
    }
  }

  private static func text(_ digits: String) -> String {
    String(decoding: bytes(digits), as: UTF8.self)
  }

  private static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
  }
}
