import ContentModel
import PropertyLists
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// The values that the program offers to a shell when the user presses Tab.
@Suite("Completions") struct CompletionTests {
  private static let project = """
    app: shop
    sourceLocale: en
    locales: [en, fr, pt-BR]
    devices: {phone: {}, tablet: {}}
    bundles:
      all: {include: product/*}
      start: {include: screen/*}
    channels:
      qa: {target: site}
      production:
        target: s3://shop/v1
        url: https://content.example.com/v1
        cdn: [fastly: {service: SERVICE, token: TOKEN}]

    """
  private static let files = [
    (path: "content/content.yaml", text: project),
    (path: "content/datatypes/product.yaml", text: "fields:\n  title: {type: string}\n"),
    (path: "content/datatypes/screen.yaml", text: "fields:\n  title: {type: string}\n"),
    (path: "content/entries/product/rose.yaml", text: "title: Rose\n"),
    (path: "content/entries/product/rose.fr@phone.yaml", text: "title: Rose\n"),
    (path: "content/entries/product/fr/tulip.yml", text: "title: Tulip\n"),
    (
      path: "content/entries/screen.yaml",
      text: "# The screens: all of them.\nhome: {title: Home}\nhelp/first:\n  title: 'a: b'\n"
    ),
    (path: "content/entries/screen.fr.yaml", text: "other: {title: Accueil}\n"),
    (path: "content/strings/app.en.yml", text: "en: {a: A}\n"),
    (path: "content/strings/fr.yaml", text: "fr: {a: A}\n"),
    (path: "content/strings/checkout/en.yaml", text: "en: {a: A}\n"),
  ]

  private static let ids = [
    "product/fr/tulip", "product/rose", "screen/help/first", "screen/home", "strings/app",
    "strings/checkout",
  ]

  /// Asks for the values of an argument as a script of bash does.
  ///
  /// `words` are the words of the line, of which the last is to be completed.
  private func values(
    of argument: String, in line: [String], sandbox: Sandbox
  ) throws -> [String] {
    let command = line.prefix { !$0.hasPrefix("-") && ListedCommand.all.map(\.name).contains($0) }
    let outcome = try sandbox.run(
      Sandbox.binary,
      ["---completion"] + command + ["--", argument, "\(line.count)", "0", "contentc"] + line,
      environment: ["SAP_SHELL=bash"])
    #expect(outcome.status == 0 && outcome.errors == "", "\(line): \(outcome)")
    return outcome.output.split(separator: "\n").map(String.init)
  }

  @Test(arguments: [
    (["status", ""], "positional@0", ["qa", "production"]),
    (["publish", "--channel", ""], "--channel", ["qa", "production"]),
    (["promote", "qa", ""], "positional@1", ["qa", "production"]),
    (["explain", "--locale", ""], "--locale", ["en", "fr", "pt-BR"]),
    (["explain", "--device", ""], "--device", ["any", "phone", "tablet"]),
    (["bake", "--bundle", ""], "--bundle", ["all", "start"]),
    (["purge", "--without", ""], "--without", ["fastly"]),
    (["coverage", "--datatype", ""], "--datatype", ["product", "screen"]),
    (["explain", ""], "positional@0", ids),
    (["explain", "product/"], "positional@0", ["product/fr/tulip", "product/rose"]),
    (["explain", "screen/x"], "positional@0", ["screen/help/first", "screen/home"]),
    (["explain", "strings/"], "positional@0", ["strings/app", "strings/checkout"]),
    (["explain", "../"], "positional@0", []),
    (["purge", ""], "positional@0", ["qa", "production"] + ids),
    (["publish", "--unpurge", ""], "--unpurge", ["all"] + ids),
    (["maintenance", "--message", ""], "--message", ids),
  ])
  func offersTheNamesOfTheProject(line: [String], argument: String, expected: [String]) throws {
    let sandbox = try Sandbox(Self.files)
    let before = sandbox.tree().map(\.path)
    #expect(try values(of: argument, in: line, sandbox: sandbox) == expected)
    #expect(sandbox.tree().map(\.path) == before)
  }

