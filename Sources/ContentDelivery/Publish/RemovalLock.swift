import ContentModel
import PropertyLists

/// Keeps those who remove objects from a target apart from publishers, who count on objects that are there.
///
/// Publishers look for it once their record is written: either whoever holds it sees their record, or they see the lock.
struct RemovalLock: Sendable {
  static let key = "prune/lock.plist"

  let target: any Target
  let now: Instant
  let seconds: Int
  /// Who holds it, as in `a prune`; whoever bears the same name may take it from one that was killed.
  let owner: String
  /// A number that no other run has.
  let token: UInt64
  var isInherited = false

  /// Does work that removes objects, under it.
  ///
  /// - Throws: `.lost` where somebody else holds it; `TargetError`; what `work` throws.
  func hold<Result>(_ work: () throws -> Result) throws -> Result {
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

  /// Who is removing objects from a target, and until when nobody else can, if it was killed; `nil` if nobody is.
  static func holder(at target: any Target, now: Instant) throws -> String? {
    guard let stored = try target.read(key), let holder = holder(in: stored, now: now) else { return nil }
    let end = (try? PropertyList.decode(stored.bytes).value["expires"]?.instant)?.rfc3339
    return holder + (end.map { " (if it was killed, its lock ends at \($0))" } ?? "")
  }

  private static func holder(in stored: StoredFile, now: Instant) -> String? {
    guard let value = try? PropertyList.decode(stored.bytes).value, let expires = value["expires"]?.instant,
      now.secondsSinceReferenceDate < expires.secondsSinceReferenceDate
    else { return nil }
    return value["owner"]?.text ?? "a prune"
  }

  /// Takes it, in the place of one that somebody has left who was killed.
  private func take() throws {
    let stored = try target.read(Self.key)
    if let holder = stored.flatMap({ Self.holder(in: $0, now: now) }), !(isInherited && holder == owner) {
      throw DeliveryError(.lost, "\(holder) is at work at \(target.name); nothing was removed; run again later")
    }
    guard try target.replace(Self.key, try file, tagged: stored?.tag) else {
      throw DeliveryError(
        .lost, "another prune or purge has just begun at \(target.name); nothing was removed; run again later")
    }
  }

  /// Gives it back, unless somebody has taken it meanwhile.
  private func release() throws {
    let stored = try target.read(Self.key)
    let holds = stored.flatMap { try? PropertyList.decode($0.bytes).value["token"]?.text } == "\(token)"
    if holds { try target.remove(Self.key) }
  }

  private var file: OutgoingFile {
    get throws {
      let expires = Instant(secondsSinceReferenceDate: now.secondsSinceReferenceDate + Double(seconds))
      let value: Value = ["expires": .date(expires), "owner": .string(owner), "token": .string("\(token)")]
      return OutgoingFile(
        bytes: try PropertyList.encode(value, as: .binary),
        headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
    }
  }
}
