import ContentModel
import ContentSource
import PropertyLists
import System

/// An earlier bundle with some entries replaced; the others are not read, resolved or encoded
/// again.
///
/// It has the bytes of a full build. The encoded form of an unchanged entry is the same in the
/// earlier bundle, and the objects of the file are in the order of linking.
struct BundleSplice: Sendable {
  /// The new form of an entry.
  struct Exchange: Sendable {
    /// Its place in the tree.
    var entry: Int
    var image: EntryImage
  }

  /// A bundle of an earlier build.
  struct Known: Sendable {
    /// By place in the selection: the id of the entry.
    var ids: [String]
    /// By place in the selection: `true` if all devices of a locale show the same.
    var isShared: [Bool]
    /// By context.
    var rows: [BundleRow]
  }

  private let bundle: BundleDefinition
  /// The name of the bundle or of its tile.
  private let name: String
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

  /// `nil` if the bundle must be made from all of its entries.
  ///
  /// This is necessary if the bundle has a text format, its order may change, an entry depends on
  /// circumstances, or the earlier bundle cannot be read.
  init?(
    of selection: Selection, replacing exchanges: [Int: Exchange], in known: Known,
    by encoder: BundleEncoder, scope: [Int],
    stored: @Sendable (_ digest: Digest, _ fileExtension: String) -> [UInt8]?
  ) {
    let bundle = selection.bundle
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
    (self.bundle, name) = (bundle, selection.name)
    (self.exchanges, self.known, self.encoder, self.scope) = (exchanges, known, encoder, scope)
    guard keepsOrder else { return nil }
  }

  /// `true` if no replaced entry has other values for the fields by which the bundle is sorted.
  private var keepsOrder: Bool {
    if bundle.sort.isEmpty { return true }
    let evaluation = encoder.unconditional(bundle.format)
    let entries = stored.mapValues(\.byPlace)
    return scope.allSatisfy { context in
      known.rows[context].objects.allSatisfy { object in
        exchanges.allSatisfy { place, exchange in
          guard let entry = entries[object.digest]?[place],
            let variant = variant(of: exchange, in: context)
          else {
            return true
          }
          return bundle.sort.allSatisfy { key in
            // A field that the projection hides cannot be compared.
            guard exchange.image.shows(key.field) else { return false }
            let before = try? entry["content"]?[key.field.text]?.value
            return before == exchange.image.value(of: key.field, in: variant, by: evaluation)
          }
        }
      }
    }
  }

  private func variant(of exchange: Exchange, in context: Int) -> Int? {
    exchange.image.variant(in: context)
  }

  /// Returns the rows in the contexts of the scope.
  ///
  /// - Throws: errors of `emit`, and an error for a malformed earlier bundle.
  func rows() throws -> [BundleRow] {
    struct Key: Hashable {
      var row: BundleRow
      var variants: [Int?]
    }
    let places = exchanges.keys.sorted()
    var firstContext: [Key: Int] = [:]
    let representative = scope.map { context in
      let variants = places.map { exchanges[$0].flatMap { variant(of: $0, in: context) } }
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

  /// Returns the rows in contexts of one locale.
  private func rows(of contexts: [Int]) throws -> [BundleRow] {
    var entries = SharedEntries(count: ids.count)
    guard let first = contexts.first, let bundle = stored[known.rows[first].object.digest] else {
      return []
    }
    var scalars = BinaryLinker.KnownScalars(of: bundle.file)
    let shared = bundle.rows.filter { known.isShared[$0.place] }.sorted { $0.place < $1.place }
    for row in shared { try link(row, to: &entries, in: first, reusing: &scalars) }
    entries.linker.share()
    return try contexts.map { try row(in: $0, linking: &entries) }
  }

  private func row(in context: Int, linking entries: inout SharedEntries) throws -> BundleRow {
    var row = known.rows[context]
    let own = try object(
      after: row.object, in: context, isInIndex: bundle.isStartup, linking: &entries)
    row.object = own.object
    // The new entries are the same in all variants, so equal variants stay equal, and others do not
    // become equal.
    for index in row.variants.indices {
      let result = row.variants[index].result
      row.variants[index].result = try object(
        after: result, in: context, isInIndex: false, linking: &entries
      ).object
    }
    if bundle.isStartup { row.startup = try PropertyList.decode(own.bytes, as: .binary).value }
    return row
  }

  private func object(
    after earlier: BundleRow.Object, in context: Int, isInIndex: Bool,
    linking entries: inout SharedEntries
  ) throws -> (object: BundleRow.Object, bytes: [UInt8]) {
    guard let stored = stored[earlier.digest] else { throw StoredBundle.Malformed() }
    var scalars = BinaryLinker.KnownScalars(of: stored.file)
    let own = stored.rows.filter { entries.objects[$0.place] == nil }
    for row in own { try link(row, to: &entries, in: context, reusing: &scalars) }
    let file = try entries.finish(
      name: name, changes: stored.changes,
      stored.rows.map { ($0.place, ids[$0.place], idFragments) },
      order: stored.order)
    for row in own { entries.objects[row.place] = nil }
    let object = OutputObject(
      bytes: file.bytes, fileExtension: bundle.format.fileExtension, seams: file.seams)
    try encoder.emit(object)
    var new = earlier
    (new.digest, new.size) = (object.digest, object.bytes.count)
    new.recipe = try encoder.recipe(of: object, in: bundle.format, isInIndex: isInIndex)
    return (new, object.bytes)
  }

  /// Links the new form of an entry, or else its form in the earlier bundle.
  private func link(
    _ row: StoredBundle.Row, to entries: inout SharedEntries, in context: Int,
    reusing scalars: inout BinaryLinker.KnownScalars
  ) throws {
    guard let exchange = exchanges[row.place] else {
      entries.objects[row.place] = try entries.linker.link(row, reusing: &scalars)
      return
    }
    guard let variant = variant(of: exchange, in: context) else { throw StoredBundle.Malformed() }
    let made = BundleBody.Row(
      entry: exchange.entry, place: row.place, image: exchange.image, variant: variant)
    entries.objects[row.place] = try entries.linker.link(
      made, by: encoder.unconditional(bundle.format))
  }
}
