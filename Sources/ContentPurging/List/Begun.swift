package import ContentModel
package import ContentReleases
import PropertyLists

/// `begun`: the work of a purge, which is written before its release becomes live.
///
/// Config names the SHA-256 of this file, so a signed config proves all of it. It names no machine and
/// no process.
package struct Begun: NoteContent {
  package var app: String
  package var channel: String
  /// The number of the purge, from 1.
  package var number: Int
  package var issued: Instant
  package var reason: String
  /// The name of the author, if it was recorded.
  package var by: String?
  /// The number of the release without the purged content.
  package var release: Int
  /// The hash of that release's record.
  package var record: Digest
  /// The hash of the `begun` that config named before; `nil` if it named none.
  package var previous: Digest?
  /// The words of the command, as in `PurgeOrder`.
  package var commandWords: [String]
  /// The subject of the purge, such as `release 41` or `asset 3fa9…`; `nil` if it was entries.
  package var subject: String?
  /// The ids of the purged entries.
  package var entries: [String]
  /// The contents that must not be published again.
  package var contents: [PurgedContent]
  /// The assets that must not be published again.
  package var assets: [Digest]
  /// The contents of the named entries that readers keep or get instead; `nil` for a purge of a release
  /// or an asset, and for one of format 1.
  package var given: [PurgedContent]?
  /// The objects to remove at the target, besides copies that are found later.
  package var objects: [ReleaseObject]
  /// All objects of the release that the live release before it lacks.
  ///
  /// The target may lack some of these objects, so `Purge.finish` checks them.
  package var atRisk: [ReleaseObject]
  /// The objects that the release shows again although an earlier purge removed them: caches may take them
  /// for missing.
  package var returned: [ReleaseObject] = []
}

extension Begun {
  /// Returns `true` if the purge was asked for in these words.
  package func isOf(_ words: [String]) -> Bool {
    commandWords.elementsEqual(words) { $0.hasSameBytes(as: $1) }
  }

  var members: Members {
    var members: Members = [
      "app": .string(app), "channel": .string(channel), "sequence": .integer(Int64(number)),
      "issued": .date(issued), "reason": .string(reason), "release": .integer(Int64(release)),
      "record": .data(record.bytes), "asked": .array(commandWords.map(Value.string)),
      "entries": .array(entries.map(Value.string)), "contents": .array(contents.map(\.value)),
      "assets": .array(assets.map { .data($0.bytes) }),
      "objects": objects.rows, "atRisk": atRisk.rows,
      "returned": returned.rows,
    ]
    members["by"] = by.map(Value.string)
    members["given"] = given.map { .array($0.map(\.value)) }
    members["previous"] = previous.map { .data($0.bytes) }
    members["subject"] = subject.map(Value.string)
    return members
  }

  init?(_ value: Value) {
    guard let app = value["app"]?.text, let channel = value["channel"]?.text,
      let number = value["sequence"]?.number, LiveRelease.numbers.contains(number),
      let issued = value["issued"]?.instant, let reason = value["reason"]?.text,
      let release = value["release"]?.number, LiveRelease.numbers.contains(release),
      let record = value["record"]?.digest, let commandWords = value["asked"]?.all(\.text),
      let entries = value["entries"]?.all(\.text),
      let contents = value["contents"]?.all(PurgedContent.init),
      let assets = value["assets"]?.all(\.digest),
      let objects = ReleaseObject.readAll(value["objects"]),
      let atRisk = ReleaseObject.readAll(value["atRisk"]),
      let returned = ReleaseObject.readAll(value["returned"])
    else { return nil }
    self.init(
      app: app, channel: channel, number: number, issued: issued, reason: reason,
      by: value["by"]?.text, release: release, record: record,
      previous: value["previous"]?.digest, commandWords: commandWords,
      subject: value["subject"]?.text, entries: entries, contents: contents, assets: assets,
      given: value["given"]?.all(PurgedContent.init), objects: objects, atRisk: atRisk,
      returned: returned)
  }
}

extension Begun {
  /// The hash of what a user asked for and of what was purged, by which the record of the release tells
  /// that a purge published it.
  var orderDigest: Digest {
    get throws {
      var members: Members = [
        "entries": .array(entries.map(Value.string)), "contents": .array(contents.map(\.value)),
        "assets": .array(assets.map { .data($0.bytes) }),
        "asked": .array(commandWords.map(Value.string)),
      ]
      members["subject"] = subject.map(Value.string)
      members["given"] = given.map { .array($0.map(\.value)) }
      return Digest(of: try PropertyList.encode(.dictionary(members), as: .binary))
    }
  }

  /// Creates the note of a purge that removes nothing yet; `released(as:after:)` sets its release, record,
  /// time and objects at risk.
  init(
    _ number: Int, because reason: String, by: String?, after live: LiveRelease?,
    at place: ChannelPlace
  ) {
    self.init(
      app: place.app, channel: place.channel, number: number,
      issued: Instant(secondsSince1970: 0), reason: reason, by: by, release: 0,
      record: Digest(of: []), previous: live?.lastBegun, commandWords: [], subject: nil,
      entries: [],
      contents: [], assets: [], given: nil, objects: [], atRisk: [])
  }

  /// Returns the note for the record of the purge's release, which follows a live one.
  func released(as record: ReleaseRecord, after live: LiveRelease?) -> Begun {
    var begun = self
    (begun.release, begun.record) = (record.number, record.digest)
    begun.issued = record.issued ?? begun.issued
    let shown = Set(live?.record.objects ?? [])
    begun.atRisk = record.objects.filter { !shown.contains($0) }
    return begun
  }
}
