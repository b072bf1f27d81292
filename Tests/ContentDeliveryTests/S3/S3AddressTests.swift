import ContentModel
import Testing

@testable import ContentTargets
@testable import HTTPTransport

@Suite struct S3AddressTests {
  private let keys = ["AWS_ACCESS_KEY_ID": "AKID", "AWS_SECRET_ACCESS_KEY": "s3cret"]

  @Test(arguments: [
    ("s3://flowers", [:], "https://flowers.s3.us-east-1.amazonaws.com/v/k"),
    (
      "s3://flowers/", ["AWS_REGION": "eu-west-1"], "https://flowers.s3.eu-west-1.amazonaws.com/v/k"
    ),
    (
      "s3://flowers", ["AWS_DEFAULT_REGION": "cn-north-1"],
      "https://flowers.s3.cn-north-1.amazonaws.com.cn/v/k"
    ),
    (
      "s3://flowers?region=eu-west-2", ["AWS_REGION": "eu-west-1"],
      "https://flowers.s3.eu-west-2.amazonaws.com/v/k"
    ),
    ("s3://flowers.example/a/b/", [:], "https://s3.us-east-1.amazonaws.com/flowers.example/v/k"),
    ("s3://flowers?addressing=path", [:], "https://s3.us-east-1.amazonaws.com/flowers/v/k"),
    ("s3://flowers?endpoint=http://127.0.0.1:8333", [:], "http://127.0.0.1:8333/flowers/v/k"),
    ("s3://flowers?endpoint=http%3A%2F%2Fhost%3A80%2F", [:], "http://host/flowers/v/k"),
    ("s3://flowers?endpoint=https://host:443&addressing=virtual", [:], "https://flowers.host/v/k"),
    (
      "s3://flowers", ["AWS_ENDPOINT_URL": "http://a:1", "AWS_ENDPOINT_URL_S3": "http://b:2"],
      "http://b:2/flowers/v/k"
    ),
    (
      "s3://flowers?endpoint=http://c:3", ["AWS_ENDPOINT_URL": "http://a:1"],
      "http://c:3/flowers/v/k"
    ),
  ])
  func resolvesTheServerURL(address: String, environment: [String: String], url: String) throws {
    let variables = keys.merging(environment) { $1 }
    let location = try S3Location(
      S3Address(address), settings: S3Settings(environment: { variables[$0] }, file: { _ in nil }))
    #expect(location.url(S3Request(.get, key: "v/k")) == url)
  }

  @Test func readsPrefixAndEncoding() throws {
    let address = try S3Address("s3://flowers/app/v1?encoding=identity")
    #expect(
      address.prefix == "app/v1/" && address.isIdentity && address.shown == "s3://flowers/app/v1")
    #expect(try S3Address("s3://flowers").prefix.isEmpty)
    #expect(try !S3Address("s3://flowers?encoding=gzip").isIdentity)
  }

  @Test(arguments: [
    ("flowers", "begins with 's3://'"), ("S3://flowers", "begins with"), ("s3://", "3 to 63"),
    ("s3://ab", "3 to 63"),
    ("s3://Flowers", "lower-case"), ("s3://flowers_1", "lower-case"),
    ("s3://-flowers", "lower-case"),
    ("s3://key:secret@flowers", "lower-case"), ("s3://flowers//a", "single '/'"),
    ("s3://flowers/a/../b", "single '/'"),
    ("s3://flowers/ä", "the path has"), ("s3://flowers/a b", "the path has"),
    ("s3://flowers?", "options"),
    ("s3://flowers?region", "options"), ("s3://flowers?region=", "options"),
    ("s3://flowers?region=a%2", "options"),
    ("s3://flowers?region=a&region=b", "once"), ("s3://flowers?region=a/b", "a region is"),
    ("s3://flowers?adressing=path", "no option 'adressing'"),
    ("s3://flowers?addressing=host", "'path' or 'virtual'"),
    ("s3://flowers?encoding=br", "'gzip' or 'identity'"),
    ("s3://flowers?endpoint=127.0.0.1:8333", "an endpoint is"),
    ("s3://flowers?endpoint=http://", "an endpoint is"),
    ("s3://flowers?endpoint=http://a/b", "an endpoint is"),
    ("s3://flowers?endpoint=http://me:pass@a", "an endpoint is"),
    ("s3://flowers?endpoint=http://a:", "an endpoint is"),
    ("s3://flowers?endpoint=http://a:65536", "an endpoint is"),
    ("s3://flowers?endpoint=http://a:b", "an endpoint is"),
  ])
  func refusesInvalidAddresses(address: String, rule: String) {
    let error = #expect(throws: TargetError.self) { try S3Address(address) }
    #expect(
      error?.kind == .unusable && error?.description.contains(rule) == true,
      "\(error?.description ?? "")")
    #expect(
      error?.description.contains("secret") == false
        && error?.description.contains("pass@") == false)
  }
}

