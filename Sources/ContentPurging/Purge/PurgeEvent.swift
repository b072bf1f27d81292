package import ContentCaches

/// The start or the end of a step of a purge, for observers.
package struct PurgeEvent: Sendable {
  package enum Step: Sendable {
    /// An earlier purge is about to be finished.
    case resuming(KnownPurge)
    /// Caches are about to be purged of config or of removed objects, which `what` names.
    case purging([CachePurge.Plan], what: String)
    /// Config is about to be read until readers get the release.
    case looking(url: String)
    /// The purge waits for another command that removes objects at the target.
    case held(by: String)
    /// Objects are about to be removed at the target.
    case removing
    /// The purge waits, because the origin may still send an answer from before.
    case waiting(seconds: Int)
    /// Removed objects are about to be requested.
    case asking(urls: Int)
    /// Objects that were sent are about to be requested until readers get them.
    case delivering(urls: Int)

    /// The new purge was not begun, but earlier ones are finished.
    case notBegun(any Error)
    /// The release without the purged content is live at the target.
    case published(release: Int)
    /// Caches were purged of config or of removed objects, which `what` names.
    case purged([CachePurge.Outcome], what: String)
    /// Readers do not get the release yet. The value is the reason. The purge reads config again.
    case lagging(String)
    /// Readers get the release.
    case fresh(url: String)
    /// Objects were removed at the target; live releases show the kept ones.
    case removed(Int, kept: Int)
    /// The origin can no longer send an answer from before.
    case waited
    /// No cache answers with the removed objects.
    case gone(urls: Int)
    /// Readers get the objects that were missing and were sent again.
    case delivered(urls: Int)
    /// The note `done-` is written.
    case recorded
    /// A step failed for a reason.
    case failed(String)
  }

  package var step: Step
  /// The seconds since the start of the command.
  package var seconds: Double

  package init(step: Step, seconds: Double) { (self.step, self.seconds) = (step, seconds) }
}
