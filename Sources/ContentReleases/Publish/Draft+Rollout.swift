import ContentModel
import ContentTargets
package import SiteFormat

/// Drafts that begin, change or end a rollout.
extension Draft {
  /// A change of the rollout that is on.
  package enum RolloutChange: Hashable, Sendable {
    /// Other readers are in it.
    case step(Rollout)
    /// All readers get the next content.
    case finish
    /// All readers get the stable content.
    case abort
  }

  /// Returns the release that begins a rollout, whose readers get this draft's content.
  ///
  /// The others keep the content of the live release. If readers have the content already, the draft
  /// changes nothing.
  ///
  /// - Throws: `DeliveryError` if a rollout is on already, or if the content cannot be beside the live
  ///   one; `TargetError`.
  package func beginning(
    _ rollout: Rollout, after live: LiveRelease, of place: ChannelPlace
  ) throws -> Draft {
    if let present = live.rollout { throw present.refusal(in: place.channel) }
    return try beside(live, at: place.target, as: rollout)
  }

  /// Returns the release in which this draft's content replaces the next content of the live rollout.
  ///
  /// `known` is the rollout that the operator saw.
  ///
  /// - Throws: `DeliveryError` if no rollout is on, if another one is on or has other content than
  ///   `known`, or if the content cannot be beside the stable one; `TargetError`.
  package func replacingNext(
    after live: LiveRelease?, of place: ChannelPlace, known: Rollout?
  ) throws -> Draft {
    guard let live, var rollout = live.rollout else { throw Rollout.absence(in: place.channel) }
    try rollout.requireSameContent(as: known, in: place.channel, otherwise: .rollout)
    rollout.release = Rollout.beginning
    return try beside(live, at: place.target, as: rollout)
  }

  /// Returns the release in which the readers of a rollout get this draft's content, and the others
  /// keep the stable content of the live release.
  private func beside(
    _ live: LiveRelease, at target: any Target, as rollout: Rollout
  ) throws -> Draft {
    let both = live.content(at: target)
    var draft = self
    draft.contentRelease = live.record.contentRelease
    if live.rollout == nil, content.isSame(as: live.members) {
      draft.content = both
      return draft
    }
    let stable = try both.stableSide()
    if content.members["sourceLocale"] != stable.members["sourceLocale"] {
      throw Self.refusal(of: "sourceLocale")
    }
    if content.format != stable.format { throw Self.refusal(of: "format") }
    draft.content = stable.rollingOut(content, as: rollout)
    draft.decidesRollout = true
    return draft
  }

  private static func refusal(of key: String) -> DeliveryError {
    DeliveryError(
      .refused,
      "the content has another '\(key)' than the live release, and a rollout cannot change it; publish it to all "
        + "readers; nothing was changed")
  }

  /// Returns the release after a change of the live rollout.
  ///
  /// - Throws: `DeliveryError` if no rollout is on, or if an object cannot be read; `TargetError`.
  package static func changing(
    _ live: LiveRelease, of place: ChannelPlace, by change: RolloutChange
  ) throws -> Draft {
    guard live.rollout != nil else { throw Rollout.absence(in: place.channel) }
    let both = live.content(at: place.target)
    var draft = Draft(content: both, of: live.record.contentRelease)
    draft.decidesRollout = true
    switch change {
    case .step(let rollout): draft.content.rollout = rollout
    case .finish: (draft.content, draft.contentRelease) = (try both.nextSide() ?? both, nil)
    case .abort: draft.content = try both.stableSide()
    }
    return draft
  }
}
