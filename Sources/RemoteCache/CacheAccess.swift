/// What opens a cache's door, as the environment has it; none of it is ever printed.
package struct CacheAccess: Sendable {
  /// The value of the header `Authorization`, whole; `nil` for none.
  package var authorization: String?
  /// A file of certificates to trust in place of the system's.
  package var certificates: String?
  /// What records are sealed with; whoever has it can write records that are believed.
  package var secret: String?
  /// Keys and region for a bucket; without keys, requests are anonymous.
  package var bucket: BucketAccess?

  package init() {}

  /// Reads `CONTENTC_CACHE_AUTHORIZATION`, `CONTENTC_CACHE_SECRET`, `SSL_CERT_FILE`, and what
  /// Amazon's tools read.
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
    let (region, otherRegion) = (try value("AWS_REGION"), try value("AWS_DEFAULT_REGION"))
    bucket = BucketAccess(
      key: key, secretKey: secretKey, token: try value("AWS_SESSION_TOKEN"),
      region: region ?? otherRegion ?? "us-east-1")
  }
}

/// Keys for a bucket, which sign requests (Signature Version 4).
package struct BucketAccess: Sendable {
  let key: String
  let secretKey: String
  let token: String?
  let region: String
}
