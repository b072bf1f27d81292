import ContentModel
import ContentSource

/// The content of a bundle for one class of readers.
struct BundleBody: Sendable {
  /// One entry, as these readers see it.
  struct Row: Sendable {
    /// Its place in the tree, whose entries are in order of ids.
    var entry: Int
    /// Its place in the selection.
    var place: Int
    var image: EntryImage
    /// The number of its variant in the image.
    var variant: Int
  }

  let name: String
  /// The entries in the order of the bundle's list.
  let rows: [Row]
  /// The end of the next embargo.
  let changes: Instant?
  let evaluation: Evaluation

  init(
    of entries: [Row], name: String, sort: [BundleDefinition.SortKey], changes: Instant?,
    evaluation: Evaluation
  ) {
    self.name = name
    self.evaluation = evaluation
    self.changes = changes
    let isFixed = entries.allSatisfy(\.image.isFixed)
    let present =
      isFixed
      ? entries
      : entries.filter { evaluation.circumstances.publish($0.image.condition($0.variant)) }
    rows = present.sorted(by: sort, evaluation)
  }

  /// The rows in order of ids.
  var rowsByID: [Row] {
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { $0.entry < $1.entry }
    return isSorted ? rows : rows.sorted { $0.entry < $1.entry }
  }

  /// The bundle as a value.
  var value: Value {
    let entries = rowsByID.map { ($0.image.id, $0.value(evaluation)) }
    var members = Members([
      ("format", 1), ("bundle", .string(name)),
      ("order", .array(rows.map { .string($0.image.id) })),
      ("entries", .dictionary(Members(entries))),
    ])
    if let changes { members["changes"] = .date(changes) }
    return .dictionary(members)
  }
}

extension BundleBody.Row {
  /// The entry as a value.
  func value(_ evaluation: Evaluation) -> Value {
    var members = Members([
      ("datatype", .string(image.datatype.name)),
      ("content", image.content(of: variant, by: evaluation)),
    ])
    if let ttl = image.datatype.ttl { members["ttl"] = .integer(Int64(ttl.seconds)) }
    if let from = image.condition(variant)?.from { members["from"] = .date(from) }
    if let until = image.condition(variant)?.until { members["until"] = .date(until) }
    return .dictionary(members)
  }
}

extension [BundleBody.Row] {
  /// The rows in order of some fields; rows without a field are last, and equal rows keep their
  /// order.
  fileprivate func sorted(
    by keys: [BundleDefinition.SortKey], _ evaluation: Evaluation
  ) -> [BundleBody.Row] {
    guard !keys.isEmpty else { return self }
    let sortKeys = map { row in
      keys.map { row.image.value(of: $0.field, in: row.variant, by: evaluation) }
    }
    return indices.sorted { a, b in
      for (place, key) in keys.enumerated() {
        let (left, right) = (sortKeys[a][place], sortKeys[b][place])
        guard let left, let right else {
          if left == nil, right == nil { continue }
          return right == nil
        }
        if left.precedes(right) { return !key.isDescending }
        if right.precedes(left) { return key.isDescending }
      }
      return a < b
    }.map { self[$0] }
  }
}

extension Value {
  /// The order of `sort`: `false` before `true`, numbers and dates by size, texts by code point.
  ///
  /// Different kinds are in this order, too.
  fileprivate func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let a), .integer(let b)): a < b
    case (.real(let a), .real(let b)): a < b
    case (.integer(let a), .real(let b)): Double(a) < b
    case (.real(let a), .integer(let b)): a < Double(b)
    case (.string(let a), .string(let b)): a.precedesInBytes(b)
    case (.date(let a), .date(let b)): a < b
    case (.boolean(let a), .boolean(let b)): !a && b
    default: sortRank < other.sortRank
    }
  }

  private var sortRank: Int {
    switch self {
    case .boolean: 0
    case .integer, .real: 1
    case .date: 2
    case .string: 3
    case .data, .array, .dictionary: 4
    }
  }
}
