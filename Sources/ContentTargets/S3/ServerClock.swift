import ContentModel
import HTTPTransport
import Synchronization

/// The clock of a bucket's server, by the `Date` of its answers.
///
/// A class, since all requests of a bucket share it.
final class ServerClock: Sendable {
  private struct State {
    /// The seconds that the server was ahead of this machine at its last answer; `nil` before one.
    var lead: Int64?
    /// The seconds that are added to the time of requests, since the server refused that of this
    /// machine.
    var correction: Int64 = 0
  }

  private let state = Mutex(State())

  /// The codes with which servers refuse a request because of its time.
  private static let refusals = ["RequestTimeTooSkewed", "RequestExpired"]

  /// The seconds to add to the time of a request.
  var correction: Int64 { state.withLock { $0.correction } }

  /// Returns the server's time when this machine's clock shows `now`; `nil` before an answer.
  func time(at now: Int64) -> Instant? {
    state.withLock { $0.lead }.map { Instant(secondsSince1970: now + $0) }
  }

  /// Notes the time of an answer, and returns whether the server refused the request for its time,
  /// which later requests correct.
  func note(_ answer: HTTPAnswer, at now: @autoclosure () -> Int64) -> Bool {
    guard let date = answer.header("Date").flatMap(HTTPDate.instant) else { return false }
    let seconds =
      date.secondsSinceReferenceDate
      - Instant(secondsSince1970: now())
      .secondsSinceReferenceDate
    // A date before 2001 or thousands of years ahead is no clock's time.
    guard date.secondsSinceReferenceDate > 0, date.hasRFC3339, let lead = Int64(exactly: seconds)
    else { return false }
    let isRefused =
      answer.status == 403 && Self.refusals.contains(S3ErrorBody(answer.body)?.code ?? "")
    return state.withLock { state in
      state.lead = lead
      guard isRefused, state.correction != lead else { return false }
      state.correction = lead
      return true
    }
  }
}
