import ContentModel
import Testing

@testable import TestCommands

/// File names that differ only in Unicode normalization, as after unpacking a macOS archive beside
/// the originals.
@Suite struct ExactNameTests {
  private static let files: [(path: String, text: String)] =
    [
      (
        "content/content.yaml",
        "app: shop\nsourceLocale: en\nlocales: [en, fr]\nbundles: {all: {include: '**'}}\n"
      ),
      (
        "content/datatypes/item.yaml",
        "fields: {picture: asset, other: asset, note: {type: text, localized: true}}\n"
      ),
      (
        "content/entries/item/a.yaml",
        "picture: caf\u{E9}/ros\u{E9}.bin\nother: cafe\u{301}/rose\u{301}.bin\n"
      ),
      ("content/entries/item/a.fr.yaml", "note: Mot\n"),
    ]
    + ["\u{E9}", "e\u{301}"].flatMap { spelling in
      [
        (
          path: "content/strings/app/caf\(spelling).en.yaml", text: "en: {\"\(spelling)\": Hello}\n"
        ),
        (path: "content/strings/app/\(spelling)/fr.yaml", text: "fr: {\"\(spelling)\": Bonjour}\n"),
        (path: "content/assets/caf\(spelling)/ros\(spelling).bin", text: "\(spelling.utf8.count)"),
      ]
    }

  @Test func buildAndCheckAgree() throws {
    let sandbox = try Sandbox(Self.files)
    let check = try sandbox.run("check")
    #expect(check.status == 0, "\(check.output)\(check.errors)")
    let build = try sandbox.run("build")
    #expect(build.status == 0, "\(build.output)\(build.errors)")
    let first = sandbox.tree("out").filter { !$0.path.hasPrefix("out/.") }
    #expect(try sandbox.run("build").status == 0)
    #expect(sandbox.tree("out").map(\.path).filter { !$0.hasPrefix("out/.") } == first.map(\.path))
  }

  @Test(arguments: [
    "strings/app/cafe\u{301}.en.yaml", "strings/app/\u{E9}/fr.yaml", "entries/item/a.fr.yaml",
  ])
  func areEditedSeparately(path: String) throws {
    let sandbox = try Sandbox(Self.files)
    try #require(try sandbox.run("build").status == 0)
    let text = String(decoding: try #require(sandbox.read("content/\(path)")), as: UTF8.self)
    let edited = text.replacing("Hello", with: "Hi").replacing("Bonjour", with: "Salut").replacing(
      "Mot", with: "Note")
    try #require(edited != text)
    try sandbox.write("content/\(path)", edited)
    #expect(try sandbox.run("build").status == 0)
    try expectBuild(in: sandbox, of: path, with: edited)
  }

  @Test func areBuiltAgainIfOnlyTheNormalizationOfATextHasChanged() throws {
    let path = "entries/item/a.fr.yaml"
    let sandbox = try Sandbox(Self.files)
    for text in ["note: Caf\u{E9}\n", "note: Cafe\u{301}\n"] {
      try sandbox.write("content/\(path)", text)
      #expect(try sandbox.run("build").status == 0)
      try expectBuild(in: sandbox, of: path, with: text)
    }
  }

  /// If a field changed in several contexts, the difference shows it once, with the number of other
  /// forms.
  @Test func areShownSeparatelyInADifference() throws {
    let sandbox = try Sandbox([
      (
        "content/content.yaml",
        "app: shop\nsourceLocale: en\nlocales: [en]\nbundles: {all: {include: '**'}}\n"
          + "channels: {qa: {target: site}}\n"
      ),
      ("content/datatypes/item.yaml", "open: true\n"),
      ("content/entries/item/a.yaml", "\u{E9}: 1\ne\u{301}: 1\n"),
    ])
    try #require(try sandbox.run("publish", "qa").status == 0)
    try sandbox.write("content/entries/item/a.yaml", "\u{E9}: 2\ne\u{301}: 2\n")
    try #require(try sandbox.run("build").status == 0)
    let diff = try sandbox.run("diff", "qa")
    #expect(diff.status == 0 && diff.output.ranges(of: "1 → 2").count == 2, "\(diff.output)")
    #expect(!diff.output.contains("other forms"))
  }

  /// Expects the same output as a first build of the files, in which the file at `path` has a text.
  private func expectBuild(in sandbox: Sandbox, of path: String, with text: String) throws {
    let clean = try Sandbox(Self.files)
    try clean.write("content/\(path)", text)
    try #require(try clean.run("build").status == 0)
    let (incremental, whole) = (sandbox.tree("out"), clean.tree("out"))
    #expect(incremental.map(\.path) == whole.map(\.path))
    #expect(incremental.map(\.bytes) == whole.map(\.bytes))
  }
}
