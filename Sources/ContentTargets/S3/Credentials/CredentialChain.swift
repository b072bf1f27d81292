import ContentModel
import HTTPTransport

/// The places where credentials are looked for, in the order of Amazon's tools.
///
/// By "Understand the credential provider chain" in Amazon's reference of SDKs and tools: keys in
/// the environment, a web identity, a profile, the container, and the instance. The first place
/// that has a source decides, even if that source then fails.
struct CredentialChain {
  private static let variables = [
    "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN",
  ]

  private let environment: (String) -> String?
  private let profiles: S3ProfileFiles
  private let service: Result<TokenService, TargetError>
  /// `true` if the bucket is at Amazon, `false` if it has an endpoint of its own.
  private let isAmazon: Bool

  init(
    _ settings: S3Settings, address: S3Address, environment: @escaping (String) -> String?
  ) throws(TargetError) {
    self.environment = environment
    profiles = settings.profiles
    let endpoint = address.endpoint ?? settings.endpoint
    isAmazon = endpoint.map(Self.isAmazon) ?? true
    // The region of another server's bucket is none of Amazon's. The content must not name another
    // host than one of STS: `sts.s3.amazonaws.com` is a stranger's bucket.
    let named = isAmazon ? address.region.flatMap { TokenService.isRegion($0) ? $0 : nil } : nil
    let region = settings.region ?? named ?? "us-east-1"
    // A mistake in the settings of STS concerns only who assumes a role.
    service = Result { () throws(TargetError) in
      try TokenService(environment: environment, profile: settings.profiles.chosen, region: region)
    }
  }

  private static func isAmazon(_ endpoint: String) -> Bool {
    guard endpoint.hasBytePrefix("https://") else { return false }
    let host = LocalHost.withoutPort(endpoint.dropFirst("https://".count).prefix { $0 != "/" })
    // Customers of Amazon have other servers below these names, such as those of API Gateway.
    return [".amazonaws.com", ".amazonaws.com.cn"].contains(where: host.hasByteSuffix)
      && host.split(separator: ".").contains { $0 == "s3" || $0.hasPrefix("s3-") }
  }

  /// Returns the source of the credentials; requests nothing.
  ///
  /// - Throws: `.denied` if there is none, `.unusable` if a setting cannot be right.
  func source() throws(TargetError) -> CredentialSource {
    if let keys = try keys(Self.variables.map(value), named: Self.variables, in: "the environment")
    {
      return .keys(keys)
    }
    if let source = try webIdentity() { return source }
    if let source = try source(of: profiles.chosen, assuming: []) { return source }
    if let container = try ContainerCredentials(environment: environment) {
      return .container(container)
    }
    return .instance(try instance())
  }

