import ContentModel
import HTTPTransport
import Synchronization
import System
import TestServers
import Testing

@testable import ContentTargets
@testable import TestDelivery

/// A time that a test sets, in seconds since 1970.
private final class SetClock: Sendable {
  private let seconds = Mutex<Int64>(1_800_000_000)

  var now: Int64 { seconds.withLock { $0 } }

  func advance(_ count: Int64) { seconds.withLock { $0 += count } }

  /// The environment of requests, without waits and with a monotonic clock that shows the same
  /// time.
  var environment: RequestEnvironment {
    RequestEnvironment(
      now: { self.now }, sleep: { _ in }, random: { 0 }, milliseconds: { self.now * 1_000 })
  }
}

/// A bucket, and the service whose credentials it accepts.
private struct SignedInBucket {
  static let token = "eyJhbGciOiJub25lIn0.\(claims).c2lnbmF0dXJl"
  /// `{"sub":"repo:shop/site:ref:refs/heads/main","aud":"sts.amazonaws.com"}` in base64url.
  static let claims =
    "eyJzdWIiOiJyZXBvOnNob3Avc2l0ZTpyZWY6cmVmcy9oZWFkcy9tYWluIiwiYXVkIjoic3RzLmFtYXpvbmF3cy5jb20ifQ"

  let clock = SetClock()
  let service: FakeTokenService
  let bucket: FakeBucket
  let tokens: ScriptedServer
  let files: ScriptedServer

  init(date: String? = nil, skew: Int64 = 0) throws {
    let clock = clock
    let service = FakeTokenService(date: date) { clock.now + skew }
    let bucket = FakeBucket(service)
    (self.service, self.bucket) = (service, bucket)
    tokens = try ScriptedServer(service.answer)
    files = try ScriptedServer(bucket.answer)
  }

  func stop() {
    tokens.stop()
    files.stop()
  }

  var address: String { "s3://\(FakeBucket.name)/v1?endpoint=\(files.address)" }

  /// The variables for a web identity whose token is in a file.
  var webIdentity: [String: String] {
    [
      "AWS_WEB_IDENTITY_TOKEN_FILE": "/token", "AWS_ROLE_ARN": FakeTokenService.role,
      "AWS_ENDPOINT_URL_STS": tokens.address,
    ]
  }

  func target(
    _ variables: [String: String], files: [String: String] = ["/token": SignedInBucket.token]
  ) throws -> S3Target {
    try target(variables) { files[$0].map { Array($0.utf8) } }
  }

  func target(
    _ variables: [String: String], file: @escaping @Sendable (String) -> [UInt8]?
  ) throws -> S3Target {
    try S3Target(
      address, variable: { variables[$0] }, file: file, environment: clock.environment)
  }

  /// Returns the variables and files of a profile.
  func profile(_ config: String) -> (variables: [String: String], files: [String: String]) {
    (
      [
        "AWS_CONFIG_FILE": "/config", "AWS_PROFILE": "publisher",
        "AWS_ENDPOINT_URL_STS": tokens.address,
      ], ["/config": config, "/token": Self.token]
    )
  }
}

/// The secrets of all fakes, which no message may show.
private let secrets = [
  "s3cret", "t0ken", "T0ken", "b3arer", SignedInBucket.token, SignedInBucket.claims,
]

private func expectNoSecret(_ text: String, at location: SourceLocation = #_sourceLocation) {
  for secret in secrets { #expect(!text.contains(secret), "\(text)", sourceLocation: location) }
}

/// Writes a file, and returns the sentence of the failure.
private func failure(
  of target: S3Target, at location: SourceLocation = #_sourceLocation
) -> TargetError? {
  let error = #expect(throws: TargetError.self, sourceLocation: location) {
    try target.create("a", as: OutgoingFile(text: "ours"))
  }
  expectNoSecret(error?.description ?? "", at: location)
  return error
}

/// Credentials of a role for a token (OpenID Connect).
@Suite struct WebIdentityTests {
  private let file = OutgoingFile(text: "ours")

