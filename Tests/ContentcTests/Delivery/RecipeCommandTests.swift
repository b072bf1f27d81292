import ContentModel
import PropertyLists
import SiteFormat
import Testing

@testable import TestCommands

/// Commands on content with `transfer: text`.
@Suite struct RecipeCommandTests {
  private static let bad = "Swearword"
  private let sandbox: Sandbox

  init() throws {
    let long = (0..<700).map { "word\($0)" }.joined(separator: " ")
    sandbox = try Sandbox([
      (
        "content/content.yaml",
        """
        app: shop
        sourceLocale: en
        locales: [en]
        transfer: text
        bundles:
          all: {include: product/*}
        channels:
          qa: {target: site, latest: true}

        """
      ),
      (
        "content/datatypes/product.yaml",
        "fields:\n  title: {type: string, required: true}\n  care: {type: text}\n"
      ),
      (
        "content/entries/product.yaml",
        "rose: {title: \(Self.bad), care: \(long)}\nlily: {title: Lily, care: \(long)}\n"
      ),
    ])
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> String {
    let done = try sandbox.run(Sandbox.binary, arguments)
    try #require(done.status == 0, "\(arguments): \(done.errors)")
    return done.output
  }

  private func recipes(below folder: String) -> [String] {
    sandbox.files(below: folder).filter { $0.contains(".\(Recipe.fileExtension)") }
  }

  /// Returns the files of the target that have the bad word, compressed or not.
  private func badFiles() throws -> [String] {
    let found = try sandbox.shell(
      """
      for f in $(find site -type f); do
        case $f in *.gz) gzip -dc $f;; *) cat $f;; esac | grep -aq \(Self.bad) && echo $f
      done
      true
      """)
    return found.output.split(separator: "\n").map(String.init)
  }

  @Test func diffCountsRecipes() throws {
    try sandbox.shell("sed -i 's/transfer: text/transfer: binary/' content/content.yaml")
    try run("publish", "qa")
    try sandbox.shell("sed -i 's/transfer: binary/transfer: text/' content/content.yaml")
    let text = try run("diff", "qa")
    #expect(text.contains("recipes of bundles, which take fewer bytes"), "\(text)")
    let found = try PropertyList.decode(Array(run("diff", "qa", "--json").utf8), as: .json).value
    let kinds = (found["sends"]?.items ?? []).compactMap { $0["kind"]?.text }
    #expect(kinds == ["index", "recipe", "record"], "\(found)")
  }

  @Test func aPurgeRemovesBothFormsOfARecipe() throws {
    try run("publish", "qa")
    let published = recipes(below: "site")
    #expect(
      published.count == 2 && published.allSatisfy { $0.hasPrefix("site/objects/") },
      "one recipe, and its compressed form: \(published)")
    #expect(try badFiles().filter(published.contains).count == 2)
    try run("purge", "product/rose", "--channel", "qa", "--reason", "A word")
    #expect(try badFiles() == [] && recipes(below: "site") == [])
    #expect(try run("status", "qa").contains("purges"))
  }

  @Test func bakedContentHasNoRecipes() throws {
    try run("publish", "qa")
    try run("bake", "qa", "--to", "baked", "--from-target")
    #expect(recipes(below: "baked") == [] && sandbox.files(below: "baked").count > 2)
    try run("bake", "qa", "--to", "baked", "--from-target", "--check")
  }
}
