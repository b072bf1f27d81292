package import ContentModel
import PropertyLists
import SiteFormat

/// A release before it has a number.
package struct Draft: Sendable {
  package var content: ReleaseContent
  /// The number of the release whose content this is; `nil` if the content is new.
  package var contentRelease: Int?
  package var message: String?
  /// The name of the publisher, if it is to be recorded.
  package var by: String?
  /// The commit from which the content was built.
  package var commit: String?
  /// The command that made the draft, if it can readmit purged content: a refusal adds the missing
  /// options to it.
  package var command: String?
  /// A number that readers have seen, above which the release gets its number; `nil` if files at the
  /// target tell the number.
  package var above: Int?
  /// The number of the last purge, if there is no live release that says it.
  package var lastPurge = 0
  /// `true` if the release replaces a config that is not read, since it does not verify.
  package var replacesUnread = false
  /// Hashes of the channel's addresses: the next publication compares them with its own.
  var settings: Value?
  /// The objects that are assumed to be at the target, since a release of its channels names them.
  package var assumedAtTarget: Set<ReleaseObject>
  /// The purge that the release adds to config's `purge` block, if any.
  package var purged: Purged?
  /// What config says about the purges that it does not follow.
  package var missedAfter = MissedAfter.keep
  /// The hashes of purges whose work is lost.
  ///
  /// The release accepts these losses, and config names them from then on.
  package var acceptedLosses: [Digest] = []
  /// The notes that the list of purges needs for the release; `nil` for none.
  package var notes: Notes?
  /// The new maintenance settings, if the release changes them.
  package var maintenance: MaintenanceSwitch?

  /// `true` if the draft begins, changes or ends a rollout.
  package var decidesRollout = false

  /// The purged content that may be published again: ids, hashes of assets, or `all`.
  package var readmitted: Set<String> = []

  /// Receives the entries that return with values which a purge removed, before anything is written, and
  /// may refuse them; `nil` if nobody asks.
  package var returnedEntries: (@Sendable ([ReturnedEntry]) throws -> Void)?

  /// An entry that a purge removed, and that a draft shows with values as they were then.
  package struct ReturnedEntry: Hashable, Sendable {
    package var id: String
    /// The fields with these values, ordered by name; empty if the purge did not note the values.
    package var fields: [String]
    /// The number of the purge.
    package var purge: Int
    /// The reason of the purge.
    package var reason: String

    package init(id: String, fields: [String], purge: Int, reason: String) {
      (self.id, self.fields, self.purge, self.reason) = (id, fields, purge, reason)
    }
  }

  /// The entries and objects that a purge removes.
  package struct Purged: Sendable {
    package var entries: [String]
    package var objects: [Digest]
    /// The number that readers see rise; `nil` for the number after the one in config.
    var sequence: Int?
    /// The hash of the purge's order, by which the record tells that a purge published the release.
    package var order: Digest?
    /// Returns the bytes of the note `begun`, whose SHA-256 config names.
    package var begun: (@Sendable (ReleaseRecord) throws -> [UInt8])?

    /// Creates a purge of entries and objects, without recipes: no reader stores one.
    package init(entries: [String], objects: [ReleaseObject], sequence: Int? = nil) {
      (self.entries, self.sequence) = (entries, sequence)
      self.objects = objects.filter { !$0.isRecipe }.map(\.digest)
    }

    /// The largest number of purged objects in config.
    ///
    /// If there are more, readers discard all objects of earlier releases; see docs/reference/output.md.
    static let limit = 64
  }

  /// A change of the number after which config does not follow the channel's purges, since it was
  /// restored from a backup.
  package enum MissedAfter: Sendable {
    /// Config keeps the number that it has, or none.
    case keep
    /// Config gets the number, unless it has one.
    case set(Int)
    /// Config follows all purges again.
    case end
  }

  /// Notes about purges, besides those that a purge writes for itself.
  package struct Notes: Sendable {
    /// What they say, as sentences for the user.
    package var sentences: [String] = []
    /// The work right before the swap, for the record of the release; it returns the work right after
    /// the swap.
    package var write: @Sendable (ReleaseRecord) throws -> @Sendable (LiveRelease) throws -> Void

    package init(
      _ sentences: [String] = [],
      write: @escaping @Sendable (ReleaseRecord) throws -> @Sendable (LiveRelease) throws -> Void
    ) {
      (self.sentences, self.write) = (sentences, write)
    }

    /// Returns these notes and some others.
    package func adding(_ other: Self?) -> Self {
      guard let other else { return self }
      return Self(sentences + other.sentences) { [write] record in
        let (first, second) = (try write(record), try other.write(record))
        return { live in
          try first(live)
          try second(live)
        }
      }
    }
  }

  package init(
    content: ReleaseContent, of: Int? = nil, message: String? = nil, by: String? = nil,
    assumedAtTarget: Set<ReleaseObject> = [], purged: Purged? = nil,
    maintenance: MaintenanceSwitch? = nil
  ) {
    (self.purged, self.maintenance) = (purged, maintenance)
    (self.content, self.contentRelease, self.message, self.by) = (content, of, message, by)
    self.assumedAtTarget = assumedAtTarget
  }

  /// `true` if the draft neither purges content nor switches maintenance.
  package var publishesContentOnly: Bool { purged == nil && maintenance == nil }

  /// `true` if readers see nothing of the content until maintenance is switched off.
  package var hidesContent: Bool { maintenance?.hidesContent ?? false }

  /// Returns the record of the release that follows the live one.
  ///
  /// - Parameters:
  ///   - live: The live release; `nil` if nothing was published before, or config was removed.
  ///   - number: The number of the release.
  ///   - place: The channel.
  ///   - instant: The time of the publication.
  ///   - runToken: A text that no other run of a publisher has.
  /// - Returns: The record, whose release is not published yet.
  /// - Throws: The error of encoding a value that the format cannot represent.
  func record(
    after live: LiveRelease?, as number: Int, of place: ChannelPlace, at instant: Instant,
    runToken: String
  ) throws -> ReleaseRecord {
    var members = content.members
    for key in ReleaseRecord.keysOfConfig { members[key] = nil }
    // Earlier programs would lose one side of a rollout. Their purges would also leave recipes and next
    // sides of earlier releases, so no later release has a lower format.
    let formatBefore = live?.record.members["format"]?.number ?? 1
    if members["next"] != nil || content.objects.contains(where: \.isRecipe)
      || formatBefore == LiveRelease.recordFormat
    {
      members["format"] = .integer(Int64(LiveRelease.recordFormat))
    }
    if let next = members["next"]?.members {
      members["next"] = .dictionary(Self.next(next, ofRelease: number))
    }
    members["channel"] = .string(place.channel)
    members["release"] = .integer(Int64(number))
    members["of"] = .integer(Int64(contentRelease ?? number))
    members["issued"] = .date(Draft.issued(after: live?.issued, at: instant))
    members["previous"] = live.map { $0.record.digest.value(in: content.format) }
    if let live, live.number != number - 1 { members["before"] = .integer(Int64(live.number)) }
    members["message"] = message.map(Value.string)
    members["by"] = by.map(Value.string)
    members["commit"] = commit.map(Value.string)
    members["settings"] = settings
    members["run"] = .string(runToken)
    members["purgeOrder"] = purged?.order?.value(in: content.format)
    return try ReleaseRecord(
      members, objects: content.objects + liveTexts(live), format: content.format)
  }

  /// Returns the `next` of a record; a rollout that begins gets the number of its release.
  private static func next(_ next: Members, ofRelease number: Int) -> Members {
    var next = next
    for key in ReleaseRecord.keysOfConfig { next[key] = nil }
    if next["release"]?.number == Rollout.beginning {
      next["release"] = .integer(Int64(number))
    }
    return next
  }

  /// Returns the smaller one of the lifetimes of both sides.
  static func ttl(of stable: Value?, and next: Value?) -> Value? {
    guard let own = next?.number, let ttl = stable?.number else { return stable }
    return .integer(Int64(min(own, ttl)))
  }

  /// Returns the present maintenance texts that the content lacks: config still refers to them.
  private func liveTexts(_ live: LiveRelease?) -> [ReleaseObject] {
    guard let live else { return [] }
    let texts = MaintenanceSwitch.objects(of: maintenanceBlock(after: live))
    let own = Set(content.objects)
    return live.record.objects.filter { texts.contains($0.digest) && !own.contains($0) }
  }

  /// Returns the time of a publication, which is always later than that of the release before it: a
  /// clock may be set back.
  private static func issued(after earlier: Instant?, at instant: Instant) -> Instant {
    guard let earlier else { return instant }
    let next = Instant(secondsSinceReferenceDate: earlier.secondsSinceReferenceDate + 1)
    return next.hasRFC3339 ? max(instant, next) : earlier
  }

  /// Returns the members of the config that makes the release the live one.
  ///
  /// - Throws: `DeliveryError` if no number can follow that of the last purge, or if another purge
  ///   has taken this draft's number.
  ///
  /// Without `namesPurged`, config names no purged entries and objects, and withdraws all earlier
  /// releases instead.
  func config(
    _ record: ReleaseRecord, after live: LiveRelease?, of place: ChannelPlace,
    namesPurged: Bool = true
  ) throws -> Members {
    var members = record.members
    for key in ReleaseRecord.ownKeys + ["dates"] { members[key] = nil }
    // The format of the record is another one.
    members["format"] = 1
    members["record"] = record.digest.value(in: content.format)
    // A publication ends neither a purge nor a maintenance.
    members["purge"] = try purge(
      after: live?.purge, in: record, at: place.location(of: place.configKey(content.format)),
      namesPurged: namesPurged)
    members["maintenance"] = maintenanceBlock(after: live)
    if let next = members["next"]?.members {
      members["next"] = .dictionary(
        configNext(next, stable: &members, after: live))
    }
    return members
  }

  /// Returns the `next` of config, and lets everybody ask as often as either side needs.
  private func configNext(
    _ next: Members, stable: inout Members, after live: LiveRelease?
  ) -> Members {
    var next = next
    next["dates"] = nil
    stable["ttl"] = Self.ttl(of: stable["ttl"], and: next["ttl"])
    next["ttl"] = nil
    // A switch of maintenance is for both sides.
    let block = (maintenance ?? MaintenanceSwitch(live?.maintenance)).block(
      over: content.members.nextSide?["maintenance"] ?? content.members["maintenance"])
    next["maintenance"] = block == stable["maintenance"] ? nil : block
    return next
  }

  /// Returns the bytes of that config.
  func configBytes(
    _ record: ReleaseRecord, after live: LiveRelease?, of place: ChannelPlace,
    namesPurged: Bool = true
  ) throws -> [UInt8] {
    let members = try config(record, after: live, of: place, namesPurged: namesPurged)
    return try PropertyList.encode(.dictionary(members), as: content.format)
  }

  /// Returns the `maintenance` block of the release's config: the settings of the draft or else of
  /// the live release, over those of the content.
  package func maintenanceBlock(after live: LiveRelease?) -> Value {
    (maintenance ?? MaintenanceSwitch(live?.maintenance)).block(
      over: content.members["maintenance"] ?? live?.maintenance)
  }

  /// Returns the `purge` block of the release's config.
  ///
  /// The block also lists the objects of earlier purges, for readers that have missed them.
  private func purge(
    after live: Value?, in record: ReleaseRecord, at place: String, namesPurged: Bool
  ) throws -> Value {
    let last = live?["sequence"]?.number ?? lastPurge
    var sequence = last
    var list = live?["list"]?.digest
    if let purged {
      sequence =
        try purged.sequence ?? SerialNumber.next(after: last, of: "purge.sequence", at: place)
      // Apps act only on a number that rises.
      guard sequence > last else {
        throw DeliveryError(.lost, "another purge was faster; nothing was changed; run again")
      }
      list = try purged.begun.map { try Digest(of: $0(record)) }
    }
    let minimum = live?["minimumRelease"]?.number ?? 0
    let entries = Set(
      names: (live?["entries"]?.items ?? []).compactMap(\.text) + (purged?.entries ?? []))
    // The content's own objects leave the list: an author may publish a purged object again, and a
    // reader that has missed the purge would otherwise discard it.
    let objects = Set((live?["objects"]?.items ?? []).compactMap(\.digest)).union(
      purged?.objects ?? []
    )
    .subtracting(content.objects.map(\.digest))
    let fits = namesPurged && max(entries.count, objects.count) <= Purged.limit
    var members: Members = [
      "sequence": .integer(Int64(sequence)),
      "minimumRelease": .integer(Int64(fits ? minimum : record.number)),
      "objects": .array(fits ? objects.sorted().map { $0.value(in: content.format) } : []),
      "entries": .array(fits ? entries.names.map(Value.string) : []),
    ]
    // Readers ignore the members from here on.
    let missedAfter: Int?
    switch self.missedAfter {
    case .keep: missedAfter = live?["missedAfter"]?.number
    case .set(let number): missedAfter = live?["missedAfter"]?.number ?? number
    case .end: missedAfter = nil
    }
    members["missedAfter"] = missedAfter.map { .integer(Int64($0)) }
    members["list"] = list.map { $0.value(in: content.format) }
    let lost = Set((live?["lost"]?.items ?? []).compactMap(\.digest) + acceptedLosses)
    if !lost.isEmpty {
      members["lost"] = .array(lost.sorted().map { $0.value(in: content.format) })
    }
    return .dictionary(members)
  }
}
