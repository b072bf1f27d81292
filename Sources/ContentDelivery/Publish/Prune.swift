package import ContentModel
import PropertyLists

/// Removes what no release that is kept names, from a whole target.
///
/// A run marks what nothing names; a later one removes what was marked long enough ago that no reader asks for it, and that
/// still nothing names. Meanwhile it holds a lock that publishers look for once their record is written: either their record
/// is seen here, or they see the lock.
package struct Prune: Sendable {
  let target: any Target
  /// How many contents of each channel are kept.
  let keep: Int
  /// How long something stays marked before it goes, in seconds.
  let grace: Double
  let now: Instant

  /// A prune at a moment that keeps the last `keep` contents of every channel; what is marked goes after `grace`.
  package init(_ target: any Target, keep: Int, grace: TimeSpan, now: Instant) {
    (self.target, self.keep, self.now) = (target, keep, now)
    self.grace = max(Double(grace.seconds), Self.day)
  }

  private static let day = 86_400.0
  static let lockKey = "prune/lock.plist"
  static let marksKey = "prune/marks.plist"

  /// What a prune did, or would do.
  package struct Outcome: Hashable, Sendable {
    package var kept = 0
    /// Marked now for the first time.
    package var marked = 0
    /// Marked before, and not long enough ago.
    package var waiting = 0
    package var removed = 0
    /// Bytes of what was removed, as it was stored.
    package var bytes = 0
  }

  /// Looks, marks, and, unless it is to be `dry`, removes.
  ///
  /// - Throws: `DeliveryError` where a config cannot be read: then nothing is removed; `TargetError`.
  package func run(dry: Bool = false) throws -> Outcome {
    if dry { return try plan().outcome }
    return try target.exclusively {
      try lock()
      defer { try? target.remove(Self.lockKey) }
      let plan = try plan()
      try write(plan.marks)
      for file in plan.removals { try target.remove(file.key) }
      return plan.outcome
    }
  }

  /// Whether a prune is at work at a target.
  static func isAtWork(at target: any Target, now: Instant) throws -> Bool {
    guard let stored = try target.read(lockKey), let expires = try? PropertyList.decode(stored.bytes).value["expires"],
      let instant = expires.instant
    else { return false }
    return now < instant
  }

  /// Takes the lock, in the place of one that a killed prune has left.
  private func lock() throws {
    let stored = try target.read(Self.lockKey)
    if stored != nil, try Self.isAtWork(at: target, now: now) {
      throw DeliveryError(.lost, "another prune is at work at \(target.name); nothing was changed; run again later")
    }
    let expires = Instant(secondsSinceReferenceDate: now.secondsSinceReferenceDate + 3_600)
    guard try target.replace(Self.lockKey, try file(["expires": .date(expires)]), tagged: stored?.tag) else {
      throw DeliveryError(.lost, "another prune has just begun at \(target.name); nothing was changed; run again later")
    }
  }

  private struct Plan {
    var marks: [String: Instant] = [:]
    var removals: [ListedFile] = []
    var outcome = Outcome()
  }

  private func plan() throws -> Plan {
    let files = try target.list(below: "")
    let named = try namedKeys(files)
    let marked = try marks()
    var plan = Plan()
    for file in files where Self.isRemovable(file.key) {
      if named.contains(file.key) {
        plan.outcome.kept += 1
      } else if let since = marked[file.key], now.seconds(since: since) > grace,
        now.seconds(since: file.modified) > grace
      {
        plan.removals.append(file)
        plan.outcome.removed += 1
        plan.outcome.bytes += file.size
      } else {
        plan.marks[file.key] = marked[file.key] ?? now
        if marked[file.key] == nil { plan.outcome.marked += 1 } else { plan.outcome.waiting += 1 }
      }
    }
    return plan
  }

  /// Only what publishing writes, and never a channel's config.
  private static func isRemovable(_ key: String) -> Bool {
    let parts = key.split(separator: "/")
    return (parts.count == 3 && parts[0] == "objects") || (parts.count == 3 && parts[1] == "releases")
      || parts.first == ".probe"
  }

  /// Every key that must stay: what kept releases, releases of the last day, and every config name.
  private func namedKeys(_ files: [ListedFile]) throws -> Set<String> {
    var named = Set<String>()
    let configs = files.filter { ["config.plist", "config.json"].contains($0.key.split(separator: "/").last) }
    for config in configs {
      guard let channel = config.key.split(separator: "/").first, config.key.split(separator: "/").count == 2 else {
        continue
      }
      let stored = try target.read(config.key)
      let app = stored.flatMap { try? PropertyList.decode($0.bytes).value["app"]?.text } ?? ""
      // Other apps' channels keep what they have, too.
      let place = ChannelPlace(target: target, channel: String(channel), app: app)
      var contents = Set<Int>()
      for record in try place.history() {
        contents.insert(record.of)
        if contents.count > keep { break }
        name(record, place, &named)
      }
      if let live = try place.live() {
        for payload in live.maintenance?["payloads"]?.leaves ?? [] { named.insert(payload) }
      }
    }
    for file in files where file.key.contains("/releases/") && now.seconds(since: file.modified) < Self.day {
      named.insert(file.key)
      guard let stored = try target.read(file.key), let record = ReleaseRecord(bytes: stored.bytes) else { continue }
      named.formUnion(record.objects.map(\.key))
    }
    return named
  }

  private func name(_ record: ReleaseRecord, _ place: ChannelPlace, _ named: inout Set<String>) {
    named.formUnion(record.objects.map(\.key))
    for format in [PropertyListFormat.binary, .json] {
      named.insert(ReleaseRecord.key(place.channel, record.number, record.digest, format))
    }
  }

  private func marks() throws -> [String: Instant] {
    guard let stored = try target.read(Self.marksKey), let value = try? PropertyList.decode(stored.bytes).value,
      let members = value["marked"]?.members
    else { return [:] }
    return Dictionary(members.compactMap { key, value in value.instant.map { (key, $0) } }) { first, _ in first }
  }

  private func write(_ marks: [String: Instant]) throws {
    let value: Value = [
      "format": 1, "marked": .dictionary(Members(marks.map { ($0.key, Value.date($0.value)) })),
    ]
    let tag = try target.read(Self.marksKey)?.tag
    _ = try target.replace(Self.marksKey, try file(value), tagged: tag)
  }

  private func file(_ value: Value) throws -> OutgoingFile {
    OutgoingFile(
      bytes: try PropertyList.encode(value, as: .binary),
      headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
  }
}

extension Instant {
  fileprivate func seconds(since earlier: Instant) -> Double {
    secondsSinceReferenceDate - earlier.secondsSinceReferenceDate
  }
}

extension Value {
  /// The keys of the objects that a tree of hashes names.
  fileprivate var leaves: [String] {
    if let members { return members.flatMap { $0.value.leaves } }
    guard let digest else { return [] }
    return ["plist", "json"].map { ReleaseObject(digest: digest, fileExtension: $0, size: 0).key }
  }
}
