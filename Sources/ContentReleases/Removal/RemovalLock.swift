import ContentModel
package import ContentTargets
import PropertyLists
import Synchronization
package import System

/// The lock of a command that removes objects from a target, on which publishers rely.
///
/// Publishers check the lock after their record is written: either its holder sees their record, or
/// they see the lock. It names a file that lists all objects that its holder may remove, so that a
/// publisher that needs none of them continues at once. The lock is short, so that the lock of a
/// killed command blocks others only briefly, and it is renewed during the work. If a target has a
/// lock of its own (`hasLock`), which ends with its process, a lock found here is abandoned.
///
/// A class, since it keeps the time at which it ends.
package final class RemovalLock: Sendable {
  static let key = "prune/lock.plist"
  /// The seconds for which an abandoned lock blocks other commands.
  static let seconds = 180.0
  /// The seconds before the lock's end in which no request begins: a request with all its
  /// repetitions may take 60 s, and clocks may differ by as much.
  private static let margin = 120.0
  /// The number of files that are removed before the lock is renewed.
  static let part = 64

  private let target: any Target
  /// The name of the holder, such as `a prune`.
  private let owner: String
  /// The key of the file that lists all objects that may be removed under the lock.
  private let plan: String?
  /// A number that no other run has.
  private let token: UInt64
  private let environment: RequestEnvironment
  /// The lock's end, in milliseconds of the monotonic clock and in seconds since the reference date.
  private let end = Mutex((monotonic: Int64(0), wall: 0.0))
  private let replacedWarning = Mutex<String?>(nil)

  package init(
    at target: any Target, owner: String, plan: String? = nil, environment: RequestEnvironment
  ) {
    (self.target, self.owner, self.plan, self.environment) = (target, owner, plan, environment)
    token = environment.random()
  }

  /// A warning about the lock that this one has replaced, as a sentence; `nil` if there is none.
  package var warning: String? { replacedWarning.withLock { $0 } }

  private var now: Instant { Instant(secondsSince1970: environment.now()) }

  /// Does work that removes objects, under the lock; waits first for another holder if it is to
  /// wait, and always for the holder of a lock that this one replaces.
  ///
  /// - Throws: `.lost` if another command still holds it; `TargetError`; the errors of `work`.
  package func hold<Result>(
    patience: RemovalPatience? = nil, waitsForHolder: Bool = true, during work: () throws -> Result
  ) throws -> Result {
    if target.hasLock { return try work() }
    if waitsForHolder, let patience, let holder = try RemovalHolder(at: target, now: now),
      !holder.hasWrongClock
    {
      try patience.wait(for: holder, at: target)
    }
    // A lock that cannot be released ends by itself.
    defer { try? release() }
    try take(waiting: patience ?? RemovalPatience(environment) { _ in })
    return try work()
  }

  /// Processes the objects to remove in parts of 64, and renews the lock before each of them.
  ///
  /// - Throws: `.lost` if the lock ended meanwhile, and publishers may rely on the remaining
  ///   objects; `TargetError`; the errors of `work`.
  package func inParts<Item>(
    of items: [Item], do work: (ArraySlice<Item>) throws -> Void
  ) throws {
    for start in stride(from: 0, to: items.count, by: Self.part) {
      try renew()
      try work(items[start..<min(start + Self.part, items.count)])
    }
  }

  /// Removes a file, unless the lock might end before the answer; with `erasing`, also the earlier
  /// versions that the target keeps of it.
  ///
  /// - Throws: `TargetError`, of kind `unreachable` if the lock is about to end.
  package func remove(_ key: String, erasing: Bool = false) throws(TargetError) {
    guard target.hasLock || left > Self.margin else {
      throw TargetError(
        .unreachable, "\(target.name) takes too long; the next run removes the rest")
    }
    if erasing { try target.erase(key) } else { try target.remove(key) }
  }

  /// Renews the lock if half a minute has passed, or if it is due; called between any two steps of
  /// long work.
  ///
  /// - Throws: `.lost` if the lock ended meanwhile, and publishers may rely on the remaining
  ///   objects; `TargetError`.
  package func renew(isDue: Bool = false) throws {
    if target.hasLock || !isDue && left > Self.seconds - 30 { return }
    let stored = try target.readAny(Self.key)
    // Publishers ignore the lock after its end, even if no other command has taken it.
    guard let stored, isOurs(stored), RemovalHolder(stored, now: now) != nil,
      try write(after: stored, plan: plan)
    else {
      throw DeliveryError(.lost, "\(target.name) took too long; the next run removes the rest")
    }
  }

  /// The seconds until the lock's end by the clock that is further ahead: one may be set back, and
  /// the other may stand still while the machine is suspended.
  private var left: Double {
    let end = end.withLock { $0 }
    return min(
      Double(end.monotonic - environment.milliseconds()) / 1_000,
      end.wall - now.secondsSinceReferenceDate)
  }

  /// Takes the lock, or replaces that of a killed command.
  ///
  /// The holder of a replaced lock may be at work if the clock of a machine is wrong. It begins no
  /// removal later than `seconds - margin` after it last renewed the lock. Each removal ends within
  /// 60 s; an erasure deletes versions listed within 60 s for up to 60 s more. Therefore the work begins only after that time, and until then the lock has no
  /// plan, so that publishers rely on no object.
  private func take(waiting patience: RemovalPatience) throws {
    let stored = try target.readAny(Self.key)
    let holder = stored.flatMap { RemovalHolder($0, now: now) }
    if let holder, !holder.hasWrongClock {
      throw DeliveryError(
        .lost, "\(holder) is at work at \(target.name); nothing was removed; run again later")
    }
    let isFree = stored.map(Self.isReleased) ?? true
    let renewed = try isFree ? nil : written()
    try holder?.requireWrongEnd(renewedAt: renewed, at: target)
    guard try write(after: stored, plan: isFree ? plan : nil) else {
      throw DeliveryError(
        .lost,
        "another prune or purge has just begun at \(target.name); nothing was removed; run again later"
      )
    }
    if isFree { return }
    if let holder { replacedWarning.withLock { $0 = holder.replacementWarning(at: target) } }
    if try holder != nil || isRecent(renewed) {
      patience.told(holder?.description ?? "the holder of an earlier lock")
      try patience.wait(seconds: Int(2 * (Self.seconds - Self.margin))) { true }
    }
    try renew(isDue: true)
  }

  /// Returns the time of the lock's last renewal by the target's clock; `nil` if it is unknown.
  private func written() throws -> Instant? {
    let listed = try target.list(below: Self.key).first {
      $0.key.utf8.elementsEqual(Self.key.utf8)
    }
    return listed.flatMap { $0.modified == ListedFile.unknownTime ? nil : $0.modified }
  }

  /// Returns whether a lock that has just been replaced was renewed so recently, by the target's
  /// clock, that it had not ended.
  private func isRecent(_ renewed: Instant?) throws -> Bool {
    guard let renewed, let now = try written() else { return false }
    let age = now.secondsSinceReferenceDate - renewed.secondsSinceReferenceDate
    return age < Self.margin
  }

  /// Releases the lock, unless another command has taken it meanwhile.
  ///
  /// The file stays, with an end in the past: a removal has no condition, so that a repeated request
  /// might remove the lock of the next holder. It has the token, so that its tag is new: otherwise a
  /// late copy of the request that took the lock would fit it.
  private func release() throws {
    guard let stored = try target.readAny(Self.key), isOurs(stored) else { return }
    let released: Value = [
      "expires": .date(Instant(secondsSinceReferenceDate: 0)), "owner": .string(owner),
      "released": .boolean(true), "token": .string("\(token)"),
    ]
    let bytes = try PropertyList.encode(released, as: .binary)
    _ = try target.replace(Self.key, with: Self.file(bytes), tagged: stored.tag)
  }

  private static func isReleased(_ stored: StoredFile) -> Bool {
    (try? PropertyList.decode(stored.bytes).value["released"]) == .boolean(true)
  }

  private func isOurs(_ stored: StoredFile) -> Bool {
    (try? PropertyList.decode(stored.bytes).value["token"]?.text) == "\(token)"
  }

  private static func file(_ bytes: [UInt8]) -> OutgoingFile {
    OutgoingFile(
      bytes: bytes,
      headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
  }

  /// Writes the lock after the stored one, and reads it back: publishers rely on its end.
  ///
  /// - Returns: `false` if another command was faster.
  /// - Throws: `DeliveryError` if the target does not have the lock; `TargetError`.
  private func write(after stored: StoredFile?, plan: String?) throws -> Bool {
    let end = environment.milliseconds() + Int64(Self.seconds) * 1_000
    let expires = now.secondsSinceReferenceDate + Self.seconds
    var members: Members = [
      "expires": .date(Instant(secondsSinceReferenceDate: expires)), "owner": .string(owner),
      "token": .string("\(token)"),
    ]
    members["plan"] = plan.map(Value.string)
    let bytes = try PropertyList.encode(.dictionary(members), as: .binary)
    let isTaken = try target.replace(Self.key, with: Self.file(bytes), tagged: stored?.tag)
    // A repeated request may be refused because the first one was carried out.
    let present = try target.readAny(Self.key)?.bytes
    if present == bytes {
      self.end.withLock { $0 = (end, expires) }
      return true
    }
    if !isTaken { return false }
    if let present, present != stored?.bytes { return false }
    throw DeliveryError(
      .refused,
      "\(target.name) says that it took '\(Self.key)', and does not have it; run again")
  }
}
