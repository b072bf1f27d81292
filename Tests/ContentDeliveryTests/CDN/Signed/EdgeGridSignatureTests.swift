import ContentModel
import HTTPTransport
import PropertyLists
import Testing

@testable import ContentCaches
@testable import TestDelivery

@Suite struct EdgeGridSignatureTests {
  @Test func signsLikeAkamai() throws {
    let table = try SignedTable.edgeGrid.rows()
    for row in table {
      let method = try #require(HTTPRequest.Method(rawValue: row["method"]?.text ?? ""))
      let body = String(
        repeating: row["body"]?.text ?? "", count: try #require(row["times"]?.number))
      let request = HTTPRequest(method, row["url"]?.text ?? "", body: Array(body.utf8))
      let signature = EdgeGridSignature(credentials: try #require(EdgeGridCredentials(row)))
      let value = signature.authorization(
        request, at: Int64(row["seconds"]?.number ?? 0), nonce: row["nonce"]?.text ?? "")
      #expect(value == row["authorization"]?.text, "\(method) \(request.url) \(request.body.count)")
    }
    #expect(table.count >= 30)
  }

  @Test func sendsDocumentedRequests() throws {
    let table = try SignedTable.edgeGrid.rows().filter { $0["objects"] != nil }
    for row in table {
      let network = try #require(AkamaiCDN.Network(rawValue: row["network"]?.text ?? ""))
      let cdn = AkamaiCDN(
        try #require(EdgeGridCredentials(row)), network: network,
        api: "https://akab-host.purge.akamaiapis.net")
      let urls = row["objects"]?.items?.compactMap(\.text) ?? []
      let requests = cdn.plan(PurgeScope(urls: urls, keys: [], prefix: "")).requests
      let unique = try #require(UInt64(row["number"]?.text ?? ""))
      let sent = cdn.authorized(
        try #require(requests.first), at: Int64(row["seconds"]?.number ?? 0), unique: unique)
      #expect(requests.count == 1 && sent.url == row["url"]?.text)
      #expect(String(decoding: sent.body, as: UTF8.self) == row["body"]?.text)
      #expect(sent.headers.map(\.name) == ["Content-Type", "Authorization"])
      #expect(sent.headers.last?.value == row["authorization"]?.text)
    }
    #expect(table.count >= 4)
  }
}

extension EdgeGridCredentials {
  /// The credentials that sign a row.
  fileprivate init?(_ row: Value) {
    guard let client = row["client_token"]?.text, let secret = row["secret"]?.text,
      let access = row["access_token"]?.text
    else { return nil }
    self.init(clientToken: client, clientSecret: secret, accessToken: access)
  }
}
