import ContentModel
import PropertyLists
import Testing

@testable import ContentCaches
@testable import HTTPTransport
@testable import TestDelivery

@Suite struct CloudFrontSignatureTests {
  @Test func sendsTheSameRequestsAsBotocore() throws {
    let rows = try SignedTable.cloudFront.rows().filter { $0["kind"]?.text != "path" }
    for row in rows {
      let cdn = try #require(CloudFrontCDN(row))
      let urls = row["urls"]?.items?.compactMap(\.text) ?? []
      let created = cdn.plan(
        PurgeScope(urls: urls, keys: [], prefix: "https://cdn.example.com/v1/")
      ).requests
      let planned =
        row["kind"]?.text == "create" ? try #require(created.first) : cdn.progress("I2J0I21PCUYOIK")
      let sent = cdn.authorized(planned, at: Int64(row["seconds"]?.number ?? 0), unique: 7)
      #expect(
        created.count == 1 && sent.method.rawValue == row["method"]?.text
          && sent.url == row["url"]?.text)
      #expect(String(decoding: sent.body, as: UTF8.self) == row["body"]?.text, "\(urls)")
      #expect(lowercased(sent.headers) == headers(row), "\(urls)")
    }
    #expect(rows.count >= 40)
  }

  @Test func signsPathsLikeBotocore() throws {
    let rows = try SignedTable.cloudFront.rows().filter { $0["kind"]?.text == "path" }
    for row in rows {
      let message = SignatureV4.Message(
        method: .get, path: row["path"]?.text ?? "", headers: [("X-Two", " a   b ")],
        bodyHash: Digest(of: []).hex)
      let signed = SignatureV4(
        .cloudFront, credentials: try #require(AmazonCredentials(row)), region: "us-east-1"
      ).headers(
        of: message, host: "cloudfront.amazonaws.com", at: Int64(row["seconds"]?.number ?? 0))
      #expect(lowercased(signed) == headers(row), "\(message.path)")
    }
    #expect(rows.count >= 10)
  }

  private func lowercased(_ headers: [(name: String, value: String)]) -> [String: String] {
    Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first }
  }

  private func headers(_ row: Value) -> [String: String] {
    lowercased(row["headers"]?.members?.map { ($0.key, $0.value.text ?? "") } ?? [])
  }
}

extension CloudFrontCDN {
  /// The adapter for a row's distribution and API address.
  fileprivate init?(_ row: Value) {
    guard let credentials = AmazonCredentials(row), let distribution = row["distribution"]?.text,
      let api = row["api"]?.text, let unique = row["unique"]?.number.flatMap(UInt64.init)
    else { return nil }
    self.init(
      distribution: distribution, credentials,
      api: api.isEmpty ? "https://cloudfront.amazonaws.com" : api,
      unique: { unique })
  }
}
