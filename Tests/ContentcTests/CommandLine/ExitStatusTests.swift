import ContentBuild
import ContentcCommands
import System
import TestInputs
import Testing

@testable import TestCommands

@Suite("Exit statuses")
struct ExitStatusTests {
  @Test(
    "refuses an invalid command line",
    arguments: [
      ["--bogus"], ["bild"], ["build", "extra"], ["build", "--at", "tomorrow"],
      ["build", "--at", "2026-02-30T00:00:00Z"],
      ["build", "--diagnostics", "loud"], ["explain"], ["convert", "a.yaml"],
      ["convert", "a.yaml", "--to", "toml"],
      ["convert", "content/content.yaml", "--to", "json", "--json"],
      ["explain", "product/country-charm", "--device", "ipda"],
      ["explain", "product/country-charm", "--locale", "zz"],
    ])
  func exitsWith64ForAnInvalidCommandLine(arguments: [String]) throws {
    let outcome = try Sandbox(WorkedExample.building).run(Sandbox.binary, arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors != "")
  }

  @Test("declares how each command ends", arguments: ListedCommand.all)
  func endsEachCommandWithADeclaredStatus(command: ListedCommand) throws {
    let sandbox = try Sandbox(WorkedExample.building)
    try #require(try sandbox.run("publish", "qa").status == 0)
    let lines = command.lines(replacing: ListedCommand.places, isDry: true)
    for line in lines {
      let outcome = try sandbox.run(Sandbox.binary, line)
      #expect(
        command.possibleStatuses.contains(outcome.status), "\(line): \(outcome)")
    }
    let first = try #require(lines.first)
    #expect(try sandbox.run(Sandbox.binary, first + ["--bogus"]).status == 64)
    guard command.reads.contains(.content), !command.listens else { return }
    let outcome = try sandbox.run(Sandbox.binary, first + ["--content", "nowhere"])
    #expect(outcome.status == 66 && outcome.errors.contains("error: ") && outcome.output == "")
  }

  @Test(
    "names the missing input",
    arguments: [
      ["check", "--content", "content/entries"], ["explain", "product/nothing"],
      ["explain", "nonsense"],
      ["convert", "nowhere.plist", "--to", "json"],
    ])
  func exitsWith66WhenInputIsMissing(arguments: [String]) throws {
    let outcome = try Sandbox(WorkedExample.building).run(Sandbox.binary, arguments)
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("error: "))
    #expect(outcome.output == "")
  }

  @Test(
    "names the file that cannot be read or written",
    arguments: [
      ["build", "--content", "content/content.yaml"], ["build", "--out", "content/content.yaml"],
      ["build", "--out", "content"], ["build", "--out", "content/out"],
      ["convert", "content", "--to", "json"],
      ["convert", "content/content.yaml", "--to", "json", "-o", "nowhere/a.json"],
      ["init", "content/content.yaml/x"],
    ])
  func exitsWith74WhenAFileCannotBeReadOrWritten(arguments: [String]) throws {
    let outcome = try Sandbox(WorkedExample.building).run(Sandbox.binary, arguments)
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("error: "))
    #expect(outcome.output == "")
  }

  @Test func suggestsARetryDuringAnotherBuild() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let other = try BuildWriter(folder: "\(sandbox.root)/out")
    let outcome = try sandbox.run("build")
    #expect(outcome.status == 75)
    #expect(outcome.errors.contains("another build is writing to 'out', perhaps that of a running"))
    other.discard()
  }

  @Test(arguments: ["json", "publishing"])
  func theReferenceHasEachCauseOfARetry(page: String) throws {
    let row = try #require(
      try CheckedOutFiles.text("docs/reference/\(page).md").firstMatch(of: /\n\| 75 \| (.*)\n/)
    ).output.1
    #expect(BuildCall.patience == .seconds(5))
    for cause in ["another build still runs after 5 s", "another publisher", "a purge", "a prune"] {
      #expect(row.contains(cause), "\(row)")
    }
  }

  @Test func reportsAFullDiskForTheResult() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let outcome = try sandbox.run("/bin/sh", ["-c", "\"$0\" locales > /dev/full", Sandbox.binary])
    #expect(outcome.status == 74)
    #expect(outcome.errors.contains("cannot write to standard output"))
  }

  @Test func finishesTheBuildIfThePipeIsClosed() throws {
    let sandbox = try Sandbox(WorkedExample.building)
    let script = "sleep 1 | true; { \"$0\" build; echo $? > status; } | true"
    #expect(try sandbox.run("/bin/sh", ["-c", script, Sandbox.binary]).status == 0)
    #expect(sandbox.read("status") == Array("0\n".utf8))
    #expect(sandbox.read("out/preview/config.plist") != nil)
  }

  @Test func printsItsVersion() throws {
    let outcome = try Sandbox().run("--version")
    #expect(outcome.status == 0)
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.first == "0.1.0")
    // Package.swift declares them as `system("CYAML"` or `.systemLibrary(name: "CCurl"`.
    let package = try CheckedOutFiles.text("Package.swift")
    let libraries = package.matches(of: #/system(?:Library)?\(\s*(?:name: )?"C(\w+)"/#)
      .map { $0.1.lowercased() }.filter { $0 != "linux" }
    #expect(libraries.count >= 8 && lines.count == libraries.count + 2, "\(outcome.output)")
    #expect(lines.last?.wholeMatch(of: #/tzdata 20\d\d[a-z]/#) != nil, "\(outcome.output)")
    for library in libraries {
      #expect(
        lines.contains { $0.contains(library) && $0.contains(#/ [0-9]+\.[0-9.]+/#) }, "\(library)")
    }
  }
}
