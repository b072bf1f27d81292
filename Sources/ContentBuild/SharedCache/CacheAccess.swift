package import HTTPTransport

/// The credentials for a cache, from environment variables; they are never printed.
package struct CacheAccess: Sendable {
  /// The value of the header `Authorization`, whole; `nil` for none.
  package var authorization: String?
  /// A file of certificates to trust in place of the system's.
  package var certificates: String?
  /// The key that seals records: a record counts only if its writer had the same key.
  package var secret: String?
  /// The signature of requests to a bucket; without keys, they are anonymous.
  package var bucket: SignatureV4?

  package init() {}

  /// Reads `CONTENTC_CACHE_AUTHORIZATION`, `CONTENTC_CACHE_SECRET`, `SSL_CERT_FILE`, and the
  /// variables of Amazon's tools.
  ///
  /// - Throws: if a value cannot be sent in a header.
  package init(environment: (String) -> String?) throws(CacheAddressError) {
    func value(_ name: String) throws(CacheAddressError) -> String? {
      guard let value = environment(name), !value.isEmpty else { return nil }
      guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
        throw CacheAddressError.unprintable(variable: name)
      }
      return value
    }
    authorization = try value("CONTENTC_CACHE_AUTHORIZATION")
    secret = try value("CONTENTC_CACHE_SECRET")
    certificates = try value("SSL_CERT_FILE")
    guard let key = try value("AWS_ACCESS_KEY_ID"),
      let secretKey = try value("AWS_SECRET_ACCESS_KEY")
    else { return }
    let regions = [try value("AWS_REGION"), try value("AWS_DEFAULT_REGION")]
    let credentials = AmazonCredentials(
      accessKey: key, secretKey: secretKey, sessionToken: try value("AWS_SESSION_TOKEN"))
    bucket = SignatureV4(
      .s3, credentials: credentials, region: regions.compactMap(\.self).first ?? "us-east-1")
  }
}
