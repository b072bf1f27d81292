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
    /// What goes in the next turn.
    var left = 0
  }

  /// Looks, marks, and, unless it is to be `dry`, removes.
  ///
  /// - Throws: `DeliveryError` where a config cannot be read: then nothing is removed; `TargetError`.
  package func run(dry: Bool = false) throws -> Outcome {
    if dry { return try plan().outcome }
    var total = try turn()
    while total.left > 0 {
      // Publishers who were kept off come in between.
      Surroundings.system.sleep(3_000)
      let next = try turn()
      total.removed += next.removed
      total.bytes += next.bytes
      total.left = next.removed > 0 ? next.left : 0
    }
    return total
  }

  /// Removes for a minute at most.
  private func turn() throws -> Outcome {
    try target.exclusively {
      let lock = self.lock
      return try lock.hold { try remove(under: lock) }
    }
  }

  /// By the prune's own clock, which goes on while it works.
  private var lock: RemovalLock {
    let start = ContinuousClock.now
    let began = now.secondsSinceReferenceDate - Instant(secondsSince1970: 0).secondsSinceReferenceDate
    var surroundings = Surroundings.system
    surroundings.now = { Int64(began) + (ContinuousClock.now - start).components.seconds }
    return RemovalLock(at: target, owner: "a prune", surroundings: surroundings)
  }

  private func remove(under lock: RemovalLock) throws -> Outcome {
    var plan = try plan(lock)
    try write(plan.marks)
    let start = ContinuousClock.now
    var done: [ListedFile] = []
    try lock.inParts(plan.removals) { files in
      if ContinuousClock.now - start > .seconds(60) { return }
      _ = try Array(files).mapOverlapped { try lock.remove($0.key) }
      done += files
    }
    try requireGone(done)
    plan.outcome.removed = done.count
    plan.outcome.bytes = done.map(\.size).reduce(0, +)
    plan.outcome.left = plan.removals.count - done.count
    return plan.outcome
  }

  /// Looks whether what the target says it has removed is gone.
  private func requireGone(_ files: [ListedFile]) throws {
    if files.isEmpty { return }
    let there = Set(try target.list(below: "").map(\.key))
    let left = files.filter { there.contains($0.key) }
    guard let first = left.first else { return }
    throw TargetError(
      .failed,
      "\(target.name) says that it removed \(files.count) files, and still lists \(left.count) of them, such as "
        + "'\(first.key)'; does something on the way answer in its place? Run again")
  }

  private struct Plan {
    var marks: [String: Instant] = [:]
    var removals: [ListedFile] = []
    var outcome = Outcome()
  }

  private func plan(_ lock: RemovalLock? = nil) throws -> Plan {
    let files = try target.list(below: "")
    let channels = Self.channels(files)
    let named = try namedKeys(files, channels) { try lock?.renew() }
    let marked = try marks()
    var plan = Plan()
    for file in files where Self.isRemovable(file.key, channels: Set(channels.map(\.name))) {
      if named.contains(file.key) {
        plan.outcome.kept += 1
      } else if let since = marked[file.key], now.seconds(since: since) > grace,
        now.seconds(since: file.modified) > grace
      {
        plan.removals.append(file)
        plan.marks[file.key] = since
        plan.outcome.removed += 1
        plan.outcome.bytes += file.size
      } else {
        plan.marks[file.key] = marked[file.key] ?? now
        if marked[file.key] == nil { plan.outcome.marked += 1 } else { plan.outcome.waiting += 1 }
      }
    }
    return plan
  }

  /// Only what has a name that publishing gives: others may keep files of their own at a target.
  private static func isRemovable(_ key: String, channels: Set<String>) -> Bool {
    let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if parts.count == 2, parts[0] == ".probe" { return true }
    guard parts.count == 3, let dot = parts[2].firstIndex(of: ".") else { return false }
    let name = parts[2][..<dot]
    if parts[0] == "objects" { return Digest(hex: String(name)) != nil && name.prefix(2) == parts[1] }
    let halves = name.split(separator: "-", omittingEmptySubsequences: false)
    return channels.contains(parts[0]) && parts[1] == "releases" && halves.count == 2 && Int(halves[0]) != nil
      && halves[1].count == 16 && halves[1].allSatisfy(\.isHexDigit)
  }

  /// Every key that must stay: what kept releases, releases of the last day, and every config name.
  private func namedKeys(
    _ files: [ListedFile], _ channels: [(name: String, config: String)], _ beat: () throws -> Void
  ) throws -> Set<String> {
    var named = Set<String>()
    for channel in channels {
      let stored = try target.read(channel.config)
      let app = stored.flatMap { try? PropertyList.decode($0.bytes).value["app"]?.text } ?? ""
      // Other apps' channels keep what they have, too.
      let place = ChannelPlace(target: target, channel: channel.name, app: app)
      var contents = Set<Int>()
      var successor: Instant?
      var chain = try place.chain()
      while let record = try chain.next() {
        try beat()
        contents.insert(record.of)
        // What was live a moment ago is still asked for.
        let wasJustLive = successor.map { now.seconds(since: $0) < grace } ?? true
        successor = record.issued
        if contents.count > keep, !wasJustLive { break }
        name(record, place, &named)
      }
      if let live = try place.live() {
        for digest in MaintenanceSwitch.objects(of: live.maintenance) {
          for name in ["plist", "json"] {
            named.insert(ReleaseObject(digest: digest, fileExtension: name, size: 0).key)
          }
        }
      }
    }
    for file in files where file.key.contains("/releases/") && now.seconds(since: file.modified) < Self.day {
      named.insert(file.key)
      try beat()
      guard let stored = try target.read(file.key), let record = ReleaseRecord(bytes: stored.bytes) else { continue }
      named.formUnion(record.objects.map(\.key))
    }
    return named
  }

  /// Every channel at the target, with its config's key.
  static func channels(_ files: [ListedFile]) -> [(name: String, config: String)] {
    files.compactMap { file in
      let parts = file.key.split(separator: "/").map(String.init)
      return parts.count == 2 && ["config.plist", "config.json"].contains(parts[1]) ? (parts[0], file.key) : nil
    }
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