  private func value(_ variable: String) -> String? {
    environment(variable).flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns keys that all come from one place, since keys of two places do not belong together;
  /// `nil` if the place has none.
  private func keys(
    _ values: [String?], named names: [String], in place: String
  ) throws(TargetError) -> AmazonCredentials? {
    guard let key = values[0], let secret = values[1] else {
      guard values[0] != nil || values[1] != nil else { return nil }
      let missing = names[values[0] == nil ? 0 : 1]
      throw TargetError(
        .denied, noCredentials: "\(place) lacks \(missing); set both as for Amazon's tools")
    }
    return AmazonCredentials(
      accessKey: try S3Settings.printable(key, of: names[0]),
      secretKey: try S3Settings.printable(secret, of: names[1]),
      sessionToken: try values[2].map { value throws(TargetError) in
        try S3Settings.printable(value, of: names[2])
      })
  }

  // MARK: The environment

  private func webIdentity() throws(TargetError) -> CredentialSource? {
    let token: IdentityToken
    if let path = value("AWS_WEB_IDENTITY_TOKEN_FILE") {
      token = .file(path, setting: "AWS_WEB_IDENTITY_TOKEN_FILE")
    } else if value("AWS_ROLE_ARN") != nil, let github = try IdentityToken.github(environment) {
      token = github
    } else {
      return nil
    }
    guard let arn = value("AWS_ROLE_ARN") else {
      throw TargetError(
        .unusable, noCredentials: "AWS_WEB_IDENTITY_TOKEN_FILE needs AWS_ROLE_ARN, too")
    }
    let role = try AmazonRole(
      arn, session: value("AWS_ROLE_SESSION_NAME"), service: try service.get(),
      in: "AWS_ROLE_ARN or AWS_ROLE_SESSION_NAME cannot be right")
    return .webIdentity(role, token: token)
  }

  // MARK: Profiles

  /// Returns the source of a profile; `nil` if it has none.
  ///
  /// `path` has the names of the profiles whose roles these credentials are to assume.
  private func source(
    of profile: S3Profile, assuming path: [String]
  ) throws(TargetError) -> CredentialSource? {
    let place = "the profile '\(profile.name)'"
    let names = Self.variables.map { $0.lowercased() }
    func keys() throws(TargetError) -> CredentialSource? {
      try self.keys(names.map { profile[$0] }, named: names, in: place).map { .keys($0) }
    }
    // The keys of a profile that only is a source precede its role. The keys beside the role of the
    // chosen profile belong to another identity.
    if !path.isEmpty, let keys = try keys() { return keys }
    if let file = profile["web_identity_token_file"] {
      guard profile["role_arn"] != nil else {
        throw TargetError(
          .unusable, noCredentials: "\(place) has 'web_identity_token_file', which needs 'role_arn'"
        )
      }
      let setting = "'web_identity_token_file' of \(place)"
      return .webIdentity(try role(of: profile), token: .file(file, setting: setting))
    }
    if profile["role_arn"] != nil {
      let source = try assumer(of: profile, path: path + [profile.name])
      return .role(try role(of: profile), source: source)
    }
    if path.isEmpty, let keys = try keys() { return keys }
    if let way = AmazonSignIn(of: profile) {
      throw TargetError(.denied, "there are no keys for the bucket: \(way)")
    }
    return nil
  }

  private func role(of profile: S3Profile) throws(TargetError) -> AmazonRole {
    if let way = AmazonSignIn.code(for: profile) {
      throw TargetError(.denied, "there are no keys for the bucket: \(way)")
    }
    return try AmazonRole(
      profile["role_arn"] ?? "", session: profile["role_session_name"],
      externalID: profile["external_id"], duration: profile["duration_seconds"],
      service: try service.get(), in: "the role of the profile '\(profile.name)' cannot be right")
  }

  /// Returns the source of the credentials that assume a profile's role.
  private func assumer(
    of profile: S3Profile, path: [String]
  ) throws(TargetError) -> CredentialSource {
    let place = "the profile '\(profile.name)'"
    switch (profile["source_profile"], profile["credential_source"]) {
    case (let name?, nil): return try source(named: name, of: place, path: path)
    case (nil, let name?): return try source(credentialSource: name, of: place)
    case (nil, nil), (_?, _?):
      throw TargetError(
        .unusable,
        noCredentials:
          "\(place) has 'role_arn', which needs either 'source_profile' or 'credential_source'")
    }
  }

  private func source(
    named name: String, of place: String, path: [String]
  ) throws(TargetError) -> CredentialSource {
    guard let source = profiles[name] else {
      throw TargetError(
        .unusable,
        noCredentials: "\(place) has the source_profile '\(name)', which the files do not have")
    }
    // A profile may name itself if it also has the keys.
    let isOwn = path.last.map { $0.hasSameBytes(as: name) } ?? false
    let hasKeys = source["aws_access_key_id"] != nil || source["aws_secret_access_key"] != nil
    guard isOwn && hasKeys || !path.contains(where: { $0.hasSameBytes(as: name) }) else {
      let circle = (path + [name]).map { "'\($0)'" }.joined(separator: ", ")
      throw TargetError(
        .unusable, noCredentials: "the profiles \(circle) name each other as source_profile")
    }
    guard let credentials = try self.source(of: source, assuming: path) else {
      throw TargetError(
        .denied, noCredentials: "the profile '\(name)', the source_profile of \(place), has no keys"
      )
    }
    return credentials
  }

  private func source(
    credentialSource name: String, of place: String
  ) throws(TargetError) -> CredentialSource {
    let setting = "\(place) has 'credential_source = \(name)'"
    switch name {
    case "Environment":
      // Keys of the environment would have preceded every profile.
      throw TargetError(
        .denied, noCredentials: "\(setting), but AWS_ACCESS_KEY_ID is not set")
    case "EcsContainer":
      guard let container = try ContainerCredentials(environment: environment) else {
        throw TargetError(
          .denied,
          noCredentials: "\(setting), but AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not set")
      }
      return .container(container)
    case "Ec2InstanceMetadata":
      return .instance(try instance(lookedIn: setting, advice: "set keys"))
    default:
      throw TargetError(
        .unusable,
        noCredentials: "\(setting): it is Environment, EcsContainer or Ec2InstanceMetadata")
    }
  }

  // MARK: The machine

  /// Returns the metadata service, which is asked last.
  private func instance() throws(TargetError) -> InstanceCredentials {
    let lookedIn =
      "looked for AWS_ACCESS_KEY_ID, for AWS_ROLE_ARN with a web identity token, for keys or a role in "
      + "the profile '\(profiles.chosen.name)' of ~/.aws/credentials and ~/.aws/config, and for a container's credentials"
    return try instance(lookedIn: lookedIn, advice: advice)
  }

  /// Returns the metadata service if it may be asked for this bucket.
  ///
  /// `lookedIn` begins the sentence of an error, and `advice` ends it.
  private func instance(
    lookedIn: String, advice: String
  ) throws(TargetError) -> InstanceCredentials {
    func none(_ reason: String) -> TargetError {
      TargetError(.denied, noCredentials: "\(lookedIn); \(reason); \(advice)")
    }
    guard isAmazon else {
      throw none("this machine's metadata service is for Amazon's own buckets only")
    }
    guard environment("AWS_EC2_METADATA_DISABLED")?.lowercased() != "true" else {
      throw none("AWS_EC2_METADATA_DISABLED excludes this machine's metadata service")
    }
    return try InstanceCredentials(environment: environment, lookedIn: lookedIn, advice: advice)
  }

  private var advice: String {
    guard value("AWS_ROLE_ARN") != nil else {
      return
        "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_ROLE_ARN and AWS_WEB_IDENTITY_TOKEN_FILE"
    }
    return value("GITHUB_ACTIONS") == nil
      ? "AWS_ROLE_ARN needs AWS_WEB_IDENTITY_TOKEN_FILE, too"
      : "AWS_ROLE_ARN needs a token: give the job 'permissions: {id-token: write}'"
  }
}
