import ContentBuild
import ContentModel
import PropertyLists
import System
import TestInputs
import Testing

@testable import TestCommands

@Suite("contentc build and check")
struct BuildTests {
  @Test func keepsEqualAssetsUnderEachExtension() throws {
    let sandbox = try Sandbox([
      (
        "content/content.yaml",
        "app: a\nsourceLocale: en\nlocales: [en]\nbundles: {all: {include: item/*}}\n"
      ),
      ("content/datatypes/item.yaml", "fields: {file: {type: asset}, title: {type: string}}\n"),
      ("content/entries/item/a.yaml", "file: same.txt\n"),
      ("content/entries/item/b.yaml", "file: same.md\n"),
      ("content/assets/same.txt", "same\n"), ("content/assets/same.md", "same\n"),
    ])
    for title in ["one", "two"] {
      // The second build makes only the files that this edit affects.
      try sandbox.write("content/entries/item/a.yaml", "file: same.txt\ntitle: \(title)\n")
      try #require(try sandbox.run("build", "--quiet").status == 0)
      #expect(try sandbox.shell("ls out/objects/*/*.txt && ls out/objects/*/*.md").status == 0)
    }
  }

  @Test func keepsTheEarlierBuildIfContentHasMistakes() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try #require(try sandbox.run("build").status == 0)
    let before = sandbox.tree("out")
    try sandbox.write("content/entries/product/rose.yaml", "title: Rose\nprise: 3\n")
    let built = try sandbox.run("build")
    #expect(built.status == 1)
    #expect(built.output == "")
    #expect(built.errors.contains("did you mean 'price'?"))
    #expect(sandbox.tree("out").map(\.path) == before.map(\.path))
    #expect(sandbox.tree("out").map(\.bytes) == before.map(\.bytes))
  }

  @Test func createsNoOutputFolderForInvalidContent() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try sandbox.write("content/entries/product/rose.yaml", "title: Rose\nprise: 3\n")
    #expect(try sandbox.run("build").status == 1)
    #expect(sandbox.folders().contains("out") == false)
  }

  @Test func reportsEveryMistakeOnceInOneRun() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try sandbox.write("content/entries/product/a.yaml", "title: A\nprice: -1\n")
    try sandbox.write("content/entries/product/b.yaml", "title: B\nprice: cheap\n")
    try sandbox.write("content/entries/product/c.yaml", "price: 1\n")
    let checked = try sandbox.run("check", "--diagnostics", "short")
    #expect(checked.status == 1)
    let lines = checked.errors.split(separator: "\n").map(String.init)
    #expect(lines.count == 3)
    #expect(Set(lines).count == 3)
    #expect(
      lines.map { $0.prefix { $0 != ":" } }
        == ["a", "b", "c"].map { "content/entries/product/\($0).yaml" })
    #expect(try sandbox.run("build", "--diagnostics", "short").errors == checked.errors)
  }

  @Test func keepsTheObjectsOfAnEarlierBuild() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let first = try json(try sandbox.run("build", "--json").output)
    let second = try json(try sandbox.run("build", "--json").output)
    #expect(first["objectsKept"] == 0)
    #expect(second["objectsWritten"] == 0)
    #expect(second["objectsKept"] == first["objectsWritten"])
    #expect(second["bytesWritten"] == 0)
  }

  @Test func printsOneJSONObject() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let built = try sandbox.run("build", "--json")
    #expect(built.output.hasSuffix("}\n"))
    let result = try json(built.output)
    #expect(result["ok"] == true)
    #expect(result["errors"] == 0)
    #expect(result["entries"] == 1)
    #expect(result["contexts"] == 16)
    #expect(result["config"] == "out/preview/config.plist")
    #expect(result["bounds"]["production"]["correction"] == 930)
    #expect(result["bounds"]["production"]["afterPurge"] == 600)
    #expect(result["bounds"]["production"]["layers"][0] == ["layer": "fastly", "seconds": 330])
  }

  @Test func reportsFailuresAsJSONOnBothStreams() throws {
    let sandbox = try Sandbox(WorkedExample.failing)
    let built = try sandbox.run("build", "--json")
    #expect(built.status == 1)
    #expect(try json(built.output) == ["ok": false, "errors": 1, "exitStatus": 1, "warnings": 0])
    #expect(try json(built.errors)[0]["severity"] == "error")
  }

  @Test func writesCompressedCopiesUnlessNoGzipIsSet() throws {
    let sandbox = try Sandbox(SmallShop.files(products: 8, in: "content"))
    try #require(try sandbox.run("build", "--gzip", "--out=a=b").status == 0)
    try #require(try sandbox.run("build", "--no-gzip", "--out", "plain").status == 0)
    #expect(sandbox.files(below: "a=b/objects").contains { $0.hasSuffix(".gz") })
    let plain = sandbox.files(below: "plain/objects")
    #expect(!plain.isEmpty && !plain.contains { $0.hasSuffix(".gz") })
  }

  @Test func printsNothingWhenQuiet() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let built = try sandbox.run("build", "--quiet")
    #expect(built.status == 0)
    #expect(built.output == "")
    #expect(built.errors == "")
  }

  @Test func linksObjectsUnderLatestNames() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try #require(try sandbox.run("build").status == 0)
    let published = try PublishedFolder(sandbox)
    let latest = try sandbox.value("out/preview/latest/fr-CA/ipad/catalog.plist")
    #expect(try published.bundle("catalog", "fr-CA", "ipad") == latest)
    #expect(sandbox.tree("out/preview/latest").contains { $0.path.contains("product") } == false)
  }

  @Test func writesNothingWhenItOnlyChecks() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let checked = try sandbox.run("check")
    #expect(checked.status == 0)
    #expect(checked.output.hasPrefix("No mistakes in 1 entry and 16 contexts"))
    #expect(
      sandbox.folders() == [
        "content", "content/datatypes", "content/entries", "content/entries/product",
      ])
  }

  @Test func buildsEqualListItemsAtEveryInstantWithoutAnEmbargo() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    func items(_ condition: String, at instant: String) throws -> (badges: Value?, changes: Value?)
    {
      try sandbox.write(
        "content/entries/product/wreath.yaml",
        """
        title: Wreath
        price: 20
        badges:
          - {id: winter, label: Winter, when: {from: 2026-12-01T00:00 Europe/Paris\(condition)}}

        """)
      try #require(try sandbox.run("build", "--at", instant).status == 0)
      let bundle = try PublishedFolder(sandbox).bundle("product/wreath", "en", "any")
      return (bundle["entries"]["product/wreath"]["content"]["badges"], bundle["changes"])
    }
    let (before, after) = ("2026-11-30T22:59:59Z", "2026-12-01T00:00 Europe/Paris")
    let date = Value.date(try #require(Instant(rfc3339: "2026-11-30T23:00:00Z")))
    for instant in [before, after] {
      let (badges, changes) = try items("", at: instant)
      #expect(badges[0]["when"] == ["from": date] && changes == nil)
    }
    let hidden = try items(", embargo: true", at: before)
    #expect(hidden.badges == .array([]) && hidden.changes == date)
    let shown = try items(", embargo: true", at: after)
    #expect(shown.badges[0]["when"] == ["from": date] && shown.changes == nil)
  }

  @Test func failsIfTheStalenessBoundExceedsTheLimit() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let text = WorkedExample.building[0].text.replacing(
      "stalenessLimit: 30m", with: "stalenessLimit: 15m")
    try sandbox.write("content/content.yaml", text)
    let built = try sandbox.run("build", "--diagnostics", "short")
    #expect(built.status == 2)
    #expect(built.errors.contains("content/content.yaml:9:17: error: 'stalenessLimit' is 15m"))
    #expect(built.errors.contains("[staleness]"))
  }

  private func json(_ text: String) throws -> Value {
    try PropertyList.decode(Array(text.utf8), as: .json).value
  }
}
