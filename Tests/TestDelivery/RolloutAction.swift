import SiteFormat

@testable import ContentReleases

/// A change of a rollout, in the same steps as the command that makes it.
enum RolloutAction: String, CaseIterable, Sendable {
  /// `publish --to 10%`
  case start
  /// `rollout 50%`
  case step
  /// `publish --replace-next`
  case replaceNext
  /// `rollout --finish`
  case finish
  /// `rollout --abort`
  case abort

  static let tenth = Rollout.limit(percent: "10%") ?? 0
  static let half = Rollout.everyone / 2

  /// Returns the release after a live one; `content` is the next content of a start or replacement.
  ///
  /// - Throws: `DeliveryError` if a rollout is on, or if none is; `TargetError`.
  func draft(
    _ content: ReleaseContent, after live: LiveRelease, of place: ChannelPlace,
    upTo below: Int = half
  ) throws -> Draft {
    switch self {
    case .start:
      let rollout = Rollout(
        name: "r\(live.number + 1)", below: Self.tenth, release: Rollout.beginning)
      return try Draft(content: content).beginning(rollout, after: live, of: place)
    case .replaceNext:
      return try Draft(content: content).replacingNext(
        after: live, of: place, known: live.rollout)
    case .step:
      guard var rollout = live.rollout else { throw Rollout.absence(in: place.channel) }
      rollout.below = below
      return try Draft.changing(live, of: place, by: .step(rollout))
    case .finish: return try Draft.changing(live, of: place, by: .finish)
    case .abort: return try Draft.changing(live, of: place, by: .abort)
    }
  }

  /// Publishes that release; an abort is an emergency.
  @discardableResult
  func publish(
    _ content: ReleaseContent, through publisher: Publisher, message: String? = nil,
    upTo below: Int = half
  ) throws -> Publisher.Outcome {
    let place = publisher.place
    func next(after live: LiveRelease?) throws -> Draft {
      guard let live else { throw DeliveryError.removedConfig(of: place.channel) }
      var next = try draft(content, after: live, of: place, upTo: below)
      next.message = message
      return next
    }
    guard self == .abort, let live = try place.live() else {
      return try publisher.publish(next)
    }
    return try publisher.publishUrgently(after: live, endangered: EndangeredObjects(), next)
  }
}