  @Test func signsInWithATokenInAFile() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let target = try place.target(
      place.webIdentity.merging(["AWS_ROLE_SESSION_NAME": "job-7"]) { $1 },
      files: ["/token": "\(SignedInBucket.token)\n"])
    #expect(place.tokens.requests.isEmpty)
    #expect(try target.create("a", as: file) && target.holds("a", as: file))
    #expect(try !target.create("a", as: file))
    #expect(place.bucket.keys == ["v1/a"] && place.bucket.refusals.isEmpty)
    #expect(place.tokens.requests.count == 1)
    let form = try #require(place.service.sessions.first).form
    #expect(form["RoleSessionName"] == "job-7" && form["DurationSeconds"] == nil)
    #expect(form["WebIdentityToken"] == SignedInBucket.token)
  }

  @Test func signsInAsAProfile() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let profile = place.profile(
      """
      [profile publisher]
      role_arn = \(FakeTokenService.role)
      web_identity_token_file = /token
      role_session_name = nightly
      duration_seconds = 7200
      """)
    #expect(try place.target(profile.variables, files: profile.files).create("a", as: file))
    let form = try #require(place.service.sessions.first).form
    #expect(form["RoleSessionName"] == "nightly" && form["DurationSeconds"] == "7200")
  }

  /// GitHub gives a job an address and a token, with which the job asks for an identity token.
  @Test func asksGitHubForTheToken() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let github = try ScriptedServer { request in
      let isRight =
        request.path == "/7?api-version=2.0&audience=sts.amazonaws.com"
        && request.headers.contains("Authorization: Bearer b3arer")
      let body = "{\"count\": 1832, \"value\": \"\(SignedInBucket.token)\"}"
      return .answer(status: isRight ? 200 : 401, body: Array(body.utf8))
    }
    defer { github.stop() }
    let variables = [
      "AWS_ROLE_ARN": FakeTokenService.role, "AWS_ENDPOINT_URL_STS": place.tokens.address,
      "ACTIONS_ID_TOKEN_REQUEST_URL": "\(github.address)/7?api-version=2.0",
      "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "b3arer",
    ]
    let target = try place.target(variables)
    #expect(try target.create("a", as: file))
    // A renewal asks for another token, since the first one may have expired.
    place.clock.advance(3_400)
    #expect(try target.create("b", as: file))
    #expect(github.requests.count == 2 && place.service.sessions.count == 2)
    let refused = failure(
      of: try place.target(
        variables.merging(["ACTIONS_ID_TOKEN_REQUEST_TOKEN": "other"]) { $1 }))
    #expect(refused?.kind == .denied)
    #expect(refused?.description.contains("permissions: {id-token: write}") == true)
  }

  @Test(arguments: ["{}", "[", "{\"value\": \"a b\"}", "{\"value\": \"\"}", "{\"value\": 1}"])
  func refusesAnAnswerOfGitHubWithoutAToken(body: String) throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    let github = try ScriptedServer { _ in .answer(status: 200, body: Array(body.utf8)) }
    defer { github.stop() }
    let error = failure(
      of: try place.target([
        "AWS_ROLE_ARN": FakeTokenService.role, "AWS_ENDPOINT_URL_STS": place.tokens.address,
        "ACTIONS_ID_TOKEN_REQUEST_URL": github.address, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": "b3arer",
      ]))
    #expect(error?.description.contains("answers without a token") == true)
    #expect(place.tokens.requests.isEmpty)
  }

  @Test(arguments: [
    nil, "", "abc", "two words", String(repeating: "a", count: 20_001), "caf\u{E9}",
  ])
  func refusesAFileWithoutAToken(text: String?) throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    let error = failure(
      of: try place.target(place.webIdentity, files: text.map { ["/token": $0] } ?? [:]))
    #expect(error?.kind == .denied)
    #expect(error?.description.contains("'/token'") == true)
    #expect(error?.description.contains("AWS_WEB_IDENTITY_TOKEN_FILE") == true)
    #expect(place.tokens.requests.isEmpty && place.files.requests.isEmpty)
  }

  @Test func saysWhyTheTokenIsRefused() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    let unknown = failure(of: try place.target(place.webIdentity))
    #expect(unknown?.kind == .denied)
    #expect(unknown?.description.contains("needs an identity provider") == true)
    place.service.trust(token: SignedInBucket.token, until: 1)
    let expired = failure(of: try place.target(place.webIdentity))
    #expect(expired?.description.contains("the web identity token has expired") == true)
    place.service.trust(token: SignedInBucket.token)
    let stranger = "arn:aws:iam::123456789012:role/stranger"
    let denied = failure(
      of: try place.target(place.webIdentity.merging(["AWS_ROLE_ARN": stranger]) { $1 }))
    let text = denied?.description ?? ""
    #expect(
      text.contains("the trust policy of '\(stranger)' must allow sts:AssumeRoleWithWebIdentity"))
    #expect(
      text.contains("sub 'repo:shop/site:ref:refs/heads/main', aud 'sts.amazonaws.com'"), "\(text)")
    #expect(text.hasSuffix("(AssumeRoleWithWebIdentity: 403, AccessDenied)"), "\(text)")
    #expect(place.files.requests.isEmpty)
  }

  @Test func retriesWhenTheIssuerCannotBeReached() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    place.service.fail([
      FakeTokenService.fault(400, "IDPCommunicationError"), .answer(status: 503),
    ])
    #expect(try place.target(place.webIdentity).create("a", as: file))
    #expect(place.tokens.requests.count == 3)
    let faults = Array(
      repeating: FakeTokenService.fault(400, "IDPCommunicationError"), count: 3)
    place.service.fail(faults)
    let error = failure(of: try place.target(place.webIdentity))
    #expect(error?.kind == .unreachable && place.tokens.requests.count == 6)
  }

  @Test(arguments: [
    "", "<a>", "<AssumeRoleWithWebIdentityResponse/>", "not XML", "<!DOCTYPE a><a/>",
    credentials(key: ""), credentials(key: "A B"), credentials(key: "A&#10;X: y"),
    credentials(key: "A\u{E9}"), credentials(end: "tomorrow"), credentials(end: ""),
    credentials(token: ""), credentials(token: String(repeating: "a", count: 20_000)),
    credentials(secret: "a\r\nX: y"),
    credentials().replacing("WithWebIdentity", with: ""),
  ])
  func refusesAnAnswerWithoutWholeCredentials(body: String) throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.fail([.answer(status: 200, body: Array(body.utf8))])
    let error = failure(of: try place.target(place.webIdentity))
    #expect(error?.kind == .failed && place.files.requests.isEmpty)
    #expect(error?.description.contains("without whole credentials") == true)
  }

  @Test func endsWhenTheServiceNeverEndsItsAnswer() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/xml\r\n\r\n".utf8)
    place.service.fail([.endless([UInt8](repeating: 0x20, count: 65_536), head: head)])
    let error = failure(of: try place.target(place.webIdentity))
    #expect(error?.description.contains("sends too long an answer") == true)
  }

  /// A token must not follow a redirection to a place that nobody chose.
  @Test func followsNoRedirection() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    let elsewhere = try ScriptedServer { _ in .answer(status: 200) }
    defer { elsewhere.stop() }
    place.service.fail([.answer(status: 307, headers: ["Location: \(elsewhere.address)/"])])
    let error = failure(of: try place.target(place.webIdentity))
    #expect(error?.kind == .unusable && elsewhere.requests.isEmpty)
    #expect(error?.description.contains("redirects requests") == true)
  }

  @Test func reportsAServiceThatCannotBeReached() throws {
    let place = try SignedInBucket()
    let port = try Socket.freePorts(1)[0]
    place.stop()
    let error = failure(
      of: try place.target(
        place.webIdentity.merging(["AWS_ENDPOINT_URL_STS": "http://127.0.0.1:\(port)"]) { $1 }))
    #expect(error?.kind == .unreachable)
    #expect(
      error?.description.contains("STS at http://127.0.0.1:\(port) cannot be reached") == true)
  }

  /// Returns an answer of the service.
  private static func credentials(
    key: String = "ASIA", secret: String = "s3cret", token: String = "t0ken",
    end: String = "2027-01-15T09:00:00Z"
  ) -> String {
    "<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>"
      + "<AccessKeyId>\(key)</AccessKeyId><SecretAccessKey>\(secret)</SecretAccessKey>"
      + "<SessionToken>\(token)</SessionToken><Expiration>\(end)</Expiration></Credentials>"
      + "</AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>"
  }
}

