@testable import ContentCaches
@testable import HTTPTransport

extension CloudFrontCDN {
  /// Reads the credentials from variables with the names that tests expect.
  init(
    distribution: String, _ credentials: AmazonCredentials, api: String, hasKeys: Bool = false,
    unique: @escaping @Sendable () -> UInt64 = { 1 }
  ) {
    self.init(
      distribution: distribution,
      accessKey: CDNSecret(variable: "CF_KEY", value: credentials.accessKey),
      secretKey: CDNSecret(variable: "CF_SECRET", value: credentials.secretKey),
      sessionToken: credentials.sessionToken.map { CDNSecret(variable: "CF_TOKEN", value: $0) },
      hasKeys: hasKeys,
      api: api,
      unique: unique)
  }
}

extension AkamaiCDN {
  /// Reads the credentials from variables with the names that tests expect.
  init(
    _ credentials: EdgeGridCredentials, network: Network = .production, hasKeys: Bool = false,
    api: String
  ) {
    self.init(
      clientToken: CDNSecret(variable: "AK_CLIENT", value: credentials.clientToken),
      clientSecret: CDNSecret(variable: "AK_SECRET", value: credentials.clientSecret),
      accessToken: CDNSecret(variable: "AK_ACCESS", value: credentials.accessToken),
      network: network,
      hasKeys: hasKeys, api: api)
  }
}
