import ContentModel
import ContentSource
import Diagnostics
import PropertyLists

/// Bundles from selections: one object for each distinct result, handed on as soon as it is made.
struct BundleEncoder: Sendable {
  let plan: ResolutionPlan
  let assets: AssetTable
  let instant: Instant
  let emit: @Sendable (OutputObject) throws -> Void

  /// Content that a format cannot carry.
  struct Unencodable: Error {
    var diagnostic: Diagnostic
  }

  private var format: PropertyListFormat { plan.tree.project.format }

  /// The row of one bundle in one context, from its entries' variants.
  func row(_ selection: Selection, name: String, _ entries: [(index: Int, entry: ResolvedEntry)]) throws -> BundleRow {
    let bundle = selection.bundle
    let classes = Classes(conditions(of: entries, selection))
    var startup: Value?
    let (own, variants) = try classes.variants { country, version in
      let circumstances = Circumstances(country: country, version: version, instant: instant)
      let evaluation = Evaluation(circumstances: circumstances, format: bundle.format, assets: assets)
      let body = Body(selection, name: name, entries, in: plan.tree, evaluation)
      if bundle.isStartup, country == nil, version == nil {
        var carried = evaluation
        carried.format = format
        startup = Body(selection, name: name, entries, in: plan.tree, carried).value
      }
      return try object(body, selection)
    }
    return BundleRow(
      object: own, variants: variants, ttl: bundle.ttl ?? plan.tree.project.lifetimes.offline,
      format: bundle.format == format ? nil : bundle.format,
      startup: startup)
  }

  private func object(_ body: Body, _ selection: Selection) throws -> BundleRow.Object {
    do {
      let bytes = try PropertyList.encode(body.value, as: selection.bundle.format)
      let object = OutputObject(bytes: bytes, fileExtension: selection.bundle.format.fileExtension)
      try emit(object)
      return BundleRow.Object(digest: object.digest, size: bytes.count, count: body.order.count, changes: body.changes)
    } catch let error as PropertyListEncodingError {
      throw Unencodable(diagnostic: diagnostic(error, selection.bundle))
    }
  }

  /// The entry that holds what a format cannot carry: key paths of a bundle begin with `entries` and its id.
  private func diagnostic(_ error: PropertyListEncodingError, _ bundle: BundleDefinition) -> Diagnostic {
    let id = error.keyPath.first == "entries" ? error.keyPath.dropFirst().first : nil
    let entry = plan.tree.entries.first { $0.id.text == id }
    return Diagnostic(
      .error, "unencodable", at: entry?.location ?? bundle.location,
      "'\(id ?? bundle.name)' cannot be written: \(error)",
      notes: [Diagnostic.Note("the bundle '\(bundle.name)' asks for that format", at: bundle.location)])
  }

  /// The conditions that readers, or the moment, still decide.
  private func conditions(of entries: [(index: Int, entry: ResolvedEntry)], _ selection: Selection) -> [Condition] {
    var all: [Condition] = []
    for (index, entry) in entries {
      if let condition = entry.condition { all.append(condition) }
      let fields = selection.projections?[plan.tree.entries[index].datatype.name]
      for member in entry.members where fields?.contains(member.key) ?? true {
        member.value.forEachValue { if let condition = $0.condition { all.append(condition) } }
      }
    }
    return all
  }
}

/// A bundle's content under given circumstances.
private struct Body {
  let value: Value
  let order: [String]
  let changes: Instant?

  init(
    _ selection: Selection, name: String, _ entries: [(index: Int, entry: ResolvedEntry)], in tree: ContentTree,
    _ evaluation: Evaluation
  ) {
    let present = entries.filter { evaluation.circumstances.admitEntry($0.entry.condition) }
    let rows = present.map { Row(tree.entries[$0.index], $0.entry, selection, evaluation) }.sorted(
      by: selection.bundle.sort)
    order = rows.map(\.id)
    changes = Body.changes(present, selection, tree, evaluation, now: rows)
    var members = Members([
      ("format", 1), ("bundle", .string(name)), ("order", .array(order.map(Value.string))),
      ("entries", .dictionary(Members(rows.map { ($0.id, $0.value) }))),
    ])
    if let changes { members["changes"] = .date(changes) }
    value = .dictionary(members)
  }

  /// The next moment at which the items of some list would differ.
  private static func changes(
    _ entries: [(index: Int, entry: ResolvedEntry)], _ selection: Selection, _ tree: ContentTree,
    _ evaluation: Evaluation,
    now rows: [Row]
  ) -> Instant? {
    var moments: Set<Instant> = []
    for (_, entry) in entries {
      entry.forEachValue { value in
        for moment in [value.condition?.from, value.condition?.until].compactMap(\.self)
        where moment > evaluation.circumstances.instant { moments.insert(moment) }
      }
    }
    guard !moments.isEmpty else { return nil }
    let contents = Dictionary(rows.map { ($0.id, $0.content) }) { first, _ in first }
    return moments.sorted().first { moment in
      var later = evaluation
      later.circumstances.instant = moment
      return entries.contains { index, entry in
        let row = Row(tree.entries[index], entry, selection, later)
        return row.content != contents[row.id]
      }
    }
  }
}

/// One entry of a bundle.
private struct Row {
  let id: String
  let datatype: Datatype
  let content: Value
  let condition: Condition?
  let sortKeys: [Value?]

  init(_ entry: Entry, _ resolved: ResolvedEntry, _ selection: Selection, _ evaluation: Evaluation) {
    id = entry.id.text
    datatype = entry.datatype
    condition = resolved.condition
    content = evaluation.content(resolved, fields: selection.projections?[entry.datatype.name])
    sortKeys = selection.bundle.sort.map { key in
      resolved.members.first { $0.key.hasSameBytes(as: key.field) }.map { evaluation.value($0.value) }
    }
  }

  var value: Value {
    var members = Members([("datatype", .string(datatype.name)), ("content", content)])
    if let ttl = datatype.ttl { members["ttl"] = .integer(Int64(ttl.seconds)) }
    if let from = condition?.from { members["from"] = .date(from) }
    if let until = condition?.until { members["until"] = .date(until) }
    return .dictionary(members)
  }
}

extension [Row] {
  /// By the given fields; entries without one come last, and equal ones keep their order.
  fileprivate func sorted(by keys: [BundleDefinition.SortKey]) -> [Row] {
    guard !keys.isEmpty else { return self }
    return enumerated().sorted { a, b in
      for (place, key) in keys.enumerated() {
        let (left, right) = (a.element.sortKeys[place], b.element.sortKeys[place])
        guard let left, let right else {
          if left == nil, right == nil { continue }
          return right == nil
        }
        if left.precedes(right) { return !key.isDescending }
        if right.precedes(left) { return key.isDescending }
      }
      return a.offset < b.offset
    }.map(\.element)
  }
}

extension Value {
  /// The order that `sort` uses: `false` before `true`, numbers and dates by size, texts by code point; kinds in this order.
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