/// The renewal of temporary credentials.
@Suite struct CredentialRenewalTests {
  private let file = OutgoingFile(text: "ours")

  @Test func renewsCredentialsBeforeTheyExpire() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let target = try place.target(place.webIdentity)
    #expect(try target.create("a", as: file))
    place.clock.advance(3_600 - 301)
    #expect(try target.create("b", as: file))
    #expect(place.service.sessions.count == 1)
    place.clock.advance(1)
    #expect(try target.create("c", as: file))
    #expect(place.service.sessions.count == 2 && place.bucket.refusals.isEmpty)
  }

  @Test func renewsCredentialsOnceAfterABucketReportsTheirEnd() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let target = try place.target(place.webIdentity)
    #expect(try target.create("a", as: file))
    place.service.revokeAll()
    #expect(try target.read("a")?.bytes == file.bytes)
    #expect(place.bucket.refusals == ["ExpiredToken"] && place.service.sessions.count == 2)
    place.service.revokeAll()
    // The answer to HEAD has no code.
    #expect(try target.holds("a", as: OutgoingFile(text: "else")) == false)
    #expect(place.bucket.refusals == ["ExpiredToken", "ExpiredToken"])
    #expect(place.service.sessions.count == 3)
  }

  @Test func reportsABucketThatRefusesNewCredentials() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let files = try ScriptedServer { request in
      let token = SignedRequest(request).header("x-amz-security-token") ?? ""
      let text = "<Error><Code>ExpiredToken</Code><Message>Expired: \(token)</Message></Error>"
      return .answer(status: 400, body: Array(text.utf8))
    }
    defer { files.stop() }
    let variables = place.webIdentity
    let target = try S3Target(
      "s3://flowers/v1?endpoint=\(files.address)", variable: { variables[$0] },
      file: { _ in Array(SignedInBucket.token.utf8) }, environment: place.clock.environment)
    let error = failure(of: target)
    #expect(error?.description.contains("does not accept the session token") == true)
    #expect(files.requests.count == 2 && place.service.sessions.count == 2)
  }

  /// A renewal fails while the present credentials are still valid.
  @Test func usesTheCredentialsToTheirEndIfARenewalFails() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token, until: place.clock.now + 3_000)
    let target = try place.target(place.webIdentity)
    #expect(try target.create("a", as: file))
    place.clock.advance(3_400)
    #expect(try target.create("b", as: file) && target.create("c", as: file))
    // One request for both, and another one a minute later.
    #expect(place.tokens.requests.count == 2)
    place.clock.advance(61)
    #expect(try target.create("d", as: file))
    #expect(place.tokens.requests.count == 3)
    place.clock.advance(140)
    #expect(failure(of: target)?.description.contains("token has expired") == true)
  }

  @Test func concurrentRequestsShareAFetch() throws {
    let place = try SignedInBucket()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let target = try place.target(place.webIdentity)
    let file = file
    let made = try Array(0..<16).mapOverlapped { number throws(TargetError) in
      try target.create("\(number)", as: file)
    }
    #expect(made.allSatisfy(\.self) && place.tokens.requests.count == 1)
    let other = try place.target(place.webIdentity, files: [:])
    let errors = Array(0..<16).mapOverlapped { number -> String in
      do { return "\(try other.create("\(number)", as: file))" } catch { return "\(error)" }
    }
    #expect(Set(errors).count == 1 && errors[0].contains("cannot be read"))
  }

  /// The service's clock decides, since this machine's may be wrong.
  @Test func measuresTheLifetimeByTheClockOfTheService() throws {
    // The service's time is a day later than this machine's.
    let place = try SignedInBucket(date: "Sat, 16 Jan 2027 08:00:00 GMT", skew: 86_400)
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let requests = CredentialRequests(
      environment: place.clock.environment, certificates: nil,
      file: { _ in Array(SignedInBucket.token.utf8) })
    let service = try TokenService(
      environment: { [address = place.tokens.address] in
        $0 == "AWS_ENDPOINT_URL_STS" ? address : nil
      },
      profile: S3ProfileFiles(environment: { _ in nil }, file: { _ in nil }).chosen,
      region: "us-east-1")
    let role = try AmazonRole(
      FakeTokenService.role, session: nil, service: service, in: "the test")
    let fetched = try role.credentials(for: SignedInBucket.token, with: requests)
    #expect(fetched.end == place.clock.now + 3_600)
  }
}

