import ContentModel
import Testing

@testable import ContentTargets
@testable import HTTPTransport

/// The choice of the place from which credentials come; nothing is requested.
@Suite struct CredentialChainTests {
  private static let arn = "arn:aws:iam::123456789012:role/publisher"
  private static let credentialsFile = """
    [default]
    aws_access_key_id = DEFAULT
    aws_secret_access_key=first=secret=
    [ci]
    aws_access_key_id = CI
    aws_secret_access_key = second
    aws_session_token = token
    [half]
    aws_access_key_id = HALF
    """
  private static let configFile = """
    [profile ci]
    aws_access_key_id = NOT-THIS
    [profile region]
    region = eu-north-1
    [profile "single sign on"]
    sso_session = company
    [profile old]
    sso_start_url = https://company.example
    [profile login]
    login_session = arn:aws:iam::1:user/me
    [profile process]
    credential_process = /bin/s3cret
    [profile exported]
    sso_session = company
    aws_access_key_id = EXPORTED
    aws_secret_access_key = fourth
    aws_session_token = short
    [profile role]
    role_arn = \(arn)
    source_profile = ci
    role_session_name = nightly
    external_id = shop/1
    duration_seconds = 900
    aws_access_key_id = NOT-THE-ROLE
    aws_secret_access_key = s3cret
    [profile chain]
    role_arn = \(arn)
    source_profile = middle
    [profile middle]
    role_arn = arn:aws:iam::123456789012:role/middle
    source_profile = web
    [profile web]
    role_arn = arn:aws:iam::123456789012:role/web
    web_identity_token_file = /token
    [profile own]
    role_arn = \(arn)
    source_profile = own
    aws_access_key_id = OWN
    aws_secret_access_key = fifth
    [profile keyed]
    role_arn = \(arn)
    source_profile = role
    [profile task]
    role_arn = \(arn)
    credential_source = EcsContainer
    [profile machine]
    role_arn = \(arn)
    credential_source = Ec2InstanceMetadata
    [profile environment]
    role_arn = \(arn)
    credential_source = Environment
    [profile magic]
    role_arn = \(arn)
    credential_source = Magic
    [profile both]
    role_arn = \(arn)
    credential_source = Environment
    source_profile = ci
    [profile neither]
    role_arn = \(arn)
    [profile code]
    role_arn = \(arn)
    source_profile = ci
    mfa_serial = arn:aws:iam::1:mfa/me
    [profile lost]
    role_arn = \(arn)
    source_profile = nowhere
    [profile empty]
    role_arn = \(arn)
    source_profile = region
    [profile circle]
    role_arn = \(arn)
    source_profile = round
    [profile round]
    role_arn = \(arn)
    source_profile = circle
    [profile self]
    role_arn = \(arn)
    source_profile = self
    [profile signed-on]
    role_arn = \(arn)
    source_profile = old
    [profile short]
    role_arn = \(arn)
    source_profile = ci
    duration_seconds = 899
    [profile named]
    role_arn = \(arn)
    source_profile = ci
    role_session_name = a b
    [profile outside]
    role_arn = \(arn)
    source_profile = ci
    external_id = a b
    [profile tokenless]
    web_identity_token_file = /token
    """

  private static let github = [
    "AWS_ROLE_ARN": arn, "GITHUB_ACTIONS": "true",
    "ACTIONS_ID_TOKEN_REQUEST_URL": "https://token.example/7?api-version=2.0",
    "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "b3arer",
  ]

