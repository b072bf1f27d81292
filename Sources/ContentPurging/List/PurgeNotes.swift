import ContentModel
import ContentReleases
import ContentSource
import ContentTargets
import PropertyLists

/// The content of a note: a binary property list with `format` 2.
protocol NoteContent: Hashable, Sendable {
  /// The members of the property list, without `format`.
  var members: Members { get }

  /// Reads the members; `nil` if one is missing or damaged.
  init?(_ value: Value)
}

extension NoteContent {
  /// The file, which no cache may store.
  var file: OutgoingFile { get throws { try NoteFormat.file(members) } }

  /// Reads a note, whose location is for messages; `nil` if the bytes are no such note, or damaged.
  ///
  /// - Throws: `DeliveryError` for a note of a newer version.
  static func read(_ bytes: [UInt8], at location: String) throws(DeliveryError) -> Self? {
    try NoteFormat.value(in: bytes, at: location).flatMap(Self.init)
  }
}

/// The format of notes and of the files that take numbers.
enum NoteFormat {
  static let number = 2

  static func file(_ members: Members) throws -> OutgoingFile {
    var members = members
    members["format"] = .integer(Int64(number))
    return OutgoingFile(
      bytes: try PropertyList.encode(.dictionary(members), as: .binary),
      headers: FileHeaders(contentType: .contentType(of: "plist"), cacheControl: "no-store"))
  }

  /// Returns the file that takes a number: always the same bytes for one number.
  ///
  /// A contentc that knows only format 1 reads only such a file, and then refuses to publish.
  static func numberFile(_ number: Int) throws -> OutgoingFile {
    try file(["sequence": .integer(Int64(number)), "record": .data([])])
  }

  /// Returns the members of a file; `nil` for a damaged file, and for another format.
  ///
  /// - Throws: `DeliveryError` for a newer format.
  static func value(in bytes: [UInt8], at location: String) throws(DeliveryError) -> Value? {
    guard let value = try? PropertyList.decode(bytes).value, let format = value["format"]?.number
    else { return nil }
    if let newer = DeliveryError(newer: value["format"], above: number, at: location) {
      throw newer
    }
    return format == number ? value : nil
  }
}

/// The note `live`: readers got config with the purge.
struct LiveNote: NoteContent {
  /// The bytes of the signed config file; `nil` in an unsigned channel.
  var config: [UInt8]?

  var members: Members { config.map { ["config": .data($0)] } ?? [:] }
}

/// The note `copies-<hash of the file>`: the objects that may be removed.
struct CopiesNote: NoteContent {
  var objects: [ReleaseObject]

  // Publishers read these rows if the lock of a removal names the file.
  var members: Members { ["objects": objects.rows] }
}

/// The note `cache-<name>-<hash>`: a cache confirmed the last purge of config and of all objects.
struct CacheNote: NoteContent {
  var cache: CacheName
  var issued: Instant
  /// The names of the `copies-` notes whose objects the cache has purged.
  var copies: [PurgeNote]

  var members: Members {
    ["cache": .string(cache.rawValue), "issued": .date(issued), "copies": copies.value]
  }
}

/// The note `done-<hash>`: every step of the purge was seen to be done.
struct DoneNote: NoteContent {
  var issued: Instant
  /// The names of all `copies-` notes.
  var copies: [PurgeNote]
  /// The names of the caches that confirmed the purge.
  var caches: [String]
  /// The names of the caches that were out of service.
  var without: [String]
  /// The longest time for which each layer may show old content, in order.
  var bound: [Bound]
  /// The URLs that caches were asked to purge, config first.
  var urls: [String]
  /// The cache keys that caches were asked to purge.
  var keys: [String]
  /// The hashes of the objects in `copies` that stay, because a live release shows them.
  var kept: [Digest]

  struct Bound: Hashable {
    var layer: String
    /// From 0 to 2^31 - 1.
    var seconds: Int
  }

  var members: Members {
    [
      "issued": .date(issued), "copies": copies.value, "caches": caches.value,
      "without": without.value, "urls": urls.value, "keys": keys.value,
      "kept": .array(kept.map { .data($0.bytes) }),
      "bound": .array(
        bound.map { ["layer": .string($0.layer), "seconds": .integer(Int64($0.seconds))] }),
    ]
  }
}

