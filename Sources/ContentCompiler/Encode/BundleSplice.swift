import Hashing
import Parallel
import ContentModel
import ContentSource
import PropertyLists

/// A bundle made of what it was, with some entries exchanged: the others are not read, resolved or
/// encoded again.
///
/// It has the bytes of one of which everything is made anew: an entry that did not change stands in
/// the earlier bundle as it would be encoded, and objects stand in the order in which they are
/// linked.
struct BundleSplice: Sendable {
  /// An entry that is made anew.
  struct Exchange: Sendable {
    /// Its place among the tree's entries.
    var entry: Int
    var image: EntryImage
  }

  /// A bundle as an earlier build left it.
  struct Known: Sendable {
    /// The entries' ids, by place in the selection.
    var ids: [String]
    /// Whether all devices of a locale see the same, by place in the selection.
    var isShared: [Bool]
    /// By context.
    var rows: [BundleRow]
  }

  private let bundle: BundleDefinition
  /// By place in the selection.
  private let exchanges: [Int: Exchange]
  private let known: Known
  private let encoder: BundleEncoder
  /// The contexts that rows are wanted for.
  private let scope: [Int]
  private let stored: [Digest: StoredBundle]
  /// By place in the selection, among the fragments.
  private let ids: [BinaryFragments.Place]
  private let idFragments: BinaryFragments

  /// `nil` where the bundle must be made anew: it has another format, its order may be another, an
  /// entry is not for all readers, or what it was cannot be read.
  init?(
    _ bundle: BundleDefinition, _ exchanges: [Int: Exchange], _ known: Known,
    _ encoder: BundleEncoder, scope: [Int],
    stored: @Sendable (_ digest: Digest, _ fileExtension: String) -> [UInt8]?
  ) {
    guard bundle.format == .binary,
      !bundle.isStartup || encoder.project.format == .binary,
      exchanges.values.allSatisfy(\.image.isFixed)
    else { return nil }
    let places = Dictionary(firstOf: known.ids.enumerated().map { ($1, $0) })
    let digests = Set(scope.flatMap { known.rows[$0].objects.map(\.digest) }).sorted()
    let opened = digests.concurrentValues { digest in
      stored(digest, bundle.format.fileExtension).flatMap { bytes in
        Digest(of: bytes) == digest ? try? StoredBundle(bytes, places: places) : nil
      }
    }
    guard !opened.contains(where: { $0 == nil }) else { return nil }
    self.stored = Dictionary(uniqueKeysWithValues: zip(digests, opened.compactMap(\.self)))
    var writer = FragmentWriter()
    ids = known.ids.map { writer.place(of: $0) }
    idFragments = writer.finish()
    (self.bundle, self.exchanges, self.known, self.encoder, self.scope) = (
      bundle, exchanges, known, encoder, scope
    )
    guard keepsOrder else { return nil }
  }

  /// Whether every entry that is exchanged has the values by which the bundle is sorted as before.
  private var keepsOrder: Bool {
    if bundle.sort.isEmpty { return true }
    let evaluation = encoder.unconditional(bundle.format)
    let entries = stored.mapValues(\.byPlace)
    return scope.allSatisfy { context in
      known.rows[context].objects.allSatisfy { object in
        exchanges.allSatisfy { place, exchange in
          guard let entry = entries[object.digest]?[place], let variant = variant(exchange, context)
          else {
            return true
          }
          return bundle.sort.allSatisfy { key in
            // What the bundle does not show of an entry cannot be compared.
            guard exchange.image.shows(key.field) else { return false }
            let before = try? entry["content"]?[key.field]?.value
            return before == exchange.image.value(of: key.field, variant, evaluation)
          }
        }
      }
    }
  }

  private func variant(_ exchange: Exchange, _ context: Int) -> Int? {
    exchange.image.variant(in: context)
  }

