package import HTTPTransport
import XML

extension CloudFrontCDN {
  /// The error codes by which CloudFront asks for slower requests.
  private static let throttled = [
    "Throttling", "ThrottlingException", "ThrottledException", "RequestThrottled",
    "TooManyRequestsException",
    "RequestLimitExceeded", "SlowDown", "PriorRequestNotComplete",
  ]

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    guard (200..<300).contains(answer.status) else { return refusal(answer) }
    guard let invalidation = XMLTree(answer.body), invalidation.name == "Invalidation",
      let status = invalidation["Status"]?.text
    else { return .again(afterSeconds: nil, "answers \(answer.status), but with no invalidation") }
    if status.lowercased() == "completed" { return .done }
    if request.request.method == .get { return .begun(request, afterSeconds: Self.pollSeconds) }
    guard let id = invalidation["Id"]?.text, !id.isEmpty, id.utf8.allSatisfy(Self.isOfName) else {
      return .again(
        afterSeconds: nil, "answers \(answer.status), but gives no id to check its progress")
    }
    return .begun(progress(id), afterSeconds: Self.pollSeconds)
  }

  /// Returns the verdict on an answer without an invalidation.
  ///
  /// Of CloudFront's error, only the code is repeated: its sentences can quote the signed request,
  /// and with it the session token.
  private func refusal(_ answer: HTTPAnswer) -> CDNVerdict {
    let code = Self.code(answer.body)
    let said = "answers \(answer.status)\(code.map { ", \($0)" } ?? "")"
    switch (answer.status, code) {
    case (_, "TooManyInvalidationsInProgress"):
      // CloudFront names no time; a batch takes about a minute.
      return .again(afterSeconds: 20, "\(said): others are in progress")
    case (_, let code?) where Self.throttled.contains(code):
      return .again(afterSeconds: answer.retryAfterSeconds ?? 5, said)
    case (429, _): return .again(afterSeconds: answer.retryAfterSeconds ?? 5, said)
    case (408, _), (500..., _): return .again(afterSeconds: answer.retryAfterSeconds, said)
    default: return .refused("\(said): \(advice(for: answer.status, code: code))")
    }
  }

  private func advice(for status: Int, code: String?) -> String {
    let keys = "\(accessKey.variable) and \(secretKey.variable)"
    let all =
      sessionToken.map { "\(accessKey.variable), \(secretKey.variable) and \($0.variable)" } ?? keys
    switch (status, code) {
    case (_, "SignatureDoesNotMatch"):
      return "check \(secretKey.variable), and that no proxy changes requests"
    case (_, "InvalidClientTokenId"), (_, "InvalidAccessKeyId"), (_, "UnrecognizedClientException"),
      (_, "MissingAuthenticationToken"):
      return "check \(all)\(sessionToken == nil ? ": some keys need a session token, too" : "")"
    case (_, "ExpiredToken"), (_, "ExpiredTokenException"), (_, "InvalidToken"):
      return "get new credentials for \(all)"
    case (_, "RequestExpired"), (_, "RequestTimeTooSkewed"): return "set this machine's clock"
    case (401, _), (403, _):
      return
        "check \(all); their owner needs cloudfront:CreateInvalidation and cloudfront:GetInvalidation"
    case (_, "NoSuchInvalidation"): return "the invalidation is gone; purge again"
    case (404, _): return "check the 'distribution'"
    case (413, _), (_, "BatchTooLarge"): return "the batch is too large; purge less at once"
    case (300..<400, _): return "check 'api'"
    default: return "it does not take the request"
    }
  }

  /// Returns the code that Amazon's reference explains, such as `AccessDenied`.
  private static func code(_ body: [UInt8]) -> String? {
    let root = XMLTree(body)
    let code = (root?["Error"] ?? root)?["Code"]?.text
    return code.flatMap {
      !$0.isEmpty && $0.utf8.count <= 60 && $0.utf8.allSatisfy(isOfName) ? $0 : nil
    }
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