/// The note `lost`: a publisher accepted that `begun` is lost.
struct LostNote: NoteContent {
  var issued: Instant
  /// The name of the publisher, if it was recorded.
  var by: String?
  /// The number of the release that was published then.
  var release: Int
  /// The bytes of that release's signed config file; `nil` in an unsigned channel.
  var config: [UInt8]?

  var members: Members {
    var members: Members = ["issued": .date(issued), "release": .integer(Int64(release))]
    members["by"] = by.map(Value.string)
    members["config"] = config.map(Value.data)
    return members
  }
}

extension LiveNote {
  init?(_ value: Value) { self.init(config: value["config"]?.bytes) }
}

extension CopiesNote {
  init?(_ value: Value) {
    guard let objects = ReleaseObject.readAll(value["objects"]) else { return nil }
    self.init(objects: objects)
  }
}

extension CacheNote {
  init?(_ value: Value) {
    guard let cache = value["cache"]?.text.flatMap(CacheName.init),
      let issued = value["issued"]?.instant, let copies = value["copies"]?.noteNames
    else { return nil }
    self.init(cache: cache, issued: issued, copies: copies)
  }
}

extension DoneNote {
  init?(_ value: Value) {
    let bound = value["bound"]?.all { row in
      row["layer"]?.text.flatMap { layer in
        row["seconds"]?.seconds.map { Bound(layer: layer, seconds: $0) }
      }
    }
    guard let issued = value["issued"]?.instant, let copies = value["copies"]?.noteNames,
      let caches = value["caches"]?.all(\.text), let without = value["without"]?.all(\.text),
      let bound, let urls = value["urls"]?.all(\.text), let keys = value["keys"]?.all(\.text),
      let kept = value["kept"]?.all(\.digest)
    else { return nil }
    self.init(
      issued: issued, copies: copies, caches: caches, without: without, bound: bound, urls: urls,
      keys: keys, kept: kept)
  }
}

extension LostNote {
  init?(_ value: Value) {
    guard let issued = value["issued"]?.instant, let release = value["release"]?.number,
      LiveRelease.numbers.contains(release)
    else { return nil }
    self.init(
      issued: issued, by: value["by"]?.text, release: release, config: value["config"]?.bytes)
  }
}

extension PurgeNote {
  /// Returns whether bytes have the hash that the name of the note, or of its folder, says; `true` for
  /// notes whose names do not say the hash of the bytes.
  func fits(_ bytes: [UInt8], in folder: PurgeFolder) -> Bool {
    switch self {
    case .begun: Digest(of: bytes).shortHex == folder.digits
    case .copies(let hash): Digest(of: bytes).shortHex == hash
    case .live, .cache, .done, .lost: true
    }
  }

  /// Returns the name of the note that a purge is done, which names all of its `copies-` notes.
  static func done(naming copies: some Sequence<PurgeNote>) -> PurgeNote {
    let names = copies.map(\.name).sorted().joined(separator: "\n")
    return .done(Digest(of: Array(names.utf8)).shortHex)
  }

  /// Returns the name of the note that a cache with its present settings confirmed a purge.
  ///
  /// - Throws: The error of encoding the settings.
  static func cache(_ layer: CacheLayer, after copies: some Sequence<PurgeNote>) throws -> PurgeNote
  {
    let facts: Value = [
      "name": .string(layer.name.rawValue), "copies": copies.map(\.name).sorted().value,
      "settings": .dictionary(Members(layer.settings.map { ($0, $1.value) })),
    ]
    return .cache(layer.name, Digest(of: try PropertyList.encode(facts, as: .binary)).shortHex)
  }
}

extension Value {
  /// Returns the parsed items of an array; `nil` for another value, or if an item cannot be parsed.
  func all<Item>(_ parse: (Value) -> Item?) -> [Item]? {
    guard let items else { return nil }
    let parsed = items.compactMap(parse)
    return parsed.count == items.count ? parsed : nil
  }

  fileprivate var bytes: [UInt8]? { if case .data(let bytes) = self { bytes } else { nil } }

  fileprivate var noteNames: [PurgeNote]? { all { $0.text.flatMap { PurgeNote($0[...].utf8) } } }
}

extension [String] {
  fileprivate var value: Value { .array(map(Value.string)) }
}

extension [PurgeNote] {
  fileprivate var value: Value { map(\.name).value }
}
