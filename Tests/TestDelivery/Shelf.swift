import ContentModel
import PropertyLists
import SiteFormat

@testable import ContentPurging
@testable import ContentReleases
@testable import ContentTargets

/// A small content for two contexts: one-text entries in a bundle `all`, and startup entries in a
/// bundle `home`.
struct Shelf {
  /// The texts by locale, and by the part of an entry's id after its type.
  var texts: [String: [String: String]]
  var app = "shop"
  /// The fields of each product but its title.
  var fields = Members()

  /// Creates products with a text that differs by locale.
  init(_ texts: [String: String], app: String = "shop") {
    self.app = app
    self.texts = [
      "en": texts, "fr": texts.mapValues { "\($0), en français" },
    ]
  }

  /// Returns the content as a build would produce it.
  func content(format: PropertyListFormat = .binary) throws -> ReleaseContent {
    var files: [ReleaseObject: [UInt8]] = [:]
    func add(_ value: Value) throws -> ReleaseObject {
      let bytes = try PropertyList.encode(value, as: format)
      let object = ReleaseObject(
        digest: Digest(of: bytes), fileExtension: format.fileExtension, size: bytes.count)
      files[object] = bytes
      return object
    }
    var indexes = Members()
    for locale in ["en", "fr"] {
      let entries = (texts[locale] ?? [:]).map { rest, text -> (String, Value) in
        var content = fields
        content["title"] = .string(text)
        return ("product/\(rest)", ["datatype": "product", "content": .dictionary(content)])
      }
      let bundle = try add(["format": 1, "bundle": "all", "entries": .dictionary(Members(entries))])
      let row: Value = [
        "object": bundle.digest.value(in: format), "size": .integer(Int64(bundle.size)),
        "count": .integer(Int64(entries.count)),
      ]
      let index = try add(["format": 1, "bundles": ["all": row], "startup": [:]])
      indexes[locale] = ["any": index.digest.value(in: format)]
    }
    let record = try add(["format": 1, "objects": files.keys.sorted { $0.key < $1.key }.rows])
    let members: Members = [
      "format": 1, "app": .string(app), "channel": "preview", "release": 0, "ttl": 600,
      "sourceLocale": "en",
      "locales": ["en": ["en"], "fr": ["fr", "en"]], "matches": [:], "devices": [:],
      "indexes": .dictionary(indexes),
      "build": record.digest.value(in: format),
      "maintenance": ["active": false, "retryAfter": 120, "payloads": [:]],
      "purge": ["sequence": 0, "minimumRelease": 0, "objects": [], "entries": []],
    ]
    let all = files
    return ReleaseContent(
      members: members, format: format, objects: all.keys.sorted { $0.key < $1.key }
    ) { object in
      guard let bytes = all[object] else {
        throw DeliveryError(.unknown, "no object \(object.key)")
      }
      return OutgoingFile(bytes: bytes, headers: object.headers)
    }
  }
}

/// What the readers of a channel see, by locale and entry.
struct ShelfView: Equatable {
  typealias Texts = [String: [String: String]]

  /// The texts for readers outside a rollout: without one, for all readers.
  var stable: Texts
  /// The texts for readers in a rollout; `nil` without one.
  var next: Texts?
  /// The limit of the rollout; `nil` without one.
  var below: Int?

  /// Returns the view after a change of a rollout or, without an `action`, after a publication to all
  /// readers; `nil` if publishers refuse the change.
  func after(
    _ action: RolloutAction?, _ shelf: Shelf, upTo below: Int = RolloutAction.half
  ) -> Self? {
    switch (action, next) {
    case (nil, nil): Self(stable: shelf.texts)
    case (.start, nil): Self(stable: stable, next: shelf.texts, below: RolloutAction.tenth)
    case (.step, let next?): Self(stable: stable, next: next, below: below)
    case (.replaceNext, .some): Self(stable: stable, next: shelf.texts, below: self.below)
    case (.finish, let next?): Self(stable: next)
    case (.abort, .some): Self(stable: stable)
    default: nil
    }
  }
}

/// The view of readers that start now: the texts of one whole release, or the defect that prevents
/// it.
struct ShelfReader {
  let place: ChannelPlace

  struct Torn: Error { var what: String }

  /// Returns the texts for readers outside a rollout; `nil` while no release is published.
  func read() throws -> ShelfView.Texts? { try view()?.stable }

  /// Returns what all readers see; `nil` while no release is published.
  func view() throws -> ShelfView? {
    guard let config = try place.target.read("\(place.channel)/config.plist") else { return nil }
    let decoded = try PropertyList.decode(Envelope.config(in: config.bytes)).value
    guard let members = decoded.members else { throw Torn(what: "no config") }
    return ShelfView(
      stable: try texts(members), next: try members.nextSide.map(texts),
      below: members.rollout?.below)
  }

  private func texts(_ side: Members) throws -> ShelfView.Texts {
    var texts: ShelfView.Texts = [:]
    for (locale, devices) in side["indexes"]?.members ?? Members() {
      let index = try object(devices["any"])
      let bundle = try object(index["bundles"]?["all"]?["object"])
      for (id, entry) in bundle["entries"]?.members ?? Members() {
        texts[locale, default: [:]][String(id.dropFirst("product/".count))] =
          entry["content"]?["title"]?.text
      }
    }
    return texts
  }

  private func object(_ hash: Value?) throws -> Value {
    guard let digest = hash?.digest else { throw Torn(what: "no hash") }
    let object = ReleaseObject(digest: digest, fileExtension: "plist", size: 0)
    guard let stored = try place.target.read(object.key) else {
      throw Torn(what: "\(object.key) is missing")
    }
    guard Digest(of: stored.bytes) == digest else {
      throw Torn(what: "\(object.key) is another")
    }
    return try PropertyList.decode(stored.bytes).value
  }
}

extension ChannelPlace {
  init(_ target: any Target, channel: String = "production") {
    self.init(target: target, channel: channel, app: "shop")
  }

  /// Returns a publisher with a stopped clock.
  func publisher(at instant: String = "2026-11-21T12:00:00Z", run: String = "run") -> Publisher {
    let now = Instant(rfc3339: instant) ?? Instant(secondsSince1970: 0)
    return Publisher(
      self,
      configHeaders: FileHeaders(
        contentType: "application/x-plist", cacheControl: "public, max-age=600"),
      now: { now }, makeRunToken: { run }, refusing: PurgeList.rule)
  }

  /// Returns every release's record, the live one first.
  func history() throws -> [ReleaseRecord] {
    var chain = try chain()
    var records: [ReleaseRecord] = []
    while let record = try chain.next() { records.append(record) }
    return records
  }

  @discardableResult
  func publish(_ shelf: Shelf, message: String? = nil, run: String = "run") throws
    -> Publisher.Outcome
  {
    try publisher(run: run).publish { _ in Draft(content: try shelf.content(), message: message) }
  }
}
