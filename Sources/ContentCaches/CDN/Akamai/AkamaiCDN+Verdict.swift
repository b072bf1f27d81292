package import HTTPTransport

extension AkamaiCDN {
  /// The pause that Akamai asks for after 429, in seconds.
  private static let retrySeconds = 5.0
  /// The longest wait in seconds; every bucket fills within this hour.
  private static let longestSeconds = 3_600.0

  package func verdict(on answer: HTTPAnswer, to request: CDNRequest) -> CDNVerdict {
    // A status request only lets time pass: the purge before it is accepted in any case.
    if isStatus(request) { return .done }
    switch answer.status {
    case 200..<300:
      guard let seconds = answer.number(after: "estimatedSeconds"), seconds > 0 else {
        return .done
      }
      return .begun(status(after: request), afterSeconds: min(Double(seconds), Self.longestSeconds))
    case 429:
      return .again(
        afterSeconds: Self.wait(after: answer, units: request.units), "answers 429: over the quota")
    case 507:
      return .again(
        afterSeconds: answer.retryAfterSeconds ?? Self.retrySeconds,
        "answers 507: its queue is full")
    case 408, 500...:
      return .again(afterSeconds: answer.retryAfterSeconds, "answers \(answer.status)")
    default: return .refused("answers \(answer.status): \(advice(for: answer.status))")
    }
  }

  /// Returns the remedy for a status.
  ///
  /// Akamai's own sentences are not repeated, because they can quote the signed request.
  private func advice(for status: Int) -> String {
    let names = "\(clientToken.variable), \(clientSecret.variable) and \(accessToken.variable)"
    switch status {
    case 401: return "check \(names), which belong to one 'host', and this machine's clock"
    case 403: return "check \(names): their owner may not purge these hosts, or not by Fast Purge"
    case 404, 405, 410: return "check the 'host'"
    case 413: return "the request is too large; purge less at once"
    case 300..<400: return "check 'api'"
    default: return "it does not take the request; check that it serves these hosts"
    }
  }

  /// Returns the seconds until there are enough tokens, but no less than Akamai asks for.
  private static func wait(after answer: HTTPAnswer, units: Int) -> Double {
    let waits = [
      answer.retryAfterSeconds ?? 0, wait(for: 1, in: "", after: answer),
      wait(for: units, in: "-Objects", after: answer), retrySeconds,
    ]
    return min(waits.max() ?? retrySeconds, longestSeconds)
  }

  /// Returns the seconds until a bucket has enough tokens, by the headers of an answer; `bucket` is
  /// the end of their names.
  private static func wait(
    for tokens: Int, in bucket: String, after answer: HTTPAnswer
  ) -> Double {
    guard let left = answer.header("X-Ratelimit-Remaining\(bucket)").flatMap(Double.init),
      let perSecond = answer.header("X-Ratelimit-Limit-Per-Second\(bucket)").flatMap(Double.init),
      perSecond > 0
    else { return 0 }
    let seconds = (Double(tokens) - left) / perSecond
    return seconds.isFinite ? max(seconds, 0) : 0
  }
}
