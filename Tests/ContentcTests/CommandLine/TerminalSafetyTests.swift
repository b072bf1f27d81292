import ContentcCommands
import Testing

@testable import TestCommands

/// Runs every command on content, records and arguments full of terminal escapes.
@Suite struct TerminalSafetyTests {
  /// Color by ESC and by the C1 control of one character, a bell, a carriage return, and characters
  /// that reverse the text direction.
  static let hostile =
    "x\u{1B}[31m\u{9B}31m\u{7}\u{8}\r\u{202E}\u{2066}\u{200F}\u{61C}\u{7F}\u{85}y"
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      "cat >> content/content.yaml <<'E'\nformat: json\nchannels: {qa: {target: site}, production: {target: live}}\nE"
    )
    try sandbox.write("content/entries/product/ash.yaml", "title: \"Ash \(Self.escaped)\"\n")
    let published = try sandbox.run(
      "publish", "qa", "--message", "\(Self.hostile)\n9  forged", "--by", Self.hostile)
    #expect(published.status == 0, "\(published.errors)")
    try sandbox.write("content/entries/product/ash.yaml", "title: \"Oak \(Self.escaped)\"\n")
  }

  /// The same text in YAML's double-quoted form.
  private static var escaped: String {
    hostile.unicodeScalars.map {
      $0.value > 0x20 && $0.value < 0x7F ? "\($0)" : #"\u"# + hex($0.value)
    }.joined()
  }

  private static func hex(_ value: UInt32) -> String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// The lines of a command: its examples, and the first one with a hostile text as each word and as
  /// the value of each option.
  private static func lines(of command: ListedCommand) -> [[String]] {
    let lines = command.lines(replacing: ListedCommand.places + [("country-charm", "ash")])
    let first = lines.first ?? []
    let places = first.indices.filter { !first[$0].hasPrefix("-") }
    let words = places.map { first[..<$0] + [hostile] + first[($0 + 1)...] }
    let values = command.valuedOptions.map { first + [$0, hostile] }
    return lines + words.map { Array($0) } + values
  }

  @Test(arguments: ListedCommand.all)
  func printsNoControlCharacters(of command: ListedCommand) throws {
    for line in Self.lines(of: command) {
      for flags in [[], ["--json"], ["--diagnostics", "short"], ["--diagnostics", "github"]] {
        let outcome = try sandbox.run(Sandbox.binary, line + flags)
        requireHarmless(outcome, line + flags)
      }
    }
  }

  @Test(arguments: [[hostile], ["check", "--\(hostile)"], ["keys", hostile]])
  func printsNoControlCharactersOfAnUnknownName(command: [String]) throws {
    requireHarmless(try sandbox.run(Sandbox.binary, command), command)
  }

  @Test func printsNoControlCharactersOfInvalidContent() throws {
    try sandbox.write("content/entries/product/\(Self.hostile).yaml", "title: 1\n")
    try sandbox.write("content/entries/\(Self.hostile)/b.yaml", "title: \(Self.hostile)\n")
    try sandbox.write("content/\(Self.hostile)", "x")
    try sandbox.write("content/entries/product/elm.yaml", "ti\u{202E}tle: \"\u{9B}\n")
    for command in ListedCommand.unsigned where command.reads.contains(.content) {
      for line in command.lines() {
        requireHarmless(try sandbox.run(Sandbox.binary, line), line)
      }
    }
  }

  @Test func printsNoControlCharactersOfAForeignConfig() throws {
    let config = String(decoding: sandbox.read("site/qa/config.json") ?? [], as: UTF8.self)
    let forged = config.replacing("\"app\":\"shop\"", with: "\"app\":\"\(Self.escaped)\"")
    #expect(forged != config)
    try sandbox.write("site/qa/config.json", forged)
    let commands = ListedCommand.unsigned.filter { $0.reads.contains(.target) && !$0.listens }
    for command in commands.flatMap({ $0.lines(isDry: true) }) {
      requireHarmless(try sandbox.run(Sandbox.binary, command), command)
    }
    for command in [["status"], ["history", "qa"], ["diff", "qa"], ["publish", "qa"]] {
      let outcome = try sandbox.run(Sandbox.binary, command)
      requireHarmless(outcome, command)
      #expect(
        (outcome.output + outcome.errors).contains("\u{FFFD}"), "\(command) does not name the app")
    }
  }

  @Test func printsOneLineForEachRelease() throws {
    let lines = try sandbox.run("history", "qa").output.split(separator: "\n")
    #expect(lines.count == 1 && lines[0].hasPrefix("1  "))
  }

  private func requireHarmless(_ outcome: Outcome, _ command: [String]) {
    #expect(outcome.status >= 0)
    #expect(!(outcome.output + outcome.errors).isEmpty, "\(command) says nothing")
    for scalar in (outcome.output + outcome.errors).unicodeScalars where scalar != "\n" {
      let isControl =
        scalar.properties.generalCategory == .control || scalar.value == 0x2028
        || scalar.value == 0x2029
      let turns = scalar.properties.isBidiControl
      if isControl || turns {
        Issue.record("\(command) prints U+\(String(scalar.value, radix: 16))")
      }
    }
  }
}
