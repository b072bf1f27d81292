import ContentModel
import ContentTargets
import Platform
import Synchronization

/// The objects that an emergency's release needs and that another command may be about to remove.
///
/// An emergency does not wait for that command. If a running prune has marked an object that the
/// release shows again, the emergency checks the object until the prune has ended, and sends it
/// again if it was removed.
///
/// A class, since publishing fills it, and each later step of an emergency reads it.
package final class EndangeredObjects: Sendable {
  private let files = Mutex<[(object: ReleaseObject, file: OutgoingFile)]>([])

  package init() {}

  /// The objects to check.
  package var objects: [ReleaseObject] { files.withLock { $0.map(\.object) } }

  /// Forgets the objects of a release that did not become live.
  func clear() { files.withLock { $0 = [] } }

  /// Keeps the bytes of objects while the target still has them.
  func keep(_ objects: [ReleaseObject], of content: ReleaseContent) throws {
    let kept = try objects.map { ($0, try content.file($0)) }
    files.withLock { $0 = kept }
  }

  /// Sends removed objects again, until the command that may remove them has ended.
  package func putBackUntilSafe(at place: ChannelPlace, _ patience: RemovalPatience) throws {
    if files.withLock({ $0.isEmpty }) { return }
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
  /// A later purge may have removed an object on purpose: only those of the live release are sent.
  ///
  /// - Throws: A `DeliveryError` that names the remedy; `TargetError`.
  package func putBack(at place: ChannelPlace) throws {
    let (kept, target) = (files.withLock { $0 }, place.target)
    guard !kept.isEmpty, let live = try place.live() else { return }
    let shown = Set(live.record.objects)
    for (object, file) in kept
    where try shown.contains(object) && !target.holds(object.key, as: file) {
      _ = try target.create(object.key, as: file)
      try target.requireHeld(
        file, at: object.key, otherwise: "'contentc publish --repair' sends it again")
    }
  }
}
