package import ContentModel
package import ContentTargets
import PropertyLists
package import System

/// Removes the files of a target that no kept release names, and those that a purge had removed.
///
/// A run marks the files that nothing names. A later run removes those that are still unnamed and
/// were marked so long ago that no reader requests them. A run holds a lock that publishers check
/// once their record is written: either the prune sees their record, or they see the lock.
///
/// A file time in the future shows a wrong clock. For such a file, the time counts at which a prune
/// first saw it.
///
/// A purged object that exists again, as after a backup of `objects/` was restored, is removed at
/// once, even if a kept release from before the purge names it.
package struct Prune: Sendable {
  let target: any Target
  /// The number of contents of each channel to keep.
  let keep: Int
  /// The seconds between marking and removing an object.
  let grace: Double
  let now: Instant
  /// The time since `now`, for the locks of all turns of a run.
  private let watch = Stopwatch()
  /// The channel of the caller, whose config is read in its format, and verified; `nil` without one.
  package var own: ChannelPlace?
  /// Returns the finished purges of a channel.
  package var purges: PurgesOfChannel = { _, _ in [] }
  /// The clock by which a run waits.
  package var environment = RequestEnvironment.system
  /// Receives the description of a lock's holder before a wait for it.
  package var told: @Sendable (String) -> Void = { _ in }

  /// Returns the objects that each finished purge of a channel has removed, with its time.
  package typealias PurgesOfChannel =
    @Sendable (ChannelPlace, LiveRelease) throws -> [(issued: Instant, objects: [ReleaseObject])]

  /// Creates a prune that keeps the last `keep` contents of every channel, and removes marked
  /// objects after `grace`.
  package init(_ target: any Target, keep: Int, grace: TimeSpan, now: Instant) {
    (self.target, self.keep, self.now) = (target, keep, now)
    self.grace = max(Double(grace.seconds), Self.day)
  }

  private static let day = 86_400.0
  static let marksKey = ReadLimit.marksKey

  /// The result of a prune, or of a trial run.
  package struct Outcome: Hashable, Sendable {
    package var kept = 0
    /// The number of files that this run marked.
    package var marked = 0
    /// The number of files that an earlier run marked too recently for a removal.
    package var waiting = 0
    package var removed = 0
    /// The keys of the removed objects that a purge had removed before.
    package var purged: [String] = []
    /// The stored bytes of the removed files.
    package var bytes = 0
    /// The number of temporary files that killed publishers left.
    package var leftovers = 0
    /// Warnings, as sentences.
    package var warnings: [String] = []
    /// The number of objects for the next run.
    var left = 0
  }

  /// Marks unnamed files and removes those whose grace is over; a `dry` run only counts them.
  ///
  /// - Throws: `DeliveryError` if a config cannot be read, and then nothing is removed, or if
  ///   another command removes objects; `TargetError`.
  package func run(dry: Bool = false) throws -> Outcome {
    let age = Int(Self.day)
    if dry {
      var total = try plan().outcome
      total.leftovers = try target.countLeftovers(age: age, at: now)
      return total
    }
    var total = try turn { try target.removeLeftovers(age: age) }
    while total.left > 0 {
      // Publishers that the lock kept away get their turn.
      environment.sleep(3_000)
      // An emergency may hold the folder's lock just then.
      let next: Outcome
      do { next = try turn() } catch let error as TargetError where error.kind == .busy { continue }
      total.removed += next.removed
      total.purged += next.purged
      total.bytes += next.bytes
      total.left = next.removed > 0 ? next.left : 0
    }
    return total
  }

  /// Removes files for at most a minute; `sweep` removes and counts other files under the same lock.
  private func turn(sweep: () throws -> Int = { 0 }) throws -> Outcome {
    try target.exclusively {
      let lock = self.lock
      let patience = RemovalPatience(environment, told: told)
      var outcome = try lock.hold(patience: patience, waitsForHolder: false) {
        try remove(under: lock)
      }
      outcome.leftovers = try sweep()
      return outcome
    }
  }

  /// The lock, whose clock starts at `now`.
  private var lock: RemovalLock {
    let began =
      now.secondsSinceReferenceDate - Instant(secondsSince1970: 0).secondsSinceReferenceDate
    var environment = environment
    environment.now = { [watch] in Int64(began) + Int64(watch.seconds) }
    return RemovalLock(
      at: target, owner: "a prune", plan: Self.marksKey, environment: environment)
  }

  private func remove(under lock: RemovalLock) throws -> Outcome {
    var plan = try plan(lock)
    try write(plan)
    // Publishers that read earlier marks have written their records before these marks.
    let free = try unnamed(plan.returned) { try lock.renew() }
    let purged = Set(names: plan.outcome.purged)
    plan.removals.removeAll { purged.contains($0.key) && !free.contains($0.key) }
    let watch = Stopwatch()
    var done: [ListedFile] = []
    var givesWay = false
    try lock.inParts(of: plan.removals) { files in
      givesWay = givesWay || watch.seconds > 60 || target.isWantedByEmergency
      if givesWay { return }
      _ = try Array(files).mapOverlapped {
        // Earlier versions of unneeded files may serve their owner, those of purged files must not.
        try lock.remove($0.key, erasing: purged.contains($0.key))
      }
      done += files
    }
    try requireGone(done)
    plan.outcome.purged = done.map(\.key).filter { purged.contains($0) }
    plan.outcome.removed = done.count
    plan.outcome.bytes = done.map(\.size).reduce(0, +)
    plan.outcome.left = plan.removals.count - done.count
    plan.outcome.warnings += [lock.warning].compactMap(\.self)
    return plan.outcome
  }

  /// Checks that the files that the target reported as removed are gone.
  private func requireGone(_ files: [ListedFile]) throws {
    if files.isEmpty { return }
    let folders = Set(files.map { $0.key.hasPrefix("objects/") ? "objects/" : $0.key.folder })
    let there = Set(names: try folders.sorted().flatMap { try target.list(below: $0) }.map(\.key))
    let left = files.filter { there.contains($0.key) }
    guard let first = left.first else { return }
    throw TargetError(
      .failed,
      "\(target.name) says that it removed \(files.count) files, and still lists \(left.count) of them, such as "
        + "'\(first.key)'; does something on the way answer in its place? Run again")
  }

  private struct Plan {
    var marks: [ExactString: Instant] = [:]
    /// The time at which a prune first saw each file whose own time is in the future.
    var seen: [ExactString: Instant] = [:]
    var removals: [ListedFile] = []
    /// The purged objects that exist again.
    var returned: [ReleaseObject] = []
    var outcome = Outcome()
  }

  /// The files that must stay: those that a kept release, a release of the last day, or a config
  /// names.
  ///
  /// Hundreds of releases name thousands of objects each, and a digest takes far less time to
  /// compare than a key.
  private struct NamedFiles {
    private struct Object: Hashable {
      var digest: Digest
      var fileExtension: ExactString

      func hash(into hasher: inout Hasher) { hasher.combine(digest) }
    }

    private var objects: Set<Object> = []
    private var records: Set<ExactString> = []

    mutating func insert(_ object: ReleaseObject) {
      objects.insert(
        Object(digest: object.digest, fileExtension: ExactString(object.fileExtension)))
    }

    mutating func insertRecord(_ key: String) { records.insert(key) }

    func contains(_ file: RemovableFile) -> Bool {
      switch file {
      case .object(let digest, let fileExtension):
        objects.contains(Object(digest: digest, fileExtension: fileExtension))
      case .record(let key): records.contains(key)
      case .probe: false
      }
    }
  }

  /// A file with a name that publishing gives: other programs may keep files at the target.
  private enum RemovableFile {
    case object(Digest, fileExtension: ExactString)
    case record(key: String)
    case probe

    init?(key: String, channels: Set<ExactString>) {
      let parts = key.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, parts[0] == ".probe" {
        self = .probe
        return
      }
      guard parts.count == 3, let dot = parts[2].firstIndex(of: ".") else { return nil }
      let name = parts[2][..<dot]
      if parts[0] == "objects" {
        guard let digest = Digest(hex: String(name)), name.prefix(2) == parts[1] else { return nil }
        self = .object(
          digest, fileExtension: ExactString(String(parts[2][parts[2].index(after: dot)...])))
      } else {
        guard channels.contains(parts[0]), parts[1] == "releases",
          NumberedName(name.utf8)?.hash != nil
        else { return nil }
        self = .record(key: key)
      }
    }
  }

  private func plan(_ lock: RemovalLock? = nil) throws -> Plan {
    let survey = try ChannelSurvey(target, own: own) { try lock?.renew() }
    if let channel = survey.unreadable.first {
      throw DeliveryError(
        .refused,
        "nothing is pruned at \(target.name), because it is unknown what '\(channel.name)' shows: \(channel.reason)"
      )
    }
    let files = try listed(survey)
    let memory = try self.memory()
    var plan = Plan()
    let named = try namedFiles(among: files, of: survey, memory: memory, notingIn: &plan) {
      try lock?.renew()
    }
    plan.returned = try returned(among: files, of: survey) { try lock?.renew() }
    let purged = try unnamed(plan.returned) { try lock?.renew() }
    plan.outcome.purged = purged.names
    plan.outcome.warnings += survey.foreign + [memory.warning].compactMap(\.self)
    let channels = Set(names: survey.channels.map(\.place.channel))
    var first: [ListedFile] = []
    for file in files {
      guard let removable = RemovableFile(key: file.key, channels: channels) else { continue }
      let written = isAhead(file.modified) ? nil : file.modified
      // A mark in the future is replaced by one of now.
      let marked = memory.marks[file.key].flatMap { isAhead($0) ? nil : $0 }
      if purged.contains(file.key) {
        first.append(file)
        // Publishers take an object without a mark for safe.
        plan.marks[file.key] = marked ?? now
        plan.outcome.removed += 1
        plan.outcome.bytes += file.size
      } else if named.contains(removable) {
        plan.outcome.kept += 1
      } else if let since = marked, now.seconds(since: since) > grace,
        written.map({ now.seconds(since: $0) > grace }) ?? true
      {
        plan.removals.append(file)
        plan.marks[file.key] = since
        plan.outcome.removed += 1
        plan.outcome.bytes += file.size
      } else {
        plan.marks[file.key] = marked ?? now
        if marked == nil { plan.outcome.marked += 1 } else { plan.outcome.waiting += 1 }
      }
    }
    plan.removals = first + plan.removals
    return plan
  }

  /// Returns the files that may be removed, and the records that protect files; other folders are
  /// not read.
  private func listed(_ survey: ChannelSurvey) throws -> [ListedFile] {
    try (["objects/", ".probe/"] + survey.names.map { "\($0)/releases/" }).flatMap {
      try target.list(below: $0)
    }
  }

  /// The tolerated lead of a time, since clocks differ.
  private static let slack = 3_600.0

  private func isAhead(_ moment: Instant) -> Bool { moment.seconds(since: now) > Self.slack }

  /// Returns the files that must stay; `beat` renews the lock.
  private func namedFiles(
    among files: [ListedFile], of survey: ChannelSurvey, memory: Memory,
    notingIn plan: inout Plan, beat: () throws -> Void
  ) throws -> NamedFiles {
    var named = NamedFiles()
    /// The keys of the records that were read.
    var read = Set<ExactString>()
    let written = Dictionary(firstOf: files.map { ($0.key, $0.modified) })
    /// Returns the time at which a record was written, by its publisher's or the target's clock; if
    /// both are ahead, the time at which a prune first saw it.
    func moment(of key: String, issued: Instant? = nil) -> Instant {
      let moments = [issued, written[key]].compactMap(\.self).filter { !isAhead($0) }
      if let moment = moments.max() { return moment }
      let seen = memory.seen[key].flatMap { isAhead($0) ? nil : $0 } ?? now
      plan.seen[key] = seen
      return seen
    }
    for channel in survey.channels {
      let place = channel.place
      var contents = Set<Int>()
      var successor: Instant?
      var chain = try place.chain()
      while let record = try chain.next() {
        try beat()
        contents.insert(record.contentRelease)
        // Readers still request the release that was live a moment ago.
        let wasJustLive = successor.map { now.seconds(since: $0) < grace } ?? true
        successor = moment(of: record.key(in: place.channel), issued: record.issued)
        if contents.count > keep, !wasJustLive { break }
        for object in record.objects { named.insert(object) }
        read.insert(record.key(in: place.channel))
        for format in [PropertyListFormat.binary, .json] {
          named.insertRecord(record.key(in: place.channel, as: format))
        }
      }
      if let issued = channel.live.issued, isAhead(issued) {
        plan.outcome.warnings.append(
          "release \(channel.live.number) of '\(place.channel)' says that it was published at \(issued.rfc3339), in the "
            + "future: the clock of the machine that published it, or of this one, is wrong")
      }
      for digest in MaintenanceSwitch.objects(of: channel.live.maintenance) {
        for name in ["plist", "json"] {
          named.insert(ReleaseObject(digest: digest, fileExtension: name, size: 0))
        }
      }
    }
    // Their numbers must not be used again, as after config was restored from a backup.
    let numbers = Dictionary(
      firstOf: survey.channels.map { ($0.place.channel, $0.live.number) })
    for file in files where file.key.contains("/releases/") {
      guard let record = ReleaseRecord.place(of: file.key) else { continue }
      if let live = numbers[record.channel], record.number > live { named.insertRecord(file.key) }
    }
    for file in files
    where file.key.contains("/releases/") && now.seconds(since: moment(of: file.key)) < Self.day {
      named.insertRecord(file.key)
      // A record of thousands of objects takes longer to read than everything else about it.
      if read.contains(file.key) { continue }
      try beat()
      guard let record = try target.record(in: file) else { continue }
      for object in record.objects { named.insert(object) }
    }
    return named
  }

  /// The notes of earlier runs.
  private struct Memory {
    var marks: [ExactString: Instant] = [:]
    var seen: [ExactString: Instant] = [:]
    var warning: String?
  }

  /// The `format` of the notes.
  private static let marksFormat = 1

  private func memory() throws -> Memory {
    guard let stored = try target.read(Self.marksKey) else { return Memory() }
    guard let value = try? PropertyList.decode(stored.bytes).value else {
      var memory = Memory()
      memory.warning =
        "'\(Self.marksKey)' at \(target.name) cannot be read; its objects are marked again"
      return memory
    }
    let newer = DeliveryError(
      newer: value["format"], above: Self.marksFormat, at: "'\(Self.marksKey)' at \(target.name)")
    if let newer { throw newer }
    func instants(_ name: String) -> [ExactString: Instant] {
      Dictionary(
        firstOf: (value[name]?.members ?? Members()).compactMap { key, value in
          // No prune writes a time outside any calendar, and none could be written again.
          value.instant.flatMap { $0.hasRFC3339 ? (key, $0) : nil }
        })
    }
    return Memory(marks: instants("marked"), seen: instants("seen"))
  }

  private func write(_ plan: Plan) throws {
    func dates(_ instants: [ExactString: Instant]) -> Value {
      .dictionary(Members(instants.map { ($0.key.text, Value.date($0.value)) }))
    }
    var members: Members = [
      "format": .integer(Int64(Self.marksFormat)), "marked": dates(plan.marks),
    ]
    if !plan.seen.isEmpty { members["seen"] = dates(plan.seen) }
    let (file, tag) = (try self.file(.dictionary(members)), try target.read(Self.marksKey)?.tag)
    guard try target.replace(Self.marksKey, with: file, tagged: tag) else {
      throw DeliveryError(
        .lost,
        "another prune has just changed '\(Self.marksKey)' at \(target.name); nothing was removed; run again later"
      )
    }
    // Publishers rely on objects without a mark.
    try target.requireHeld(file, at: Self.marksKey, otherwise: "nothing was removed; run again")
  }

  private func file(_ value: Value) throws -> OutgoingFile {
    OutgoingFile(
      bytes: try PropertyList.encode(value, as: .binary),
      headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
  }
}

extension String {
  /// The folder of the key, with `/` at its end.
  fileprivate var folder: String { String(self[...(lastIndex(of: "/") ?? startIndex)]) }
}

extension Instant {
  fileprivate func seconds(since earlier: Instant) -> Double {
    secondsSinceReferenceDate - earlier.secondsSinceReferenceDate
  }
}
