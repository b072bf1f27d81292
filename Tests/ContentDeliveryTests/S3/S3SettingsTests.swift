import ContentModel
import Testing

@testable import ContentTargets
@testable import HTTPTransport

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

  /// Two normalization forms of one text are different names.
  @Test func distinguishesProfilesByTheirBytes() {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    let text = names.map { "[\($0)]\nregion = \($0.utf8.count)\n" }.joined()
    let profiles = S3Profiles(Array(text.utf8), isConfig: false)
    for name in names { #expect(profiles[name]?["region"] == "\(name.utf8.count)") }
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
