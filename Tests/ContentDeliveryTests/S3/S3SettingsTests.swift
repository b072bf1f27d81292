import ContentModel
import Testing

@testable import ContentTargets
@testable import HTTPTransport

@Suite struct S3SettingsTests {
  private static let credentialsFile = """
    # a comment
    [default]
    aws_access_key_id = DEFAULT
    [ci]
    aws_access_key_id = CI
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
    [profile "single sign on"]
    region = eu-south-1
    """

  @Test(arguments: [
    ([:], "eu-central-1 -"),
    (["AWS_PROFILE": "ci"], "eu-north-1 https://storage.example"),
    (["AWS_PROFILE": "ci", "AWS_REGION": "eu-west-1"], "eu-west-1 https://storage.example"),
    (["AWS_PROFILE": "ci", "AWS_ENDPOINT_URL_S3": "https://a"], "eu-north-1 https://a"),
    (["AWS_PROFILE": "single sign on"], "eu-south-1 -"),
    (["AWS_PROFILE": "", "AWS_REGION": ""], "eu-central-1 -"),
  ])
  func readsTheSettingsOfAmazonsTools(environment: [String: String], expected: String) throws {
    let settings = try settings(environment)
    #expect("\(settings.region ?? "-") \(settings.endpoint ?? "-")" == expected)
  }

  @Test func readsFilesNamedByTheEnvironment() throws {
    let variables = ["AWS_SHARED_CREDENTIALS_FILE": "/a", "AWS_CONFIG_FILE": "/b"]
    let files = [
      "/a": "[default]\naws_access_key_id=A\naws_secret_access_key=B", "/b": "[default]\nregion=c",
    ]
    let settings = try S3Settings(
      environment: { variables[$0] }, file: { files[$0].map { Array($0.utf8) } })
    #expect(settings.profiles.chosen["aws_access_key_id"] == "A" && settings.region == "c")
  }

  /// Two normalization forms of one text are different names.
  @Test func distinguishesProfilesByTheirBytes() {
    let names = ["caf\u{E9}", "cafe\u{301}"]
    let text = names.map { "[\($0)]\nregion = \($0.utf8.count)\n" }.joined()
    let profiles = S3Profiles(Array(text.utf8), isConfig: false)
    for name in names { #expect(profiles[name]?["region"] == "\(name.utf8.count)") }
  }

  @Test(arguments: [
    (["AWS_PROFILE": "none"], "AWS_PROFILE is 'none'"),
    (["AWS_REGION": "eu/west"], "the region"),
    (["AWS_ENDPOINT_URL": "https://a\r\nX: y"], "AWS_ENDPOINT_URL"),
  ])
  func refusesASettingThatCannotBeRight(environment: [String: String], rule: String) {
    let error = #expect(throws: TargetError.self) { try settings(environment) }
    #expect(
      error?.kind == .unusable && error?.description.contains(rule) == true,
      "\(error?.description ?? "")")
  }

  private func settings(_ environment: [String: String]) throws -> S3Settings {
    let files = ["/h/.aws/credentials": Self.credentialsFile, "/h/.aws/config": Self.configFile]
    let variables = ["HOME": "/h"].merging(environment) { $1 }
    return try S3Settings(
      environment: { variables[$0] }, file: { files[$0].map { Array($0.utf8) } })
  }
}
