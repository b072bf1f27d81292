import ContentModel
package import ContentTargets
package import Platform
import PropertyLists
import Synchronization

/// A command that removes objects from a target at this moment, or that was killed while it did.
struct RemovalHolder: CustomStringConvertible {
  private let owner: String
  private let expires: Instant
  /// The key of the file that lists all that it may remove; `nil` from versions that did not say.
  private let plan: String?

  /// As in `a prune (if it was killed, its lock ends at 2026-11-22T03:00:00Z)`.
  var description: String { "\(owner) (if it was killed, its lock ends at \(expires.rfc3339))" }

  /// The holder of a target's lock; `nil` if there is none.
  init?(at target: any Target, now: Instant) throws {
    guard !target.hasLock, let stored = try target.readAny(RemovalLock.key) else { return nil }
    self.init(stored, now: now)
  }

  /// The holder that a lock's file names; `nil` where it has ended.
  init?(_ stored: StoredFile, now: Instant) {
    guard let value = try? PropertyList.decode(stored.bytes).value,
      let expires = value["expires"]?.instant,
      now.secondsSinceReferenceDate < expires.secondsSinceReferenceDate
    else { return nil }
    (owner, self.expires, plan) = (value["owner"]?.text ?? "a prune", expires, value["plan"]?.text)
  }

  /// The objects among these that it may remove; all of them where its plan is unknown.
  ///
  /// The caller's record is written, so a later holder of the lock sees it. Only the plan of the
  /// present holder counts, which was written before anything was removed.
  func endangered(_ objects: [ReleaseObject], at target: any Target) throws -> [ReleaseObject] {
    guard let plan else { return objects }
    guard let stored = try target.readAny(plan) else {
      // A prune removes nothing in the run that writes the first marks; a purge's plan is removed
      // last.
      return plan == Prune.marksKey ? [] : objects
    }
    guard let value = try? PropertyList.decode(stored.bytes).value else { return objects }
    if let marked = value["marked"]?.members { return objects.filter { marked[$0.key] != nil } }
    guard let planned = ReleaseObject.readAll(value["objects"]) else { return objects }
    let digests = Set(planned.map(\.digest))
    return objects.filter { digests.contains($0.digest) }
  }
}

/// The time that an emergency command waits for another one that removes objects.
package struct RemovalPatience {
  /// A little more than a lock lasts that was left behind.
  var seconds = Int(RemovalLock.seconds) + 10
  var surroundings: RequestEnvironment
  /// Called once with who is waited for, before.
  var told: (String) -> Void
  /// Called about once a second while there is waiting.
  package var meanwhile: () throws -> Void = {}

  package init(_ surroundings: RequestEnvironment, told: @escaping (String) -> Void) {
    (self.surroundings, self.told) = (surroundings, told)
  }

  /// Waits until the lock is free, or until the patience ends.
  func wait(for holder: RemovalHolder, at target: any Target) throws {
    told(holder.description)
    let end = surroundings.milliseconds() + Int64(seconds) * 1_000
    while surroundings.milliseconds() < end {
      surroundings.sleep(1_000)
      try meanwhile()
      if try RemovalHolder(at: target, now: Instant(secondsSince1970: surroundings.now())) == nil {
        return
      }
    }
  }
}

/// Objects that an emergency's release needs and that another command may be about to remove: they
/// are put back.
///
/// An emergency does not wait. If a running prune has marked an object that the release shows
/// again, the object is checked until the prune has ended, and sent again if it was removed.
///
/// A class, since publishing fills it, and each later step of an emergency looks after it.
package final class EndangeredObjects: Sendable {
  private let files = Mutex<[(object: ReleaseObject, file: OutgoingFile)]>([])

  package init() {}

  /// Keeps the bytes of objects, before anything can happen to them.
  func keep(_ objects: [ReleaseObject], of content: ReleaseContent) throws {
    let kept = try objects.map { ($0, try content.file($0)) }
    files.withLock { $0 = kept }
  }

  /// Sends removed objects again, until the command that may remove them has ended.
  package func putBackUntilSafe(at target: any Target, _ patience: RemovalPatience) throws {
    if files.withLock({ $0.isEmpty }) { return }
    let now = Instant(secondsSince1970: patience.surroundings.now())
    if let holder = try RemovalHolder(at: target, now: now) {
      var patience = patience
      patience.meanwhile = { try self.putBack(at: target) }
      try patience.wait(for: holder, at: target)
    }
    try putBack(at: target)
  }

  /// Sends again what went.
  package func putBack(at target: any Target) throws {
    for (object, file) in files.withLock({ $0 }) where try !target.holds(object.key, file) {
      _ = try target.create(object.key, file)
    }
  }
}