  /// The rows in the scope's contexts.
  ///
  /// - Throws: what handing on an object throws, and where the earlier bundle is none of ours.
  func rows() throws -> [BundleRow] {
    struct Key: Hashable {
      var row: BundleRow
      var variants: [Int?]
    }
    let places = exchanges.keys.sorted()
    var firstContext: [Key: Int] = [:]
    let representative = scope.map { context in
      let variants = places.map { exchanges[$0].flatMap { variant($0, context) } }
      let key = Key(row: known.rows[context], variants: variants)
      defer { if firstContext[key] == nil { firstContext[key] = context } }
      return firstContext[key] ?? context
    }
    let distinct = zip(scope, representative).filter { $0 == $1 }.map(\.0)
    let groups = Dictionary(grouping: distinct) { encoder.contexts[$0].locale }.values.sorted {
      $0[0] < $1[0]
    }
    let made = try groups.concurrentMap { group in zip(group, try rows(of: group)).map { ($0, $1) }
    }
    let byContext = Dictionary(made.joined().map { ($0.0, $0.1) }) { first, _ in first }
    return representative.compactMap { byContext[$0] }
  }

  /// The rows in contexts of one locale.
  private func rows(of contexts: [Int]) throws -> [BundleRow] {
    var entries = SharedEntries(count: ids.count)
    guard let first = contexts.first, let bundle = stored[known.rows[first].object.digest] else {
      return []
    }
    var scalars = BinaryLinker.KnownScalars(of: bundle.file)
    let shared = bundle.rows.filter { known.isShared[$0.place] }.sorted { $0.place < $1.place }
    for row in shared { try link(row, &entries, in: first, &scalars) }
    entries.linker.share()
    return try contexts.map { try row(in: $0, &entries) }
  }

  private func row(in context: Int, _ entries: inout SharedEntries) throws -> BundleRow {
    var row = known.rows[context]
    let own = try object(row.object, in: context, &entries)
    row.object = own.object
    // What is exchanged is in all of them alike, so that those which were equal still are, and no
    // others.
    for index in row.variants.indices {
      row.variants[index].result = try object(row.variants[index].result, in: context, &entries)
        .object
    }
    if bundle.isStartup { row.startup = try PropertyList.decode(own.bytes, as: .binary).value }
    return row
  }

  private func object(
    _ earlier: BundleRow.Object, in context: Int, _ entries: inout SharedEntries
  ) throws -> (object: BundleRow.Object, bytes: [UInt8]) {
    guard let stored = stored[earlier.digest] else { throw StoredBundle.Malformed() }
    var scalars = BinaryLinker.KnownScalars(of: stored.file)
    let own = stored.rows.filter { entries.objects[$0.place] == nil }
    for row in own { try link(row, &entries, in: context, &scalars) }
    let file = try entries.finish(
      name: bundle.name, changes: stored.changes,
      stored.rows.map { ($0.place, ids[$0.place], idFragments) },
      order: stored.order)
    for row in own { entries.objects[row.place] = nil }
    let object = OutputObject(
      bytes: file.bytes, fileExtension: bundle.format.fileExtension, seams: file.seams)
    try encoder.emit(object)
    var new = earlier
    (new.digest, new.size) = (object.digest, object.bytes.count)
    return (new, object.bytes)
  }

  /// Links an entry: as it stood in the earlier bundle, or made anew.
  private func link(
    _ row: StoredBundle.Row, _ entries: inout SharedEntries, in context: Int,
    _ scalars: inout BinaryLinker.KnownScalars
  ) throws {
    guard let exchange = exchanges[row.place] else {
      return entries.objects[row.place] = try entries.linker.link(row, &scalars)
    }
    guard let variant = variant(exchange, context) else { throw StoredBundle.Malformed() }
    let made = BundleBody.Row(
      entry: exchange.entry, place: row.place, image: exchange.image, variant: variant)
    entries.objects[row.place] = try entries.linker.link(made, encoder.unconditional(bundle.format))
  }
}
