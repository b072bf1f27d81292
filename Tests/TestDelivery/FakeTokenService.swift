import ContentModel
import HTTPTransport
import Synchronization
import TestServers

/// Amazon's Security Token Service (STS), with the documented rules of its two actions.
///
/// By "AssumeRole" and "AssumeRoleWithWebIdentity" in Amazon's reference of STS. Its errors quote
/// the request, so that a test notices a message that shows a secret. A class because a server's
/// threads share it.
final class FakeTokenService: Sendable {
  /// Credentials of a role that the service gave.
  struct Session {
    var accessKey: String
    var secretKey: String
    var token: String
    /// The second since 1970 at which they expire.
    var end: Int64
    var role: String
    /// The parameters of the request.
    var form: [String: String]

    var credentials: AmazonCredentials {
      AmazonCredentials(accessKey: accessKey, secretKey: secretKey, sessionToken: token)
    }
  }

  private struct State {
    var faults: [ScriptedServer.Reply] = []
    var sessions: [Session] = []
    var tokens: [String: Int64] = [:]
    var users: [(accessKey: String, credentials: AmazonCredentials)] = []
    var identifiers: [String: String] = [:]
    var revoked: [String] = []
  }

  static let role = "arn:aws:iam::123456789012:role/publisher"
  /// The longest session of every role.
  static let longestSession = 7_200

  /// Returns the seconds since 1970.
  let now: @Sendable () -> Int64
  private let region: String
  /// The value of the header `Date`; `nil` for none.
  private let date: String?
  private let state = Mutex(State())

  init(
    region: String = "us-east-1", date: String? = nil, now: @escaping @Sendable () -> Int64
  ) {
    (self.region, self.date, self.now) = (region, date, now)
  }

  /// The sessions in the order in which they began.
  var sessions: [Session] { state.withLock { $0.sessions } }

  /// Trusts a token until a time.
  func trust(token: String, until end: Int64 = .max) { state.withLock { $0.tokens[token] = end } }

  /// Trusts the keys of a user.
  func trust(_ accessKey: String, _ credentials: AmazonCredentials) {
    state.withLock { $0.users.append((accessKey, credentials)) }
  }

  /// Requires an external ID for a role.
  func require(externalID: String, for role: String) {
    state.withLock { $0.identifiers[role] = externalID }
  }

  /// Answers the next requests in this way.
  func fail(_ faults: [ScriptedServer.Reply]) { state.withLock { $0.faults += faults } }

  /// Ends all sessions so far, although their time has not come.
  func revokeAll() { state.withLock { $0.revoked = $0.sessions.map(\.token) } }

  /// Returns the session of a token that is valid now; `nil` if it has expired.
  func session(token: String) -> Session? {
    state.withLock { state in
      state.sessions.first {
        $0.token == token && now() < $0.end && !state.revoked.contains(token)
      }
    }
  }

  /// Returns whether the service has given a token, also one that has expired.
  func knows(token: String) -> Bool {
    state.withLock { $0.sessions.contains { $0.token == token } }
  }

  func answer(_ request: ScriptedServer.Request) -> ScriptedServer.Reply {
    if let fault = state.withLock({ $0.faults.isEmpty ? nil : $0.faults.removeFirst() }) {
      return fault
    }
    let signed = SignedRequest(request)
    guard request.method == "POST", signed.path == "/", signed.query.isEmpty,
      signed.header("content-type")?.hasPrefix("application/x-www-form-urlencoded") == true,
      let form = SignedRequest.form(String(decoding: request.body, as: UTF8.self))
    else { return error(404, "MalformedInput", request) }
    guard form["Version"] == "2011-06-15" else { return error(400, "NoSuchVersion", request) }
    let common = ["Action", "Version", "RoleArn", "RoleSessionName", "DurationSeconds"]
    switch form["Action"] {
    case "AssumeRoleWithWebIdentity":
      guard form.keys.allSatisfy({ (common + ["WebIdentityToken"]).contains($0) }) else {
        return error(400, "ValidationError", request)
      }
      return webIdentity(form, signed)
    case "AssumeRole":
      guard form.keys.allSatisfy({ (common + ["ExternalId"]).contains($0) }) else {
        return error(400, "ValidationError", request)
      }
      return role(form, signed)
    default: return error(400, "InvalidAction", request)
    }
  }

  private func webIdentity(_ form: [String: String], _ request: SignedRequest)
    -> ScriptedServer.Reply
  {
    // The action needs no credentials, and a proxy may not have added any.
    guard request.accessKey == nil else { return error(400, "ValidationError", request.request) }
    guard let token = form["WebIdentityToken"], (4...20_000).contains(token.utf8.count),
      isValid(form)
    else { return error(400, "ValidationError", request.request) }
    guard let end = state.withLock({ $0.tokens[token] }) else {
      return error(400, "InvalidIdentityToken", request.request)
    }
    guard now() < end else { return error(400, "ExpiredTokenException", request.request) }
    return begin(form, request, "AssumeRoleWithWebIdentity")
  }

