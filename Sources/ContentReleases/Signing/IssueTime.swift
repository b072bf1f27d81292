package import ContentModel
import ContentTargets
import SiteFormat

/// The time at which a signed config is issued, on a machine whose clock may be wrong.
///
/// Apps refuse a config whose signatures ended in the past. A clock that is behind by more than
/// `validFor` would sign such a config, and the command would report success.
package struct IssueTime: Hashable, Sendable {
  /// What a command does if the clock is behind.
  package enum Rule: Sendable {
    /// Refuse to sign.
    case refuse
    /// Believe the clock, since the operator says that it is right.
    case trust
    /// Sign with a better time: an emergency is never refused.
    case correct
  }

  /// The time of the machine's clock.
  package let clock: Instant
  /// The time at which the live config was last signed; `nil` without a signed config.
  package let live: Instant?
  /// The time that the target shows; `nil` without one.
  ///
  /// Refusals and warnings use it.
  package let shown: Instant?
  /// The time of the target that may be issued; `nil` without one, and if it is more than a day from
  /// the clock and from the live config's time: a target is not trusted to choose the time until which
  /// readers accept a config.
  package let target: Instant?

  /// The seconds by which clocks may differ.
  private static let tolerance = 60.0
  /// The seconds around the other times within which the target's time counts.
  private static let range = 86_400.0

  package init(clock: Instant, live: Instant?, target: Instant?) {
    (self.clock, self.live, shown) = (clock, live, target)
    self.target = target.flatMap { target in
      [clock, live].compactMap(\.self).contains { abs($0.seconds(to: target)) <= Self.range }
        ? target : nil
    }
  }

  /// Returns the times for a release after the live one.
  package init(at clock: Instant, after live: LiveRelease?, of place: ChannelPlace) {
    // The time of the record is later than the clock's after many releases within a minute.
    self.init(clock: clock, live: live?.signed?.fresh.issued, target: place.target.time)
  }

  /// `true` if the clock is more than a minute behind the live config.
  package var isBehindLive: Bool { live.map { clock.seconds(to: $0) > Self.tolerance } ?? false }

  /// `true` if the clock is more than a minute behind the time that the target shows, however far.
  private var isBehindTarget: Bool {
    shown.map { clock.seconds(to: $0) > Self.tolerance } ?? false
  }

  /// `true` if the clock is behind the target's clock, or if it is behind the live config and the
  /// target's clock, if it counts, shows so too.
  package var isBehind: Bool { isBehindTarget || isBehindLive && target == nil }

  /// `true` if the operator may say that the clock is right: the live config and the target's clock do
  /// not both show that it is behind.
  package var mayBeRight: Bool { target == nil || !isBehindLive }

  /// The time of an emergency's config: that of the target, or else the later of the clock and one
  /// second after the live config.
  package var corrected: Instant {
    if let target { return abs(clock.seconds(to: target)) > Self.tolerance ? target : clock }
    guard let live else { return clock }
    return max(clock, live.advanced(by: .seconds(1)))
  }

  /// The difference in a sentence without its full stop; `nil` if the clock need not be set.
  package var sentence: String? {
    guard isBehind else { return nil }
    let others = [
      live.flatMap { isBehindLive ? "the live config is of \($0.rfc3339)" : nil },
      shown.flatMap { isBehindTarget ? "the target's clock shows \($0.rfc3339)" : nil },
    ].compactMap(\.self)
    return
      "this machine's clock shows \(clock.rfc3339), although \(others.joined(separator: " and "))"
  }
}

extension Instant {
  /// Returns the seconds from this instant to a later one; negative for an earlier one.
  fileprivate func seconds(to later: Instant) -> Double {
    later.secondsSinceReferenceDate - secondsSinceReferenceDate
  }
}

extension Publisher {
  /// Returns the time at which a release or signatures after the live release are issued.
  ///
  /// In a channel that is not signed, the time only orders the history, so that the clock decides.
  ///
  /// - Throws: `DeliveryError` if the clock is behind and the clock rule refuses that.
  package func issueTime(after live: LiveRelease?) throws(DeliveryError) -> Instant {
    guard let signing = place.signing else { return now() }
    let times = IssueTime(at: signing.now(), after: live, of: place)
    switch clockRule {
    case .trust where times.mayBeRight: return times.clock
    case .correct: return times.corrected
    case .trust, .refuse:
      guard times.isBehind, let sentence = times.sentence else { return times.clock }
      throw DeliveryError(
        .refused,
        "\(sentence): apps could refuse what is signed with this time; set the clock"
          + (times.mayBeRight
            ? ", or add --clock-is-right if \(times.isBehindLive ? "the live config is of the future" : "the target's clock is ahead")"
            : "")
          + "; nothing was changed")
    }
  }
}
