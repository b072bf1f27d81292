import ContentModel
import SiteFormat

/// One row of an index: the object of a bundle, and its variants.
struct BundleRow: Hashable, Sendable {
  /// The object of a bundle for one class of readers.
  struct Object: Hashable, Sendable {
    var digest: Digest
    var size: Int
    var count: Int
    var changes: Instant?
    /// The recipe of a binary bundle; `nil` for none.
    var recipe: Recipe?

    /// The object and its recipe.
    var digests: [Digest] { [digest] + [recipe?.digest].compactMap(\.self) }
  }

  /// The object with a recipe.
  struct Recipe: Hashable, Sendable {
    var digest: Digest
    var size: Int
  }

  var object: Object
  var variants: [AudienceClasses.Variant<Object>]
  /// The time for which entries without their own may be shown offline.
  var ttl: TimeSpan
  /// The format; `nil` if it is the project's.
  var format: PropertyListFormat?
  /// The content of a startup bundle, which the index includes.
  var startup: Value?

  /// Every object of the row.
  var objects: [Object] { [object] + variants.map(\.result) }

  /// The row as a value of the index.
  func value(in format: PropertyListFormat) -> Value {
    var members = Self.members(of: object, in: format)
    members["ttl"] = Value.integer(Int64(ttl.seconds))
    // The earliest change of all variants, since a reader of any of them must ask again by then.
    if let changes = objects.compactMap(\.changes).min() { members["changes"] = .date(changes) }
    if let format = self.format { members["format"] = .string(format.rawValue) }
    if !variants.isEmpty {
      members["variants"] = .array(
        variants.map { variant in
          var row = Self.members(of: variant.result, in: format)
          if let country = variant.country { row["country"] = .string(country) }
          if let from = variant.stretch.from { row["from"] = .string(from.description) }
          if let before = variant.stretch.before { row["before"] = .string(before.description) }
          return .dictionary(row)
        })
    }
    return .dictionary(members)
  }

  private static func members(of object: Object, in format: PropertyListFormat) -> Members {
    var members = Members([
      ("object", object.digest.value(in: format)), ("size", .integer(Int64(object.size))),
      ("count", .integer(Int64(object.count))),
    ])
    members["text"] = object.recipe.map { recipe in
      [
        "layout": .integer(Int64(SiteFormat.Recipe.layout)),
        "object": recipe.digest.value(in: format), "size": .integer(Int64(recipe.size)),
      ]
    }
    return members
  }
}

/// The rows of one bundle in every context that was asked for.
struct BundleRows: Sendable {
  var selection: Selection
  /// By context: the row of a bundle that is one object.
  var whole: [BundleRow] = []
  /// By context: the entries of a split bundle in order, each with its row.
  var split: [[(entry: Int, row: BundleRow)]] = []
  /// By context: the list of a split bundle and its length, where these are known without the rows.
  var lists: [(digest: Digest, count: Int)] = []
  /// By context: the next end of an embargo on an entry of a split bundle; empty where there is
  /// none.
  var listChanges: [Instant?] = []

  /// `true` for a bundle that is split into tiles, whose rows follow.
  var isDirectory: Bool { selection.isDirectory }

  /// The next end of an embargo on anything in the bundle.
  var changes: Instant? {
    let rows = whole + split.joined().map(\.row)
    return (rows.flatMap { $0.objects.compactMap(\.changes) } + listChanges.compactMap(\.self))
      .min()
  }
}
