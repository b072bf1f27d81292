import ContentModel
import PropertyLists
import SiteFormat

/// A bundle whose entries are read on access.
///
/// A class, since many entries refer to it.
final class OpenBundle: Sendable {
  let name: BundleName
  /// The format of the bundle's file.
  let format: PropertyListFormat
  /// The seconds for which an entry without its own ttl is shown offline.
  let ttl: Int?
  /// The fact that a later version of contentc wrote the bundle; `nil` for every other bundle.
  let newerFormat: NewerFormat?
  /// The ids in display order, each once.
  let order: [EntryID]
  private let entries: BinaryPropertyList.Node?
  private let times = Locked(Times())
  private let longest = Locked<Double??>(nil)
  /// All entries, if the bundle's keys are unsorted; empty if they are sorted.
  ///
  /// `nil` until the first binary search that finds nothing.
  private let unsorted = Locked<[EntryID: BinaryPropertyList.Node]?>(nil)

  init(_ name: BundleName, in document: Document, row: BundleRow) {
    (self.name, format, ttl) = (name, document.format, row.ttl)
    newerFormat = document.newerFormat
    entries = document.root.member("entries")
    let list = document.root.member("order").flatMap { $0.kind == .array ? $0 : nil }
    var (ids, seen, textCount): ([EntryID], Set<EntryID>, Int) = ([], [], 0)
    // Many items of a hostile file can be one long text, so each text is kept once.
    for item in list?.salvagedItems ?? [] {
      guard let text = (try? item.string) ?? nil else { continue }
      textCount += 1
      if let id = EntryID(text), seen.insert(id).inserted { ids.append(id) }
    }
    // Without a readable order, the entries are shown in the order of their keys.
    if list.map({ textCount < $0.count }) ?? true {
      ids += Self.keys(of: entries).compactMap { EntryID($0) }
        .filter { seen.insert($0).inserted }
    }
    order = ids
  }

  private static func keys(of entries: BinaryPropertyList.Node?) -> [String] {
    entries?.salvagedMembers.map(\.key) ?? []
  }

  /// The ids of all entries, in the file's order.
  var ids: [EntryID] { Self.keys(of: entries).compactMap { EntryID($0) } }

  /// `true` if entries can be read in it.
  var isReadable: Bool { newerFormat == nil && entries?.kind == .dictionary }

  /// The ids of the entries of which a part cannot be decoded, in display order.
  var unreadable: [EntryID] {
    let malformed = entries?.malformedValues ?? []
    // Many entries of a hostile file can be one object.
    var haveContent: [Int: Bool] = [:]
    return order.filter { id in
      guard let entry = entry(id), !malformed.contains(entry.node.number) else { return true }
      let number = entry.node.number
      let hasContent = haveContent[number] ?? (entry.content?.kind == .dictionary)
      haveContent[number] = hasContent
      return !hasContent
    }
  }

  /// Returns an entry; `nil` if the bundle has none of this id.
  func entry(_ id: EntryID) -> EntryNode? {
    node(of: id).map { EntryNode(id: id, node: $0, bundle: self) }
  }

  private func node(of id: EntryID) -> BinaryPropertyList.Node? {
    guard let entries else { return nil }
    if let found = try? entries.sortedMember(id.text) { return found }
    // A search that meets a malformed key, or keys that are not sorted, reads all keys, which many
    // entries must not repeat.
    return unsorted.withLock { known in
      if let known { return known[id] }
      let found = entries.hasSortedKeys ? [:] : Self.salvagedEntries(of: entries)
      known = found
      return found[id]
    }
  }

  private static func salvagedEntries(
    of entries: BinaryPropertyList.Node
  ) -> [EntryID: BinaryPropertyList.Node] {
    var found: [EntryID: BinaryPropertyList.Node] = [:]
    for (key, node) in entries.salvagedMembers {
      if let id = EntryID(key), found[id] == nil { found[id] = node }
    }
    return found
  }

  /// The entries in display order, also those that are not shown now.
  var all: [EntryNode] { order.compactMap { entry($0) } }

  /// The moments at which entries or their list items appear and disappear, sorted.
  var dates: [Instant] { times.withLock { $0.found(in: self).dates } }

  /// The seconds after a check for which entries are shown, sorted.
  var lifetimes: [Int] { times.withLock { $0.found(in: self).lifetimes } }

  /// The seconds after a check for which at least one entry is shown, whatever its dates are; `nil`
  /// without entries.
  var longestLifetime: Double? {
    longest.withLock { known in
      if let known { return known }
      let found = findLongestLifetime()
      known = .some(found)
      return found
    }
  }

  private func findLongestLifetime() -> Double? {
    let own = ttl.map(Double.init) ?? .infinity
    guard entries?.mayHaveKey(in: ["ttl"]) ?? false else { return order.isEmpty ? nil : own }
    var longest: Double?
    for entry in all {
      longest = max(longest ?? 0, entry.ttl.map(Double.init) ?? .infinity)
      if longest == .infinity { break }
    }
    return longest
  }

  /// When entries appear and disappear, found at the first question.
  private struct Times: Sendable {
    var dates: [Instant] = []
    var lifetimes: [Int] = []
    var isKnown = false

    /// The keys of dates and lifetimes.
    private static let keys: [StaticString] = ["from", "until", "ttl", "when"]

    mutating func found(in bundle: OpenBundle) -> Self {
      if isKnown { return self }
      var (dates, lifetimes): (Set<Instant>, Set<Int>) = ([], [])
      // Most bundles and entries have neither; decoding all of them takes long.
      let mayHaveTimes = bundle.entries?.mayHaveKey(in: Self.keys) ?? false
      if !mayHaveTimes, !bundle.order.isEmpty, let ttl = bundle.ttl { lifetimes.insert(ttl) }
      for entry in mayHaveTimes ? bundle.all : [] {
        guard entry.node.mayHaveKey(in: Self.keys) else {
          if let ttl = bundle.ttl { lifetimes.insert(ttl) }
          continue
        }
        entry.node.contentsIfReadable?.collectDates(into: &dates)
        if let ttl = entry.ttl { lifetimes.insert(ttl) }
      }
      self = Times(dates: dates.sorted(), lifetimes: lifetimes.sorted(), isKnown: true)
      return self
    }
  }
}

/// An entry as a bundle has it.
struct EntryNode: Sendable {
  let id: EntryID
  let node: BinaryPropertyList.Node
  let bundle: OpenBundle

  /// Returns whether the entry's dates allow an instant.
  func isCurrent(at now: Instant) -> Bool { node.isCurrent(at: now) }

  /// The seconds for which the entry is shown after the last check.
  var ttl: Int? {
    SiteConfig.offlineLifetime(node.member("ttl")?.contentsIfReadable) ?? bundle.ttl
  }

  /// The fields.
  var content: BinaryPropertyList.Node? { node.member("content") }

  /// The number of fields, none of which is decoded.
  var fieldCount: Int { content.map { $0.kind == .dictionary ? $0.count : 0 } ?? 0 }
}