  @Test func offersTheRulesThatCanBeWarnings() throws {
    let sandbox = try Sandbox()
    let rules = try values(of: "positional@0", in: ["rules", ""], sandbox: sandbox)
    #expect(rules.contains("missing-field") && rules.contains("long-lifetime"))
    let warnings = try values(of: "--error-on", in: ["check", "--error-on", ""], sandbox: sandbox)
    #expect(!warnings.contains("missing-field") && warnings.contains("long-lifetime"))
    #expect(warnings.allSatisfy(rules.contains))
  }

  /// A shell passes words as they were typed, and bash divides them at `=`.
  @Test(arguments: [
    ["--content", "other"], ["--content=other"], ["--content", "=", "other"],
    ["--content", "'my shop'"], ["--content=my\\ shop"], ["--content", "\"my shop\"/"],
    ["--content", "~/other"], ["--content", "missing", "--content", "other"],
  ])
  func usesTheNamedFolder(words: [String]) throws {
    let project = Self.project.replacing("qa:", with: "beta:")
    let sandbox = try Sandbox(
      Self.files + ["other", "my shop"].map { (path: "\($0)/content.yaml", text: project) })
    let outcome = try sandbox.run(
      Sandbox.binary,
      ["---completion", "status", "--", "positional@0", "4", "0", "contentc", "status"] + words
        + [""], environment: ["HOME=\(sandbox.root)"])
    #expect(outcome.output == "beta\nproduction\n", "\(outcome)")
  }

  /// The shell would have to run a command to know the folder.
  @Test(arguments: ["$(touch typed)", "`touch typed`", "\"$(touch typed)\"", ""])
  func offersNothingForAFolderThatTheShellInserts(word: String) throws {
    let sandbox = try Sandbox(Self.files)
    let line = ["status", "--content", word, ""]
    #expect(try values(of: "positional@0", in: line, sandbox: sandbox) == [])
    #expect(sandbox.read("typed") == nil)
  }

  @Test(arguments: ["", "app: [", "- a\n- b\n", "app: shop\n", "\u{FEFF}\u{0}", "channels: 3\n"])
  func brokenProjectOffersNothingInSilence(text: String) throws {
    let sandbox = try Sandbox([(path: "content/content.yaml", text: text)])
    for (line, argument) in [
      (["status", ""], "positional@0"), (["explain", "--locale", ""], "--locale"),
      (["explain", ""], "positional@0"), (["coverage", "--datatype", ""], "--datatype"),
    ] {
      #expect(try values(of: argument, in: line, sandbox: sandbox) == [])
    }
  }

