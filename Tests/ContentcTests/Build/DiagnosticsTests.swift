import ContentModel
import PropertyLists
import TestInputs
import Testing

@testable import TestCommands

@Suite("Printed diagnostics")
struct DiagnosticsTests {
  private static let misspelled = (
    path: "content/entries/product/rose.yaml", text: "tittle: Rose\nprice: 3\n"
  )
  private static let unread = (
    path: "content/entires/product/rose.yaml", text: "title: Rose\nprice: 3\n"
  )

  @Test func showsTheLineAndTheFix() throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.misspelled])
    let errors = try sandbox.run("check").errors
    #expect(
      errors.hasPrefix(
        """
        content/entries/product/rose.yaml:1:1: error: unknown field 'tittle' in 'product'; did you mean 'title'? [unknown-field]
        1 | tittle: Rose
          | ^~~~~~
          | title

        """))
  }

  @Test func showsOneLineEachInShortForm() throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.misspelled])
    let errors = try sandbox.run("check", "--diagnostics", "short").errors
    #expect(errors.split(separator: "\n").count == 1)
    #expect(errors.hasSuffix("[unknown-field]\n"))
  }

  @Test func printsAJSONArray() throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.misspelled])
    let text = try sandbox.run("check", "--diagnostics", "json").errors
    let first = try PropertyList.decode(Array(text.utf8), as: .json).value[0]
    #expect(first["id"] == "unknown-field")
    #expect(first["path"] == .string(Self.misspelled.path))
    #expect(first["range"]["start"] == ["line": 1, "column": 1])
  }

  /// Texts are unknown only because `sourceLocale` names another locale than theirs.
  @Test(arguments: [1, 12])
  func reportsAWrongSourceLocaleWithoutItsConsequences(products: Int) throws {
    let sandbox = try Sandbox([
      (
        "content/content.yaml",
        """
        app: shop
        sourceLocale: de
        locales: [en, de, en-GB]
        fallback: {en-GB: [en-GB, en]}

        """
      ),
      (
        "content/datatypes/product.yaml",
        "fields: {title: {type: string, required: true, localized: true}}\n"
      ),
      (
        "content/entries/product.yaml",
        (1...products).map { "p\($0): {title: Rose}\n" }.joined()
      ),
      ("content/strings/app.en.yml", "en: {hello: Hello, bye: Goodbye}\n"),
      ("content/strings/app.de.yml", "de: {hello: Hallo}\n"),
    ])
    let errors = try sandbox.run("check", "--diagnostics", "short").errors
    #expect(errors.contains("did you mean 'sourceLocale: en'?") == (products > 10), "\(errors)")
    #expect(errors.split(separator: "\n").count == 1, "\(errors)")
    #expect(errors.hasSuffix("[missing-field]\n"), "\(errors)")
  }

  @Test func warnsAndContinues() throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.unread])
    let built = try sandbox.run("build")
    #expect(built.status == 0)
    #expect(built.errors.contains("warning: "))
    #expect(built.errors.contains("[unread-file]"))
    #expect(sandbox.read("out/preview/config.plist") != nil)
  }

  @Test(
    "turns warnings into errors",
    arguments: [["--warnings-as-errors"], ["--error-on", "unread-file"]])
  func turnsWarningsIntoErrors(flags: [String]) throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.unread])
    let built = try sandbox.run(Sandbox.binary, ["build"] + flags)
    #expect(built.status == 1)
    #expect(built.errors.contains("error: nothing reads this file"))
    #expect(sandbox.read("out/preview/config.plist") == nil)
  }

  @Test func leavesOtherRulesWarningsAlone() throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.unread])
    #expect(try sandbox.run("check", "--error-on", "large-config").status == 0)
  }

  #if os(Linux)
    @Test(
      "uses colour on terminals only, and never under NO_COLOR",
      arguments: [
        (["TERM=xterm"], true), (["TERM=xterm", "NO_COLOR=1"], false),
        (["TERM=xterm", "NO_COLOR="], true),
        (["TERM=dumb"], false),
      ])
    func usesColorOnTerminalsOnly(environment: [String], isColoured: Bool) throws {
      let screen = try Screen()
      let sandbox = try Sandbox(WorkedExample.building + [Self.misspelled])
      let checked = try sandbox.run("check", environment: environment, errorsTo: screen.path)
      #expect(checked.status == 1)
      let shown = screen.text
      #expect(shown.contains("unknown field"))
      #expect(shown.contains("\u{1B}[") == isColoured)
    }
  #endif

  @Test func usesNoColourInFiles() throws {
    let sandbox = try Sandbox(WorkedExample.building + [Self.misspelled])
    #expect(
      try sandbox.run("check", environment: ["TERM=xterm"]).errors.contains("\u{1B}") == false)
  }
}
