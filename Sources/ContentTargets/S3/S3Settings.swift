import ContentModel
import HTTPTransport

/// The settings of Amazon's tools: from the environment first, then from the files in `~/.aws`.
struct S3Settings: Sendable {
  let credentials: AmazonCredentials
  let region: String?
  let endpoint: String?

  /// Reads the settings; `file` returns a file's bytes, or `nil` if it cannot be read.
  ///
  /// - Throws: `.denied` if there are no credentials, `.unusable` if a setting cannot be right.
  init(environment: (String) -> String?, file: (String) -> [UInt8]?) throws(TargetError) {
    let profile = try S3Profile(environment: environment, file: file)
    func value(of variables: [String], or setting: String) throws(TargetError) -> String? {
      for variable in variables {
        guard let value = environment(variable), !value.isEmpty else { continue }
        return try Self.printable(value, of: variable)
      }
      guard let value = profile[setting] else { return nil }
      return try Self.printable(value, of: "\(setting) of the profile '\(profile.name)'")
    }
    credentials = try Self.credentials(environment: environment, profile: profile)
    region = try value(of: ["AWS_REGION", "AWS_DEFAULT_REGION"], or: "region")
    endpoint = try value(of: ["AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"], or: "endpoint_url")
    if let region, !S3Address.isRegion(region) {
      throw TargetError(
        .unusable, "the region that is set for Amazon's tools is not such as 'eu-west-1'")
    }
  }

  /// Returns credentials that all come from the environment, or all from the profile: keys of two
  /// sources do not belong together.
  private static func credentials(
    environment: (String) -> String?, profile: S3Profile
  ) throws(TargetError) -> AmazonCredentials {
    let names = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"]
    let variables = names.map { name in environment(name).flatMap { $0.isEmpty ? nil : $0 } }
    if variables[0] != nil || variables[1] != nil {
      return try credentials(variables, named: names, in: "the environment")
    }
    let settings = names.map { $0.lowercased() }
    let values = settings.map { profile[$0] }
    if let way = AmazonSignIn(
      environment: environment, profile: profile, hasKeys: values[0] != nil || values[1] != nil)
    {
      throw TargetError(.denied, "there are no keys for the bucket: \(way)")
    }
    return try credentials(values, named: settings, in: profile.description)
  }

  private static func credentials(
    _ values: [String?], named names: [String], in place: String
  ) throws(TargetError) -> AmazonCredentials {
    guard let key = values[0], let secret = values[1] else {
      let missing = zip(names, values).prefix(2).filter { $0.1 == nil }.map(\.0).joined(
        separator: " and ")
      throw TargetError(
        .denied,
        "there are no credentials for the bucket: \(place) lacks \(missing); set both as for Amazon's tools"
      )
    }
    return AmazonCredentials(
      accessKey: try printable(key, of: names[0]), secretKey: try printable(secret, of: names[1]),
      sessionToken: try values[2].map { value throws(TargetError) in
        try printable(value, of: names[2])
      })
  }

  /// Returns a value if it can be sent in a header: without line breaks.
  private static func printable(_ value: String, of name: String) throws(TargetError) -> String {
    guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      throw TargetError(
        .unusable,
        "the value of \(name) has characters that are not allowed there, such as a line break")
    }
    return value
  }
}
