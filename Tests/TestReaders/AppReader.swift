package import ContentModel
import Hashing
import PropertyLists

/// An app that follows the rules for readers (docs/format.md).
package struct AppReader {
  package typealias Fetch = (_ key: String) throws -> [UInt8]?

  private let fetch: Fetch
  private let channel: String
  private let locale: String
  private let device: String
  /// The current time of the app's clock.
  package var now: Instant
  /// The objects on the app's disk, by hash.
  package private(set) var disk: [Digest: [UInt8]] = [:]
  /// The config in use, whose objects are all on the disk.
  private var shown: Value?
  /// The highest release seen.
  private var release = 0
  private var sequence = 0
  /// The entries that a purge hides until their replacement is on the disk.
  private var hidden: Set<String> = []
  private var isBlank = false

  /// Creates a reader with an empty disk.
  ///
  /// `fetch` returns a file's bytes, or `nil` for 403, 404 and 410, and throws if no server
  /// answers.
  package init(
    channel: String, locale: String, device: String = "any",
    now: Instant = Instant(secondsSince1970: 1_800_000_000),
    fetch: @escaping Fetch
  ) {
    (self.channel, self.locale, self.device, self.now, self.fetch) = (
      channel, locale, device, now, fetch
    )
  }

  /// The visible content by entry id.
  package var screen: [String: Value] {
    guard !isBlank, let shown, let index = try? index(of: shown) else { return [:] }
    var entries: [String: Value] = [:]
    for (_, hash) in (try? bundles(of: index)) ?? [] {
      guard let bundle = disk[hash].flatMap({ try? PropertyList.decode($0).value }) else {
        continue
      }
      for (id, entry) in bundle.dictionary["entries"]?.dictionary ?? Members()
      where !hidden.contains(id) && entry.isCurrent(now) {
        entries["\(id)"] = entry.dictionary["content"]?.shown(at: now)
      }
    }
    return entries
  }

  /// The release in use.
  package var shownRelease: Int { shown.flatMap { $0.dictionary["release"]?.int } ?? 0 }

  /// Fetches config and its objects; returns `true` if the app now uses this config.
  package mutating func refresh() throws -> Bool {
    guard let bytes = try fetch("\(channel)/config.plist") else { return false }
    let config = try PropertyList.decode(bytes).value
    let number = config.dictionary["release"]?.int ?? 0
    if number < release { return false }
    release = number
    hidePurgedEntries(config)
    do {
      try load(config)
    } catch is Missing {
      return false
    }
    shown = config
    if sequence < config.purgeSequence { try discardStaleObjects(by: config) }
    (hidden, isBlank) = ([], false)
    return true
  }

  private struct Missing: Error {}

  /// Hides the entries of a purge at once.
  private mutating func hidePurgedEntries(_ config: Value) {
    guard config.purgeSequence > sequence, let purge = config.dictionary["purge"] else { return }
    hidden.formUnion((purge.dictionary["entries"]?.list ?? []).compactMap(\.string))
    if shownRelease < purge.dictionary["minimumRelease"]?.int ?? 0 { isBlank = true }
  }

  private mutating func load(_ config: Value) throws {
    guard let digest = digest(of: config) else { throw Missing() }
    let index = try PropertyList.decode(try object(digest)).value
    for (_, hash) in try bundles(of: index) { _ = try object(hash) }
  }

  /// Removes the objects that the new index does not reach or that a purge names.
  private mutating func discardStaleObjects(by config: Value) throws {
    guard let digest = digest(of: config) else { return }
    let index = try index(of: config)
    var reached: Set<Digest> = [digest]
    reached.formUnion(try bundles(of: index).map(\.hash))
    reached.formUnion(lists(of: index).map(\.hash))
    reached.subtract(
      (config.dictionary["purge"]?.dictionary["objects"]?.list ?? []).compactMap(\.digest))
    disk = disk.filter { reached.contains($0.key) }
    sequence = config.purgeSequence
  }

  // MARK: Following names

  private func digest(of config: Value) -> Digest? {
    config.dictionary["indexes"]?.dictionary[locale]?.dictionary[device]?.digest
  }

  private func index(of config: Value) throws -> Value {
    guard let bytes = digest(of: config).flatMap({ disk[$0] }) else { throw Missing() }
    return try PropertyList.decode(bytes).value
  }

  private func lists(of index: Value) -> [(name: String, hash: Digest)] {
    (index.dictionary["bundles"]?.dictionary ?? Members()).compactMap { name, row in
      row.dictionary["list"]?.digest.map { (name, $0) }
    }
  }

  private func bundles(of index: Value) throws -> [(name: String, hash: Digest)] {
    var bundles: [(String, Digest)] = []
    for (name, row) in index.dictionary["bundles"]?.dictionary ?? Members() {
      if let hash = row.dictionary["object"]?.digest { bundles.append((name, hash)) }
      guard let list = row.dictionary["list"]?.digest, let bytes = disk[list] else { continue }
      for (rest, row) in try PropertyList.decode(bytes).value.dictionary["entries"]?.dictionary
        ?? Members()
      {
        if let hash = row.dictionary["object"]?.digest { bundles.append(("\(name)/\(rest)", hash)) }
      }
    }
    return bundles
  }

  /// Returns an object from the disk or from the server; stores it only if its hash is correct.
  private mutating func object(_ digest: Digest) throws -> [UInt8] {
    if let bytes = disk[digest] { return bytes }
    guard let bytes = try fetch("objects/\(digest.hex.prefix(2))/\(digest.hex).plist"),
      Digest(of: bytes) == digest
    else { throw Missing() }
    disk[digest] = bytes
    let index = try PropertyList.decode(bytes).value
    for (_, list) in lists(of: index) { _ = try object(list) }
    return bytes
  }
}

extension Value {
  fileprivate var dictionary: Members {
    if case .dictionary(let members) = self { members } else { Members() }
  }
  fileprivate var list: [Value] { if case .array(let items) = self { items } else { [] } }
  fileprivate var string: String? { if case .string(let text) = self { text } else { nil } }
  fileprivate var int: Int? { if case .integer(let number) = self { Int(number) } else { nil } }
  fileprivate var digest: Digest? {
    if case .data(let bytes) = self { Digest(bytes: bytes) } else { nil }
  }
  fileprivate var purgeSequence: Int { dictionary["purge"]?.dictionary["sequence"]?.int ?? 0 }
}

extension Value {
  private var instant: Instant? { if case .date(let instant) = self { instant } else { nil } }

  /// Returns the value without list items outside their dates.
  fileprivate func shown(at now: Instant) -> Value {
    switch self {
    case .dictionary(let members):
      .dictionary(Members(members.map { ($0.key, $0.value.shown(at: now)) }))
    case .array(let items):
      .array(
        items.filter { $0.dictionary["when"]?.isCurrent(now) ?? true }.map { $0.shown(at: now) })
    default: self
    }
  }

  /// Returns `true` if an instant is within the dates of an entry or of an item's `when`.
  fileprivate func isCurrent(_ now: Instant) -> Bool {
    let (from, until) = (dictionary["from"]?.instant, dictionary["until"]?.instant)
    return from.map { $0 <= now } ?? true && until.map { now < $0 } ?? true
  }
}
