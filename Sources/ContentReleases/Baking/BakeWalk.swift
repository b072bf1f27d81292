import ContentModel
import Diagnostics
import PropertyLists
import SiteFormat
import System

/// A walk from config to every object that some readers reach.
struct BakeWalk {
  /// A bundle of an index, with the objects that its readers load.
  private struct Row: Hashable {
    var bundle: String
    var objects: [BakedObject]
    /// The recipes of these objects.
    var recipes: [BakedObject]
    /// `true` if readers load the bundle at the start.
    var isStartup: Bool
  }

  let config: BakedConfig
  let files: PublishedFiles
  let order: BakeOrder
  /// `true` to walk to the recipes of bundles, too; an app that has the bundles needs none.
  var includesRecipes = false

  /// Walks, and returns the objects in the order of their keys.
  ///
  /// - Throws: `BakeError`; the errors of reading the files.
  func run() throws -> [BakedObject] {
    let contexts = try config.contexts(of: order)
    let indexes = Self.sorted(
      contexts.map { BakedObject($0.index, extension: config.fileExtension) })
    let texts = Self.sorted(
      contexts.compactMap(\.texts).map { BakedObject($0, extension: config.fileExtension) })
    let indexValues = try documents(indexes)
    let lists = Self.sorted(indexValues.flatMap { self.lists(of: $0) })
    let listValues = Dictionary(zip(lists, try documents(lists))) { first, _ in first }
    let named = indexValues.flatMap { rows(ofIndex: $0, lists: listValues) }
    try requireBundles(of: order, among: named.map(\.bundle))
    let wanted = named.filter { $0.isStartup || order.includes(bundle: $0.bundle) }
    let bundles = Self.sorted(wanted.flatMap(\.objects))
    let bundleValues = try documents(bundles)
    let textValues = try values(of: texts)
    // Readers get these first.
    let startup = Set(wanted.filter(\.isStartup).flatMap(\.objects))
    var shown = textValues
    for (bundle, value) in zip(bundles, bundleValues)
    where order.assets == .all || startup.contains(bundle) {
      shown.append(value)
    }
    let assetObjects =
      order.assets == .none ? [] : Self.sorted(try shown.flatMap { try assets(in: $0) })
    let recipes = includesRecipes ? Self.sorted(wanted.flatMap(\.recipes)) : []
    _ = try bytes(of: assetObjects + recipes) { _ in }
    return Self.sorted(indexes + lists + bundles + texts + assetObjects + recipes)
  }

  // MARK: Indexes

  /// Returns the rows of an index; the rows of a split bundle are in the bundle's list.
  private func rows(ofIndex index: Value, lists: [BakedObject: Value]) -> [Row] {
    let startup = index["startup"]?.members ?? Members()
    let bundles = index["bundles"]?.members ?? Members()
    return bundles.flatMap { name, row -> [Row] in
      guard let parts = BundleParts(row) else {
        return [self.row(name, of: row, isStartup: startup[name] != nil)]
      }
      let list = lists[BakedObject(parts.digest, extension: config.fileExtension)]
      return parts.rows(in: list).map { key, row in
        self.row(parts.name(of: key, in: name), of: row, isStartup: false)
      }
    }
  }

  /// Returns the lists of an index's split bundles, in the order of its rows.
  private func lists(of index: Value) -> [BakedObject] {
    (index["bundles"]?.members ?? Members()).compactMap { _, row in
      BundleParts(row).map { BakedObject($0.digest, extension: config.fileExtension) }
    }
  }

  /// Returns a row with its variants.
  private func row(_ name: String, of row: Value, isStartup: Bool) -> Row {
    let format = row["format"]?.text.flatMap(PropertyListFormat.init)
    let fileExtension = format?.fileExtension ?? config.fileExtension
    let versions = [row] + (row["variants"]?.items ?? [])
    return Row(
      bundle: name,
      objects: versions.compactMap { $0["object"]?.digest }.map {
        BakedObject($0, extension: fileExtension)
      },
      recipes: versions.compactMap(ReleasedBundle.recipe).map {
        BakedObject($0, extension: Recipe.fileExtension)
      }, isStartup: isStartup)
  }

  private func requireBundles(of order: BakeOrder, among names: [String]) throws(BakeError) {
    for name in order.bundles where !names.contains(where: { BakeOrder.includes($0, in: name) }) {
      let known = Set(names: names.map { String($0.prefix { $0 != "/" }) }).names
      throw BakeError(
        .unknown(.unknownBundle, word: name, known: known), "unknown bundle '\(name)'")
    }
  }

  // MARK: Assets

  /// Returns the objects of the assets in a value.
  private func assets(in value: Value) throws(BakeError) -> [BakedObject] {
    var found: [BakedObject] = []
    switch value {
    case .dictionary(let members):
      if let scales = members["scales"]?.members, members["type"]?.text != nil {
        for (_, scale) in scales {
          guard let path = scale["path"]?.text, let digest = scale["object"]?.digest else {
            continue
          }
          guard let asset = BakedObject(key: path), asset.digest == digest else {
            throw BakeError(.refused, "'\(path)' at \(files.name) is no path of an asset")
          }
          found.append(asset)
        }
      }
      for (_, member) in members { found += try assets(in: member) }
    case .array(let items): for item in items { found += try assets(in: item) }
    default: break
    }
    return found
  }

  // MARK: Reading

  /// Reads objects, several at a time, and returns what `use` makes of their bytes.
  private func bytes<Result: Sendable>(
    of objects: [BakedObject], use: @escaping @Sendable ([UInt8]) throws -> Result
  ) throws -> [Result] {
    try objects.mapOverlapped(atOnce: 8) { [files] object in
      try use(try files.object(object))
    }
  }

  private func values(of objects: [BakedObject]) throws -> [Value] {
    try bytes(of: objects) { [files] bytes in
      guard let value = try? PropertyList.decode(bytes).value else {
        throw BakeError(.refused, "an object at \(files.name) is no property list")
      }
      return value
    }
  }

  /// Returns the values of indexes, lists and bundles, which have a `format`.
  private func documents(_ objects: [BakedObject]) throws -> [Value] {
    let values = try values(of: objects)
    for (object, value) in zip(objects, values) {
      if let newer = NewerFormat(value["format"], above: Document.newest) {
        throw BakeError(.refused, newer.sentence(about: "'\(object.key)' at \(files.name)"))
      }
    }
    return values
  }

  private static func sorted(_ objects: [BakedObject]) -> [BakedObject] {
    Set(objects).sorted { $0.key.precedesInBytes($1.key) }
  }
}
