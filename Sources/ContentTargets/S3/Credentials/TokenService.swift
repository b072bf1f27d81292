import ContentModel

/// Amazon's Security Token Service (STS), or another server with its interface.
struct TokenService: Sendable {
  /// The address, with `https` unless it is this machine.
  let url: String
  /// The region that signatures name.
  let region: String
  /// The subject of a sentence about the service.
  let shown: String

  /// The regions whose requests go to the worldwide address, if `AWS_STS_REGIONAL_ENDPOINTS` is
  /// `legacy`: by "AWS STS Regional endpoints" in Amazon's reference of SDKs and tools.
  private static let legacyRegions = [
    "ap-northeast-1", "ap-south-1", "ap-southeast-1", "ap-southeast-2", "ca-central-1",
    "eu-central-1", "eu-north-1", "eu-west-1", "eu-west-2", "eu-west-3", "sa-east-1", "us-east-1",
    "us-east-2", "us-west-1", "us-west-2",
  ]

  /// Reads the settings; `region` is that of requests.
  ///
  /// - Throws: `.unusable` for an address to which no token may be sent.
  init(
    environment: (String) -> String?, profile: S3Profile, region: String
  ) throws(TargetError) {
    let own = try S3Settings.value(
      of: ["AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL"], or: "endpoint_url", environment, profile)
    if let own {
      guard WebURL.isConfidential(own) else {
        throw TargetError(
          .unusable,
          "tokens for a role go to 'https://…' only, or to this machine: correct AWS_ENDPOINT_URL_STS, AWS_ENDPOINT_URL or endpoint_url"
        )
      }
      let address = String(own.hasByteSuffix("/") ? own.dropLast() : own[...])
      (url, self.region, shown) = (address, region, "STS at \(address)")
      return
    }
    let kind = try S3Settings.value(
      of: ["AWS_STS_REGIONAL_ENDPOINTS"], or: "sts_regional_endpoints", environment, profile)
    let isWorldwide = kind == "legacy" && Self.legacyRegions.contains(region)
    let host =
      isWorldwide
      ? "sts.amazonaws.com"
      : "sts.\(region).amazonaws.com\(region.hasBytePrefix("cn-") ? ".cn" : "")"
    (url, self.region, shown) = ("https://\(host)", isWorldwide ? "us-east-1" : region, host)
  }

  /// Returns whether a text has the form of Amazon's regions, such as `us-gov-west-1`.
  static func isRegion(_ text: String) -> Bool {
    let parts = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    return parts.count > 2 && parts[0].count == 2
      && parts.dropLast().allSatisfy { part in
        !part.isEmpty && part.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
      } && parts.last.map { (1...2).contains($0.count) && $0.allSatisfy(\.isDigit) } ?? false
  }
}
