import ContentModel
import SiteFormat

/// The waiting after looks: for as long as servers ask, after failed ones, and for a connection.
extension Refresher {
  /// The facts that decide on the time of the next look.
  struct Standing: Sendable {
    /// The last look that was answered.
    var look: Moment?
    var isWhole: Bool
    /// The moment until which a server asked to wait, which may be past.
    var asked: Moment?
    /// The seconds until then.
    var askedSeconds: Double
    /// The seconds for which a look would have the same answer, which was refused.
    var refusedSeconds: Double
    /// The seconds until a look may follow failed ones.
    var retrySeconds: Double
  }

  /// Notes the time for which an answer asks to wait.
  func noteRetryAfter(_ header: String?) {
    let moment = clock.moment
    guard let header, let seconds = RetryAfter.seconds(header, at: moment.now) else { return }
    state.retryAfter = moment.advanced(by: seconds)
    store(isDurable: false)
  }

  /// Returns the seconds for which a refresh must wait; `nil` if it may begin.
  func postponement(of reason: RefreshReason) -> Double? {
    let moment = clock.moment
    let asked = secondsAsked(at: moment)
    if asked > 0 { return asked }
    switch reason {
    case .user:
      guard let lastAttempt, let age = moment.seconds(since: lastAttempt), age < 5 else {
        return nil
      }
      return 5 - age
    case .schedule, .push: return secondsOfBackoff(at: moment).positive
    // These do not wait because of looks that failed before, in the background or without a network.
    case .launch, .connection: return secondsRefused(at: moment).positive
    case .context: return nil
    }
  }

  /// Returns the seconds until a look may follow one that failed.
  private func secondsOfBackoff(at moment: Moment) -> Double {
    max(state.backoff.wait(at: moment), offlineUntil?.seconds(since: moment) ?? 0)
  }

  /// Returns the seconds for which a look would have the same answer, which was refused.
  private func secondsRefused(at moment: Moment) -> Double {
    state.backoff.isRefusal ? state.backoff.wait(at: moment) : 0
  }

  /// Ends the waiting after failed looks, also for the next process.
  func endBackoff() {
    offlineUntil = nil
    guard state.backoff.until != nil else { return }
    state.backoff = Backoff()
    store(isDurable: false)
  }

  /// Reports a failure, and notes how long looks wait because of it.
  func failed(_ error: ContentError) -> RefreshOutcome {
    let moment = clock.moment
    let ttl = presenter.newest?.ttl ?? 600
    lacksConnection = error.kind == .unreachable
    if error.kind == .cancelled { return .failed(error) }
    if error == .noConnection {
      offlineUntil = moment.advanced(by: Self.offlinePause(configuration.random.fraction()))
    } else {
      if error.isLasting {
        state.backoff.refuse(at: moment, seconds: Double(ttl))
      } else {
        state.backoff.fail(at: moment, ttl: ttl, fraction: configuration.random.fraction())
      }
      store(isDurable: false)
    }
    presenter.report(error.kind == .refused ? .refused(error) : .failed(error))
    return .failed(error)
  }

  /// Returns the seconds until the next look without a connection, which is no failure: 30 to 90,
  /// since clients come back together after an outage.
  private static func offlinePause(_ fraction: Double) -> Double { 30 + 60 * fraction }

  /// The facts that decide on the time of the next look.
  var standing: Standing {
    let moment = clock.moment
    let asked = secondsAsked(at: moment)
    return Standing(
      look: state.look, isWhole: isWhole, asked: state.retryAfter, askedSeconds: asked,
      refusedSeconds: secondsRefused(at: moment),
      retrySeconds: max(asked, secondsOfBackoff(at: moment)))
  }

  /// Returns the seconds for which a server asked to wait; 0 for a longer time than it may ask for,
  /// which is due to a wrong clock.
  func secondsAsked(at moment: Moment) -> Double {
    // After another start of the system, the time of day may be earlier than before.
    guard let end = state.retryAfter, end.uptime.boot.hasSameBytes(as: moment.uptime.boot),
      let wait = end.seconds(since: moment), wait <= RetryAfter.longest
    else { return 0 }
    return wait
  }
}

extension ContentError {
  /// `true` if another look would have the same answer.
  fileprivate var isLasting: Bool {
    if case .server(let status) = kind { return [401, 403, 404].contains(status) }
    return kind == .refused
  }
}

extension Double {
  /// The number; `nil` if it is not above 0.
  fileprivate var positive: Double? { self > 0 ? self : nil }
}
