package import ContentModel
import ContentTargets
import PropertyLists
import SiteFormat
import Synchronization
import System

/// Reads the objects of a release, each of them once; several threads may call it.
///
/// A class, since it caches what it has read.
package final class ReleaseReader: Sendable {
  package let content: ReleaseContent
  private let objects: [Digest: ReleaseObject]
  private let read = Mutex<[Digest: Value]>([:])
  private let fetched = Mutex<(bytes: [Digest: [UInt8]], size: Int)>(([:], 0))
  private let limit: Int
  /// The most bytes of objects in memory: a purge reads bundles twice, and answers of a distant
  /// target take long.
  private static let cacheLimit = 64 << 20

  /// The combinations of locale and device of the release, in order.
  ///
  /// In a rollout, the next content has contexts of its own if their readers get another index.
  package let contexts: [ReleaseContext]
  private let indexes: [ReleaseContext: Digest]

  /// Creates a reader of at most `limit` objects: reading another one throws `ReleaseDiff.TooMuch`.
  package init(_ content: ReleaseContent, limit: Int = .max) {
    (self.content, self.limit) = (content, limit)
    objects = Dictionary(content.objects.map { ($0.digest, $0) }) { first, _ in first }
    var indexes = Self.indexes(of: content.members, isNext: false)
    if let next = content.members.nextSide {
      for (context, hash) in Self.indexes(of: next, isNext: true)
      where indexes[context.stable] != hash {
        indexes[context] = hash
      }
    }
    self.indexes = indexes
    contexts = indexes.keys.sorted()
  }

  private static func indexes(of side: Members, isNext: Bool) -> [ReleaseContext: Digest] {
    var indexes: [ReleaseContext: Digest] = [:]
    for (locale, devices) in side["indexes"]?.members ?? Members() {
      for (device, hash) in devices.members ?? Members() {
        indexes[ReleaseContext(locale: locale, device: device, isNext: isNext)] = hash.digest
      }
    }
    return indexes
  }

  /// Returns the hash of the index that a context's reader loads first.
  ///
  /// In a rollout, the next content may share the index of the stable one.
  package func index(of context: ReleaseContext) -> Digest? {
    indexes[context] ?? (context.isNext ? indexes[context.stable] : nil)
  }

  /// Returns an object of the release; `nil` for others.
  package func object(_ digest: Digest) -> ReleaseObject? { objects[digest] }

  /// Returns the value of an index, list, bundle, or part of the build record.
  ///
  /// - Throws: `DeliveryError` for an object that is not in the release, cannot be read, or is of a
  ///   newer version; `TargetError`; `ReleaseDiff.TooMuch`.
  package func value(of digest: Digest) throws -> Value {
    let (known, count) = read.withLock { ($0[digest], $0.count) }
    if let known { return known }
    if count >= limit { throw ReleaseDiff.TooMuch() }
    let value = try decoded(try bytes(of: digest), of: digest).value
    read.withLock { $0[digest] = value }
    return value
  }

  /// Returns the bytes of an object.
  ///
  /// - Throws: `DeliveryError`, of the kind `missing` for an object that the target lacks, or has with
  ///   other bytes; `TargetError`.
  package func bytes(of digest: Digest) throws -> [UInt8] {
    if let known = fetched.withLock({ $0.bytes[digest] }) { return known }
    guard let object = objects[digest] else {
      throw DeliveryError(.refused, "object \(digest.hex) is named, but no part of its release")
    }
    let bytes = try content.file(object).body.bytes
    fetched.withLock { fetched in
      guard fetched.size + bytes.count <= Self.cacheLimit else { return }
      if fetched.bytes.updateValue(bytes, forKey: digest) == nil { fetched.size += bytes.count }
    }
    return bytes
  }

  /// Reads the indexes and lists of some contexts, several at a time, so that `rows` need not wait
  /// for each of them.
  ///
  /// - Throws: the errors of `value(of:)`.
  package func load(_ contexts: [ReleaseContext]) throws {
    let indexes = Set(contexts.compactMap(index)).sorted()
    let lists = try values(of: indexes).flatMap { index in
      (index["bundles"]?.members ?? Members()).compactMap { BundleParts($1)?.digest }
    }
    _ = try values(of: Set(lists).sorted())
  }

  /// Returns the values of some objects, which it reads several at a time.
  ///
  /// - Throws: the errors of `value(of:)`.
  package func values(of digests: [Digest]) throws -> [Value] {
    try digests.mapOverlapped(atOnce: content.readsAtOnce) { [self] in try value(of: $0) }
  }

  /// Returns the value in the bytes of an object, and its format.
  ///
  /// - Throws: `DeliveryError`, which names the object, if the bytes are no property list, or of a
  ///   newer version.
  package func decoded(
    _ bytes: [UInt8], of digest: Digest
  ) throws -> (value: Value, format: PropertyListFormat) {
    guard let (value, format) = try? PropertyList.decode(bytes) else {
      throw DeliveryError(.refused, "object \(digest.hex) cannot be read")
    }
    let newer = DeliveryError(
      newer: value["format"], above: Document.newest, at: "object \(digest.hex)")
    if let newer { throw newer }
    return (value, format)
  }

  /// Returns the bundles that a context's reader can load, by the names of bundles.
  package func rows(_ context: ReleaseContext) throws -> [ReleasedBundle] {
    guard let index = index(of: context) else { return [] }
    return try (try value(of: index)["bundles"]?.members ?? Members()).flatMap {
      name, row -> [ReleasedBundle] in
      guard let parts = BundleParts(row) else { return ReleasedBundle.all(in: row, of: name) }
      return parts.rows(in: try value(of: parts.digest)).flatMap { key, row in
        ReleasedBundle.all(in: row, of: parts.name(of: key, in: name))
      }
    }
  }

  /// Returns the entries of a bundle, by id.
  package func entries(of bundle: Digest) throws -> Members {
    try value(of: bundle)["entries"]?.members ?? Members()
  }

  /// Returns the dates in all bundles, in order.
  package func dates() throws -> [Instant] {
    let bundles = try contexts.reduce(into: Set<Digest>()) {
      $0.formUnion(try rows($1).map(\.object))
    }
    return Set(try values(of: bundles.sorted()).flatMap(\.datesOfBundle)).sorted()
  }

  /// Returns all that readers reach, and what tools know of it: indexes, lists, bundles, assets,
  /// maintenance texts, and the build record with its parts.
  ///
  /// - Throws: `DeliveryError` for an object that is missing or cannot be read; `TargetError`.
  func reached() throws -> Set<Digest> {
    try load(contexts)
    var reached = MaintenanceSwitch.objects(of: content.members["maintenance"])
    for index in Set(contexts.compactMap(index)).sorted() {
      reached.formUnion(try Self.reached(from: index, value: value))
    }
    reached.formUnion(try recordObjects())
    let parts = try values(of: builds.flatMap { try entryParts(of: $0).values.sorted() })
    for (_, holders) in parts.flatMap({ $0["entries"]?.members ?? Members() }) {
      reached.formUnion((holders.items ?? []).compactMap(\.digest))
    }
    return reached
  }

  /// Returns an index, and all bundles, recipes and lists that it names.
  ///
  /// `value` reads the index and the lists.
  package static func reached(
    from index: Digest, value: (Digest) throws -> Value
  ) throws -> Set<Digest> {
    var reached: Set = [index]
    for (_, row) in try value(index)["bundles"]?.members ?? Members() {
      guard let parts = BundleParts(row) else {
        reached.formUnion(ReleasedBundle.objects(in: row))
        continue
      }
      // Lists are often shared.
      reached.insert(parts.digest)
      for (_, row) in parts.rows(in: try value(parts.digest)) {
        reached.formUnion(ReleasedBundle.objects(in: row))
      }
    }
    return reached
  }

  /// Returns the build records and their parts, which no app fetches.
  func recordObjects() throws -> [Digest] {
    try builds.filter { objects[$0] != nil }.flatMap { build in
      let record = try value(of: build)
      return [build] + (record["entries"]?.digests ?? []) + (record["sources"]?.digests ?? [])
    }
  }

  /// Returns the objects that show an entry, and its assets, according to the build record; `nil`
  /// if it lacks the entry's datatype.
  package func holders(of entry: String) throws -> Set<Digest>? {
    let halves = entry.split(separator: "/", maxSplits: 1).map(String.init)
    guard halves.count == 2 else { return nil }
    let parts = try builds.compactMap { try entryParts(of: $0)[halves[0]] }
    if parts.isEmpty { return nil }
    return try parts.reduce(into: []) { holders, part in
      holders.formUnion(
        (try value(of: part)["entries"]?[halves[1]]?.items ?? []).compactMap(\.digest))
    }
  }

  /// Returns the ids of all entries that readers see.
  package func ids() throws -> [String] {
    let ids = try builds.map { build in
      let parts = try entryParts(of: build).sorted { $0.key.precedesInBytes($1.key) }
      return zip(parts.map(\.key), try values(of: parts.map(\.value))).flatMap { datatype, part in
        (part["entries"]?.members ?? Members()).map { "\(datatype)/\($0.key)" }
      }
    }
    return ids.count == 1 ? ids[0] : Set(names: ids.joined()).names
  }

  /// The build records of the release that its target has: one, or two in a rollout.
  package var builds: [Digest] {
    let sides = [content.members, content.members.nextSide].compactMap(\.self)
    let builds = sides.compactMap { $0["build"]?.digest }
    return Set(builds).count == 1 ? [builds[0]] : builds
  }

  /// Returns the parts of a build record about entries, one for each datatype.
  ///
  /// A part lists the objects that show each entry.
  func entryParts(of build: Digest) throws -> [String: Digest] {
    guard objects[build] != nil, let parts = try value(of: build)["entries"]?.members else {
      return [:]
    }
    return Dictionary(parts.compactMap { name, part in part.digest.map { (name, $0) } }) {
      first, _ in first
    }
  }
}

