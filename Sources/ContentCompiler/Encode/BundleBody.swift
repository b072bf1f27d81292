import ContentModel
import ContentSource

/// The content of a bundle for some readers: entries, their order, and the end of its next embargo.
struct BundleBody: Sendable {
  /// One entry as those readers see it.
  struct Row: Sendable {
    /// Its place among the tree's entries, which stand in the order of ids.
    var entry: Int
    /// Its place in the selection.
    var place: Int
    var image: EntryImage
    /// Its variant in the image.
    var variant: Int
  }

  let name: String
  /// In the order of the bundle's list.
  let rows: [Row]
  let changes: Instant?
  let evaluation: Evaluation

  init(
    _ selection: Selection, name: String, _ entries: [Row], changes: Instant?,
    _ evaluation: Evaluation
  ) {
    self.name = name
    self.evaluation = evaluation
    self.changes = changes
    let isFixed = entries.allSatisfy(\.image.isFixed)
    let present =
      isFixed
      ? entries
      : entries.filter { evaluation.circumstances.publish($0.image.condition($0.variant)) }
    rows = present.sorted(by: selection.bundle.sort, evaluation)
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
      ("datatype", .string(image.datatype.name)), ("content", image.content(variant, evaluation)),
    ])
    if let ttl = image.datatype.ttl { members["ttl"] = .integer(Int64(ttl.seconds)) }
    if let from = image.condition(variant)?.from { members["from"] = .date(from) }
    if let until = image.condition(variant)?.until { members["until"] = .date(until) }
    return .dictionary(members)
  }
}

extension [BundleBody.Row] {
  /// By the given fields; entries without one come last, and equal ones keep their order.
  fileprivate func sorted(by keys: [BundleDefinition.SortKey], _ evaluation: Evaluation)
    -> [BundleBody.Row]
  {
    guard !keys.isEmpty else { return self }
    let sortKeys = map { row in keys.map { row.image.value(of: $0.field, row.variant, evaluation) }
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