/// Credentials of a role for other credentials.
@Suite struct AssumedRoleTests {
  private let file = OutgoingFile(text: "ours")

  private static func config(_ settings: String = "") -> String {
    """
    [profile publisher]
    role_arn = \(FakeTokenService.role)
    source_profile = user
    \(settings)
    [profile user]
    aws_access_key_id = AKIDUSER
    aws_secret_access_key = us3r-s3cret/+=
    """
  }

  private func place(date: String? = nil, skew: Int64 = 0) throws -> SignedInBucket {
    let place = try SignedInBucket(date: date, skew: skew)
    place.service.trust(
      "AKIDUSER",
      AmazonCredentials(accessKey: "AKIDUSER", secretKey: "us3r-s3cret/+=", sessionToken: nil))
    return place
  }

  @Test func assumesTheRoleOfAProfile() throws {
    let place = try place()
    defer { place.stop() }
    place.service.require(externalID: "shop/1", for: FakeTokenService.role)
    let profile = place.profile(
      Self.config("external_id = shop/1\nrole_session_name = nightly\nduration_seconds = 900"))
    let target = try place.target(profile.variables, files: profile.files)
    #expect(try target.create("a", as: file))
    let form = try #require(place.service.sessions.first).form
    #expect(form["RoleSessionName"] == "nightly" && form["DurationSeconds"] == "900")
    place.clock.advance(700)
    #expect(try target.create("b", as: file))
    #expect(place.service.sessions.count == 2 && place.bucket.refusals.isEmpty)
  }