/// A locale and a device, whose readers a release shows the same content.
package struct ReleaseContext: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var locale: String
  package var device: String
  /// `true` for the readers who get the next content of a rollout.
  package var isNext: Bool

  package init(locale: String, device: String, isNext: Bool = false) {
    (self.locale, self.device, self.isNext) = (locale, device, isNext)
  }

  /// Reads the text that `description` returned.
  package init?(_ text: String) {
    let isNext = text.hasSuffix(Self.nextMark)
    let halves = text.dropLast(isNext ? Self.nextMark.count : 0).split(separator: "/")
      .map(String.init)
    guard halves.count == 2 else { return nil }
    self.init(locale: halves[0], device: halves[1], isNext: isNext)
  }

  private static let nextMark = " (next)"

  /// The locale and the device, such as `fr-CA/ipad`; `fr-CA/ipad (next)` for the readers of the next
  /// content.
  package var description: String { "\(locale)/\(device)\(isNext ? Self.nextMark : "")" }

  /// The context of the same locale and device for readers of the stable content.
  package var stable: Self { Self(locale: locale, device: device) }
  /// The context of the same locale and device for readers of the next content.
  package var next: Self { Self(locale: locale, device: device, isNext: true) }

  package static func < (a: Self, b: Self) -> Bool { a.description.precedesInBytes(b.description) }
}

