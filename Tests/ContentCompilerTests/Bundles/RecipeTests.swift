import ContentModel
import ContentSource
import Diagnostics
import PropertyLists
import SiteFormat
import Testing

@testable import ContentCompiler

/// The recipes of a build with `transfer: text`; `docs/reference/output.md`, "Recipes".
@Suite struct RecipeTests {
  private static let settings = [
    "transfer": "text",
    "bundles": """
    {all: {include: "**"}, few: {include: item/a1}, start: {include: item/a2, startup: true},
      text: {include: "**", format: json}}
    """,
  ]

  /// Sixty entries; some differ by device, country, version and date.
  private static let files: [String: String] = {
    var files: [String: String] = [:]
    for number in 0..<60 {
      var lines = [
        "title: Größe \(number)", "price: \(number).0", "count: \(number)", "on: 2026-12-24",
        "words: [\((0..<30).map { "w\($0 * number)" }.joined(separator: ", "))]",
        "map: {$: x, list: [{$date: y}]}",
      ]
      if number % 7 == 0 { lines.append("when: {country: [FR]}") }
      files["item/a\(number)"] = lines.joined(separator: "\n")
      if number % 5 == 0 { files["item/a\(number)@phone"] = "title: Phone \(number)" }
      if number % 4 == 0 { files["item/a\(number).fr"] = "title: Taille \(number)" }
    }
    return files
  }()

  @Test func recipesMakeTheBytesOfBundles() throws {
    let shop = try Shop(Self.files, with: Self.settings)
    #expect(shop.isBuilt, "\(shop.findings)")
    var count = 0
    for context in ["en", "en/phone", "fr", "fr-CA/phone", "fr/ipad"] {
      let rows = try Reader(context).index(of: shop)["bundles"]
      #expect(rows?["few"]?["text"] == nil && rows?["text"]?["text"] == nil)
      let row = try #require(rows?["all"])
      for version in [row] + (row["variants"]?.items ?? []) {
        let (text, size) = (try #require(version["text"]), try #require(version["size"]?.number))
        #expect(text["layout"] == 1)
        let recipe = try shop.bytes(text["object"])
        #expect(text["size"]?.number == recipe.count)
        #expect(try Recipe(recipe, size: size).made() == shop.bytes(version["object"]))
        count += 1
      }
    }
    #expect(count > 5, "there are variants")
  }

  @Test func theBuildRecordNamesRecipesBesideBundles() throws {
    let shop = try Shop(Self.files, with: Self.settings)
    let row = try Reader("en").index(of: shop)["bundles"]?["all"]
    let recipe = try #require(row?["text"]?["object"])
    let record = try shop.object(try shop.config["build"])
    let part = try shop.object(record["entries"]?["item"])
    #expect(part["entries"]?["a3"]?.items.contains(recipe) ?? false)
    guard case .data(let digest) = recipe else { return }
    let listed = record["objects"]?[try #require(Digest(bytes: digest)).hex]
    #expect(listed?["extension"] == .string(Recipe.fileExtension))
  }

  @Test(arguments: ["binary", nil])
  func buildsWithoutTheSettingHaveNoRecipes(transfer: String?) throws {
    var settings = Self.settings
    settings["transfer"] = transfer
    let shop = try Shop(Self.files, with: settings)
    #expect(
      shop.isBuilt && !shop.objects.values.contains { $0.fileExtension == Recipe.fileExtension })
  }

  @Test func otherSettingsAreRefused() throws {
    let shop = try Shop(["item/a": "x: 1"], with: ["transfer": "json"])
    #expect(!shop.isBuilt)
    #expect(shop.diagnostics.map(\.message) == ["'transfer' must be binary or text"])
  }
}
