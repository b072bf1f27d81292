import ContentTargets
import Parallel
package import ContentModel
import Platform
import PropertyLists
import Synchronization

/// Reads what readers of a release get, each object once; several threads may ask.
///
/// A class, since what was read is kept for the next question.
package final class ReleaseReader: Sendable {
  package let content: ReleaseContent
  private let objects: [Digest: ReleaseObject]
  private let read = Mutex<[Digest: Value]>([:])
  private let limit: Int

  /// The readers that a release makes a difference for, in order: its locales and devices.
  package let contexts: [ReleaseContext]
  private let indexes: [ReleaseContext: Digest]

  /// A reader of at most so many objects: who asks for another gets `ReleaseDiff.TooMuch`.
  package init(_ content: ReleaseContent, limit: Int = .max) {
    (self.content, self.limit) = (content, limit)
    objects = Dictionary(content.objects.map { ($0.digest, $0) }) { first, _ in first }
    var indexes: [ReleaseContext: Digest] = [:]
    for (locale, devices) in content.members["indexes"]?.members ?? Members() {
      for (device, hash) in devices.members ?? Members() {
        indexes[ReleaseContext(locale: locale, device: device)] = hash.digest
      }
    }
    self.indexes = indexes
    contexts = indexes.keys.sorted()
  }

  /// The hash of what a context's reader loads first.
  package func index(of context: ReleaseContext) -> Digest? { indexes[context] }

  /// Returns an object of the release; `nil` for others.
  package func object(_ digest: Digest) -> ReleaseObject? { objects[digest] }

  /// An object that is a property list.
  ///
  /// - Throws: `DeliveryError` for an object that is not in the release or cannot be read;
  ///   `TargetError`; `ReleaseDiff.TooMuch`.
  ///   `ReleaseDiff.TooMuch`.
  package func value(of digest: Digest) throws -> Value {
    let (known, count) = read.withLock { ($0[digest], $0.count) }
    if let known { return known }
    if count >= limit { throw ReleaseDiff.TooMuch() }
    let value = try decoded(try bytes(of: digest), digest).value
    read.withLock { $0[digest] = value }
    return value
  }

  /// The bytes of an object, which are not kept.
  package func bytes(of digest: Digest) throws -> [UInt8] {
    guard let object = objects[digest] else {
      throw DeliveryError(.refused, "object \(digest.hex) is named, but no part of its release")
    }
    return try content.file(object).body.bytes
  }

  /// Returns the value in an object's bytes, and its format.
  package func decoded(_ bytes: [UInt8], _ digest: Digest) throws -> (
    value: Value, format: PropertyListFormat
  ) {
    guard let (value, format) = try? PropertyList.decode(bytes) else {
      throw DeliveryError(.refused, "object \(digest.hex) cannot be read")
    }
    return (value, format)
  }

  /// Returns the bundles that a context's reader can load, by the names of bundles.
  package func rows(_ context: ReleaseContext) throws -> [ReleasedBundle] {
    guard let index = indexes[context] else { return [] }
    return try (try value(of: index)["bundles"]?.members ?? Members()).flatMap {
      name, row -> [ReleasedBundle] in
      guard let list = row["list"]?.digest else { return ReleasedBundle.all(in: row, of: name) }
      let entries = try value(of: list)["entries"]?.members ?? Members()
      return entries.flatMap { rest, row in ReleasedBundle.all(in: row, of: "\(name)/\(rest)") }
    }
  }

  /// The entries of a bundle, by id.
  package func entries(of bundle: Digest) throws -> Members {
    try value(of: bundle)["entries"]?.members ?? Members()
  }

  /// Every date in the bundles, in order: readers apply them.
  package func dates() throws -> [Instant] {
    let bundles = try contexts.reduce(into: Set<Digest>()) {
      $0.formUnion(try rows($1).map(\.object))
    }
    let found = try bundles.sorted().mapOverlapped { [self] bundle in
      try value(of: bundle).datesOfBundle
    }
    return Set(found.joined()).sorted()
  }

  /// The objects that show an entry, and its assets, as the build has noted them; `nil` if it has
  /// not.
  package func holders(of entry: String) throws -> Set<Digest>? {
    let halves = entry.split(separator: "/", maxSplits: 1).map(String.init)
    guard halves.count == 2, let part = try entryParts()[halves[0]] else { return nil }
    return Set((try value(of: part)["entries"]?[halves[1]]?.items ?? []).compactMap(\.digest))
  }

  /// The ids of all entries that readers see.
  package func ids() throws -> [String] {
    try entryParts().sorted { $0.key.precedesInBytes($1.key) }.flatMap { datatype, part in
      (try value(of: part)["entries"]?.members ?? Members()).map { "\(datatype)/\($0.key)" }
    }
  }

  /// By datatype: the object that says which objects show its entries.
  func entryParts() throws -> [String: Digest] {  // String keys: datatype names are ASCII
    guard let build = content.members["build"]?.digest, objects[build] != nil,
      let parts = try value(of: build)["entries"]?.members
    else { return [:] }
    return Dictionary(parts.compactMap { name, part in part.digest.map { (name, $0) } }) {
      first, _ in first
    }
  }
}

/// A group of readers to whom a release shows the same: those of a locale and a device.
package struct ReleaseContext: Hashable, Comparable, Sendable, CustomStringConvertible {
  package var locale: String
  package var device: String

  package init(locale: String, device: String) { (self.locale, self.device) = (locale, device) }

  /// As in `fr-CA/ipad`.
  package var description: String { "\(locale)/\(device)" }

  package static func < (a: Self, b: Self) -> Bool { a.description.precedesInBytes(b.description) }
}

/// One of the objects that a bundle can be, by the reader's country and version.
package struct ReleasedBundle: Hashable, Sendable {
  /// The bundle's name; of a split one, with the entry's.
  package var bundle: String
  /// As in `FR` or `2.0 <3.0`; empty for what all others get.
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