  @Test func assumesARoleWithTheCredentialsOfAnother() throws {
    let place = try place()
    defer { place.stop() }
    place.service.trust(token: SignedInBucket.token)
    let profile = place.profile(
      """
      [profile publisher]
      role_arn = \(FakeTokenService.role)
      source_profile = middle
      [profile middle]
      role_arn = arn:aws:iam::123456789012:role/middle
      web_identity_token_file = /token
      """)
    #expect(try place.target(profile.variables, files: profile.files).create("a", as: file))
    #expect(
      place.service.sessions.map { $0.form["Action"] } == [
        "AssumeRoleWithWebIdentity", "AssumeRole",
      ])
  }

  @Test func saysWhyTheRoleIsRefused() throws {
    let place = try place()
    defer { place.stop() }
    place.service.require(externalID: "shop/1", for: FakeTokenService.role)
    func error(_ config: String) throws -> TargetError? {
      let profile = place.profile(config)
      return failure(of: try place.target(profile.variables, files: profile.files))
    }
    let denied = try error(Self.config())
    #expect(denied?.kind == .denied)
    #expect(denied?.description.contains("does it require an external_id?") == true)
    #expect(denied?.description.contains("sts:AssumeRole to who assumes it") == true)
    let unknown = try error(Self.config().replacing("AKIDUSER", with: "AKIDOTHER"))
    #expect(unknown?.description.contains("(AssumeRole: 403, InvalidClientTokenId)") == true)
    let wrong = try error(Self.config().replacing("us3r-", with: "wrong-"))
    #expect(wrong?.description.contains("(AssumeRole: 403, SignatureDoesNotMatch)") == true)
    let long = try error(Self.config("external_id = shop/1\nduration_seconds = 43200"))
    #expect(long?.kind == .unusable && long?.description.contains("duration_seconds") == true)
  }

  /// A purge on a machine whose clock is wrong must not wait until somebody sets it.
  @Test func signsWithTheTimeOfAServiceThatRefusesThisMachinesTime() throws {
    let place = try place(date: "Sat, 16 Jan 2027 08:00:00 GMT", skew: 86_400)
    defer { place.stop() }
    let profile = place.profile(Self.config())
    // The fake bucket has the same time as the service, but sends no date.
    let error = failure(of: try place.target(profile.variables, files: profile.files))
    #expect(place.service.sessions.count == 1 && place.tokens.requests.count == 2)
    #expect(error?.description.contains("does not accept the signature") == true)
  }
}

