import ContentModel
import PropertyLists
import SystemC
import TestInputs
import Testing

@testable import TestCommands

/// Commands find the project above the folder that they run in.
@Suite("A project above the current folder")
struct ProjectAboveTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(WorkedExample.building.map { (path: "shop/\($0.path)", text: $0.text) })
  }

  private func run(in folder: String, _ line: String) throws -> Outcome {
    try sandbox.tour("cd '\(folder)' && \(line)")
  }

  @Test(
    "is used from every folder below it, with one note",
    arguments: [
      ("shop/content/entries/product", "../../..", "../../../content"),
      ("shop/content", "..", "../content"),
      ("shop/notes/a", "../..", "../../content"),
    ])
  func isUsedFromFoldersBelowIt(folder: String, above: String, content: String) throws {
    try sandbox.shell("mkdir -p shop/notes/a")
    let note = "note: using the project in \(above), whose content is \(content)\n"
    let built = try run(in: folder, "contentc build")
    #expect(built.status == 0 && built.errors == note, "\(built)")
    #expect(built.output.contains("into \(above)/out/ in"))
    #expect(sandbox.read("shop/out/preview/config.plist") != nil)
    #expect(try run(in: folder, "contentc locales").errors == note)
    #expect(try run(in: folder, "contentc locales --quiet").errors == "")
    let published = try run(in: folder, "contentc publish qa --json")
    #expect(
      published.status == 0 && published.errors == "[\n\n]\n" || published.errors == "",
      "\(published)")
    #expect(sandbox.read("shop/site/qa/config.plist") != nil)
    // The build does not depend on the current folder.
    let config = sandbox.read("shop/out/preview/config.plist")
    try #require(try run(in: "shop", "contentc build --fresh").errors == "")
    #expect(sandbox.read("shop/out/preview/config.plist") == config)
  }

  @Test func printsPathsThatCanBeOpenedFromTheCurrentFolder() throws {
    try sandbox.write("shop/content/entries/product/rose.yaml", "title: Rose\nprise: 1\n")
    let checked = try run(in: "shop/content/entries", "contentc check --diagnostics short --quiet")
    #expect(checked.status == 1)
    let path = String(checked.errors.prefix { $0 != ":" })
    #expect(path == "../../content/entries/product/rose.yaml")
    #expect(try run(in: "shop/content/entries", "cat \(path)").output.hasPrefix("title: Rose"))
  }

  @Test func isNotUsedIfAnotherIsNamedOrPresent() throws {
    try sandbox.shell("mkdir -p shop/inner && cp -R shop/content shop/inner/content")
    let here = try run(in: "shop/inner", "contentc build")
    #expect(
      here.status == 0 && here.errors == ""
        && sandbox.read("shop/inner/out/preview/config.plist") != nil)
    let named = try run(in: "shop/inner/content", "contentc build --content ../../content")
    #expect(
      named.status == 0 && named.errors == ""
        && sandbox.read("shop/inner/content/out/preview/config.plist") != nil)
  }

  @Test func isNotSearchedAboveARepository() throws {
    try sandbox.shell("mkdir -p shop/other/.git shop/other/deep")
    for folder in ["shop/other", "shop/other/deep"] {
      let outcome = try run(in: folder, "contentc check")
      #expect(
        outcome.status == 66
          && outcome.errors.hasPrefix("error: the content folder 'content' does not exist"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a file to another user"))
  func isNotUsedIfItBelongsToAnotherUser() throws {
    try sandbox.shell("mkdir -p shop/mine && chown 12345 shop/content/content.yaml")
    let outcome = try run(in: "shop/mine", "contentc check")
    #expect(outcome.status == 66, "\(outcome)")
    #expect(
      outcome.errors.contains(
        "'../content' belongs to another user and is used only if --content names it"))
    #expect(try run(in: "shop/mine", "contentc check --content ../content").status == 0)
    #expect(try run(in: "shop", "contentc check").status == 0)
  }

  @Test func isNotFoundInAFolderOfThatNameWithoutAProject() throws {
    try sandbox.shell("mkdir -p shop/half/content")
    let outcome = try run(in: "shop/half", "contentc check")
    #expect(outcome.status == 66 && outcome.errors.contains("content/content.yaml"), "\(outcome)")
  }
}
