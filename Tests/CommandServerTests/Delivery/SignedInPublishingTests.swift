import HTTPTransport
import System
import TestServers
import Testing

@testable import TestCommands
@testable import TestDelivery

/// Publishing with the real program by a machine that stores no secret: a token signs it in.
@Suite struct SignedInPublishingTests {
  private static let token = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJzaG9wIn0.c2lnbmF0dXJl"

  private let sandbox: Sandbox
  private let service: FakeTokenService
  private let bucket: FakeBucket
  private let tokens: ScriptedServer

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    service = FakeTokenService(now: RequestEnvironment.system.now)
    bucket = FakeBucket(service)
    tokens = try ScriptedServer(service.answer)
    try sandbox.write("token", "\(Self.token)\n")
  }

  private func publish(
    to files: ScriptedServer, _ environment: [String], _ arguments: [String] = []
  ) throws -> Outcome {
    try sandbox.shell(
      "sed -i '/^channels/d' content/content.yaml; "
        + "echo \"channels: {qa: {target: 's3://flowers/v1?endpoint=\(files.address)'}}\" >> content/content.yaml"
    )
    let outcome = try sandbox.run(
      Sandbox.binary, ["publish", "qa"] + arguments,
      environment: ["AWS_ENDPOINT_URL_STS=\(tokens.address)"] + environment)
    for secret in [Self.token, "eyJzdWIi", "s3cret", "t0ken", "b3arer"] {
      #expect(!"\(outcome.output)\(outcome.errors)".contains(secret), "\(outcome)")
    }
    return outcome
  }

  private var webIdentity: [String] {
    [
      "AWS_WEB_IDENTITY_TOKEN_FILE=\(sandbox.root)/token", "AWS_ROLE_ARN=\(FakeTokenService.role)",
    ]
  }

  @Test func publishesWithAWebIdentity() throws {
    defer { tokens.stop() }
    service.trust(token: Self.token)
    let files = try ScriptedServer(bucket.answer)
    defer { files.stop() }
    let done = try publish(to: files, webIdentity, ["--json"])
    try #require(done.status == 0, "\(done)")
    #expect(bucket.keys.contains("v1/qa/config.plist"), "\(bucket.keys)")
    #expect(bucket.refusals.isEmpty && service.sessions.count == 1)
  }

  @Test func publishesAsAJobOfGitHub() throws {
    defer { tokens.stop() }
    service.trust(token: Self.token)
    let github = try ScriptedServer { request in
      let isRight =
        request.path == "/token?api-version=2.0&audience=sts.amazonaws.com"
        && request.headers.contains("Authorization: Bearer b3arer")
      return .answer(
        status: isRight ? 200 : 401, body: Array("{\"value\": \"\(Self.token)\"}".utf8))
    }
    defer { github.stop() }
    let files = try ScriptedServer(bucket.answer)
    defer { files.stop() }
    let done = try publish(
      to: files,
      [
        "GITHUB_ACTIONS=true", "AWS_ROLE_ARN=\(FakeTokenService.role)",
        "ACTIONS_ID_TOKEN_REQUEST_URL=\(github.address)/token?api-version=2.0",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN=b3arer",
      ])
    #expect(done.status == 0, "\(done)")
    #expect(bucket.keys.contains("v1/qa/config.plist") && bucket.refusals.isEmpty)
  }

  /// Over `http`, a proxy could read the tokens.
  @Test func sendsNoTokenThroughAProxy() throws {
    defer { tokens.stop() }
    service.trust(token: Self.token)
    let github = try ScriptedServer { _ in
      .answer(status: 200, body: Array("{\"value\": \"\(Self.token)\"}".utf8))
    }
    defer { github.stop() }
    let proxy = try ScriptedServer { _ in .answer(status: 403) }
    defer { proxy.stop() }
    let files = try ScriptedServer(bucket.answer)
    defer { files.stop() }
    _ = try publish(
      to: files,
      [
        "http_proxy=\(proxy.address)", "no_proxy=", "NO_PROXY=", "GITHUB_ACTIONS=true",
        "AWS_ROLE_ARN=\(FakeTokenService.role)",
        "ACTIONS_ID_TOKEN_REQUEST_URL=\(github.address)/token",
        "ACTIONS_ID_TOKEN_REQUEST_TOKEN=b3arer",
      ])
    #expect(github.requests.count == 1 && service.sessions.count == 1)
    // Those for the bucket have no secret.
    #expect(!proxy.requests.isEmpty)
    #expect(proxy.requests.allSatisfy { $0.path.hasPrefix("\(files.address)/") })
  }

  /// A publication can take longer than a session.
  @Test func renewsCredentialsThatExpireDuringAPublication() throws {
    defer { tokens.stop() }
    service.trust(token: Self.token)
    let counter = Counter()
    let files = try ScriptedServer { [service, bucket] request in
      if counter.next() == 20 { service.revokeAll() }
      return bucket.answer(request)
    }
    defer { files.stop() }
    let done = try publish(to: files, webIdentity)
    #expect(done.status == 0, "\(done)")
    #expect(bucket.keys.contains("v1/qa/config.plist") && service.sessions.count == 2)
    #expect(bucket.refusals.allSatisfy { $0 == "ExpiredToken" } && !bucket.refusals.isEmpty)
  }

  @Test func saysWhatToDoIfTheSignInFails() throws {
    defer { tokens.stop() }
    service.trust(token: Self.token, until: 1)
    let files = try ScriptedServer(bucket.answer)
    defer { files.stop() }
    let expired = try publish(to: files, webIdentity)
    #expect(expired.status == 69, "\(expired)")
    #expect(
      expired.errors.contains("the web identity token has expired: give the command a new one"),
      "\(expired)")
    let none = try publish(to: files, [])
    #expect(none.status == 69, "\(none)")
    #expect(
      none.errors.contains("there are no credentials for the bucket: looked for AWS_ACCESS_KEY_ID"),
      "\(none)")
    #expect(files.requests.isEmpty)
  }
}