/// Credentials of a container or a virtual machine.
@Suite struct MachineCredentialTests {
  private static let body = """
    {"Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "ASIAEXAMPLE", "SecretAccessKey": "s3cret/+=",
     "Token": "t0ken/+=", "Expiration": "2027-01-15T09:00:00Z", "RoleArn": "arn:aws:iam::1:role/task"}
    """

  private let clock = SetClock()

  private func requests(
    _ files: [String: String] = [:], _ environment: RequestEnvironment? = nil
  ) -> CredentialRequests {
    CredentialRequests(
      environment: environment ?? clock.environment, certificates: nil,
      file: { files[$0].map { Array($0.utf8) } })
  }

  /// Returns the source that a bucket of Amazon has.
  private func source(_ variables: [String: String]) throws -> CredentialSource {
    let settings = try S3Settings(environment: { variables[$0] }, file: { _ in nil })
    return try CredentialChain(
      settings, address: S3Address("s3://flowers/v1"), environment: { variables[$0] }
    ).source()
  }

  private func failure(
    of source: CredentialSource, _ requests: CredentialRequests,
    at location: SourceLocation = #_sourceLocation
  ) -> TargetError? {
    let error = #expect(throws: TargetError.self, sourceLocation: location) {
      try source.fetch(with: requests)
    }
    expectNoSecret(error?.description ?? "", at: location)
    return error
  }

  @Test func asksTheContainersServer() throws {
    let server = try ScriptedServer { request in
      let isRight =
        request.method == "GET" && request.path == "/v1/credentials?a=b"
        && request.headers.contains("Authorization: agent-t0ken-2")
      return .answer(status: isRight ? 200 : 403, body: Array(Self.body.utf8))
    }
    defer { server.stop() }
    let variables = [
      "AWS_CONTAINER_CREDENTIALS_FULL_URI": "\(server.address)/v1/credentials?a=b",
      "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE": "/agent-token",
      "AWS_CONTAINER_AUTHORIZATION_TOKEN": "agent-t0ken-1",
    ]
    let source = try source(variables)
    // The platform replaces the file, which is read for each request.
    let fetched = try source.fetch(with: requests(["/agent-token": "agent-t0ken-2"]))
    #expect(fetched.credentials.accessKey == "ASIAEXAMPLE")
    #expect(fetched.end == clock.now + 3_600)
    let old = failure(of: source, requests(["/agent-token": "agent-t0ken-1"]))
    #expect(old?.kind == .denied && old?.description.contains("status 403") == true)
    let missing = failure(of: source, requests())
    #expect(missing?.description.contains("'/agent-token', which cannot be read") == true)
    let broken = failure(of: source, requests(["/agent-token": "agent-t0ken-2\r\nX: y"]))
    #expect(broken?.description.contains("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE") == true)
  }

  @Test func repeatsARequestThatTheContainersServerCannotAnswer() throws {
    let counter = Counter()
    let server = try ScriptedServer { _ in
      .answer(status: counter.next() < 3 ? 500 : 200, body: Array(Self.body.utf8))
    }
    defer { server.stop() }
    let source = try source(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.address])
    #expect(try source.fetch(with: requests()).credentials.accessKey == "ASIAEXAMPLE")
  }

  @Test(arguments: [
    "", "{", "[]", "{}", body.replacing("ASIAEXAMPLE", with: "A\\r\\nX: y"),
    body.replacing("ASIAEXAMPLE", with: ""), body.replacing("2027-01-15T09:00:00Z", with: "soon"),
    body.replacing("\"Token\"", with: "\"Tok\""), body.replacing("\"s3cret/+=\"", with: "7"),
    String(repeating: "[", count: 60_000),
  ])
  func refusesAnAnswerWithoutWholeCredentials(body: String) throws {
    let server = try ScriptedServer { _ in .answer(status: 200, body: Array(body.utf8)) }
    defer { server.stop() }
    let container = try source(["AWS_CONTAINER_CREDENTIALS_FULL_URI": server.address])
    let error = failure(of: container, requests())
    #expect(error?.description.contains("without whole credentials") == true)
    let service = FakeMetadataService(body)
    let machine = try ScriptedServer(service.answer)
    defer { machine.stop() }
    let instance = try source(["AWS_EC2_METADATA_SERVICE_ENDPOINT": machine.address])
    let other = failure(of: instance, requests())
    #expect(other?.description.contains("sent no whole credentials") == true)
  }

  @Test func asksTheMetadataServiceWithAToken() throws {
    let service = FakeMetadataService(Self.body)
    let server = try ScriptedServer(service.answer)
    defer { server.stop() }
    let source = try source(["AWS_EC2_METADATA_SERVICE_ENDPOINT": "\(server.address)/"])
    let fetched = try source.fetch(with: requests())
    #expect(fetched.credentials.accessKey == "ASIAEXAMPLE")
    #expect(fetched.end == clock.now + 3_600)
    let folder = "/latest/meta-data/iam/security-credentials/"
    #expect(
      server.requests.map { "\($0.method) \($0.path)" } == [
        "PUT /latest/api/token", "GET \(folder)", "GET \(folder)publisher",
      ])
  }

  /// Version 1 of the service asks for no token, so that any page or proxy could read its answers.
  @Test func neverAsksTheMetadataServiceWithoutAToken() throws {
    let server = try ScriptedServer { request in
      .answer(
        status: request.method == "PUT" ? 403 : 200, body: Array("publisher".utf8))
    }
    defer { server.stop() }
    let source = try source(["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address])
    let error = failure(of: source, requests())
    #expect(error?.kind == .denied && server.requests.map(\.method) == ["PUT"])
    #expect(error?.description.contains("looked for AWS_ACCESS_KEY_ID") == true)
    #expect(error?.description.contains("answered with status 403") == true)
  }

  @Test func reportsAMachineWithoutARole() throws {
    let service = FakeMetadataService(Self.body, hasRole: false)
    let server = try ScriptedServer(service.answer)
    defer { server.stop() }
    let source = try source(["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address])
    let error = failure(of: source, requests())
    #expect(error?.description.contains("has no role for this machine") == true)
  }

  @Test(arguments: [ScriptedServer.Reply.silence, .trickle([0x61], milliseconds: 3_000)])
  func waitsForTheMetadataServiceForASecondInAll(reply: ScriptedServer.Reply) throws {
    let service = FakeMetadataService(Self.body)
    // The answer to the second request is late.
    let server = try ScriptedServer { request in
      request.method == "PUT" ? service.answer(request) : reply
    }
    defer { server.stop() }
    let source = try source(["AWS_EC2_METADATA_SERVICE_ENDPOINT": server.address])
    let start = ContinuousClock.now
    let error = failure(of: source, requests([:], .system))
    #expect(error?.description.contains("does not answer within 1 s") == true)
    #expect(ContinuousClock.now - start < .seconds(2))
    #expect(server.requests.count == 2)
  }

  @Test(arguments: [
    "http://shop.example", "http://169.254.169.254@shop.example", "169.254.169.254", "http://a b",
  ])
  func refusesToAskAnotherMachineForItsMetadata(address: String) {
    let error = #expect(throws: TargetError.self) {
      try source(["AWS_EC2_METADATA_SERVICE_ENDPOINT": address])
    }
    #expect(error?.kind == .unusable)
  }
}
