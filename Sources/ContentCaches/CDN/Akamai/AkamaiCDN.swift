package import HTTPTransport

/// Akamai, by its Fast Purge in version 3.
///
/// By "Fast Purge API v3" in Akamai's documentation. Objects are deleted, because Akamai serves
/// invalidated ones again if the origin does not answer.
package struct AkamaiCDN: CDN {
  /// Akamai has a second network, on which changes are tried.
  package enum Network: String, Sendable { case production, staging }

  /// Bytes of a body; one more is answered with 413.
  static let mostBytes = 50_000

  package let name = "akamai"
  let clientToken: CDNSecret
  let clientSecret: CDNSecret
  let accessToken: CDNSecret
  private let hasKeys: Bool
  private let base: String
  private let network: Network

  /// Creates the adapter for a client of Akamai's interfaces.
  ///
  /// `api` is the host that Akamai gives with the credentials, with `https://`, or an address in
  /// place of it; `hasKeys` says whether the origin sends surrogate keys in `Edge-Cache-Tag`.
  package init(
    clientToken: CDNSecret, clientSecret: CDNSecret, accessToken: CDNSecret,
    network: Network = .production,
    hasKeys: Bool = false, api: String
  ) {
    (self.clientToken, self.clientSecret, self.accessToken) = (
      clientToken, clientSecret, accessToken
    )
    (self.network, self.hasKeys, base) = (network, hasKeys, api)
  }

  /// Plans URLs if the quotas allow them in time.
  ///
  /// Otherwise it plans keys, or else the URLs as fast as Akamai takes them.
  ///
  /// There is no purge of a prefix, or of everything.
  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let keys = Self.distinct(scope.keys)
    return CDNPlan.smallest(
      of: plan(.urls, .url, Self.distinct(scope.urls)),
      hasKeys && !keys.isEmpty ? plan(.keys, .tag, keys) : nil)
  }

  package func authorized(_ request: CDNRequest, at seconds: Int64, unique: UInt64) -> HTTPRequest {
    var signed = request.request
    let digits = String(unique, radix: 16)
    let nonce = String(repeating: "0", count: 16 - digits.utf8.count) + digits
    let credentials = EdgeGridCredentials(
      clientToken: clientToken.value, clientSecret: clientSecret.value,
      accessToken: accessToken.value)
    let value = EdgeGridSignature(credentials: credentials).authorization(
      signed, at: seconds, nonce: nonce)
    signed.headers.append(("Authorization", value))
    return signed
  }

  private func plan(_ selector: CDNPlan.Selector, _ kind: Kind, _ objects: [String]) -> CDNPlan {
    let address = "\(base)/ccu/v3/delete/\(kind.rawValue)/\(network.rawValue)"
    let requests = AkamaiBatch.cut(objects, bytes: Self.mostBytes, count: kind.bucket.size).map {
      batch in
      CDNRequest(
        HTTPRequest(
          .post, address, headers: [("Content-Type", "application/json")], body: batch.body),
        units: batch.count)
    }
    // An answer, and the time that it asks for.
    let pace = CDNPace(
      requests: CDNPace.Bucket(100, perSecond: 50), units: kind.bucket, atOnce: 8,
      answerMilliseconds: 5_200)
    return CDNPlan(selector, requests, pace)
  }

  /// Returns a request that only asks for the remaining quota of a request's kind: there is no
  /// request about the end of a purge.
  func status(after request: CDNRequest) -> CDNRequest {
    let kind =
      Kind.allCases.first { request.request.url.hasSuffix("/\($0.rawValue)/\(network.rawValue)") }
      ?? .url
    return CDNRequest(
      HTTPRequest(
        .post, statusAddress + kind.rawValue, headers: [("Content-Type", "application/json")]),
      units: 0)
  }

  /// Returns whether a request asks for the remaining quota.
  func isStatus(_ request: CDNRequest) -> Bool { request.request.url.hasPrefix(statusAddress) }

  private var statusAddress: String { "\(base)/ccu/v3/rate-limit-status/" }

  private static func distinct(_ texts: [String]) -> [String] {
    var known: Set<String> = []  // String keys: URLs are ASCII
    return texts.filter { known.insert($0).inserted }
  }

  /// The selectors that name objects.
  private enum Kind: String, CaseIterable {
    case url, tag

    /// A token for each object ("Rate limiting").
    var bucket: CDNPace.Bucket {
      switch self {
      case .url: CDNPace.Bucket(10_000, perSecond: 200)
      case .tag: CDNPace.Bucket(5_000, perSecond: 500 / 60)
      }
    }
  }
}
