import ContentModel
import PropertyLists
import SystemC
import TestInputs
import Testing

@testable import TestCommands

@Suite("contentc init, locales, explain, convert")
struct CommandTests {
  @Test func createsAProjectThatBuildsWithoutWarnings() throws {
    let sandbox = try Sandbox()
    let made = try sandbox.run("init", "bakery")
    #expect(made.status == 0)
    #expect(made.output.contains("cd bakery"))
    let files = sandbox.tree("bakery/content").count
    #expect(
      made.output.hasPrefix(
        "Made bakery/content with \(files) files, and bakery/.gitignore. Next:\n"))
    #expect(sandbox.read("bakery/.gitignore") == Array("out/\nsite/\n.contentc/\n".utf8))
    let built = try sandbox.run(
      "build", "--content", "bakery/content", "--out", "bakery/out", "--warnings-as-errors")
    #expect(built.status == 0)
    #expect(built.errors == "")
    let published = try PublishedFolder(sandbox, folder: "bakery/out")
    let croissant = try published.bundle("product/croissant", "fr-CA", "phone")["entries"][
      "product/croissant"]
    #expect(croissant["content"]["title"] == "Croissant au beurre")
    #expect(croissant["content"]["price"] == 2.4)
    let home = try published.index("fr", "tablet")["startup"]["home"]["entries"]
    #expect(home["screen/home"]["content"]["columns"] == 2)
    #expect(
      home["strings/app"]["content"]["cart"] == [
        "add": "Ajouter au panier", "empty": "Your basket is empty",
      ])
  }

  /// What commands write is no source: git must not take it.
  @Test func makesAProjectWhoseOutputGitIgnores() throws {
    let sandbox = try Sandbox()
    for arguments in [["init"], ["build"], ["publish"]] { _ = try sandbox.succeed(arguments) }
    let staged = try sandbox.run(
      "/bin/sh", ["-c", "git init -q . && git add -A && git ls-files"])
    #expect(staged.status == 0, "\(staged)")
    let files = staged.output.split(separator: "\n")
    #expect(files.contains("content/content.yaml") && files.contains(".gitignore"))
    #expect(files.allSatisfy { $0.hasPrefix("content/") || $0 == ".gitignore" }, "\(files)")
  }

  #if os(Linux)
    /// A control sequence of one character, and one that reverses the direction of the text.
    @Test(arguments: ["json", "xml", "openstep"])
    func convertPrintsNoControlCharactersToATerminal(format: String) throws {
      let sandbox = try Sandbox([("a.yaml", #"title: "x\u009b31m\u202ey""#)])
      let screen = try Screen()
      let process = try sandbox.start(
        Sandbox.binary, ["convert", "a.yaml", "--to", format], output: screen.path)
      #expect(Sandbox.wait(for: process) == 0)
      let text = screen.text
      #expect(text.contains("31m") && !text.contains("\u{9B}") && !text.contains("\u{202E}"))
      // The meaning of JSON stays the same.
      if format == "json" { #expect(text.contains(#"x\u009b31m\u202ey"#), "\(text)") }
    }
  #endif

  /// A new warning must not trouble careful authors.
  @Test(arguments: ["content", "Tests/ContentPreviewTests/Museum/content"])
  func warnsOfNothingInOurProjects(folder: String) throws {
    let outcome = try Sandbox().run(
      "check", "--content", "\(Sandbox.checkout)/\(folder)", "--warnings-as-errors")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
  }

  @Test func changesNoExistingFile() throws {
    let sandbox = try Sandbox([
      (path: ".gitignore", text: "mine\n"), (path: "notes.txt", text: "x"),
    ])
    let made = try sandbox.run("init")
    #expect(made.status == 0)
    #expect(made.output.hasSuffix("Add 'out/', 'site/' and '.contentc/' to your .gitignore.\n"))
    #expect(sandbox.read(".gitignore") == Array("mine\n".utf8))
    let before = sandbox.tree()
    let again = try sandbox.run("init")
    #expect(again.status == 64)
    #expect(again.errors.contains("'content' exists already"))
    #expect(sandbox.tree().map(\.path) == before.map(\.path))
  }

  @Test func reportsWhyAFolderCannotBeCreated() throws {
    let sandbox = try Sandbox()
    try #require(symlink("missing", "\(sandbox.root)/bakery") == 0)
    let made = try sandbox.run("init", "bakery")
    #expect(made.status == 74)
    #expect(made.errors.contains("cannot create the folder 'bakery': File exists"))
  }

  @Test func showsTheChainOfEveryDeclaredLocale() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let expected = """
      en     the source locale
      en-GB  → en-001 → en
      fr     → en
      fr-CA  → fr → en

      """
    #expect(try sandbox.run("locales").output == expected)
    let result = try json(try sandbox.run("locales", "--json").output)
    #expect(result["chains"]["en-GB"] == ["en-GB", "en-001", "en"])
    #expect(result["sourceLocale"] == "en")
  }

  @Test func showsTheLocaleOfEachRequestAndTheReason() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let result = try json(
      try sandbox.run("locales", "en-IN", "fil", "fr-BE", "not a tag", "--json").output)
    let served = (0..<4).map { result["requests"][$0]["served"] }
    #expect(served == ["en-GB", "en", "fr", "en"])
    #expect((0..<4).map { result["requests"][$0]["matched"] } == [true, false, true, false])
    let printed = try sandbox.run("locales", "not a tag")
    #expect(printed.status == 0)
    #expect(printed.output.contains("is not a language tag"))
  }

  @Test func explainsTheSourceOfEachValue() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let entry = "content/entries/product/country-charm"
    let explained = try sandbox.run(
      "explain", "product/country-charm", "--locale", "fr-CA", "--device", "ipad", "--json")
    let result = try json(explained.output)
    #expect(result["consulted"] == ["fr-CA", "fr", "@ipad", "base"])
    let fields = try #require(result["fields"].items)
    let byPath = Members(fields.compactMap { field in field["path"].text.map { ($0, field) } })
    #expect(byPath["title"]["value"] == "Panier champêtre")
    #expect(byPath["title"]["location"] == .string("\(entry).fr.yaml:1:8"))
    #expect(
      byPath["title"]["passedOver"] == [
        ["layer": "fr-CA"], ["layer": "@ipad", "hidden": .string("\(entry)@ipad.yaml:1:8")],
        ["layer": "base", "hidden": .string("\(entry).yaml:1:8")],
      ])
    #expect(byPath["care"]["removed"] == true)
    #expect(byPath["care"]["location"] == .string("\(entry).fr-CA.yaml:1:7"))
    #expect(byPath["badges[new].height"]["value"] == 45)
    #expect(byPath["badges[new].height"]["layer"] == "@ipad")
    let printed = try sandbox.run("explain", "product/country-charm", "--locale", "fr-CA").output
    #expect(printed.contains("care: removed, by null\n    from \(entry).fr-CA.yaml:1:7 (fr-CA)\n"))
  }

  @Test func explainsOmittedItems() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let entry = "content/entries/product/rose.yaml"
    try sandbox.write(
      entry,
      """
      title: Rose
      price: 1
      badges:
        - {label: French, when: {country: FR}}
        - {label: All}
        - {label: Late, when: {from: 2040-01-01T00:00:00Z}}
      """)
    let printed = try sandbox.run("explain", "product/rose").output
    #expect(
      printed.contains("badges[0].label: \"All\"\n    from \(entry):5:13 (base)\n"), "\(printed)")
    #expect(
      printed.contains(
        "badges[]: left out\n    when: country: FR (does not hold: country)\n    from \(entry):4:27\n"
      ), "\(printed)")
    let late = "when: from: 2040-01-01T00:00:00Z (does not hold: from)\n    from \(entry):6:25\n"
    let readers = "    the bundle contains it, and readers omit it outside these dates\n"
    #expect(printed.contains(late + readers), "\(printed)")
    let reader = ["--country", "FR", "--app", "2", "--at", "2041-01-01T00:00:00Z"]
    let all = try sandbox.run(Sandbox.binary, ["explain", "product/rose", "--json"] + reader)
    let result = try json(all.output)
    #expect(result["leftOut"] == nil)
    #expect(result["country"] == "FR")
    #expect(result["app"] == "2.0")
    #expect(
      try #require(result["fields"].items).compactMap { $0["path"].text }.contains(
        "badges[2].label"))
  }

  @Test func explainsContentUnderEmbargo() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let when = "when: {from: 2040-01-01T00:00:00Z, embargo: true}"
    try sandbox.write(
      "content/entries/product/rose.yaml",
      "title: Rose\nprice: 1\nbadges:\n  - {label: Late, \(when)}\n")
    try sandbox.write("content/entries/product/lilac.yaml", "title: Lilac\nprice: 1\n\(when)\n")
    let held = "    no published file contains it before 2040-01-01T00:00:00Z\n"
    for entry in ["product/rose", "product/lilac"] {
      let early = try sandbox.run("explain", entry).output
      #expect(early.contains(held) && !early.contains("the bundle contains it"), "\(early)")
      #expect(
        try !sandbox.run("explain", entry, "--at", "2040-01-01T00:00:00Z").output.contains(held))
    }
  }

  @Test(
    "suggests the nearest name",
    arguments: [
      (["explain", "product/contry-charm"], "did you mean 'product/country-charm'?"),
      (["explain", "product/country-charm", "--device", "ipda"], "did you mean 'ipad'?"),
      (
        ["explain", "product/country-charm", "--locale", "fr-BE"],
        "a reader who asks for it gets 'fr'"
      ),
    ])
  func suggestsTheNearestName(arguments: [String], suggestion: String) throws {
    let outcome = try Sandbox(WorkedExample.building).run(Sandbox.binary, arguments)
    #expect(outcome.errors.contains(suggestion))
  }

  @Test(
    "converts YAML to every format and back to the same value",
    arguments: ["binary", "xml", "openstep", "json"])
  func convertsYAMLToEveryFormat(format: String) throws {
    let sandbox = try Sandbox([(path: "a.yaml", text: "b: {c: [x, 'yes', no]}\nd: é\nn: null\n")])
    let converted = try sandbox.run("convert", "a.yaml", "--to", format, "-o", "a.plist")
    #expect(converted.status == 0)
    #expect(try sandbox.value("a.plist") == ["b": ["c": ["x", "yes", "no"]], "d": "é"])
    #expect(
      try sandbox.run("convert", "a.plist", "--to", "json").output
        == "{\"b\":{\"c\":[\"x\",\"yes\",\"no\"]},\"d\":\"é\"}\n")
  }

  @Test func keepsNumbersBooleansAndDataOfYAML() throws {
    let sandbox = try Sandbox([(path: "a.yaml", text: "[1, 1.0, true, '1', !!binary AAE=]\n")])
    try #require(
      try sandbox.run("convert", "a.yaml", "--to", "binary", "-o", "a.plist").status == 0)
    #expect(try sandbox.value("a.plist") == [1, 1.0, true, "1", .data([0, 1])])
  }

  @Test(
    "refuses values that no property list can hold",
    arguments: [
      ("a: [1, null]\n", "a.yaml:1:8: error: "),
      ("a: 9223372036854775808\n", "a.yaml:1:4: error: "),
      ("~\n", "a.yaml:1:1: error: "),
    ])
  func refusesUnrepresentableValues(text: String, message: String) throws {
    let outcome = try Sandbox([(path: "a.yaml", text: text)]).run(
      "convert", "a.yaml", "--to", "xml")
    #expect(outcome.status == 1)
    #expect(outcome.output == "")
    #expect(outcome.errors.hasPrefix(message))
  }

  @Test func reportsThePositionOfDamageInAPropertyList() throws {
    let sandbox = try Sandbox([(path: "a.json", text: "{\"a\": 1,\n \"b\": }\n")])
    let outcome = try sandbox.run("convert", "a.json", "--to", "xml")
    #expect(outcome.status == 1)
    #expect(outcome.errors.hasPrefix("a.json:2:7: error: "))
  }

  private func json(_ text: String) throws -> Value {
    try PropertyList.decode(Array(text.utf8), as: .json).value
  }
}
