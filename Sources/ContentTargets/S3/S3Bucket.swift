import HTTPTransport
import System

/// A bucket and its credentials: signs and sends requests, and repeats them if that may help.
struct S3Bucket: Sendable {
  /// The codes for an incomplete or late request, whose status alone does not show that a retry may
  /// succeed.
  private static let passingCodes = [
    "RequestTimeout", "BadDigest", "IncompleteBody", "XAmzContentSHA256Mismatch",
  ]

  let location: S3Location
  let credentials: CredentialProvider
  let client: HTTPClient
  let environment: RequestEnvironment
  let clock = ServerClock()
  /// The waits for the server.
  let slowStep: SlowStep

  /// Sends an idempotent request until it gets an answer other than a temporary failure, and for at
  /// most `milliseconds`.
  ///
  /// - Throws: `.unreachable` if there is no answer; an answer with an error status is returned.
  func ask(_ request: S3Request, for milliseconds: Int64 = .max) throws(TargetError) -> HTTPAnswer {
    try slowStep.run { () throws(TargetError) in try repeatedly(ask: request, for: milliseconds) }
  }

  private func repeatedly(
    ask request: S3Request, for milliseconds: Int64
  ) throws(TargetError) -> HTTPAnswer {
    let start = environment.milliseconds()
    var backoff = S3Backoff(environment)
    func mayRepeat() -> Bool {
      environment.milliseconds() - start < milliseconds && backoff.wait()
    }
    while true {
      switch try send(request) {
      case .success(let answer):
        guard Self.isPassing(answer), mayRepeat() else { return answer }
      case .failure(let failure):
        guard failure.isPassing, mayRepeat() else { throw error(failure) }
      }
    }
  }

  /// Sends a request once, and again with new credentials if the server reports that these have
  /// expired.
  ///
  /// - Throws: if there are no credentials.
  func send(_ request: S3Request) throws(TargetError) -> Result<HTTPAnswer, HTTPFailure> {
    let lease = try credentials.current()
    let result = send(request, as: lease.credentials)
    guard case .success(let answer) = result, Self.mayHaveExpired(answer, to: request),
      let renewed = try credentials.renewed(after: lease)
    else { return result }
    return send(request, as: renewed.credentials)
  }

  /// Returns whether an answer may report that the credentials have expired.
  private static func mayHaveExpired(_ answer: HTTPAnswer, to request: S3Request) -> Bool {
    // The answer to HEAD has no body that names the reason.
    if request.method == .head { return answer.status == 400 }
    return (400...403).contains(answer.status) && S3ErrorBody(answer.body)?.code == "ExpiredToken"
  }

  /// Sends a request once, and again with the server's time if it refuses that of this machine: a
  /// purge must not wait until somebody sets the clock.
  private func send(
    _ request: S3Request, as credentials: AmazonCredentials
  ) -> Result<HTTPAnswer, HTTPFailure> {
    let result = sendOnce(request, as: credentials)
    guard case .success(let answer) = result, clock.note(answer, at: environment.now()) else {
      return result
    }
    return sendOnce(request, as: credentials)
  }

  private func sendOnce(
    _ request: S3Request, as credentials: AmazonCredentials
  ) -> Result<HTTPAnswer, HTTPFailure> {
    let headers = SignatureV4(.s3, credentials: credentials, region: location.region).headers(
      of: request, host: location.host, path: location.path(request.key),
      at: environment.now() + clock.correction)
    var sent = HTTPRequest(request.method, location.url(request), headers: headers)
    sent.sink = request.sink
    sent.answerLimit = request.answerLimit
    switch request.body {
    case .bytes(let bytes): sent.body = bytes
    case .file(let file): sent.stream = HTTPStream(of: file)
    }
    return Result { () throws(HTTPFailure) in try client.send(sent) }
  }

  /// Returns whether the same request may succeed a moment later.
  static func isPassing(_ answer: HTTPAnswer) -> Bool {
    switch answer.status {
    case 409, 429, 500, 502, 503, 504: true
    case 400: S3ErrorBody(answer.body).map { passingCodes.contains($0.code) } ?? false
    default: false
    }
  }
}

extension HTTPStream {
  fileprivate init(of file: SourceFile) {
    self.init(count: file.count) {
      var reading = file.reading()
      return { try reading.next(into: $0) }
    }
  }
}