/// A variant of a bundle for the readers of a country or version.
package struct ReleasedBundle: Hashable, Sendable {
  /// The bundle's name; for a split bundle, it ends with the entry's name.
  package var bundle: String
  /// The country and versions, such as `FR` or `>=2.0 <3.0`; empty for all other readers.
  package var variant: String
  package var object: Digest

  package static func all(in row: Value, of bundle: String) -> [ReleasedBundle] {
    let own = row["object"]?.digest.map { ReleasedBundle(bundle: bundle, variant: "", object: $0) }
    let variants = (row["variants"]?.items ?? []).compactMap { variant in
      variant["object"]?.digest.map {
        ReleasedBundle(bundle: bundle, variant: name(of: variant), object: $0)
      }
    }
    return (own.map { [$0] } ?? []) + variants
  }

  /// Returns the bundles and recipes of a row.
  package static func objects(in row: Value) -> [Digest] {
    ([row] + (row["variants"]?.items ?? [])).flatMap { version in
      [version["object"]?.digest, recipe(in: version)].compactMap(\.self)
    }
  }

  /// Returns the recipe of a row or of a variant.
  static func recipe(in version: Value) -> Digest? { version["text"]?["object"]?.digest }

  /// Returns a text that identifies a variant within its bundle.
  package static func name(of variant: Value) -> String {
    let (country, from, before) = (
      variant["country"]?.text, variant["from"]?.text, variant["before"]?.text
    )
    return [country, from.map { ">=\($0)" }, before.map { "<\($0)" }].compactMap(\.self).joined(
      separator: " ")
  }
}

extension Value {
  /// The dates of a bundle's entries.
  package var datesOfBundle: [Instant] {
    (self["entries"]?.members ?? Members()).flatMap { $0.value.datesOfEntry }
  }

  /// The dates of an entry, and of the items of its lists.
  fileprivate var datesOfEntry: [Instant] {
    [self["from"]?.instant, self["until"]?.instant].compactMap(\.self)
      + (self["content"]?.datesOfItems ?? [])
  }

  private var datesOfItems: [Instant] {
    switch self {
    case .dictionary(let members): members.flatMap { $0.value.datesOfItems }
    case .array(let items):
      items.flatMap { item in
        let when = item["when"]
        return [when?["from"]?.instant, when?["until"]?.instant].compactMap(\.self)
          + item.datesOfItems
      }
    default: []
    }
  }
}
