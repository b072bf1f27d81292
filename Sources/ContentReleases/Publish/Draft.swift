import PropertyLists
package import ContentModel

/// A release before it has a number.
package struct Draft: Sendable {
  package var content: ReleaseContent
  /// The release whose content this is; `nil` if that is its own.
  package var of: Int?
  package var message: String?
  /// The name of the publisher, if it is to be recorded.
  package var by: String?
  /// The commit that the content is of.
  package var commit: String?
  /// Hashes of the channel's addresses, by which the next publication sees that they changed.
  var settings: Value?
  /// Objects that are known to be at the target.
  package var present: Set<ReleaseObject>
  /// The purge that the release announces, if any.
  package var purged: Purged?
  /// The new maintenance settings, if the release changes them.
  package var maintenance: MaintenanceSwitch?

  /// Ids, hashes of assets, or `all`: the purged content that may be published again.
  package var unpurged: Set<String> = []  // String keys: ids and hashes are ASCII

  /// The entries and objects that a purge removes.
  package struct Purged: Sendable {
    package var entries: [String]
    package var objects: [Digest]
    /// The purge's number; one above config's if `nil`.
    var sequence: Int?

    package init(entries: [String], objects: [Digest]) {
      (self.entries, self.objects) = (entries, objects)
    }

    package init(entries: [String], objects: [Digest], sequence: Int) {
      (self.entries, self.objects, self.sequence) = (entries, objects, sequence)
    }

    /// The largest number of purged objects in config.
    ///
    /// If there are more, readers discard all objects of earlier releases; see docs/output.md.
    static let limit = 64
  }

  package init(
    content: ReleaseContent, of: Int? = nil, message: String? = nil, by: String? = nil,
    present: Set<ReleaseObject> = [], purged: Purged? = nil, maintenance: MaintenanceSwitch? = nil
  ) {
    (self.purged, self.maintenance) = (purged, maintenance)
    (self.content, self.of, self.message, self.by, self.present) = (
      content, of, message, by, present
    )
  }

  /// `true` if only the content can distinguish it from the live release.
  var changesNoSwitch: Bool { purged == nil && maintenance == nil }

  /// Returns the record of the next release after the live one; `run` distinguishes two runs of the
  /// same publisher.
  func record(after live: LiveRelease?, of place: ChannelPlace, at instant: Instant, run: String)
    throws
    -> ReleaseRecord
  {
    let number = try SerialNumber.next(
      after: live?.number ?? 0, of: "release",
      at: place.location(of: place.configKey(content.format)))
    var members = content.members
    for key in ["maintenance", "purge", "record"] { members[key] = nil }
    members["channel"] = .string(place.channel)
    members["release"] = .integer(Int64(number))
    members["of"] = .integer(Int64(of ?? number))
    members["issued"] = .date(Draft.issued(after: live?.issued, at: instant))
    members["previous"] = live.map { $0.record.digest.value(in: content.format) }
    members["message"] = message.map(Value.string)
    members["by"] = by.map(Value.string)
    members["commit"] = commit.map(Value.string)
    members["settings"] = settings
    members["run"] = .string(run)
    return try ReleaseRecord(
      members, objects: content.objects + liveTexts(live), format: content.format)
  }

  /// Returns the present maintenance texts that the content lacks: config still refers to them.
  private func liveTexts(_ live: LiveRelease?) -> [ReleaseObject] {
    guard let live else { return [] }
    let texts = MaintenanceSwitch.objects(of: maintenanceBlock(after: live))
    let own = Set(content.objects)
    return live.record.objects.filter { texts.contains($0.digest) && !own.contains($0) }
  }

  /// Now, but always later than the release before: a clock may be set back.
  private static func issued(after earlier: Instant?, at instant: Instant) -> Instant {
    guard let earlier else { return instant }
    let next = Instant(secondsSinceReferenceDate: earlier.secondsSinceReferenceDate + 1)
    return next.hasRFC3339 ? max(instant, next) : earlier
  }

  /// The config that makes the release the live one.
  ///
  /// - Throws: `DeliveryError` where no purge can follow the last one.
  func config(_ record: ReleaseRecord, after live: LiveRelease?, of place: ChannelPlace) throws
    -> Members
  {
    var members = record.members
    for key in [
      "of", "previous", "message", "by", "commit", "settings", "run", "objects", "build", "dates",
    ] {
      members[key] = nil
    }
    members["build"] = content.members["build"]
    members["record"] = record.digest.value(in: content.format)
    // A purge and a maintenance go on, whatever is published meanwhile.
    members["purge"] = try purge(
      after: live?.purge, in: record.number, at: place.location(of: place.configKey(content.format))
    )
    members["maintenance"] = maintenanceBlock(after: live)
    return members
  }

  /// The maintenance block: what was set stays, the rest is the content's.
  package func maintenanceBlock(after live: LiveRelease?) -> Value {
    (maintenance ?? MaintenanceSwitch(live?.maintenance)).block(
      over: content.members["maintenance"] ?? live?.maintenance)
  }

  /// The purge block of config.
  ///
  /// It repeats the objects of earlier purges, for readers that have not seen these yet.
  private func purge(after live: Value?, in release: Int, at place: String) throws -> Value {
    let last = live?["sequence"]?.number ?? 0
    var sequence = last
    if let purged {
      sequence =
        try purged.sequence ?? SerialNumber.next(after: last, of: "purge.sequence", at: place)
      // Apps act only on a number that rises.
      guard sequence > last else {
        throw DeliveryError(.lost, "another purge was faster; nothing was changed; run again")
      }
    }
    let minimum = live?["minimumRelease"]?.number ?? 0
    let entries = Set(
      names: (live?["entries"]?.items ?? []).compactMap(\.text) + (purged?.entries ?? []))
    // What was allowed to come back must not be thrown away by readers who see an earlier purge for
    // the first time.
    let objects = Set((live?["objects"]?.items ?? []).compactMap(\.digest)).union(
      purged?.objects ?? []
    )
    .subtracting(content.objects.map(\.digest))
    let fits = max(entries.count, objects.count) <= Purged.limit
    return [
      "sequence": .integer(Int64(sequence)),
      "minimumRelease": .integer(Int64(fits ? minimum : release)),
      "objects": .array(fits ? objects.sorted().map { $0.value(in: content.format) } : []),
      "entries": .array(fits ? entries.names.map(Value.string) : []),
    ]
  }
}
