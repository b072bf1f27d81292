package import HTTPTransport

extension CloudFrontCDN {
  /// What CloudFront answers when it would rather be asked more slowly.
  private static let throttled = [
    "Throttling", "ThrottlingException", "ThrottledException", "RequestThrottled", "TooManyRequestsException",
    "RequestLimitExceeded", "SlowDown", "PriorRequestNotComplete",
  ]

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    guard (200..<300).contains(answer.status) else { return refusal(answer) }
    guard let invalidation = XMLElement(answer.body), invalidation.name == "Invalidation",
      let status = invalidation["Status"]?.text
    else { return .again(afterSeconds: nil, "CloudFront answers \(answer.status), but with no invalidation") }
    if status.lowercased() == "completed" { return .done }
    if request.request.method == .get { return .begun(request, afterSeconds: Self.pollSeconds) }
    guard let id = invalidation["Id"]?.text, !id.isEmpty, id.utf8.allSatisfy(Self.isOfName) else {
      return .again(afterSeconds: nil, "CloudFront answers \(answer.status), but does not say how to ask for the end")
    }
    return .begun(progress(id), afterSeconds: Self.pollSeconds)
  }

  /// Why there is no invalidation.
  ///
  /// Of what CloudFront says, the code alone is told: its sentences can quote what was signed, and the session token with it.
  private func refusal(_ answer: HTTPAnswer) -> CDNVerdict {
    let code = Self.code(answer.body)
    let said = "CloudFront answers \(answer.status)\(code.map { ", \($0)" } ?? "")"
    switch (answer.status, code) {
    case (_, "TooManyInvalidationsInProgress"):
      // Says no time; a batch takes a minute or so.
      return .again(afterSeconds: 20, "\(said): others are in progress")
    case (_, let code?) where Self.throttled.contains(code): return .again(afterSeconds: answer.retryAfter ?? 5, said)
    case (429, _): return .again(afterSeconds: answer.retryAfter ?? 5, said)
    case (408, _), (500..., _): return .again(afterSeconds: answer.retryAfter, said)
    default: return .refused("\(said): \(Self.advice(answer.status, code))")
    }
  }

  private static func advice(_ status: Int, _ code: String?) -> String {
    switch (status, code) {
    case (_, "SignatureDoesNotMatch"): "check the variable of 'secretKey', and that no proxy changes requests"
    case (_, "InvalidClientTokenId"), (_, "InvalidAccessKeyId"), (_, "UnrecognizedClientException"),
      (_, "MissingAuthenticationToken"):
      "check the variables of 'accessKey' and 'sessionToken'"
    case (_, "ExpiredToken"), (_, "ExpiredTokenException"), (_, "InvalidToken"):
      "get new credentials for the variables of 'accessKey', 'secretKey' and 'sessionToken'"
    case (_, "RequestExpired"), (_, "RequestTimeTooSkewed"): "set this machine's clock"
    case (401, _), (403, _):
      "check the variables of 'accessKey', 'secretKey' and 'sessionToken'; their owner needs"
        + " cloudfront:CreateInvalidation and cloudfront:GetInvalidation"
    case (_, "NoSuchInvalidation"): "the invalidation is gone; purge again"
    case (404, _): "check the variable of 'distribution'"
    case (413, _), (_, "BatchTooLarge"): "the batch is too large; purge less at once"
    case (300..<400, _): "check 'api'"
    default: "it does not take the request"
    }
  }

  /// The word that Amazon's reference explains, such as `AccessDenied`.
  private static func code(_ body: [UInt8]) -> String? {
    let root = XMLElement(body)
    let code = (root?["Error"] ?? root)?["Code"]?.text
    return code.flatMap { !$0.isEmpty && $0.utf8.count <= 60 && $0.utf8.allSatisfy(isOfName) ? $0 : nil }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
      true
    default: false
    }
  }
}

extension HTTPAnswer {
  /// The seconds of `Retry-After`, from 0 to an hour; `nil` if it has none (RFC 9110, section 10.2.3).
  var retryAfter: Double? {
    guard let seconds = header("Retry-After").flatMap(Int.init), seconds >= 0 else { return nil }
    return Double(min(seconds, 3_600))
  }
}
