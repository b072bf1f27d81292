package import ContentSource
package import HTTPTransport

/// Akamai, through version 3 of its Fast Purge API.
///
/// See "Fast Purge API v3" in Akamai's documentation. The adapter deletes objects, because Akamai
/// serves invalidated ones again if the origin does not answer.
package struct AkamaiCDN: CDN {
  /// Akamai's networks; `staging` is for tests of changes.
  package enum Network: String, Sendable { case production, staging }

  /// The largest body in bytes; Akamai answers a larger one with 413.
  static let mostBytes = 50_000

  package let name = CacheName.akamai
  let clientToken: CDNSecret
  let clientSecret: CDNSecret
  let accessToken: CDNSecret
  private let hasKeys: Bool
  private let base: String
  private let network: Network

  /// Creates the adapter for an API client.
  ///
  /// `api` is `https://` and the host that belongs to the credentials, or another address in its
  /// place. With `hasKeys`, the origin sends surrogate keys in `Edge-Cache-Tag`.
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

  /// Plans URLs, or keys if the quotas delay the URLs too long.
  ///
  /// Akamai cannot purge a prefix or everything.
  package func plan(_ scope: PurgeScope) -> CDNPlan {
    let keys = scope.keys.distinct
    return CDNPlan.smallest(
      of: plan(scope.urls.distinct, as: .url),
      hasKeys && !keys.isEmpty ? plan(keys, as: .tag) : nil)
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

  private func plan(_ objects: [String], as kind: Kind) -> CDNPlan {
    let address = "\(base)/ccu/v3/delete/\(kind.rawValue)/\(network.rawValue)"
    let requests = AkamaiBatch.cut(objects, bytes: Self.mostBytes, count: kind.bucket.size).map {
      batch in
      CDNRequest(
        HTTPRequest(
          .post, address, headers: [("Content-Type", "application/json")], body: batch.body),
        units: batch.count)
    }
    // The time of an answer, and the pause that it asks for.
    let pace = CDNPace(
      requests: CDNPace.Bucket(100, perSecond: 50), units: kind.bucket, atOnce: 8,
      answerMilliseconds: 5_200)
    return CDNPlan(kind.selector, requests: requests, pace: pace)
  }

  /// Returns a request for the remaining quota, which serves as a wait: no request shows the end of
  /// a purge.
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

  /// The kinds of objects in a request.
  private enum Kind: String, CaseIterable {
    case url, tag

    var selector: CDNPlan.Selector {
      switch self {
      case .url: .urls
      case .tag: .keys
      }
    }

    /// The quota of the kind, with a token for each object ("Rate limiting").
    var bucket: CDNPace.Bucket {
      switch self {
      case .url: CDNPace.Bucket(10_000, perSecond: 200)
      case .tag: CDNPace.Bucket(5_000, perSecond: 500 / 60)
      }
    }
  }
}

extension Cache {
  static let akamai = hosted(
    .akamai, title: "Akamai", purges: "URLs; tags",
    keyHeader: "Edge-Cache-Tag", steps: \.akamaiSteps
  ) { settings throws(CDNSettingsError) in
    let api: String
    if let address = settings.address("api") {
      api = address
    } else {
      api = "https://\(try settings.name("host"))"
    }
    return AkamaiCDN(
      clientToken: try settings.secret("clientToken"),
      clientSecret: try settings.secret("clientSecret"),
      accessToken: try settings.secret("accessToken"),
      network: settings.first("network").flatMap(AkamaiCDN.Network.init) ?? .production,
      hasKeys: settings.hasKeys, api: api)
  }
}

extension ServerSettings {
  fileprivate var akamaiSteps: [String] {
    [
      """
      Config, \(configPath): Caching behaviour 'Honor origin Cache-Control', with 'Enhanced RFC support' off, or 'Cache' with max age
      \(lifetimes.edge) s. Downstream cacheability: pass the origin's Cache-Control on.
      """,
      "\(keys("Edge-Cache-Tag")) Rename Cache-Tag to Edge-Cache-Tag with 'Modify Incoming Response Header' where the origin "
        + "sends the former.",
      "Who may purge: only holders of credentials; Akamai ignores PURGE requests of readers.",
      token(
        "an API client with READ-WRITE for 'CCU APIs' on this CP code only (EdgeGrid: four values)."
      ),
      "Cache HTTP error responses: off. 'Serve stale on error': off for 503, or at most \(lifetimes.staleIfError) s.",
    ]
  }
}
