import ContentModel
import ContentTargets
import PropertyLists
package import System

/// A command that is removing objects from a target, or was killed while it did.
struct RemovalHolder: CustomStringConvertible {
  private let owner: String
  private let expires: Instant
  /// The key of the file that lists all objects that the command may remove; `nil` for locks of
  /// earlier versions.
  private let plan: String?
  /// `true` if the lock ends more than an hour after its life: a wrong clock set its end.
  ///
  /// If its holder was killed, it would block every removal until then, perhaps for years. A command
  /// that removes objects therefore replaces the lock. A publisher heeds it, because the holder may
  /// be at work, and notices the replacement.
  let hasWrongClock: Bool

  /// The owner and the end of its lock, as in `a prune (if it was killed, its lock ends at
  /// 2026-11-22T03:00:00Z)`.
  var description: String { "\(owner) (if it was killed, its lock ends at \(expires.rfc3339))" }

  /// Reads the holder of a target's lock; `nil` if there is none.
  init?(at target: any Target, now: Instant) throws {
    guard !target.hasLock, let stored = try target.readAny(RemovalLock.key) else { return nil }
    self.init(stored, now: now)
  }

  /// Reads the holder in a lock's file; `nil` if the lock has ended.
  init?(_ stored: StoredFile, now: Instant) {
    guard let value = try? PropertyList.decode(stored.bytes).value,
      let expires = value["expires"]?.instant,
      now.secondsSinceReferenceDate < expires.secondsSinceReferenceDate
    else { return nil }
    (owner, self.expires, plan) = (value["owner"]?.text ?? "a prune", expires, value["plan"]?.text)
    let left = expires.secondsSinceReferenceDate - now.secondsSinceReferenceDate
    hasWrongClock = left > RemovalLock.seconds + 3_600
  }

  /// Checks that the end of the lock is wrong by the target's clock, which wrote the time of its last
  /// renewal, and not only by this machine's clock.
  ///
  /// - Throws: `DeliveryError` if the clock of this machine is wrong.
  func requireWrongEnd(renewedAt renewed: Instant?, at target: any Target) throws {
    guard let renewed else { return }
    let life = expires.secondsSinceReferenceDate - renewed.secondsSinceReferenceDate
    if life > RemovalLock.seconds + 3_600 { return }
    throw DeliveryError(
      .refused,
      "\(self) is at work at \(target.name) by the clock there, and the clock of this machine is more "
        + "than an hour behind; nothing was removed; set the clock, and run again")
  }

  /// The warning that another command has replaced a lock whose end a wrong clock set.
  func replacementWarning(at target: any Target) -> String {
    "the lock of \(owner) in '\(RemovalLock.key)' at \(target.name) was replaced, because it ends at "
      + "\(expires.rfc3339), and a lock lasts three minutes: the clock of the machine that wrote it, or "
      + "of this one, is wrong"
  }

  /// Returns those of some objects that the holder may remove; all of them if its plan is unknown.
  ///
  /// The caller has written its record, which a later holder of the lock sees. A holder reads the
  /// records after it has written its plan, and before it removes anything that the plan adds.
  func endangered(_ objects: [ReleaseObject], at target: any Target) throws -> [ReleaseObject] {
    guard let plan else { return objects }
    guard let stored = try target.readAny(plan) else {
      // A prune that writes the first marks looks at the records afterwards. Without the note of a
      // purge, all objects count as in danger.
      return plan == Prune.marksKey ? [] : objects
    }
    guard let value = try? PropertyList.decode(stored.bytes).value else { return objects }
    if let marked = value["marked"]?.members { return objects.filter { marked[$0.key] != nil } }
    guard let planned = ReleaseObject.readAll(value["objects"]) else { return objects }
    let digests = Set(planned.map(\.digest))
    return objects.filter { digests.contains($0.digest) }
  }
}

/// The time for which an emergency command waits for another command that removes objects.
package struct RemovalPatience {
  /// The longest wait: a little more than the life of an abandoned lock.
  var seconds = Int(RemovalLock.seconds) + 10
  var environment: RequestEnvironment
  /// Receives the description of the lock's holder before the wait.
  var told: (String) -> Void
  /// The work that is repeated about once a second during the wait; the caller repeats it after the
  /// wait, so that a failure during the wait is none.
  package var meanwhile: () throws -> Void = {}

  package init(_ environment: RequestEnvironment, told: @escaping (String) -> Void) {
    (self.environment, self.told) = (environment, told)
  }

  /// Waits until the lock is free, or until the patience ends.
  func wait(for holder: RemovalHolder, at target: any Target) throws {
    told(holder.description)
    try wait(seconds: seconds) {
      try RemovalHolder(at: target, now: Instant(secondsSince1970: environment.now())) != nil
    }
  }

  /// Waits for a number of seconds, as long as a condition holds.
  func wait(seconds: Int, while isNeeded: () throws -> Bool) throws {
    let end = environment.milliseconds() + Int64(seconds) * 1_000
    while environment.milliseconds() < end {
      environment.sleep(1_000)
      try? meanwhile()
      if try !isNeeded() { return }
    }
  }
}
