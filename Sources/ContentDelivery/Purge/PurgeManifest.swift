package import ContentModel
import PropertyLists

/// What was purged when and why: an immutable file of a channel, `<channel>/purges/<sequence>.plist`.
///
/// Until all of it has happened, the same stands in `<channel>/purges/<sequence>-<record>.plist`, from before the release
/// that began it: whatever ends the command, the next one finds there what is left to do.
package struct PurgeManifest: Sendable {
  package var sequence: Int
  package var issued: Instant
  package var by: String?
  package var reason: String
  /// The release without it, and the hash of its record.
  package var release: Int
  package var record: Digest
  /// Ids.
  package var entries: [String]
  /// What was removed at the target.
  package var objects: [ReleaseObject]
  /// What caches were told to forget: public URLs, of config first.
  package var urls: [String]
  package var keys: [String]
  /// What must not come back: of entries, and assets.
  package var contents: [PurgedContent]
  package var assets: [Digest]
  /// What was asked for, where that was not entries: `release 41`, `asset 3fa9…`.
  package var subject: String?
  /// Seconds per layer until the last reader has let go, in order.
  package var bound: [(layer: String, seconds: Int)]

  static func folder(_ channel: String) -> String { "\(channel)/purges/" }

  func key(_ channel: String) -> String { "\(Self.folder(channel))\(sequence).plist" }

  func pendingKey(_ channel: String) -> String { "\(Self.folder(channel))\(sequence)-\(record.hex.prefix(16)).plist" }

  var file: OutgoingFile {
    get throws {
      OutgoingFile(
        bytes: try PropertyList.encode(value, as: .binary),
        headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
    }
  }

  private var value: Value {
    var members: Members = [
      "format": 1, "sequence": .integer(Int64(sequence)), "issued": .date(issued), "reason": .string(reason),
      "release": .integer(Int64(release)), "record": .data(record.bytes), "entries": .array(entries.map(Value.string)),
      "objects": objects.rows, "urls": .array(urls.map(Value.string)), "keys": .array(keys.map(Value.string)),
      "contents": .array(contents.map(\.value)), "assets": .array(assets.map { .data($0.bytes) }),
      "bound": .array(bound.map { ["layer": .string($0.layer), "seconds": .integer(Int64($0.seconds))] }),
    ]
    members["by"] = by.map(Value.string)
    members["subject"] = subject.map(Value.string)
    return .dictionary(members)
  }

  /// Reads one.
  ///
  /// - Throws: `DeliveryError` for anything else, as `name` says.
  init(bytes: [UInt8], at name: String) throws {
    guard let value = try? PropertyList.decode(bytes).value, let format = value["format"]?.number,
      let sequence = value["sequence"]?.number, let issued = value["issued"]?.instant,
      let reason = value["reason"]?.text, let release = value["release"]?.number, let record = value["record"]?.digest,
      let objects = ReleaseObject.readAll(value["objects"])
    else { throw DeliveryError(.refused, "\(name) is no purge manifest of contentc, or damaged") }
    guard format <= 1 else {
      throw DeliveryError(.refused, "\(name) was written by a newer contentc (format \(format)); update this one")
    }
    (self.sequence, self.issued, self.reason, self.release) = (sequence, issued, reason, release)
    (self.record, self.objects) = (record, objects)
    (by, subject) = (value["by"]?.text, value["subject"]?.text)
    assets = (value["assets"]?.items ?? []).compactMap(\.digest)
    entries = (value["entries"]?.items ?? []).compactMap(\.text)
    urls = (value["urls"]?.items ?? []).compactMap(\.text)
    keys = (value["keys"]?.items ?? []).compactMap(\.text)
    contents = (value["contents"]?.items ?? []).compactMap(PurgedContent.init)
    bound = (value["bound"]?.items ?? []).compactMap { row in
      row["layer"]?.text.flatMap { layer in row["seconds"]?.number.map { (layer, $0) } }
    }
  }

  init(
    sequence: Int, issued: Instant, release: Int, record: Digest, order: PurgeOrder, plan: PurgePlan
  ) {
    (self.sequence, self.issued, by, reason) = (sequence, issued, order.by, order.reason)
    switch order.subject {
    case .entries: (subject, assets) = (nil, [])
    case .release(let number): (subject, assets) = ("release \(number)", [])
    case .asset(let digest): (subject, assets) = ("asset \(digest.hex)", [digest])
    }
    (self.release, self.record) = (release, record)
    (entries, objects, contents) = (plan.entries.map(\.id), plan.gone, plan.contents)
    (urls, keys, bound) = ([], [], [])
  }
}

/// The purges of a channel: what was done, and what is to be done still.
package struct PurgeLedger: Sendable {
  /// In order.
  package var finished: [PurgeManifest]
  package var unfinished: [PurgeManifest]

  /// Reads it; one whose release never came about does not count.
  package init(_ place: ChannelPlace, live: LiveRelease?) throws {
    (finished, unfinished) = ([], [])
    guard let live, live.purge?["sequence"]?.number ?? 0 > 0 else { return }
    let files = try place.target.list(below: PurgeManifest.folder(place.channel))
    let manifests = try files.mapOverlapped { file -> PurgeManifest? in
      guard let stored = try place.target.read(file.key) else { return nil }
      return try PurgeManifest(bytes: stored.bytes, at: "'\(file.key)' at \(place.target.name)")
    }
    for (file, manifest) in zip(files, manifests) {
      guard let manifest else { continue }
      if file.key == manifest.key(place.channel) { finished.append(manifest) } else { unfinished.append(manifest) }
    }
    finished.sort { $0.sequence < $1.sequence }
    let done = Set(finished.map(\.record))
    unfinished = try unfinished.filter { try !done.contains($0.record) && Self.cameAbout($0, in: place) }
      .sorted { $0.sequence < $1.sequence }
  }

  /// Whether the release that begins a purge was ever the live one.
  private static func cameAbout(_ manifest: PurgeManifest, in place: ChannelPlace) throws -> Bool {
    var chain = try place.chain()
    while let record = try chain.next(), record.number >= manifest.release {
      if record.digest == manifest.record { return true }
    }
    return false
  }

  package var all: [PurgeManifest] { finished + unfinished }

  /// Refuses content that was purged, unless readers see it already.
  ///
  /// - Throws: `DeliveryError`; what reading objects throws.
  package func refusePurged(in content: ReleaseContent, live: LiveRelease, _ place: ChannelPlace) throws {
    if all.isEmpty { return }
    let shown = ReleaseReader(live.content(at: place.target))
    let reader = ReleaseReader(content)
    for manifest in all {
      for asset in manifest.assets where reader.object(asset) != nil && shown.object(asset) == nil {
        throw refusal(manifest, "asset \(asset.hex.prefix(16))…")
      }
      for purged in manifest.contents where try Self.shows(reader, purged) && !Self.shows(shown, purged) {
        throw refusal(manifest, purged.field.map { "'\($0)' of \(purged.entry)" } ?? purged.entry)
      }
    }
  }

  private func refusal(_ manifest: PurgeManifest, _ what: String) -> DeliveryError {
    DeliveryError(
      .refused,
      "\(what) is, at least for some readers, as it was when purge \(manifest.sequence) removed it (\(manifest.reason)); "
        + "nothing was changed; correct it, or publish it again on purpose with --unpurge")
  }

  private static func shows(_ reader: ReleaseReader, _ purged: PurgedContent) throws -> Bool {
    let holders = try reader.holders(of: purged.entry) ?? []
    return holders.sorted().contains { digest in
      guard let object = reader.object(digest), ["plist", "json"].contains(object.fileExtension) else { return false }
      // What is gone was removed for what it showed.
      guard let entries = try? reader.entries(of: digest) else { return true }
      return entries[purged.entry].map(purged.isShown) ?? false
    }
  }
}
