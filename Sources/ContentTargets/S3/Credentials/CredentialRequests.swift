import ContentModel
import HTTPTransport
import System

/// The requests for credentials, and the files that they need.
struct CredentialRequests: Sendable {
  /// The most bytes of an answer: credentials have a few thousand.
  private static let answerLimit = 64 << 10

  let environment: RequestEnvironment
  /// A file of certificates to trust in place of the system's.
  let certificates: String?
  /// Returns a file's bytes, or `nil` if it cannot be read.
  let file: @Sendable (String) -> [UInt8]?

  /// Sends a request once, for at most `milliseconds`.
  ///
  /// A redirection is an answer like any other: it is not followed. A request over `http` has a
  /// secret that any proxy could read, so it goes to the server itself.
  func send(
    _ request: HTTPRequest, milliseconds: Int
  ) -> Result<HTTPAnswer, HTTPFailure> {
    var limits = HTTPLimits()
    limits.connectMilliseconds = min(limits.connectMilliseconds, milliseconds)
    limits.requestMilliseconds = milliseconds
    var request = request
    request.answerLimit = Self.answerLimit
    request.bypassesProxies = request.url.hasBytePrefix("http://")
    let client = HTTPClient(limits: limits, certificates: certificates)
    return Result { () throws(HTTPFailure) in try client.send(request) }
  }

  /// Sends a request up to three times, until the result is no temporary failure.
  ///
  /// `make` returns the request for each attempt.
  func send(
    milliseconds: Int, isPassing: (HTTPAnswer) -> Bool,
    _ make: () -> HTTPRequest
  ) -> Result<HTTPAnswer, HTTPFailure> {
    var backoff = S3Backoff(environment, retries: 2)
    while true {
      let result = send(make(), milliseconds: milliseconds)
      let mayPass =
        switch result {
        case .success(let answer): isPassing(answer)
        case .failure(let failure): failure.isPassing
        }
      guard mayPass, backoff.wait() else { return result }
    }
  }

  /// Returns the seconds by which the clock of an answer's server is ahead of this machine's; 0 if
  /// the answer does not state the time.
  func lead(of answer: HTTPAnswer) -> Int64 {
    guard let date = answer.header("Date").flatMap(HTTPDate.instant), date.hasRFC3339,
      // A date before 2001 is no clock's time.
      date.secondsSinceReferenceDate > 0
    else { return 0 }
    return Int64(date.secondsSinceReferenceDate) + Instant.referenceDateInUnixTime
      - environment.now()
  }
}

extension HTTPAnswer {
  /// `true` if the server may answer otherwise a moment later, by the status alone.
  var isOverload: Bool { status == 429 || status >= 500 }
}

extension TargetError {
  /// Creates the error for credentials that cannot be fetched; `reason` continues the sentence.
  init(_ kind: Kind, noCredentials reason: String) {
    self.init(kind, "there are no credentials for the bucket: \(reason)")
  }

  /// Creates the error for a server that gives no answer with credentials.
  init(_ failure: HTTPFailure, from server: String) {
    switch failure.kind {
    case .untrusted:
      self.init(
        .unreachable,
        noCredentials:
          "\(server) is not trusted: \(failure); SSL_CERT_FILE can name a file with the certificate of who signed its own"
      )
    case .tooLong: self.init(.failed, noCredentials: "\(server) sends too long an answer")
    case .unconnected, .late, .lost:
      self.init(
        .unreachable,
        noCredentials: "\(server) cannot be reached: \(failure); check the network, and run again")
    case .noLibrary, .unusable, .unreadable, .cancelled:
      self.init(.failed, noCredentials: "\(server) cannot be requested: \(failure)")
    }
  }
}
