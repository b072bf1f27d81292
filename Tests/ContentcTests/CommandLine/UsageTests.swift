import ArgumentParser
import ContentModel
import Diagnostics
import PropertyLists
import TestInputs
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// The message and the JSON for an invalid command line.
@Suite("Usage errors")
struct UsageTests {
  @Test(
    "suggests the nearest name or the valid form",
    arguments: [
      (["biuld"], "unknown command 'biuld'; did you mean 'build'? [unknown-command]"),
      (["help", "chekc"], "unknown command 'chekc'; did you mean 'check'?"),
      (["status", "prod"], "unknown channel 'prod'; did you mean 'production'?"),
      (
        ["explain", "country-charm"],
        "unknown entry 'country-charm'; did you mean 'product/country-charm'?"
      ),
      (["explain", "category/country-charm"], "did you mean 'product/country-charm'?"),
      (
        ["check", "--error-on", "unread-flie"],
        "unknown rule 'unread-flie'; did you mean 'unread-file'? [unknown-rule]"
      ),
      (
        ["build", "--at", "2026-12-24T18:00Z"],
        "the instant must have seconds before its offset; write 2026-12-24T18:00:00Z"
      ),
      (["check", "--quite"], "'check' has no option '--quite'; did you mean '--quiet'?"),
      (
        ["history", "--built"],
        "'history' has no option '--built' [usage]\n  = note: it is an option of publish, diff\n"
      ),
      (
        ["purge", "country-charm", "--reason", "x"],
        "entries have ids of two parts; did you mean 'product/country-charm'?"
      ),
      (
        ["purge", "qa", "country-charm", "--reason", "x"],
        "'country-charm' is not an entry: ids have two parts; did you mean 'product/country-charm'? [usage]"
      ),
      (["purge", "zzz", "--reason", "x"], "entries have ids of two parts, such as product/rose"),
      (
        ["maintenance", "qa", "on"],
        "'on' must be before the channel: contentc maintenance on qa [usage]"
      ),
      (
        ["maintenance", "stauts"],
        "'<action>' cannot be 'stauts'; did you mean 'status'? [usage]\n  = note: the values are on, off, status\n"
      ),
      (["sign", "improt", "draft"], "  = note: did you mean 'contentc sign import'?\n"),
      (["maintenance", "balon"], "'<action>' cannot be 'balon' [usage]"),
      (
        ["purge", "product/x", "-reason", "bad"],
        "'purge' has no option '-reason'; did you mean '--reason'? [usage]"
      ),
      (["check", "-quiet"], "'check' has no option '-quiet'; did you mean '--quiet'?"),
      (
        ["maintenance", "on", "qa", "-until=10:30"],
        "'maintenance' has no option '-until'; did you mean '--until'?"
      ),
      (
        ["purge", "qa", "product/x", "--history", "--restore", "--reason", "x"],
        "--history needs whole entries, without --field, --restore and --replace [usage]"
      ),
      (
        ["status", "qa", "--channel", "production"],
        "'qa' and --channel 'production' name two channels"
      ),
      (
        ["promote", "qa"],
        "name the channel to publish to: contentc promote qa CHANNEL [usage]"
      ),
      (["publish", "qa", "--to-signed"], "--to-signed is now a command: contentc keys on CHANNEL"),
      (["publish", "--to-unsigned"], "--to-unsigned is now a command: contentc keys off CHANNEL"),
      (
        ["publish", "qa", "--replace-unverified", "--not-below", "3"],
        "--replace-unverified is now a command: contentc keys replace CHANNEL"
      ),
      (["publish", "--recover"], "--recover is now a command: contentc keys recovered CHANNEL"),
      (
        ["publish", "qa", "--accept", "x"],
        "--accept HASH is now a command, which takes a copy of the config that you trust: contentc keys accept"
      ),
      (["resign", "qa", "--accept", "x"], "contentc keys accept CHANNEL FILE"),
      (
        ["check", "--diagnostics", "sraif"],
        "'--diagnostics <form>' cannot be 'sraif'; did you mean 'sarif'? [usage]\n  = note: the values are human, short, json, github, sarif, gitlab\n"
      ),
      (
        ["check", "--diagnostics", "sarif"],
        "'--diagnostics sarif' needs a file: add '--diagnostics-file FILE' [usage]"
      ),
      (
        ["build", "--diagnostics", "gitlab"],
        "'--diagnostics gitlab' needs a file: add '--diagnostics-file FILE' [usage]"
      ),
      (
        ["check", "--diagnostics-file", "a.json", "--diagnostics", "json"],
        "'--diagnostics-file a.json' needs '--diagnostics sarif' or '--diagnostics gitlab' [usage]"
      ),
      (
        ["preview", "--diagnostics", "sarif", "--diagnostics-file", "a.sarif"],
        "'contentc check' writes one with --diagnostics-file [usage]"
      ),
      (["status", "--accept", "x"], "contentc keys accept CHANNEL FILE"),
    ])
  func suggestsTheNearestNameOrForm(arguments: [String], sentence: String) throws {
    let outcome = try Sandbox(WorkedExample.building).run(Sandbox.binary, arguments)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(outcome.status == (arguments[0] == "explain" ? 66 : 64))
    #expect(outcome.output == "")
  }

