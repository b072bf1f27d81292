package import ContentModel
package import ContentReleases
import ContentTargets
import Hashing
import PropertyLists

/// The manifest of one purge: `<channel>/purges/<sequence>.plist`, which is never changed.
///
/// Until the purge is finished, the pending manifest `<channel>/purges/<sequence>-<record>.plist`
/// holds its work. It is written before the release, without URLs, keys and bound, and replaced as
/// more work is found: after an interruption, the next command finds the remaining work there.
package struct PurgeManifest: Sendable {
  package var sequence: Int
  package var issued: Instant
  package var by: String?
  package var reason: String
  /// The number of the release without the purged content.
  package var release: Int
  /// The hash of that release's record.
  package var record: Digest
  /// The ids of the purged entries.
  package var entries: [String]
  /// The objects that the purge removes at the target.
  package var objects: [ReleaseObject]
  /// The objects of the release that another command may have removed while the release became
  /// live, or that an earlier purge had removed; only the pending manifest lists them.
  ///
  /// Caches may take them for missing.
  package var endangered: [ReleaseObject] = []
  /// The public URLs that caches were asked to purge, config first.
  package var urls: [String]
  /// The cache keys that caches were asked to purge.
  package var keys: [String]
  /// The contents that must not be published again.
  package var contents: [PurgedContent]
  /// The contents of the named entries that readers keep or get instead; `nil` for a purge of a release
  /// or an asset, and for one of an earlier version.
  package var given: [PurgedContent]?
  /// The assets that must not be published again.
  package var assets: [Digest]
  /// The subject of the purge, such as `release 41` or `asset 3fa9…`; `nil` if it was entries.
  package var subject: String?
  /// The words of the command, as in `PurgeOrder`.
  package var commandWords: [String]
  /// The longest time for which each layer may show old content, in seconds and in order.
  package var bound: [(layer: String, seconds: Int)]
  /// The caches that were out of service and not purged.
  package var without: [String] = []
  /// `true` if the purge was seen live; only the pending manifest says so.
  ///
  /// After config was restored from an older backup, this alone tells an interrupted purge from one
  /// that never began.
  package var wasLive = false

  static func folder(_ channel: String) -> String { "\(channel)/purges/" }

  /// The largest lead of a file's number over config's: a file beyond it is junk.
  static let numbersAhead = 1_000_000

  /// Returns the number of the last purge at the target that was live, whether or not config knows
  /// it; 0 without one.
  ///
  /// - Throws: `DeliveryError`; `TargetError`.
  package static func lastSequence(at place: ChannelPlace) throws -> Int {
    try nextSequence(place, after: nil) - 1
  }

  /// Returns the number of the next purge, which is above those of config and of every purge at the
  /// target that was live.
  ///
  /// A config that was restored from a backup has a lower number than the purges since. `lost` are
  /// the records of releases that never became live: the caller's own attempts.
  ///
  /// - Throws: `DeliveryError` if no number is left; `TargetError`.
  static func nextSequence(
    _ place: ChannelPlace, after live: LiveRelease?, lost: [Digest] = []
  ) throws -> Int {
    let sequence = max(live?.purge?["sequence"]?.number ?? 0, 0)
    let next = try SerialNumber.next(
      after: sequence, of: "purge.sequence",
      at: place.location(of: place.configKey(live?.format ?? .binary)))
    let highest = min(sequence + numbersAhead, SerialNumber.highest - 1)
    let files = try place.target.list(below: folder(place.channel)).compactMap {
      PurgeFile($0.key)
    }.filter { file in
      file.sequence >= next && file.sequence <= highest
        && !lost.contains(where: file.isOfRelease)
    }
    // Anybody may have put a file of such a name there, and a pending purge may never have begun.
    let newest = try files.sorted { $0.sequence > $1.sequence }.first { file in
      do {
        guard let manifest = try manifest(of: file, at: place) else { return false }
        return try file.record == nil || manifest.hasBeenLive(at: place, isConfigGone: live == nil)
      } catch is DeliveryError {
        // A newer version wrote the file, and may have published the number.
        return true
      }
    }
    return newest.map { $0.sequence + 1 } ?? next
  }

  /// Reads the manifest in a file; `nil` if the file is gone, or not the manifest that its name says.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version; `TargetError`.
  static func manifest(of file: PurgeFile, at place: ChannelPlace) throws -> PurgeManifest? {
    guard let stored = try place.target.readAny(file.key),
      let manifest = try read(stored.bytes, at: "'\(file.key)' at \(place.target.name)"),
      file.names(manifest)
    else { return nil }
    return manifest
  }

  /// Returns whether a pending purge was live, as its manifest or a publication since proves.
  ///
  /// Without config, no purge can be about to begin.
  func hasBeenLive(at place: ChannelPlace, isConfigGone: Bool) throws -> Bool {
    try wasLive || isConfigGone || place.isFollowed(record, number: release)
  }

  /// Notes in the file of a pending purge that it was live; does nothing if the file is gone.
  func noteLive(at place: ChannelPlace) throws {
    let key = pendingKey(place.channel)
    guard let stored = try place.target.read(key) else { return }
    // Another command may have added copies since this manifest was read.
    var noted = try PurgeManifest(bytes: stored.bytes, at: place.location(of: key))
    noted.wasLive = true
    let file = try noted.file
    _ = try place.target.replace(key, with: file, tagged: stored.tag)
    try place.target.requireHeld(file, at: key, otherwise: "run the same command again")
  }

  func key(_ channel: String) -> String { "\(Self.folder(channel))\(sequence).plist" }

  func pendingKey(_ channel: String) -> String {
    "\(Self.folder(channel))\(sequence)-\(record.hex.prefix(16)).plist"
  }

  var file: OutgoingFile {
    get throws {
      OutgoingFile(
        bytes: try PropertyList.encode(value, as: .binary),
        headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
    }
  }

  /// The hash of the facts that no later step of the purge changes.
  ///
  /// The record of the purge's release has it, too. In a signed channel, it therefore proves the
  /// manifest, which has no signature.
  var orderDigest: Digest {
    get throws {
      var members: Members = [
        "entries": .array(entries.map(Value.string)),
        "contents": .array(contents.map(\.value)),
        "assets": .array(assets.map { .data($0.bytes) }),
        "asked": .array(commandWords.map(Value.string)),
      ]
      members["subject"] = subject.map(Value.string)
      members["given"] = given.map { .array($0.map(\.value)) }
      return Digest(of: try PropertyList.encode(.dictionary(members), as: .binary))
    }
  }

  private var value: Value {
    var members: Members = [
      "format": 1, "sequence": .integer(Int64(sequence)), "issued": .date(issued),
      "reason": .string(reason),
      "release": .integer(Int64(release)), "record": .data(record.bytes),
      "entries": .array(entries.map(Value.string)),
      "objects": objects.rows, "urls": .array(urls.map(Value.string)),
      "keys": .array(keys.map(Value.string)),
      "contents": .array(contents.map(\.value)), "assets": .array(assets.map { .data($0.bytes) }),
      "bound": .array(
        bound.map { ["layer": .string($0.layer), "seconds": .integer(Int64($0.seconds))] }),
    ]
    members["by"] = by.map(Value.string)
    members["subject"] = subject.map(Value.string)
    members["given"] = given.map { .array($0.map(\.value)) }
    if !without.isEmpty { members["without"] = .array(without.map(Value.string)) }
    if !commandWords.isEmpty { members["asked"] = .array(commandWords.map(Value.string)) }
    if wasLive { members["live"] = true }
    if !endangered.isEmpty { members["endangered"] = endangered.rows }
    return .dictionary(members)
  }

  /// Reads a manifest; `nil` if the bytes are no manifest.
  ///
  /// - Throws: `DeliveryError` for a manifest of a newer version, whose meaning is unknown.
  static func read(_ bytes: [UInt8], at name: String) throws -> PurgeManifest? {
    guard let value = try? PropertyList.decode(bytes).value, let format = value["format"]?.number
    else { return nil }
    // A foreign file may have a 'format', too.
    guard format <= 1 || value["sequence"] == nil || value["record"] == nil else {
      throw DeliveryError(
        .refused, "\(name) was written by a newer contentc (format \(format)); update this one")
    }
    return try? PurgeManifest(bytes: bytes, at: name)
  }

  /// Reads a manifest; `name` is the file's name for messages.
  ///
  /// - Throws: `DeliveryError` if the bytes are no manifest, or one of a newer version.
  init(bytes: [UInt8], at name: String) throws {
    guard let value = try? PropertyList.decode(bytes).value, let format = value["format"]?.number,
      let sequence = value["sequence"]?.number, let issued = value["issued"]?.instant,
      let reason = value["reason"]?.text, let release = value["release"]?.number,
      let record = value["record"]?.digest,
      let objects = ReleaseObject.readAll(value["objects"])
    else { throw DeliveryError(.refused, "\(name) is no purge manifest of contentc, or damaged") }
    guard (0...SerialNumber.highest).contains(sequence), LiveRelease.numbers.contains(release)
    else {
      throw SerialNumber.unbelievable("\(sequence) of release \(release)", of: "sequence", at: name)
    }
    guard format <= 1 else {
      throw DeliveryError(
        .refused, "\(name) was written by a newer contentc (format \(format)); update this one")
    }
    (self.sequence, self.issued, self.reason, self.release) = (sequence, issued, reason, release)
    (self.record, self.objects) = (record, objects)
    (by, subject) = (value["by"]?.text, value["subject"]?.text)
    commandWords = (value["asked"]?.items ?? []).compactMap(\.text)
    assets = (value["assets"]?.items ?? []).compactMap(\.digest)
    entries = (value["entries"]?.items ?? []).compactMap(\.text)
    without = (value["without"]?.items ?? []).compactMap(\.text)
    wasLive = value["live"] == true
    endangered = ReleaseObject.readAll(value["endangered"]) ?? []
    urls = (value["urls"]?.items ?? []).compactMap(\.text)
    keys = (value["keys"]?.items ?? []).compactMap(\.text)
    contents = (value["contents"]?.items ?? []).compactMap(PurgedContent.init)
    given = value["given"]?.items?.compactMap(PurgedContent.init)
    bound = (value["bound"]?.items ?? []).compactMap { row in
      row["layer"]?.text.flatMap { layer in
        row["seconds"]?.number.flatMap { TimeSpan(seconds: $0) }.map { (layer, $0.seconds) }
      }
    }
  }

  /// The manifest of a publication that ends the state of a restored config: its number is not given
  /// again.
  init(sequence: Int, closing first: Int, in record: ReleaseRecord) {
    (self.sequence, by) = (sequence, record.by)
    issued = record.issued ?? Instant(secondsSince1970: 0)
    reason = "config was older than purge \(first)"
    (release, self.record) = (record.number, record.digest)
    (entries, objects, contents, assets) = ([], [], [], [])
    (urls, keys, bound, commandWords) = ([], [], [], [])
  }

  init(
    sequence: Int, issued: Instant, release: Int, record: Digest, order: PurgeOrder, plan: PurgePlan
  ) {
    (self.sequence, self.issued, by, reason) = (sequence, issued, order.by, order.reason)
    commandWords = order.commandWords
    switch order.subject {
    case .entries: (subject, assets) = (nil, [])
    case .release(let number): (subject, assets) = ("release \(number)", [])
    case .asset(let digest): (subject, assets) = ("asset \(digest.hex)", [digest])
    }
    (self.release, self.record) = (release, record)
    (entries, objects, contents) = (plan.entries.map(\.id), plan.gone, plan.contents)
    given = subject == nil ? plan.given : nil
    (urls, keys, bound) = ([], [], [])
  }
}
