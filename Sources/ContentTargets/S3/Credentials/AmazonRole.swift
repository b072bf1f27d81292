import ContentModel
import HTTPTransport
import System
import XML

/// A role whose credentials Amazon's Security Token Service (STS) gives.
///
/// By "AssumeRole" and "AssumeRoleWithWebIdentity" in Amazon's reference of STS.
struct AmazonRole: Sendable {
  /// The version of the interface.
  private static let version = "2011-06-15"
  private static let milliseconds = 10_000
  /// The seconds by which a clock may be wrong before STS refuses a signature.
  private static let tolerance: Int64 = 300

  let arn: String
  let session: String
  let externalID: String?
  let seconds: Int?
  let service: TokenService

  /// Creates a role, and checks its settings by the documented rules; `place` names their place in
  /// messages.
  ///
  /// - Throws: `.unusable`, with the rule.
  init(
    _ arn: String, session: String?, externalID: String? = nil, duration: String? = nil,
    service: TokenService, in place: String
  ) throws(TargetError) {
    func check(_ isRight: Bool, _ rule: String) throws(TargetError) {
      guard isRight else { throw TargetError(.unusable, "\(place): \(rule)") }
    }
    try check(
      (20...2_048).contains(arn.utf8.count) && arn.hasBytePrefix("arn:")
        && arn.utf8.allSatisfy { (0x21...0x7E).contains($0) },
      "the ARN of a role is such as 'arn:aws:iam::123456789012:role/publisher'")
    let session = session ?? "contentc"
    try check(
      (2...64).contains(session.utf8.count) && Self.isName(session, adding: "+=,.@-"),
      "the name of a role's session has 2 to 64 letters, digits, '_' and '+=,.@-'")
    if let externalID {
      try check(
        (2...1_224).contains(externalID.utf8.count)
          && Self.isName(externalID, adding: "+=,.@:/-"),
        "an external ID has 2 to 1,224 letters, digits, '_' and '+=,.@:/-'")
    }
    let seconds = duration.flatMap { Int($0) }
    if duration != nil {
      try check(
        seconds.map { (900...43_200).contains($0) } ?? false,
        "the duration of a role's session is 900 to 43200 seconds")
    }
    (self.arn, self.session, self.externalID) = (arn, session, externalID)
    (self.seconds, self.service) = (seconds, service)
  }

  private static func isName(_ text: String, adding signs: String) -> Bool {
    text.utf8.allSatisfy { $0.isAlphanumeric || $0 == UInt8(ascii: "_") || signs.utf8.contains($0) }
  }

  /// Returns the role's credentials for a token of another service; the request is not signed.
  func credentials(
    for token: String, with requests: CredentialRequests
  ) throws(TargetError) -> FetchedCredentials {
    let request = request("AssumeRoleWithWebIdentity", [("WebIdentityToken", token)])
    let result = requests.send(
      milliseconds: Self.milliseconds, isPassing: STSErrorBody.isPassing
    ) { request }
    return try credentials(
      in: result, of: "AssumeRoleWithWebIdentity", with: requests
    ) { reason(code: $0, status: $1, token: token) }
  }

  /// Returns the role's credentials for other credentials, which sign the request.
  func credentials(
    assumedBy credentials: AmazonCredentials, with requests: CredentialRequests
  ) throws(TargetError) -> FetchedCredentials {
    let identifier = externalID.map { [(name: "ExternalId", value: $0)] } ?? []
    let request = request("AssumeRole", identifier)
    let signature = SignatureV4(.sts, credentials: credentials, region: service.region)
    func send(correction: Int64) -> Result<HTTPAnswer, HTTPFailure> {
      requests.send(milliseconds: Self.milliseconds, isPassing: STSErrorBody.isPassing) {
        signature.signed(request, at: requests.environment.now() + correction)
      }
    }
    var result = send(correction: 0)
    // A wrong clock of this machine must not delay a purge, so the server's is used.
    if case .success(let answer) = result, answer.status == 400 || answer.status == 403 {
      let lead = requests.lead(of: answer)
      if abs(lead) > Self.tolerance { result = send(correction: lead) }
    }
    return try self.credentials(in: result, of: "AssumeRole", with: requests) {
      reason(code: $0, status: $1)
    }
  }

  private func request(
    _ action: String, _ parameters: [(name: String, value: String)]
  ) -> HTTPRequest {
    var form = parameters
    form += [("Action", action), ("RoleArn", arn), ("RoleSessionName", session)]
    form.append(("Version", Self.version))
    if let seconds { form.append(("DurationSeconds", "\(seconds)")) }
    let type = "application/x-www-form-urlencoded; charset=utf-8"
    // The host alone has no path to sign or send.
    let path = service.url.split(separator: "/").count > 2 ? "" : "/"
    return HTTPRequest(
      .post, service.url + path, headers: [("Content-Type", type)],
      body: Array(URLEscape.query(form).utf8))
  }

