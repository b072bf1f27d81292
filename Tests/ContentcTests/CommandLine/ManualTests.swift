import ArgumentParser
import TestServers
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// The manual pages that `Scripts/make-man-pages.py` makes from the program's own descriptions.
@Suite("The manual pages") struct ManualTests {
  private let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox()
    let made = try Self.make("man", in: sandbox)
    try #require(made.status == 0, "\(made)")
  }

  private static func make(
    _ folder: String, in sandbox: Sandbox, environment: [String] = []
  ) throws -> Outcome {
    try sandbox.run(
      "/usr/bin/env",
      ["python3", "\(Sandbox.checkout)/Scripts/make-man-pages.py", Sandbox.binary, folder],
      environment: environment)
  }

  private func page(_ name: String) -> String {
    String(decoding: sandbox.read("man/\(name).1") ?? [], as: UTF8.self)
  }

  /// Returns a page with its requests, but without escapes.
  private func plain(_ name: String) -> String {
    let escapes = [
      ("\\-", "-"), ("\\fB", ""), ("\\fR", ""), ("\\(aq", "'"), ("\\(dq", "\""), ("\\(ti", "~"),
      ("\\(ha", "^"), ("\\&", ""), ("\\%", ""), ("\\e", "\\"),
    ]
    return escapes.reduce(page(name)) { $0.replacing($1.0, with: $1.1) }
  }

  /// The subcommand that a group runs by itself is in the page of the group.
  @Test func describeEachCommandWithItsOptionsStatusesAndExamples() throws {
    let groups = Contentc.configuration.subcommands.filter {
      !$0.configuration.subcommands.isEmpty
    }
    var expected: Set = ["man/contentc.1"]
    expected.formUnion(groups.map { "man/contentc-\($0._commandName).1" })
    for command in ListedCommand.all {
      let words = command.name.split(separator: " ")
      let isUsual = groups.contains {
        $0._commandName == words[0]
          && $0.configuration.defaultSubcommand?._commandName == words.last.map(String.init)
      }
      let name = (["contentc"] + (isUsual ? words.dropLast() : words)).joined(separator: "-")
      expected.insert("man/\(name).1")
      let text = plain(name)
      for option in command.options { #expect(text.contains(option), "\(name): \(option)") }
      for example in command.examples {
        #expect(text.contains("\n\(example)\n"), "\(name): \(example)")
      }
      for status in command.exitStatuses {
        #expect(text.contains(".TP\n\(status.status.rawValue)\n\(status.meaning)\n"), "\(name)")
      }
      let sections = ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXIT STATUS", "EXAMPLES"]
      let titles = text.matches(of: /\n\.SH ([A-Z ]+)/).map { String($0.output.1) }
      #expect(titles.filter(sections.contains) == sections, "\(name): \(titles)")
    }
    #expect(Set(sandbox.files(below: "man")) == expected)
  }

  @Test func haveTheSameBytesAndTheDateOfTheRelease() throws {
    try #require(try Self.make("again", in: sandbox).status == 0)
    let names = sandbox.files(below: "man").map { $0.dropFirst("man/".count) }
    for name in names { #expect(sandbox.read("man/\(name)") == sandbox.read("again/\(name)")) }
    let dated = try Self.make("dated", in: sandbox, environment: ["SOURCE_DATE_EPOCH=86400"])
    #expect(dated.status == 0)
    let text = String(decoding: sandbox.read("dated/contentc.1") ?? [], as: UTF8.self)
    #expect(text.contains(".TH CONTENTC 1 1970-01-02 \"contentc "))
  }

  /// A variable that the program reads has a row in docs/reference/shell.md, from which the page is made.
  @Test func nameTheVariablesThatTheProgramReads() throws {
    let found = try sandbox.shell(
      "grep -rhoE '\"(AWS|CONTENTC|GITHUB|GITLAB|SSH|SSL|XDG)_[A-Z0-9_]+\"' "
        + "'\(Sandbox.checkout)/Sources' | sort -u")
    let names = found.output.split(separator: "\n").map { $0.dropFirst().dropLast() }
    #expect(names.contains("CONTENTC_SETTINGS"))
    let text = page("contentc")
    for name in names where name != "SSL_CERT_DIR" { #expect(text.contains(name), "\(name)") }
  }

  @Test(.needsServers) func passTheChecksOfMandocAndGroff() throws {
    let checked = try sandbox.shell(
      """
      cd man && for page in *.1; do
        mandoc -T lint -W warning "$page"
        groff -man -ww -T utf8 -z "$page"
        lexgrog "$page" >/dev/null || echo "$page has no line for apropos"
      done
      """)
    #expect(checked.output == "" && checked.errors == "", "\(checked)")
    let shown = try sandbox.shell("mandoc -T utf8 man/contentc-purge.1 | col -b")
    #expect(shown.output.contains("contentc purge [options] [entries ...]"), "\(shown.output)")
  }
}
