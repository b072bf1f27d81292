import ContentModel
import PropertyLists
import Synchronization

/// Keeps those who remove objects from a target apart from publishers, who count on objects that are there.
///
/// Publishers look for it once their record is written: either whoever holds it sees their record, or they see the lock.
/// It is short, so that one that a killed command has left keeps nobody off for long, and is renewed while there is work.
/// Where a target has a lock of its own (`hasLock`), which ends with its process, what is found here was left behind.
///
/// A class, since it keeps the moment until which it is held.
final class RemovalLock: Sendable {
  static let key = "prune/lock.plist"
  /// How long one that was left behind keeps others off; clocks of machines may differ by half of it.
  static let seconds = 120.0
  /// How many files are removed before it is renewed.
  static let part = 64

  private let target: any Target
  /// Who holds it, as in `a prune`.
  private let owner: String
  /// A number that no other run has.
  private let token: UInt64
  private let surroundings: Surroundings
  private let end = Mutex(0.0)

  init(at target: any Target, owner: String, surroundings: Surroundings) {
    (self.target, self.owner, self.surroundings) = (target, owner, surroundings)
    token = surroundings.random()
  }

  private var now: Instant { Instant(secondsSince1970: surroundings.now()) }

  /// Does work that removes objects, under it; asks again each second, for `patience` seconds, where somebody else holds it.
  ///
  /// - Throws: `.lost` where somebody else holds it still; `TargetError`; what `work` throws.
  func hold<Result>(patience: Int = 0, _ work: () throws -> Result) throws -> Result {
    let deadline = surroundings.milliseconds() + Int64(patience) * 1_000
    while surroundings.milliseconds() < deadline, try Self.holder(at: target, now: now) != nil {
      surroundings.sleep(1_000)
    }
    try take()
    do {
      let result = try work()
      try release()
      return result
    } catch {
      try? release()
      throw error
    }
  }

  /// Goes through what is to be removed in parts, and renews the lock between them.
  ///
  /// - Throws: `.lost` where it ended meanwhile, and publishers may count on what is left; what `work` throws.
  func inParts<Item>(_ items: [Item], _ work: (ArraySlice<Item>) throws -> Void) throws {
    for start in stride(from: 0, to: items.count, by: Self.part) {
      if start > 0 { try renew() }
      try work(items[start..<min(start + Self.part, items.count)])
    }
  }

  /// Removes a file, unless the lock might end before an answer comes.
  func remove(_ key: String) throws(TargetError) {
    guard target.hasLock || now.secondsSinceReferenceDate < end.withLock({ $0 }) - Self.seconds / 2 else {
      throw TargetError(.unreachable, "\(target.name) takes too long; what is left goes in the next run")
    }
    try target.remove(key)
  }

  /// Who is removing objects from a target, and until when nobody else can, if it was killed; `nil` if nobody is.
  static func holder(at target: any Target, now: Instant) throws -> String? {
    if target.hasLock { return nil }
    return try target.read(key).flatMap { holder(in: $0, now: now) }
  }

  private static func holder(in stored: StoredFile, now: Instant) -> String? {
    guard let value = try? PropertyList.decode(stored.bytes).value, let expires = value["expires"]?.instant,
      now.secondsSinceReferenceDate < expires.secondsSinceReferenceDate
    else { return nil }
    return "\(value["owner"]?.text ?? "a prune") (if it was killed, its lock ends at \(expires.rfc3339))"
  }

  /// Takes it, in the place of one that somebody has left who was killed.
  private func take() throws {
    let stored = try target.read(Self.key)
    if !target.hasLock, let holder = stored.flatMap({ Self.holder(in: $0, now: now) }) {
      throw DeliveryError(.lost, "\(holder) is at work at \(target.name); nothing was removed; run again later")
    }
    guard try write(after: stored) else {
      throw DeliveryError(
        .lost, "another prune or purge has just begun at \(target.name); nothing was removed; run again later")
    }
  }

  private func renew() throws {
    if target.hasLock { return }
    let stored = try target.read(Self.key)
    // Once it has ended publishers do not look at it any more, whether or not somebody has taken it.
    guard let stored, isOurs(stored), Self.holder(in: stored, now: now) != nil, try write(after: stored) else {
      throw DeliveryError(.lost, "\(target.name) took too long; what is left goes in the next run")
    }
  }

  /// Gives it back, unless somebody has taken it meanwhile.
  private func release() throws {
    if try target.read(Self.key).map(isOurs) ?? false { try target.remove(Self.key) }
  }

  private func isOurs(_ stored: StoredFile) -> Bool {
    (try? PropertyList.decode(stored.bytes).value["token"]?.text) == "\(token)"
  }

  private func write(after stored: StoredFile?) throws -> Bool {
    let end = now.secondsSinceReferenceDate + Self.seconds
    let value: Value = [
      "expires": .date(Instant(secondsSinceReferenceDate: end)), "owner": .string(owner), "token": .string("\(token)"),
    ]
    let file = OutgoingFile(
      bytes: try PropertyList.encode(value, as: .binary),
      headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
    guard try target.replace(Self.key, file, tagged: stored?.tag) else { return false }
    self.end.withLock { $0 = end }
    return true
  }
}