  /// Reads the answer to an action.
  private func credentials(
    in result: Result<HTTPAnswer, HTTPFailure>, of action: String,
    with requests: CredentialRequests,
    reason: (_ code: String?, _ status: Int) -> (kind: TargetError.Kind, text: String)
  ) throws(TargetError) -> FetchedCredentials {
    let answer: HTTPAnswer
    do { answer = try result.get() } catch { throw TargetError(error, from: service.shown) }
    guard answer.status == 200 else {
      // The message of an error can quote the request, so only its code is shown.
      let code = STSErrorBody.code(answer.body)
      let reason = reason(code, answer.status)
      throw TargetError(
        reason.kind,
        noCredentials: "\(reason.text) (\(action): \(answer.status)\(code.map { ", \($0)" } ?? ""))"
      )
    }
    let values = XMLTree(answer.body).flatMap { root in
      root.isNamed("\(action)Response") ? root["\(action)Result"]?["Credentials"] : nil
    }
    guard
      let fetched = FetchedCredentials(
        accessKey: values?["AccessKeyId"]?.text, secretKey: values?["SecretAccessKey"]?.text,
        sessionToken: values?["SessionToken"]?.text, end: values?["Expiration"]?.text,
        lead: requests.lead(of: answer))
    else {
      throw TargetError(
        .failed, noCredentials: "\(service.shown) answers without whole credentials of '\(arn)'")
    }
    return fetched
  }

  /// Returns the rule that a request with a token breaks.
  private func reason(
    code: String?, status: Int, token: String
  ) -> (kind: TargetError.Kind, text: String) {
    switch code {
    case "AccessDenied":
      let claims = TokenClaims(of: token).map { ": the token has \($0.described)" } ?? ""
      return (
        .denied,
        "the trust policy of '\(arn)' must allow sts:AssumeRoleWithWebIdentity to the issuer of the web identity token, with conditions that the token meets\(claims)"
      )
    case "ExpiredTokenException", "ExpiredToken":
      return (.denied, "the web identity token has expired: give the command a new one")
    case "InvalidIdentityToken":
      return (
        .denied,
        "\(service.shown) does not accept the web identity token: the account of '\(arn)' needs an identity provider for its issuer, with its audience"
      )
    case "IDPRejectedClaim":
      return (.denied, "the issuer rejects the web identity token: get a new one")
    case "IDPCommunicationError":
      return (
        .unreachable,
        "\(service.shown) cannot reach the issuer of the web identity token: run again"
      )
    default: return reason(code: code, status: status)
    }
  }

  /// Returns the rule that a request breaks.
  private func reason(code: String?, status: Int) -> (kind: TargetError.Kind, text: String) {
    switch code {
    case "AccessDenied":
      let identifier = externalID == nil ? "; does it require an external_id?" : ""
      return (
        .denied,
        "the trust policy of '\(arn)' must allow sts:AssumeRole to who assumes it, whose own policies must allow that, too\(identifier)"
      )
    case "InvalidClientTokenId", "SignatureDoesNotMatch", "UnrecognizedClientException",
      "InvalidAccessKeyId":
      return (
        .denied,
        "\(service.shown) does not accept the keys that assume '\(arn)': check them, and this machine's clock"
      )
    case "ExpiredToken", "ExpiredTokenException":
      return (.denied, "the session token of the keys that assume '\(arn)' has expired")
    case "RequestExpired":
      return (
        .denied,
        "\(service.shown) does not accept the time of the request: set this machine's clock"
      )
    case "RegionDisabledException":
      return (
        .unusable,
        "STS is not active in the region '\(service.region)': activate it, or set another AWS_REGION"
      )
    case "ValidationError", "InvalidParameterValue", "MalformedPolicyDocument":
      return (
        .unusable,
        "\(service.shown) refuses the request for '\(arn)': check the ARN, and that no duration_seconds exceeds the role's longest session"
      )
    default:
      if (300..<400).contains(status) {
        return (.unusable, "\(service.shown) redirects requests: correct AWS_ENDPOINT_URL_STS")
      }
      return status >= 500 || status == 429 || code == "Throttling"
        ? (.unreachable, "\(service.shown) has an error of its own: run the command again later")
        : (.denied, "\(service.shown) does not give the credentials of '\(arn)'")
    }
  }
}

/// The body of an STS error.
private enum STSErrorBody {
  /// Returns the code that Amazon's reference explains; `nil` for any other body.
  static func code(_ body: [UInt8]) -> String? {
    guard let root = XMLTree(body), root.isNamed("ErrorResponse"),
      let code = root["Error"]?["Code"]?.text, (1...60).contains(code.utf8.count),
      code.utf8.allSatisfy({ $0.isLetter || $0 == UInt8(ascii: ".") })
    else { return nil }
    return code
  }

  /// Returns whether the same request may succeed a moment later.
  static func isPassing(_ answer: HTTPAnswer) -> Bool {
    answer.isOverload
      || answer.status == 400
        && ["IDPCommunicationError", "Throttling"].contains(code(answer.body) ?? "")
  }
}

extension XMLTree {
  fileprivate func isNamed(_ name: String) -> Bool { self.name.hasSameBytes(as: name) }
}
