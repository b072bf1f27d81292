public import ContentModel

/// A place in the history of what a client showed.
///
/// An app stores it beside what it derived from the content, such as a search index, and asks later
/// what changed since then.
///
/// ```swift
/// let changes = client.changes(since: ChangeToken(stored))
/// index.apply(changes)
/// stored = changes.token.text
/// ```
public struct ChangeToken: Hashable, Sendable {
  /// A random name: another storage has its own count.
  let storage: ExactString
  /// The number of the switch.
  let number: Int

  init(storage: ExactString, number: Int) { (self.storage, self.number) = (storage, number) }

  /// Creates the first token of a storage, or of content that no storage has recorded: no other
  /// token belongs to it.
  init(random: any ContentRandom) {
    let digits = (0..<4).map { _ in UInt32(random.fraction() * 4_294_967_296) }
    let name = digits.map { String($0, radix: 36) }.joined(separator: ".")
    self.init(storage: ExactString(name), number: 0)
  }

  /// The token as a text to store.
  ///
  /// ```swift
  /// let stored = changes.token.text
  /// ```
  public var text: String { "\(number)-\(storage)" }

  /// Reads a token; `nil` for a text that is none.
  ///
  /// ```swift
  /// let token = ChangeToken(stored)
  /// ```
  public init?(_ text: String) {
    let parts = text.split(separator: "-", maxSplits: 1)
    guard parts.count == 2, let number = Int(parts[0]), number >= 0 else { return nil }
    self.init(storage: ExactString(String(parts[1])), number: number)
  }
}

/// The changes between two contents of a client.
///
/// ```swift
/// switch client.changes(since: token).extent(in: "catalog") {
/// case .everything: reload()
/// case .entries(let changed): update(changed.inserted, changed.updated, changed.deleted)
/// }
/// ```
public struct ContentChanges: Hashable, Sendable {
  /// The extent of changes.
  ///
  /// ```swift
  /// if changes.extent(in: "catalog") == .everything { reload() }
  /// ```
  public enum Extent: Hashable, Sendable {
    /// More than is known: read everything again.
    case everything
    /// These entries, and no others.
    case entries(EntryChanges)
  }

  /// The ids of changed entries, each list sorted.
  ///
  /// ```swift
  /// for id in changed.inserted + changed.updated { show(client.snapshot.entry(id)) }
  /// ```
  public struct EntryChanges: Hashable, Sendable {
    /// The entries that are new.
    public var inserted: [EntryID] = []
    /// The entries with other fields or dates.
    public var updated: [EntryID] = []
    /// The entries that are gone.
    public var deleted: [EntryID] = []

    /// No changes.
    public init() {}

    /// `true` if nothing changed.
    public var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
  }

  /// The token of the newer content.
  public let token: ChangeToken
  /// The changes by bundle; `nil` if everything may have changed.
  let bundles: [BundleName: Extent]?

  /// The changes of all bundles together.
  ///
  /// An entry that one bundle lost and another one got or changed counts as updated.
  ///
  /// ```swift
  /// if changes.extent == .everything { reload() }
  /// ```
  public var extent: Extent {
    bundles.map { Self.joined(Array($0.values)) } ?? .everything
  }

  /// The changes of one bundle; of a split one, those of all its parts together.
  ///
  /// As long as the list of a split bundle's parts is not stored, all of them may have changed.
  ///
  /// ```swift
  /// if case .entries(let changed) = changes.extent(in: "catalog") { show(changed.inserted) }
  /// ```
  public func extent(in bundle: BundleName) -> Extent {
    guard let bundles else { return .everything }
    if let family = bundle.family {
      if bundles[family] == .everything { return .everything }
      return bundles[bundle] ?? .entries(EntryChanges())
    }
    return Self.joined(bundles.filter { $0.key == bundle || $0.key.family == bundle }.map(\.value))
  }

  /// An entry that moved from one bundle to another counts as updated.
  private static func joined(_ extents: [Extent]) -> Extent {
    var (inserted, updated, deleted) = (Set<EntryID>(), Set<EntryID>(), Set<EntryID>())
    for extent in extents {
      guard case .entries(let changes) = extent else { return .everything }
      inserted.formUnion(changes.inserted)
      updated.formUnion(changes.updated)
      deleted.formUnion(changes.deleted)
    }
    updated.formUnion(inserted.intersection(deleted))
    var changes = EntryChanges()
    changes.inserted = inserted.subtracting(updated).sorted()
    changes.updated = updated.sorted()
    changes.deleted = deleted.subtracting(updated).subtracting(inserted).sorted()
    return .entries(changes)
  }

  /// The bundles with changes, sorted; empty if everything may have changed.
  ///
  /// Of a split bundle, these are the changed parts; or its own name, if their list is not stored.
  ///
  /// ```swift
  /// for bundle in changes.changedBundles { show(bundle) }
  /// ```
  public var changedBundles: [BundleName] { bundles.map { $0.keys.sorted() } ?? [] }
}