  /// A mistake hides only names of its own setting.
  @Test func mistakeHidesNoOtherName() throws {
    let text = Self.project.replacing("locales: [en, fr, pt-BR]", with: "locales: [en, '?']")
      .replacing("target: site", with: "target: ''")
    let sandbox = try Sandbox([(path: "content/content.yaml", text: text)])
    #expect(
      try values(of: "positional@0", in: ["status", ""], sandbox: sandbox)
        == ["qa", "production"])
    #expect(try values(of: "--locale", in: ["bake", "--locale", ""], sandbox: sandbox) == ["en"])
  }

  @Test(.timeLimit(.minutes(1))) func doesNotReadAPipe() throws {
    let sandbox = try Sandbox(Self.files)
    try sandbox.shell("mkfifo content/entries/many.yaml content/entries/product/pipe.yaml")
    #expect(try values(of: "positional@0", in: ["explain", ""], sandbox: sandbox) == Self.ids)
    try sandbox.shell("rm content/content.yaml && mkfifo content/content.yaml")
    #expect(try values(of: "positional@0", in: ["explain", ""], sandbox: sandbox) == [])
  }

  /// bash would take half a minute for a hundred thousand words.
  @Test func offersAPartOfVeryManyNamesUntilTheWordIsLonger() throws {
    let sandbox = try Sandbox(Self.files)
    let keys = (100_000..<160_000).map { "k\($0):\n" }.joined()
    try sandbox.write("content/entries/many.yaml", keys)
    let line = ["explain", "many/"]
    #expect(try values(of: "positional@0", in: line, sandbox: sandbox).count == 20_000)
    let last = try values(
      of: "positional@0", in: ["explain", "many/k15999"], sandbox: sandbox)
    #expect(last == (159_990..<160_000).map { "many/k\($0)" })
  }

  @Test(.timeLimit(.minutes(1))) func circleOfManyDevicesIsFoundInTime() throws {
    let devices = (0..<2_000).map { "  d\($0): {parent: d\(($0 + 1) % 2_000)}\n" }.joined()
    let sandbox = try Sandbox([
      (
        path: "content/content.yaml",
        text: "app: shop\nsourceLocale: en\nlocales: [en, fr]\ndevices:\n\(devices)"
      )
    ])
    let checked = try sandbox.run("check")
    #expect(checked.status == 1 && checked.errors.contains("round in a circle"))
    #expect(
      try values(of: "--locale", in: ["explain", "--locale", ""], sandbox: sandbox)
        == ["en", "fr"])
  }

  /// bash expands the words that it is offered: it would run the commands in them.
  @Test func offersNoNameThatAShellCouldExpand() throws {
    let sandbox = try Sandbox(HostileNames.project)
    for (line, argument) in HostileNames.lines {
      let offered = try values(of: argument, in: line, sandbox: sandbox)
      #expect(!offered.isEmpty, "\(line)")
      for value in offered {
        #expect(
          value.utf8.first != UInt8(ascii: "-")
            && value.wholeMatch(of: /[A-Za-z0-9_.\/-]+/) != nil, "\(line): \(value)")
      }
    }
  }

  /// A script of another version may ask for an argument that the program does not have.
  @Test(arguments: [
    ["---completion"], ["---completion", "nothing"],
    ["---completion", "status", "--", "--nothing", "0", "0"],
    ["---completion", "status", "--", "positional@9", "0", "0"],
    ["---completion", "status", "--", "positional@0", "x", "y"],
  ])
  func requestOfAnotherScriptEndsInSilence(arguments: [String]) throws {
    let outcome = try Sandbox().run(Sandbox.binary, arguments)
    #expect(outcome.status != 0 && outcome.output == "" && outcome.errors == "", "\(outcome)")
  }

  /// The parser's default would offer files, or nothing.
  @Test func completesEachNameOfTheProject() throws {
    let names = [
      "channel", "channels", "entry", "entries", "locale", "device", "bundle", "datatype",
      "cache", "rule", "rules",
    ]
    let paths = ["folder": "directory", "file": "file"]
    var found: Set<String> = []
    for (command, argument) in try Self.arguments() {
      guard argument["kind"]?.text != "flag", let name = argument["valueName"]?.text else {
        continue
      }
      let kind = argument["completionKind"]?.members?.first?.key
      if names.contains(name) {
        #expect(kind == "custom", "\(command): \(name)")
        found.insert(name)
      } else if let expected = paths[name] {
        #expect(kind == expected, "\(command): \(name)")
        found.insert(name)
      } else if argument["allValues"] != nil {
        #expect(kind == "list", "\(command): \(name)")
      }
    }
    #expect(found.isSuperset(of: ["channel", "entries", "locale", "rule", "folder", "file"]))
  }

  /// Returns the visible arguments and options of all commands.
  private static func arguments() throws -> [(command: String, argument: Value)] {
    let described = try Sandbox().run("--experimental-dump-help").output
    func arguments(of command: Value) -> [(command: String, argument: Value)] {
      let own = (command["arguments"]?.items ?? []).filter {
        $0["shouldDisplay"] == .boolean(true)
      }
      let name = command["commandName"]?.text ?? ""
      return own.map { (name, $0) }
        + (command["subcommands"]?.items ?? []).flatMap { arguments(of: $0) }
    }
    let command = try PropertyList.decode(Array(described.utf8), as: .json).value["command"]
    return arguments(of: try #require(command))
  }
}
