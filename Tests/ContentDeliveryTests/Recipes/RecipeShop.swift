import ContentModel
import PropertyLists
import SiteFormat
import TestReaders
import Testing

@testable import ContentReleases
@testable import ContentTargets
@testable import TestDelivery

/// A shop with `transfer: text`: its catalog has a recipe, and so has each product.
enum RecipeShop {
  static let rose = "product/rose"
  static let bad = "Swear word"
  /// The files of a rose with a swear word.
  static let badRose = ["entries/product/rose.yaml": product("title: \(bad)\nprice: 1")]
  /// The files of another lily, so that two releases with one rose have other bundles.
  static let otherLily = [
    "entries/product/lily.yaml": product("title: Lilly\nwhen: {country: [DE, FR]}")
  ]

  /// A text that makes the bundle of one product large enough for a recipe.
  static let long = (0..<700).map { "word\($0)" }.joined(separator: " ")

  /// Returns the file of a product with a long text.
  static func product(_ lines: String) -> String { "\(lines)\ncare: \(long)\n" }

  /// Creates the shop with some files replaced, or the same shop without recipes.
  static func shop(_ edits: [String: String] = [:], transfer: String = "text") -> Shop {
    let project = """
      app: shop
      sourceLocale: en
      locales: [en, fr]
      transfer: \(transfer)
      bundles:
        home: {include: screen/home, startup: true}
        catalog: {include: product/*}
        product: {include: product/*, split: entry}
      """
    let files = [
      "content.yaml": project, rosePath: product("title: Rose\nprice: 1"),
      "entries/product/lily.yaml": product("title: Lily\nwhen: {country: [DE, FR]}"),
      "entries/product/iris.yaml": product("title: Iris\nprice: 3"),
    ]
    return Shop(files.merging(edits) { $1 })
  }

  private static let rosePath = "entries/product/rose.yaml"
}

extension ChannelPlace {
  /// The keys of the recipes at the target.
  func storedRecipes() throws -> Set<String> {
    Set(try target.list(below: "objects/").map(\.key).filter(\.isRecipe))
  }

  /// The keys of the recipes that the record of the live release lists.
  func listedRecipes() throws -> Set<String> {
    Set(try #require(try live()).record.objects.filter(\.isRecipe).map(\.key))
  }

  /// Returns the keys of the recipes that rows of the live release name, each of which makes the bundle
  /// of its row; only the rows of some bundles, such as `product/rose`, if they are given.
  func namedRecipes(of bundles: [String] = []) throws -> Set<String> {
    let reader = ReleaseReader(try #require(try live()).content(at: target))
    var named: Set<String> = []
    for context in reader.contexts {
      for (name, row) in try reader.rowValues(context)
      where bundles.isEmpty || bundles.contains(name) {
        for version in [row] + (row["variants"]?.items ?? []) {
          guard let recipe = version["text"]?["object"]?.digest else { continue }
          let bundle = try #require(version["object"]?.digest)
          let size = try #require(version["size"]?.number)
          let text = try reader.bytes(of: recipe)
          #expect(version["text"]?["size"]?.number == text.count)
          #expect(try Recipe(text, size: size).made() == reader.bytes(of: bundle))
          named.insert(try #require(reader.object(recipe)).key)
        }
      }
    }
    return named
  }
}

extension ReleaseReader {
  /// Returns the rows of a context's bundles and parts, by their names.
  fileprivate func rowValues(_ context: ReleaseContext) throws -> [(String, Value)] {
    let digest = try #require(self.index(of: context))
    let index = try value(of: digest)
    return try (index["bundles"]?.members ?? Members()).flatMap { name, row -> [(String, Value)] in
      guard let parts = BundleParts(row) else { return [(name, row)] }
      return parts.rows(in: try value(of: parts.digest)).map { key, row in
        (parts.name(of: key, in: name), row)
      }
    }
  }
}

extension String {
  /// `true` for the key of a recipe.
  var isRecipe: Bool { hasSuffix(".\(Recipe.fileExtension)") }
}