  @Test(arguments: [
    ([:], "keys DEFAULT first=secret= -"),
    (["AWS_PROFILE": "ci"], "keys CI second token"),
    (
      ["AWS_PROFILE": "ci", "AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "third"],
      "keys ENV third -"
    ),
    (["AWS_PROFILE": "exported"], "keys EXPORTED fourth short"),
    // Keys in the environment precede everything.
    (
      [
        "AWS_PROFILE": "role", "AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "third",
        "AWS_SESSION_TOKEN": "t", "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": arn,
        "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2",
      ],
      "keys ENV third t"
    ),
    // A web identity of the environment precedes a profile.
    (
      ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": arn],
      "web identity publisher as contentc"
    ),
    (
      [
        "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": arn,
        "AWS_ROLE_SESSION_NAME": "job-7",
      ],
      "web identity publisher as job-7"
    ),
    (github, "github https://token.example/7?api-version=2.0&audience=sts.amazonaws.com"),
    (
      github.merging(["ACTIONS_ID_TOKEN_REQUEST_URL": "https://token.example/7"]) { $1 },
      "github https://token.example/7?audience=sts.amazonaws.com"
    ),
    (
      github.merging(["AWS_WEB_IDENTITY_TOKEN_FILE": "/token"]) { $1 },
      "web identity publisher as contentc"
    ),
    (["AWS_PROFILE": "web"], "web identity web as contentc"),
    (
      ["AWS_PROFILE": "role"], "role publisher as nightly shop/1 900 s by keys CI second token"
    ),
    (
      ["AWS_PROFILE": "chain"],
      "role publisher as contentc by role middle as contentc by web identity web as contentc"
    ),
    (["AWS_PROFILE": "own"], "role publisher as contentc by keys OWN fifth -"),
    // Keys of a profile that only is a source precede its role.
    (["AWS_PROFILE": "keyed"], "role publisher as contentc by keys NOT-THE-ROLE s3cret -"),
    (
      ["AWS_PROFILE": "task", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/v2"],
      "role publisher as contentc by container"
    ),
    (["AWS_PROFILE": "machine"], "role publisher as contentc by instance"),
    // A profile without credentials, such as one with a region only, is passed over.
    (
      ["AWS_PROFILE": "region", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:9/a?b=c"],
      "container"
    ),
    (["AWS_PROFILE": "region"], "instance"),
    (["AWS_PROFILE": "region", "AWS_EC2_METADATA_DISABLED": "false"], "instance"),
  ])
  func choosesTheFirstPlaceThatHasCredentials(
    environment: [String: String], expected: String
  ) throws {
    #expect(try Self.described(source(environment)) == expected)
  }

  @Test(arguments: [
    (
      ["AWS_ACCESS_KEY_ID": "only"], TargetError.Kind.denied,
      "the environment lacks AWS_SECRET_ACCESS_KEY"
    ),
    (["AWS_SECRET_ACCESS_KEY": "s3cret"], .denied, "the environment lacks AWS_ACCESS_KEY_ID"),
    (["AWS_PROFILE": "half"], .denied, "the profile 'half' lacks aws_secret_access_key"),
    (
      ["AWS_PROFILE": "single sign on"], .denied,
      "the profile 'single sign on' gets them by 'sso_session' (single sign-on), which contentc does not do; "
        + "Amazon's tool can: eval \"$(aws configure export-credentials --format env --profile 'single sign on')\""
    ),
    (["AWS_PROFILE": "old"], .denied, "'sso_start_url' (single sign-on)"),
    (["AWS_PROFILE": "signed-on"], .denied, "the profile 'old' gets them by 'sso_start_url'"),
    (["AWS_PROFILE": "login"], .denied, "'login_session' (a sign-in)"),
    (["AWS_PROFILE": "process"], .denied, "'credential_process' (another program)"),
    (["AWS_PROFILE": "code"], .denied, "'mfa_serial' (a code that a person types)"),
    (["AWS_PROFILE": "both"], .unusable, "either 'source_profile' or 'credential_source'"),
    (["AWS_PROFILE": "neither"], .unusable, "either 'source_profile' or 'credential_source'"),
    (["AWS_PROFILE": "lost"], .unusable, "the source_profile 'nowhere'"),
    (
      ["AWS_PROFILE": "empty"], .denied,
      "the profile 'region', the source_profile of the profile 'empty'"
    ),
    (
      ["AWS_PROFILE": "circle"], .unusable,
      "the profiles 'circle', 'round', 'circle' name each other"
    ),
    (["AWS_PROFILE": "self"], .unusable, "the profiles 'self', 'self' name each other"),
    (["AWS_PROFILE": "environment"], .denied, "AWS_ACCESS_KEY_ID is not set"),
    (["AWS_PROFILE": "task"], .denied, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI is not set"),
    (["AWS_PROFILE": "magic"], .unusable, "Environment, EcsContainer or Ec2InstanceMetadata"),
    (["AWS_PROFILE": "short"], .unusable, "900 to 43200 seconds"),
    (["AWS_PROFILE": "named"], .unusable, "2 to 64 letters"),
    (["AWS_PROFILE": "outside"], .unusable, "an external ID has"),
    (["AWS_PROFILE": "tokenless"], .unusable, "needs 'role_arn'"),
    (["AWS_WEB_IDENTITY_TOKEN_FILE": "/token"], .unusable, "needs AWS_ROLE_ARN, too"),
    (
      ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": "publisher"], .unusable,
      "the ARN of a role is such as"
    ),
    (
      [
        "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": arn,
        "AWS_ENDPOINT_URL_STS": "http://sts.example",
      ], .unusable, "tokens for a role go to 'https://…' only"
    ),
    (
      github.merging(["ACTIONS_ID_TOKEN_REQUEST_URL": "http://token.example/"]) { $1 }, .unusable,
      "ACTIONS_ID_TOKEN_REQUEST_URL"
    ),
    (
      github.merging(["ACTIONS_ID_TOKEN_REQUEST_TOKEN": "s3cret\r\nX: y"]) { $1 }, .unusable,
      "ACTIONS_ID_TOKEN_REQUEST_TOKEN"
    ),
    (
      ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s3cret\r\nX: y"], .unusable,
      "AWS_SECRET_ACCESS_KEY"
    ),
  ])
  func refusesAPlaceThatIsIncomplete(
    environment: [String: String], kind: TargetError.Kind, rule: String
  ) {
    let error = #expect(throws: TargetError.self) { try source(environment) }
    let text = error?.description ?? ""
    #expect(error?.kind == kind && text.contains(rule), "\(text)")
    #expect(!text.contains("s3cret") && !text.contains("b3arer"))
  }

  @Test(arguments: [
    "http://shop.example/a", "http://169.254.170.3/a", "http://127.0.0.1.shop.example/a",
    "http://127.0.0.1@shop.example/a", "http://169.254.170.2@shop.example/", "ftp://127.0.0.1/",
    "http://127.1/a", "https://", "https://a b/", "http://localhost.example/", "169.254.170.2/a",
  ])
  func refusesToAskAnotherMachineForTheCredentialsOfAContainer(address: String) {
    let error = #expect(throws: TargetError.self) {
      try source(["AWS_PROFILE": "region", "AWS_CONTAINER_CREDENTIALS_FULL_URI": address])
    }
    #expect(error?.kind == .unusable)
  }

  @Test(arguments: [
    "http://127.0.0.1/a", "http://127.9.8.7:80/a", "http://[::1]:8080/a?b", "http://localhost/",
    "http://169.254.170.2/v2", "http://169.254.170.23/v1/credentials",
    "http://[fd00:ec2::23]/v1/credentials", "https://shop.example/a",
  ])
  func asksTheDocumentedHostsForTheCredentialsOfAContainer(address: String) throws {
    let found = try source(["AWS_PROFILE": "region", "AWS_CONTAINER_CREDENTIALS_FULL_URI": address])
    #expect(Self.described(found) == "container")
  }

  @Test(arguments: ["@shop.example/", "v2", ":80@shop.example", "/a b", "/a\r\nX: y", "/a#b"])
  func refusesARelativeAddressThatChangesTheHost(path: String) {
    #expect(throws: TargetError.self) {
      try source(["AWS_PROFILE": "region", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": path])
    }
  }

  @Test(arguments: [
    (
      "s3://flowers/v1?endpoint=https://storage.example", [:],
      "this machine's metadata service is for Amazon's own buckets only"
    ),
    (
      "s3://flowers/v1", ["AWS_ENDPOINT_URL": "http://127.0.0.1:9000"],
      "this machine's metadata service is for Amazon's own buckets only"
    ),
    (
      "s3://flowers/v1?endpoint=https://s3.eu-west-1.amazonaws.com.example", [:],
      "this machine's metadata service is for Amazon's own buckets only"
    ),
    (
      "s3://flowers/v1?endpoint=https://a1b2c3d4e5.execute-api.eu-west-1.amazonaws.com", [:],
      "this machine's metadata service is for Amazon's own buckets only"
    ),
    (
      "s3://flowers/v1", ["AWS_EC2_METADATA_DISABLED": "TRUE"],
      "AWS_EC2_METADATA_DISABLED excludes this machine's metadata service"
    ),
    (
      "s3://flowers/v1", ["AWS_EC2_METADATA_DISABLED": "true", "AWS_ROLE_ARN": arn],
      "; AWS_ROLE_ARN needs AWS_WEB_IDENTITY_TOKEN_FILE, too"
    ),
    (
      "s3://flowers/v1",
      ["AWS_EC2_METADATA_DISABLED": "true", "AWS_ROLE_ARN": arn, "GITHUB_ACTIONS": "true"],
      "; AWS_ROLE_ARN needs a token: give the job 'permissions: {id-token: write}'"
    ),
  ])
  func namesThePlacesIfNoneHasCredentials(
    address: String, environment: [String: String], rule: String
  ) {
    let error = #expect(throws: TargetError.self) {
      try source(environment.merging(["AWS_PROFILE": "region"]) { $1 }, address)
    }
    let text = error?.description ?? ""
    #expect(error?.kind == .denied && text.contains(rule), "\(text)")
    #expect(
      text.hasPrefix("there are no credentials for the bucket: looked for AWS_ACCESS_KEY_ID, ")
        && text.contains("the profile 'region' of ~/.aws/credentials"), "\(text)")
  }

  @Test(arguments: [
    "s3.dualstack.eu-west-1.amazonaws.com", "s3-fips.us-east-1.amazonaws.com",
    "s3.cn-north-1.amazonaws.com.cn", "bucket.vpce-1a2b3c4d.s3.us-east-1.vpce.amazonaws.com",
  ])
  func asksTheMetadataServiceForABucketOfAmazonWithAnEndpoint(host: String) throws {
    let address = "s3://flowers/v1?endpoint=https://\(host)"
    #expect(try Self.described(source(["AWS_PROFILE": "region"], address)) == "instance")
  }

  /// A profile that names the metadata service does not change when that may be asked.
  @Test(arguments: [
    ("s3://flowers/v1?endpoint=https://storage.example", [:], "for Amazon's own buckets only"),
    (
      "s3://flowers/v1", ["AWS_EC2_METADATA_DISABLED": "true"], "AWS_EC2_METADATA_DISABLED excludes"
    ),
  ])
  func neverAsksTheMetadataServiceOfAProfileThatMayNotBeAsked(
    address: String, environment: [String: String], rule: String
  ) {
    let error = #expect(throws: TargetError.self) {
      try source(environment.merging(["AWS_PROFILE": "machine"]) { $1 }, address)
    }
    let text = error?.description ?? ""
    #expect(error?.kind == .denied && text.contains(rule), "\(text)")
    #expect(text.contains("the profile 'machine' has 'credential_source"), "\(text)")
  }

  @Test(arguments: [
    ([:], "s3://flowers/v1", "https://sts.us-east-1.amazonaws.com us-east-1"),
    (
      ["AWS_REGION": "eu-west-1"], "s3://flowers/v1",
      "https://sts.eu-west-1.amazonaws.com eu-west-1"
    ),
    ([:], "s3://flowers/v1?region=eu-west-3", "https://sts.eu-west-3.amazonaws.com eu-west-3"),
    (
      [:], "s3://flowers/v1?region=garage&endpoint=http://127.0.0.1:9",
      "https://sts.us-east-1.amazonaws.com us-east-1"
    ),
    // The content cannot name another host: these names of Amazon are those of strangers' buckets.
    ([:], "s3://flowers/v1?region=s3", "https://sts.us-east-1.amazonaws.com us-east-1"),
    ([:], "s3://flowers/v1?region=s3-eu-west-1", "https://sts.us-east-1.amazonaws.com us-east-1"),
    (
      [:], "s3://flowers/v1?region=us-gov-west-1",
      "https://sts.us-gov-west-1.amazonaws.com us-gov-west-1"
    ),
    (
      ["AWS_REGION": "cn-north-1"], "s3://flowers/v1",
      "https://sts.cn-north-1.amazonaws.com.cn cn-north-1"
    ),
    (
      ["AWS_REGION": "eu-west-1", "AWS_STS_REGIONAL_ENDPOINTS": "legacy"], "s3://flowers/v1",
      "https://sts.amazonaws.com us-east-1"
    ),
    (
      ["AWS_REGION": "eu-south-1", "AWS_STS_REGIONAL_ENDPOINTS": "legacy"], "s3://flowers/v1",
      "https://sts.eu-south-1.amazonaws.com eu-south-1"
    ),
    (
      [
        "AWS_ENDPOINT_URL_STS": "https://sts.example/", "AWS_ENDPOINT_URL": "https://other.example",
      ],
      "s3://flowers/v1", "https://sts.example us-east-1"
    ),
    (["AWS_ENDPOINT_URL": "http://127.0.0.1:9"], "s3://flowers/v1", "http://127.0.0.1:9 us-east-1"),
    (
      ["AWS_ENDPOINT_URL_S3": "http://127.0.0.1:9"], "s3://flowers/v1",
      "https://sts.us-east-1.amazonaws.com us-east-1"
    ),
  ])
  func sendsTokensToTheRegionsService(
    environment: [String: String], address: String, expected: String
  ) throws {
    let web = ["AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": Self.arn]
    guard case .webIdentity(let role, _) = try source(environment.merging(web) { $1 }, address)
    else {
      Issue.record("no web identity")
      return
    }
    #expect("\(role.service.url) \(role.service.region)" == expected)
  }

  private func source(
    _ environment: [String: String], _ address: String = "s3://flowers/v1"
  ) throws -> CredentialSource {
    let files = ["/h/.aws/credentials": Self.credentialsFile, "/h/.aws/config": Self.configFile]
    let variables = ["HOME": "/h"].merging(environment) { $1 }
    let settings = try S3Settings(
      environment: { variables[$0] }, file: { files[$0].map { Array($0.utf8) } })
    return try CredentialChain(
      settings, address: S3Address(address), environment: { variables[$0] }
    ).source()
  }

  private static func described(_ source: CredentialSource) -> String {
    func described(_ role: AmazonRole) -> String {
      let name = role.arn.split(separator: "/").last ?? ""
      let settings = [role.externalID, role.seconds.map { "\($0) s" }].compactMap(\.self)
      return (["\(name) as \(role.session)"] + settings).joined(separator: " ")
    }
    return switch source {
    case .keys(let keys): "keys \(keys.accessKey) \(keys.secretKey) \(keys.sessionToken ?? "-")"
    case .webIdentity(_, token: .github(let url, _)): "github \(url)"
    case .webIdentity(let role, token: .file): "web identity \(described(role))"
    case .role(let role, let source): "role \(described(role)) by \(Self.described(source))"
    case .container: "container"
    case .instance: "instance"
    }
  }
}
