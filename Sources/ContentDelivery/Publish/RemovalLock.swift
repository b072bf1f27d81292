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
  /// How long one that was left behind keeps others off.
  static let seconds = 180.0
  /// Before its end no request begins: one may take 60 s with all its repetitions, and clocks may differ by as much.
  private static let margin = 120.0
  /// How many files are removed before it is renewed.
  static let part = 64

  private let target: any Target
  /// Who holds it, as in `a prune`.
  private let owner: String
  /// A number that no other run has.
  private let token: UInt64
  private let surroundings: Surroundings
  /// In seconds since the reference date.
  private let end = Mutex(0.0)

  init(at target: any Target, owner: String, surroundings: Surroundings) {
    (self.target, self.owner, self.surroundings) = (target, owner, surroundings)
    token = surroundings.random()
  }

  private var now: Instant { Instant(secondsSince1970: surroundings.now()) }

  /// Does work that removes objects, under it; waits where somebody else holds it, if there is patience.
  ///
  /// - Throws: `.lost` where somebody else holds it still; `TargetError`; what `work` throws.
  func hold<Result>(_ patience: RemovalPatience? = nil, _ work: () throws -> Result) throws -> Result {
    if target.hasLock { return try work() }
    _ = try Self.holder(at: target, now: now, patience)
    try take()
    // Where it cannot be given back it ends by itself.
    defer { try? release() }
    return try work()
  }

  /// Goes through what is to be removed in parts, and renews the lock between them.
  ///
  /// - Throws: `.lost` where it ended meanwhile, and publishers may count on what is left; what `work` throws.
  func inParts<Item>(_ items: [Item], _ work: (ArraySlice<Item>) throws -> Void) throws {
    for start in stride(from: 0, to: items.count, by: Self.part) {
      try renew()
      try work(items[start..<min(start + Self.part, items.count)])
    }
  }

  /// Removes a file, unless the lock might end before an answer comes.
  func remove(_ key: String) throws(TargetError) {
    guard target.hasLock || left > Self.margin else {
      throw TargetError(.unreachable, "\(target.name) takes too long; what is left goes in the next run")
    }
    try target.remove(key)
  }

  /// Renews it if half a minute has passed, which is asked between any two steps of long work.
  ///
  /// - Throws: `.lost` where it ended meanwhile.
  func renew() throws {
    if target.hasLock || left > Self.seconds - 30 { return }
    let stored = try target.read(Self.key)
    // Once it has ended publishers do not look at it any more, whether or not somebody has taken it.
    guard let stored, isOurs(stored), Self.holder(in: stored, now: now) != nil, try write(after: stored) else {
      throw DeliveryError(.lost, "\(target.name) took too long; what is left goes in the next run")
    }
  }

  private var left: Double { end.withLock { $0 } - now.secondsSinceReferenceDate }

  /// Who is removing objects from a target, and until when nobody else can, if it was killed; `nil` if nobody is.
  static func holder(at target: any Target, now: Instant, _ patience: RemovalPatience? = nil) throws -> String? {
    if target.hasLock { return nil }
    func held(_ now: Instant) throws -> String? { try target.read(key).flatMap { holder(in: $0, now: now) } }
    guard let patience, let first = try held(now) else { return try held(now) }
    patience.told(first)
    let surroundings = patience.surroundings
    let end = surroundings.milliseconds() + Int64(patience.seconds) * 1_000
    while surroundings.milliseconds() < end {
      surroundings.sleep(1_000)
      guard try held(Instant(secondsSince1970: surroundings.now())) != nil else { return nil }
    }
    return first
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
    if let holder = stored.flatMap({ Self.holder(in: $0, now: now) }) {
      throw DeliveryError(.lost, "\(holder) is at work at \(target.name); nothing was removed; run again later")
    }
    guard try write(after: stored), try target.read(Self.key).map(isOurs) ?? false else {
      throw DeliveryError(
        .lost, "another prune or purge has just begun at \(target.name); nothing was removed; run again later")
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

/// How long to wait for somebody who removes objects, where an emergency must not be turned away.
package struct RemovalPatience {
  /// A little more than a lock lasts that was left behind.
  var seconds = Int(RemovalLock.seconds) + 10
  var surroundings: Surroundings
  /// Called once with who is waited for, before.
  var told: (String) -> Void

  package init(_ surroundings: Surroundings, told: @escaping (String) -> Void) {
    (self.surroundings, self.told) = (surroundings, told)
  }
}