  /// Files that cannot be parsed show that the suggestion does not need that.
  @Test(arguments: ["country-charm", "roses"])
  func suggestsAPurgedEntryWithoutParsing(word: String) throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try sandbox.write("content/entries/product/country-charm.yaml", "title: \"\n")
    try sandbox.write("content/entries/product.yaml", "# New\nroses: {title: [}\n")
    let outcome = try sandbox.run("purge", "qa", word, "--reason", "x")
    #expect(outcome.errors.contains("did you mean 'product/\(word)'?"), "\(outcome.errors)")
  }

  @Test(
    "suggests nothing without a near name",
    arguments: [["zzz"], ["explain", "product/xyz"], ["build", "--bogus"], ["status", "zz"]])
  func doesNotGuess(arguments: [String]) throws {
    let outcome = try Sandbox(WorkedExample.building).run(Sandbox.binary, arguments)
    #expect(
      outcome.errors.contains("error: ") && !outcome.errors.contains("did you mean"),
      "\(outcome.errors)")
  }

  @Test(
    "prints one object on standard output with --json",
    arguments: [
      ["biuld", "--json"], ["build", "--json", "--bogus"], ["build", "--json", "extra"],
      ["explain", "--json"],
      ["build", "--at", "tomorrow", "--json"], ["coverage", "--fail-under", "200", "--json"],
      ["check", "--error-on", "typo", "--json"], ["status", "prod", "--json"],
      ["purge", "product/x", "--json"],
      ["help", "biuld", "--json"], ["preview", "--port", "99999", "--json"],
      ["preview", "--edit", "--lan", "--json"],
      ["publish", "--json", "--channel"],
    ])
  func printsJSON(arguments: [String]) throws {
    let outcome = try Sandbox(WorkedExample.building).run(Sandbox.binary, arguments)
    #expect(outcome.status == 64)
    #expect(
      outcome.output.hasSuffix("}\n") && outcome.output.count { $0 == "\n" } == 1,
      "\(outcome.output)")
    let result = try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
    #expect(result["ok"] == false && result["errors"] == 1 && result["exitStatus"] == 64)
    let found = try PropertyList.decode(Array(outcome.errors.utf8), as: .json).value
    #expect(
      found[0]["severity"] == "error" && (found[0]["message"].text ?? "") != "", "\(outcome.errors)"
    )
  }

  @Test func namesTheChannelOfARefusedTarget() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try sandbox.shell("sed -i 's|{target: site}|{target: s3://flowers/x}|' content/content.yaml")
    let outcome = try sandbox.shell(
      "AWS_ACCESS_KEY_ID=a AWS_SECRET_ACCESS_KEY=b AWS_ENDPOINT_URL=nowhere "
        + "'\(Sandbox.binary)' history qa")
    #expect(outcome.status == 69)
    #expect(
      outcome.errors.contains("error: the target of 'qa' cannot be used: ")
        && outcome.errors.contains("the channel is declared in content/content.yaml, line 14"),
      "\(outcome.errors)")
  }

  /// The options of all commands reach each command.
  ///
  /// This test parses, because what a parsed option does is the same for all commands: `ReportStyle`
  /// prints, and `HelpTests` runs the examples.
  @Test func acceptsTheCommonOptionsEverywhere() throws {
    for command in ListedCommand.all {
      let hash = String(repeating: "0", count: 64)
      for line in command.lines(replacing: [("HASH", hash)]) {
        let folders = command.reads.isEmpty ? [] : ["--out", "out", "--content", "content"]
        let access = command.onlyReadsChannel ? ["--channel", "qa", "--single-writer"] : []
        let words = command.listens ? Array(line.dropLast(2)) : line
        let common = ["--quiet", "--diagnostics", "short", "--error-on", "staleness"]
        let parsed = try #require(
          try Contentc.parseAsRoot(words + folders + access + common) as? any ContentcCommand)
        #expect(parsed.common.quiet && parsed.common.diagnostics == .short, "\(line)")
        #expect(parsed.common.hasGate, "\(line)")
        // Otherwise the command would use the nearest project instead of the named one.
        if let project = parsed.project { #expect(project.content == "content", "\(line)") }
      }
      #expect(command.options.contains("--json") && command.options.contains("--diagnostics"))
    }
  }

  /// Scripts for an emergency must not fail because of an option that `purge` had before.
  @Test(arguments: [
    (["--leave-references"], "--leave-references is the default now"),
    (["--clock-is-right"], "'purge' never refuses because of a clock"),
    (["--not-below", "1"], "'contentc status --not-below 1'"),
    (["--accept", String(repeating: "0", count: 64)], "'contentc keys accept CHANNEL FILE'"),
  ])
  func acceptsRemovedOptionsOfPurge(option: [String], sentence: String) throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try #require(try sandbox.run("publish", "qa").status == 0)
    let purge = ["purge", "qa", "product/country-charm", "--reason", "x", "--dry-run"]
    let outcome = try sandbox.run(Sandbox.binary, purge + option)
    #expect(outcome.status == 0 && outcome.errors.contains(sentence), "\(outcome)")
    let quiet = try sandbox.run(Sandbox.binary, purge + option + ["--quiet"])
    #expect(quiet.status == 0 && !quiet.errors.contains(sentence), "\(quiet)")
    #expect(try !sandbox.run("help", "purge").output.contains(option[0]))
  }

  /// The options of the commands with most of them, as their help lists them.
  @Test func listsTheOptionsOfPurgeAndPublish() throws {
    let common = [
      "--json", "--quiet", "--diagnostics", "--diagnostics-file", "--warnings-as-errors",
      "--error-on", "--help", "--version",
    ]
    let target = [
      "--settings", "--content", "--channel", "--single-writer", "--draft", "--dry-run",
    ]
    let purge = [
      "--reason", "--by", "--field", "--locale", "--release", "--asset", "--restore", "--replace",
      "--unpurge", "--history", "--again", "--caches", "--without",
    ]
    let publish = [
      "--built", "--if-due", "--repair", "--unpurge", "--above", "--message", "--by", "--out",
      "--clock-is-right", "--not-below", "--to", "--rollout", "--tester", "--replace-next",
    ]
    for (command, own) in [("purge", purge), ("publish", publish)] {
      let help = try Sandbox().run("help", command).output
      let options = help.split(separator: "\n").filter { $0.hasPrefix("  -") }.compactMap {
        $0.firstMatch(of: /--[a-z-]+/)?.output
      }
      #expect(
        options.map(String.init).sorted() == (own + target + common).sorted(),
        "\(command)")
    }
  }

  /// Runs on the sample, where each example works.
  @Test(.timeLimit(.minutes(10))) func acceptsTheChannelAsArgumentOrOption() throws {
    let sandbox = try Sandbox()
    try sandbox.shell("cp -R '\(Sandbox.checkout)/content' content")
    try #require(try sandbox.run("publish", "--channel", "qa").status == 0)
    try sandbox.shell(
      "sed -i 's/^price: .*/price: 41.5/' content/entries/product/country-charm.yaml")
    try #require(try sandbox.run("publish", "--channel", "qa").status == 0)
    for command in ListedCommand.unsigned where command.options.contains("--channel") {
      let flags = command.options.contains("--dry-run") ? ["--dry-run"] : []
      let lines = command.examples.map { example in
        ListedCommand.words(of: HelpTests.withComingTimes(example)).filter { $0 != "--dry-run" }
          + flags
      }
      for line in lines
      where line.contains("qa") && !line.contains("production") && !command.listens {
        // The first run writes files. It is not compared, since later runs find these files.
        _ = try sandbox.run(Sandbox.binary, line)
        let byWord = try sandbox.run(Sandbox.binary, line)
        let byOption = try sandbox.run(
          Sandbox.binary, line.filter { $0 != "qa" } + ["--channel", "qa"])
        // A second may pass between the two runs.
        let outputs = [byWord, byOption].map { $0.output.replacing(#/\d\d:\d\d:\d\dZ/#, with: "") }
        #expect(
          byWord.status == 0 && byOption.status == 0 && outputs[0] == outputs[1],
          "\(line): \(byOption) \(byWord)")
      }
    }
    #expect(try sandbox.run("promote", "qa", "--channel", "qa", "--dry-run").status == 0)
  }

  @Test func reportsAnUnmetGate() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try sandbox.write("content/entries/product/rose.yaml", "title: Rose\nprice: 1\n")
    try #require(try sandbox.run("publish", "qa").status == 0)
    try sandbox.shell("rm content/entries/product/rose.yaml")
    let gate = try sandbox.run("diff", "qa", "--fail-on", "removed", "--json")
    let result = try PropertyList.decode(Array(gate.output.utf8), as: .json).value
    #expect(gate.status == 2 && result["exitStatus"] == 2 && result["ok"] == false)
    try sandbox.write("content/entries/product/rose.yaml", "prise: 1\n")
    let mistake = try sandbox.run("diff", "qa", "--fail-on", "removed", "--json")
    #expect(mistake.status == 1 && mistake.output.contains("\"exitStatus\":1"))
  }

  @Test func countsWarningsIfThereAreNoErrors() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    #expect(try sandbox.run("check").output.hasPrefix("No mistakes in 1 entry"))
    try sandbox.write("content/nobody.txt", "x")
    #expect(try sandbox.run("check").output.hasPrefix("No errors, 1 warning in 1 entry"))
    try sandbox.write("content/reads.txt", "x")
    #expect(try sandbox.run("check").output.hasPrefix("No errors, 2 warnings in 1 entry"))
  }

  @Test func listsTheRules() throws {
    let list = try Sandbox().run("rules")
    #expect(list.status == 0 && list.output.contains("  unread-file"))
    #expect(try Sandbox().run("help", "rules").output == list.output)
    let one = try Sandbox().run("rules", "unread-file").output
    #expect(
      one
        == "Content\n  unread-file  warning: a file of the content folder must be one that the build reads\n"
    )
  }
}
