package import ContentModel
import PropertyLists

/// The index of a context: the rows of its bundles, and the startup bundles themselves.
package struct SiteIndex: Sendable {
  private let document: Document
  private let ending: String
  /// The rows of the bundles that are not split, by name.
  package let rows: [BundleName: BundleRow]
  /// The objects with the rows of split bundles' parts, by name.
  package let lists: [BundleName: SiteObject]
  /// The names of the bundles that are split by place.
  package let tiledBundles: Set<BundleName>
  /// The next moments at which bundles change, without those of the parts of split bundles.
  package let changes: [Instant]

  /// The fault of an index, or of a list of parts.
  package struct Damage: Error, Hashable {
    /// A phrase such as "an index has another format".
    package let reason: String
  }

  /// Opens an index; rows that cannot be read are left out.
  ///
  /// - Throws: an error if the bytes are no property list with `format` 1 and `bundles`.
  package init(_ bytes: [UInt8], ending: String) throws {
    document = try Document(bytes)
    self.ending = ending
    try document.requireFormat("an index")
    guard let bundles = document.root.member("bundles")?.contentsIfReadable?.members else {
      throw Damage(reason: "an index has no bundles")
    }
    var rows: [BundleName: BundleRow] = [:]
    var lists: [BundleName: SiteObject] = [:]
    var tiled: Set<BundleName> = []
    for (text, value) in bundles {
      guard let name = BundleName(text) else { continue }
      if let parts = BundleParts(value) {
        lists[name] = SiteObject(parts.digest, ending: ending)
        if parts.kind == .tiles { tiled.insert(name) }
      } else if let row = BundleRow(value, ending: ending) {
        rows[name] = row
      }
    }
    (self.rows, self.lists, tiledBundles) = (rows, lists, tiled)
    changes = bundles.compactMap { $0.value["changes"]?.instant }
  }

  /// The names of all bundles and families of split bundles, in byte order.
  package var names: [BundleName] { (Array(rows.keys) + Array(lists.keys)).sorted() }

  /// Returns the startup bundle with a name; `nil` for a name of no startup bundle.
  ///
  /// The index has the version for readers without a variant: see `BundleRow.isOwn`.
  package func startup(_ name: BundleName) -> Document? {
    document.root.member("startup")?.member(name.text).map {
      Document($0, format: document.format)
    }
  }

  /// The names of the startup bundles, in byte order.
  package var startupNames: [BundleName] {
    (document.root.member("startup")?.salvagedMembers ?? []).compactMap { BundleName($0.key) }
      .sorted()
  }
}

/// A bundle of an index.
package struct BundleRow: Hashable, Sendable {
  /// A file with the bundle's content, for all readers or for some.
  package struct Version: Hashable, Sendable {
    package var object: SiteObject
    /// The number of decoded bytes.
    package var size: Int
    /// The recipe of the object; `nil` if there is none that this library can follow.
    package var recipe: RecipeFile?
  }

  /// The file with the recipe of an object.
  package struct RecipeFile: Hashable, Sendable {
    package var object: SiteObject
    /// The number of decoded bytes.
    package var size: Int
  }

  /// A version for some countries and versions of the app.
  private struct Variant: Hashable, Sendable {
    var country: ExactString?
    var from: AppVersion?
    var before: AppVersion?
    /// `true` if a limit cannot be read: such a variant matches no reader.
    var isUnreadable: Bool
    var version: Version

    func matches(country: ExactString?, app version: AppVersion?) -> Bool {
      if isUnreadable { return false }
      if let own = self.country, own != country { return false }
      guard from != nil || before != nil else { return true }
      guard let version else { return false }
      return from.map { $0 <= version } ?? true && before.map { version < $0 } ?? true
    }
  }

  /// The version for readers without a variant.
  private let own: Version
  private let variants: [Variant]
  /// The seconds for which an entry without its own ttl is shown offline.
  package let ttl: Int?
  /// The next moment at which the content changes.
  package let changes: Instant?
  /// The file name ending of the bundle.
  package let ending: String

  /// Reads a row; `nil` if it names no object.
  package init?(_ value: Value, ending: String) {
    let format = value["format"]?.text.flatMap(PropertyListFormat.init)
    self.ending = format?.fileExtension ?? ending
    guard let own = Self.version(value, ending: self.ending) else { return nil }
    self.own = own
    let ending = self.ending
    variants = (value["variants"]?.items ?? []).compactMap { item in
      Self.version(item, ending: ending).map { Self.variant(item, of: $0) }
    }
    ttl = SiteConfig.offlineLifetime(value["ttl"])
    changes = value["changes"]?.instant
  }

  /// Returns the version for readers in a country with a version of the app.
  package func version(country: String?, app: AppVersion?) -> Version {
    let country = country.map { ExactString($0) }
    return variants.first { $0.matches(country: country, app: app) }?.version ?? own
  }

  /// Returns `true` if the bundle has no variant for readers in a country with a version of the
  /// app.
  ///
  /// For a startup bundle, the index itself contains the content for these readers.
  package func isOwn(country: String?, app: AppVersion?) -> Bool {
    let country = country.map { ExactString($0) }
    return !variants.contains { $0.matches(country: country, app: app) }
  }

  private static func version(_ value: Value, ending: String) -> Version? {
    guard let digest = value["object"]?.digest, let size = value["size"]?.number,
      (0...maximumSize).contains(size)
    else { return nil }
    return Version(
      object: SiteObject(digest, ending: ending), size: size, recipe: recipe(value["text"]))
  }

  private static func recipe(_ value: Value?) -> RecipeFile? {
    guard let value, value["layout"]?.number == Recipe.layout, let digest = value["object"]?.digest,
      let size = value["size"]?.number, (0...Recipe.maximumSize).contains(size)
    else { return nil }
    return RecipeFile(object: SiteObject(digest, ending: Recipe.fileExtension), size: size)
  }

  /// The most bytes of a bundle: memory must hold it.
  package static let maximumSize = 256 << 20

  private static func variant(_ value: Value, of version: Version) -> Variant {
    let (from, before) = (value["from"]?.text, value["before"]?.text)
    let (lower, upper) = (from.flatMap { AppVersion($0) }, before.flatMap { AppVersion($0) })
    return Variant(
      country: value["country"]?.text.map { ExactString($0) }, from: lower, before: upper,
      isUnreadable: (from != nil && lower == nil) || (before != nil && upper == nil),
      version: version)
  }

  package static func == (a: BundleRow, b: BundleRow) -> Bool {
    a.own == b.own && a.variants == b.variants && a.ttl == b.ttl && a.changes == b.changes
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(own) }
}
