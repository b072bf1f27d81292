import ContentModel
import ContentTargets
import Synchronization
import System

/// The objects that an emergency's release needs and that another command may be about to remove.
///
/// An emergency does not wait for that command. If a running prune has marked an object that the
/// release shows again, the emergency checks the object until the prune has ended, and sends it
/// again if it was removed.
///
/// A class, since publishing fills it, and each later step of an emergency reads it.
package final class EndangeredObjects: Sendable {
  private struct State {
    var files: [(object: ReleaseObject, file: OutgoingFile)] = []
    /// The objects that the target lacked before the release.
    var sent: [ReleaseObject] = []
    /// The objects that another command had removed, and that were sent again.
    var resent: Set<ReleaseObject> = []
    /// The number of the release that shows the objects.
    var release = 0
    /// `true` if the publication of the release has failed, so that it need not be live.
    var hasFailed = false
  }

  private let state = Mutex(State())

  package init() {}

  /// The objects to check.
  package var objects: [ReleaseObject] { state.withLock { $0.files.map(\.object) } }

  /// The objects that the target lacked before the release: caches may remember that they were
  /// missing.
  package var sent: [ReleaseObject] { state.withLock { $0.sent } }

  /// The objects that another command had removed, and that were sent again: readers may have asked
  /// for them meanwhile.
  package var resent: [ReleaseObject] {
    state.withLock { $0.resent.sorted { $0.digest < $1.digest } }
  }

  /// Notes the objects that the target lacked before the release.
  func noteSent(_ objects: [ReleaseObject]) { state.withLock { $0.sent = objects } }

  /// Begins an attempt to publish content as a release, and forgets the objects of earlier attempts
  /// that it does not show.
  func begin(_ content: ReleaseContent, as release: Int) {
    let shown = Set(content.objects)
    state.withLock { state in
      state.files.removeAll { !shown.contains($0.object) }
      (state.release, state.hasFailed) = (release, false)
    }
  }

  /// Notes that the publication of the release has failed.
  package func noteFailure() { state.withLock { $0.hasFailed = true } }

  /// Keeps the bytes of objects while the target still has them.
  func keep(_ objects: [ReleaseObject], of content: ReleaseContent) throws {
    let known = Set(self.objects)
    let kept = try objects.filter { !known.contains($0) }.mapOverlapped { object in
      (object, try content.file(object))
    }
    state.withLock { $0.files += kept }
  }

  /// Sends removed objects again, until the command that may remove them has ended.
  package func putBackUntilSafe(at place: ChannelPlace, _ patience: RemovalPatience) throws {
    if objects.isEmpty { return }
    let now = Instant(secondsSince1970: patience.environment.now())
    if let holder = try RemovalHolder(at: place.target, now: now) {
      var patience = patience
      patience.meanwhile = { try self.putBack(at: place) }
      try patience.wait(for: holder, at: place.target)
    }
    try putBack(at: place)
  }

  /// Sends the objects that the target no longer has, and checks that it has them then.
  ///
  /// An object that a later release does not show may have been removed on purpose, and stays so.
  /// Therefore none is sent to a target that shows an earlier release. That is no error if the
  /// publication has failed.
  ///
  /// - Throws: A `DeliveryError` that names the remedy; `TargetError`.
  package func putBack(at place: ChannelPlace) throws {
    let (kept, target) = (state.withLock { $0 }, place.target)
    if kept.files.isEmpty { return }
    guard let live = try place.live(), live.number >= kept.release else {
      if kept.hasFailed { return }
      throw DeliveryError(
        .lost,
        "\(target.name) does not show release \(kept.release) of '\(place.channel)', which was live; run again"
      )
    }
    let shown = Set(live.record.objects)
    _ = try kept.files.filter { shown.contains($0.object) }.mapOverlapped { object, file in
      if try target.holds(object.key, as: file) { return }
      _ = try target.create(object.key, as: file)
      try target.requireHeld(
        file, at: object.key, otherwise: "'contentc publish --repair' sends it again")
      self.state.withLock { _ = $0.resent.insert(object) }
    }
  }
}