  private func role(_ form: [String: String], _ request: SignedRequest) -> ScriptedServer.Reply {
    let (users, identifiers) = state.withLock { ($0.users, $0.identifiers) }
    let sessions = self.sessions.map { ($0.accessKey, $0.credentials) }
    guard let key = request.accessKey,
      let known = (users + sessions).first(where: { $0.0 == key })
    else { return error(403, "InvalidClientTokenId", request.request) }
    if let token = request.header("x-amz-security-token"), knows(token: token),
      session(token: token) == nil
    {
      return error(403, "ExpiredTokenException", request.request)
    }
    guard request.isSigned(by: known.1, for: .sts, region: region, now: now()) else {
      return error(403, "SignatureDoesNotMatch", request.request)
    }
    guard isValid(form) else { return error(400, "ValidationError", request.request) }
    guard identifiers[form["RoleArn"] ?? ""] == form["ExternalId"] else {
      return error(403, "AccessDenied", request.request)
    }
    return begin(form, request, "AssumeRole")
  }

  private func isValid(_ form: [String: String]) -> Bool {
    guard let arn = form["RoleArn"], (20...2_048).contains(arn.utf8.count), arn.hasPrefix("arn:"),
      let name = form["RoleSessionName"], (2...64).contains(name.utf8.count),
      name.utf8.allSatisfy({ $0.isAlphanumeric || "_+=,.@-".utf8.contains($0) })
    else { return false }
    guard let text = form["DurationSeconds"] else { return true }
    return Int(text).map { (900...Self.longestSession).contains($0) } ?? false
  }

  private func begin(
    _ form: [String: String], _ request: SignedRequest, _ action: String
  ) -> ScriptedServer.Reply {
    let role = form["RoleArn"] ?? ""
    guard role.hasSuffix("/publisher") || role.hasSuffix("/middle") else {
      return error(403, "AccessDenied", request.request)
    }
    let seconds = form["DurationSeconds"].flatMap { Int64($0) } ?? 3_600
    let session = state.withLock { state in
      let number = state.sessions.count + 1
      let session = Session(
        accessKey: "ASIA\(number)EXAMPLE0000", secretKey: "r0le-s3cret/+=\(number)",
        token: "r0le-t0ken/+=\(number)", end: now() + seconds, role: role, form: form)
      state.sessions.append(session)
      return session
    }
    let end = Instant(secondsSince1970: session.end).rfc3339
    let text = """
      <\(action)Response xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
        <\(action)Result>
          <AssumedRoleUser>
            <Arn>arn:aws:sts::123456789012:assumed-role/publisher/\(form["RoleSessionName"] ?? "")</Arn>
            <AssumedRoleId>AROACLKWSDQRAOEXAMPLE:\(form["RoleSessionName"] ?? "")</AssumedRoleId>
          </AssumedRoleUser>
          <Credentials>
            <SessionToken>\(session.token)</SessionToken>
            <SecretAccessKey>\(session.secretKey)</SecretAccessKey>
            <Expiration>\(end)</Expiration>
            <AccessKeyId>\(session.accessKey)</AccessKeyId>
          </Credentials>
        </\(action)Result>
        <ResponseMetadata><RequestId>ad4156e9-bce1-11e2-82e6-6b6efEXAMPLE</RequestId></ResponseMetadata>
      </\(action)Response>
      """
    return .answer(status: 200, headers: headers, body: Array(text.utf8))
  }

  private var headers: [String] {
    ["Content-Type: text/xml"] + (date.map { ["Date: \($0)"] } ?? [])
  }

  private func error(
    _ status: Int, _ code: String, _ request: ScriptedServer.Request
  ) -> ScriptedServer.Reply {
    let quoted = String(decoding: request.body, as: UTF8.self).replacing("&", with: "&amp;")
    let text = """
      <ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
        <Error><Type>Sender</Type><Code>\(code)</Code><Message>1 error detected: \(quoted) \
      \(SignedRequest(request).header("x-amz-security-token") ?? "")</Message></Error>
        <RequestId>ad4156e9-bce1-11e2-82e6-6b6efEXAMPLE</RequestId>
      </ErrorResponse>
      """
    return .answer(status: status, headers: headers, body: Array(text.utf8))
  }
}

extension FakeTokenService {
  /// An error that the service answers with once.
  static func fault(_ status: Int, _ code: String) -> ScriptedServer.Reply {
    let text = """
      <ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error><Type>Sender</Type>\
      <Code>\(code)</Code><Message>A fault</Message></Error><RequestId>1</RequestId></ErrorResponse>
      """
    return .answer(status: status, body: Array(text.utf8))
  }
}