@Suite struct S3SettingsTests {
  private static let credentialsFile = """
    # a comment
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
    [default]
    region = eu-central-1
    s3 =
      addressing_style = path
      region = not-this
    ; another comment
    [profile ci]
    region = eu-north-1
    endpoint_url = https://storage.example
    aws_access_key_id = NOT-THIS
    [profile "single sign on"]
    sso_session = company
    [profile old]
    sso_start_url = https://company.example
    [profile role]
    role_arn = arn:aws:iam::1:role/publisher
    source_profile = ci
    region = eu-north-1
    aws_access_key_id = NOT-THE-ROLE
    aws_secret_access_key = s3cret
    [profile web]
    role_arn = arn:aws:iam::1:role/publisher
    web_identity_token_file = /token
    [profile process]
    credential_process = /bin/s3cret
    [profile exported]
    sso_session = company
    region = eu-south-1
    aws_access_key_id = EXPORTED
    aws_secret_access_key = fourth
    aws_session_token = short
    """

  @Test(arguments: [
    ([:], "DEFAULT first=secret= - eu-central-1 -"),
    (["AWS_PROFILE": "ci"], "CI second token eu-north-1 https://storage.example"),
    (
      ["AWS_PROFILE": "ci", "AWS_REGION": "eu-west-1"],
      "CI second token eu-west-1 https://storage.example"
    ),
    (
      ["AWS_PROFILE": "ci", "AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "third"],
      "ENV third - eu-north-1 https://storage.example"
    ),
    (["AWS_PROFILE": "exported"], "EXPORTED fourth short eu-south-1 -"),
    (
      [
        "AWS_PROFILE": "role", "AWS_ACCESS_KEY_ID": "ENV", "AWS_SECRET_ACCESS_KEY": "third",
        "AWS_SESSION_TOKEN": "t",
      ],
      "ENV third t eu-north-1 -"
    ),
    (["AWS_WEB_IDENTITY_TOKEN_FILE": "/token"], "DEFAULT first=secret= - eu-central-1 -"),
    (["AWS_PROFILE": "", "AWS_REGION": ""], "DEFAULT first=secret= - eu-central-1 -"),
  ])
  func readsTheSettingsOfAmazonsTools(environment: [String: String], expected: String) throws {
    let settings = try settings(environment)
    let found = [
      settings.credentials.accessKey, settings.credentials.secretKey,
      settings.credentials.sessionToken,
      settings.region, settings.endpoint,
    ]
    #expect(found.map { $0 ?? "-" }.joined(separator: " ") == expected)
  }

  @Test func readsFilesNamedByTheEnvironment() throws {
    let variables = ["AWS_SHARED_CREDENTIALS_FILE": "/a", "AWS_CONFIG_FILE": "/b"]
    let files = [
      "/a": "[default]\naws_access_key_id=A\naws_secret_access_key=B", "/b": "[default]\nregion=c",
    ]
    let settings = try S3Settings(
      environment: { variables[$0] }, file: { files[$0].map { Array($0.utf8) } })
    #expect(settings.credentials.accessKey == "A" && settings.region == "c")
  }

  @Test(arguments: [
    (
      ["HOME": "/nowhere"], TargetError.Kind.denied,
      "~/.aws/credentials, lacks aws_access_key_id and aws_secret_access_key"
    ),
    (["AWS_ACCESS_KEY_ID": "only"], .denied, "the environment lacks AWS_SECRET_ACCESS_KEY"),
    (["AWS_SECRET_ACCESS_KEY": "s3cret"], .denied, "the environment lacks AWS_ACCESS_KEY_ID"),
    (["AWS_PROFILE": "half"], .denied, "the profile 'half' lacks aws_secret_access_key"),
    (["AWS_PROFILE": "none"], .unusable, "AWS_PROFILE is 'none'"),
    (
      ["AWS_PROFILE": "single sign on"], .denied,
      "the profile 'single sign on' gets them by 'sso_session' (single sign-on), which contentc does not do; "
        + "Amazon's tool can: eval \"$(aws configure export-credentials --format env --profile 'single sign on')\""
    ),
    (["AWS_PROFILE": "old"], .denied, "'sso_start_url' (single sign-on)"),
    (["AWS_PROFILE": "role"], .denied, "'role_arn' (a role)"),
    (["AWS_PROFILE": "web"], .denied, "'web_identity_token_file' (a web identity)"),
    (["AWS_PROFILE": "process"], .denied, "'credential_process' (another program)"),
    (
      ["HOME": "/nowhere", "AWS_WEB_IDENTITY_TOKEN_FILE": "/token"], .denied,
      "this process gets them by 'AWS_WEB"
    ),
    (
      ["HOME": "/nowhere", "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://x"], .denied,
      "(its container)"
    ),
    (
      ["AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "s3cret\r\nX: y"], .unusable,
      "AWS_SECRET_ACCESS_KEY"
    ),
    (["AWS_REGION": "eu/west"], .unusable, "the region"),
  ])
  func reportsMissingCredentialsWithoutSecrets(
    environment: [String: String], kind: TargetError.Kind, rule: String
  ) {
    let error = #expect(throws: TargetError.self) { try settings(environment) }
    #expect(
      error?.kind == kind && error?.description.contains(rule) == true,
      "\(error?.description ?? "")")
    #expect(error?.description.contains("s3cret") == false)
  }

  private func settings(_ environment: [String: String]) throws -> S3Settings {
    let files = ["/h/.aws/credentials": Self.credentialsFile, "/h/.aws/config": Self.configFile]
    let variables = ["HOME": "/h"].merging(environment) { $1 }
    return try S3Settings(
      environment: { variables[$0] }, file: { files[$0].map { Array($0.utf8) } })
  }
}
