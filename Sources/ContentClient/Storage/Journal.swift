import ContentModel
import PropertyLists
import SiteFormat

/// The changes of the last switches.
struct Journal: Sendable {
  /// A change from one content to the next.
  struct Switch: Sendable {
    /// The number of the switch, which its token has.
    var number: Int
    /// The changed bundles; `nil` if everything may have changed.
    var bundles: [BundleName: ContentChanges.Extent]?
  }

  /// The switches in order.
  private(set) var switches: [Switch] = []

  /// The number of switches that are kept.
  private static let limit = 32

  init() {}

  /// Adds a switch; later ones, which no state names, are replaced.
  mutating func append(_ new: Switch) {
    switches.removeAll { $0.number >= new.number }
    switches = switches.suffix(Self.limit - 1) + [new]
  }

  /// Returns the sum of the changes after one token up to another.
  func changes(since old: ChangeToken?, to new: ChangeToken) -> ContentChanges {
    guard let old, old.storage == new.storage, old.number <= new.number else {
      return ContentChanges(token: new, bundles: nil)
    }
    let passed = switches.filter { $0.number > old.number && $0.number <= new.number }
    guard passed.count == new.number - old.number else {
      return ContentChanges(token: new, bundles: nil)
    }
    var sums: [BundleName: Sum?] = [:]
    for step in passed {
      guard let bundles = step.bundles else { return ContentChanges(token: new, bundles: nil) }
      for (name, extent) in bundles {
        var sum = sums[name] ?? Sum()
        if case .entries(let changes) = extent { sum?.add(changes) } else { sum = nil }
        sums[name] = .some(sum)
      }
    }
    let extents: [(BundleName, ContentChanges.Extent)] = sums.compactMap { name, sum in
      guard let changes = sum?.changes else { return (name, .everything) }
      return changes.isEmpty ? nil : (name, .entries(changes))
    }
    return ContentChanges(token: new, bundles: Dictionary(uniqueKeysWithValues: extents))
  }

  /// Changes one after the other.
  struct Sum {
    private enum State { case inserted, updated, deleted, unchanged }

    private var states: [EntryID: State] = [:]

    mutating func add(_ changes: ContentChanges.EntryChanges) {
      for id in changes.inserted { states[id] = states[id] == .deleted ? .updated : .inserted }
      for id in changes.updated where states[id] != .inserted { states[id] = .updated }
      for id in changes.deleted { states[id] = states[id] == .inserted ? .unchanged : .deleted }
    }

    var changes: ContentChanges.EntryChanges {
      var changes = ContentChanges.EntryChanges()
      for (id, state) in states {
        switch state {
        case .inserted: changes.inserted.append(id)
        case .updated: changes.updated.append(id)
        case .deleted: changes.deleted.append(id)
        case .unchanged: break
        }
      }
      changes.inserted.sort()
      changes.updated.sort()
      changes.deleted.sort()
      return changes
    }
  }
}

// MARK: The file

extension Journal {
  /// The journal as a property list.
  var value: Value {
    ["format": 1, "switches": .array(switches.map(\.value))]
  }

  /// Reads a journal; what cannot be read is left out, so that tokens before it are answered with
  /// `.everything`.
  init(_ value: Value) {
    guard value["format"]?.number == 1 else { return }
    switches = (value["switches"]?.items ?? []).compactMap { Switch($0) }
  }
}

extension Journal.Switch {
  var value: Value {
    var members: Members = ["number": .integer(Int64(number))]
    if let bundles {
      members["bundles"] = .dictionary(
        Members(bundles.map { ($0.key.text, Self.value(of: $0.value)) }))
    }
    return .dictionary(members)
  }

  init?(_ value: Value) {
    guard let number = SiteConfig.serial(value["number"]) else { return nil }
    self.number = number
    bundles = value["bundles"]?.members.map { members in
      Dictionary(
        members.compactMap { key, value in BundleName(key).map { ($0, Self.extent(of: value)) } },
        uniquingKeysWith: { first, _ in first })
    }
  }

  private static func value(of extent: ContentChanges.Extent) -> Value {
    guard case .entries(let changes) = extent else { return "everything" }
    func list(_ ids: [EntryID]) -> Value { .array(ids.map { .string($0.text) }) }
    return [
      "inserted": list(changes.inserted), "updated": list(changes.updated),
      "deleted": list(changes.deleted),
    ]
  }

  private static func extent(of value: Value) -> ContentChanges.Extent {
    guard value.members != nil else { return .everything }
    func ids(_ key: String) -> [EntryID] {
      (value[key]?.items ?? []).compactMap { $0.text.flatMap { EntryID($0) } }
    }
    var changes = ContentChanges.EntryChanges()
    changes.inserted = ids("inserted")
    changes.updated = ids("updated")
    changes.deleted = ids("deleted")
    return .entries(changes)
  }
}
