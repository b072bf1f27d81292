package import ContentCaches

/// A step of a purge that begins or has ended, for observers.
package struct PurgeEvent: Sendable {
  package enum Step: Sendable {
    /// Caches are being told to forget config, or what was removed.
    case purging([CachePurge.Plan], what: String)
    /// Config is being read until readers are seen to get the release.
    case looking(url: String)
    /// Another command removes objects at the target, and the purge waits for it.
    case held(by: String)
    /// Objects are being removed at the target.
    case removing
    /// An answer of the origin may be on its way, for so many seconds.
    case waiting(seconds: Int)
    /// Removed objects are being asked for.
    case asking(urls: Int)

    /// The release without it is live at the target.
    case published(release: Int)
    /// Caches were told to forget config, or what was removed.
    case purged([CachePurge.Outcome], what: String)
    /// Readers get the release, as was read back.
    case fresh(url: String)
    /// Objects were removed at the target; others stay, since live releases show them.
    case removed(Int, kept: Int)
    /// An answer of the origin that was on its way has come by now.
    case waited
    /// No cache answers with what was removed, as was read back.
    case gone(urls: Int)
    /// The manifest is written.
    case recorded
    /// A step failed; why.
    case failed(String)
  }

  package var step: Step
  /// Seconds since the command began.
  package var seconds: Double

  package init(step: Step, seconds: Double) { (self.step, self.seconds) = (step, seconds) }
}
