import ContentModel
import SiteFormat

/// The decision whether a received config is acceptable.
struct ConfigCheck {
  /// The meaning of an acceptable config.
  enum Verdict: Hashable {
    /// It is the newest, or as new as the stored one.
    case accepted
    /// It is older than a known release, and has been answered for less than two days.
    case lower
    /// A lower release that is accepted: 48 hours of checks answered it, or the site's address
    /// changed.
    case reset
  }

  let app: String
  let channel: String
  let state: StoredState
  /// The configs that the client has: a config with the same release must have the same bytes.
  let known: [SiteConfig]

  /// The seconds for which every check must answer a lower release until it counts.
  private static let patience = 48 * 3600.0

  /// Checks a config.
  ///
  /// - Throws: `ContentError` of kind `.refused`.
  func verdict(on config: SiteConfig, at moment: Moment) throws(ContentError) -> Verdict {
    guard config.belongs(to: app, channel: channel) else {
      throw refused("the config is of another app or channel")
    }
    guard Self.isConsistent(config, app: app, channel: channel) else {
      throw refused("the config withdraws its own release")
    }
    let hasTwin = known.contains { $0.release == config.release && $0.bytes != config.bytes }
    if state.hasMoved {
      // The numbers of another site say nothing about those of this one.
      return config.release < state.highestRelease || hasTwin ? .reset : .accepted
    }
    // Without keys, an attacker could name a release or a purge that no later one reaches.
    guard config.release - state.highestRelease <= Limits.numberLead else {
      throw refused(
        "release \(config.release) is too far above \(state.highestRelease)")
    }
    guard config.purge.sequence - state.purgeSequence <= Limits.numberLead else {
      throw refused("purge \(config.purge.sequence) is too far above \(state.purgeSequence)")
    }
    if config.release < state.highestRelease {
      guard let since = state.lowerSince, let span = moment.seconds(since: since),
        span >= Self.patience
      else { return .lower }
      return .reset
    }
    if hasTwin { throw refused("release \(config.release) has two configs") }
    return .accepted
  }

  /// Returns whether a config is of an app's channel, and does not withdraw its own release.
  static func isConsistent(_ config: SiteConfig, app: String, channel: String) -> Bool {
    config.belongs(to: app, channel: channel) && config.purge.minimumRelease <= config.release
  }

  private func refused(_ reason: String) -> ContentError { ContentError(.refused, because: reason) }
}
