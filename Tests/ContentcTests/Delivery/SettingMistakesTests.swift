import ArgumentParser
import ContentModel
import ContentSource
import Diagnostics
import TestInputs
import TestServers
import Testing

@testable import ContentcCommands
@testable import TestCommands

/// Commands refuse mistakes in the settings that they use, and do not notice others.
@Suite struct SettingMistakesTests {
  /// A command line about the channel `qa`.
  struct Line: CustomTestStringConvertible {
    /// The name of the command, as the documentation lists it.
    var command: String
    /// The line that acts.
    var words: String
    /// The line that has the same result each time; `nil` if the line that acts has it.
    var rehearsal: String?
    /// The settings that the command uses, and their channels; `nil` for a command that reads the
    /// whole content.
    var uses: [(settings: Set<ProjectSetting>, channels: [String])]?

    init(
      _ command: String, _ words: String? = nil, dry rehearsal: String? = nil,
      uses: Set<ProjectSetting>, of channels: [String] = ["qa"]
    ) {
      (self.command, self.rehearsal) = (command, rehearsal)
      self.words = words ?? "\(command) qa"
      self.uses = [(uses, channels)]
    }

    var testDescription: String { words }

    func adding(_ settings: Set<ProjectSetting>, of channels: [String]) -> Line {
      var line = self
      line.uses?.append((settings, channels))
      return line
    }

    var readingEverything: Line {
      var line = self
      line.uses = nil
      return line
    }

    /// Returns `true` if the command uses what a mistake may concern.
    func notices(_ subject: SettingMistake.Subject) -> Bool {
      guard let uses else { return true }
      switch subject {
      case .everything: return true
      case .content: return false
      case .project(let name): return uses.contains { $0.settings.map(\.rawValue).contains(name) }
      case .channel(let channel, let name):
        return uses.contains { settings, channels in
          channels.contains(channel)
            && (name.map { settings.map(\.rawValue).contains($0) } ?? !settings.isEmpty)
        }
      }
    }
  }

  private static let both = ["qa", "other"]

  static let lines: [Line] =
    [
      Line("status", uses: Status.uses), Line("status", "status", uses: Status.uses, of: both),
      Line("staleness", uses: Staleness.uses),
      Line("staleness", "staleness --json", uses: Staleness.uses, of: both),
      Line("history", uses: History.uses),
      Line("notify", dry: "notify qa --dry-run", uses: Notify.uses),
      Line("diff", uses: Diff.uses).readingEverything,
      Line("publish", dry: "publish qa --dry-run", uses: Publish.uses).readingEverything,
      Line(
        "promote", "promote qa other", dry: "promote qa other --dry-run", uses: Promote.uses,
        of: ["other"]
      )
      .adding(.ofTarget, of: ["qa"]),
      Line("rollback", dry: "rollback qa --dry-run", uses: Rollback.uses),
      Line("rollout", uses: RolloutCommand.uses),
      Line("prune", dry: "prune qa --dry-run", uses: PruneCommand.uses)
        .adding([.channels, .target, .url, .cdn], of: both),
      Line(
        "purge", "purge qa product/rose --reason x",
        dry: "purge qa product/rose --reason x --dry-run",
        uses: PurgeCommand.uses),
      Line(
        "purge", "purge qa", dry: "purge qa product/iris --reason x --dry-run",
        uses: PurgeCommand.uses),
      Line(
        "maintenance", "maintenance on qa", dry: "maintenance on qa --dry-run",
        uses: Maintenance.uses),
      Line(
        "maintenance", "maintenance off qa", dry: "maintenance off qa --dry-run",
        uses: Maintenance.uses),
      Line("maintenance status", uses: .ofTarget),
      Line("maintenance status", "maintenance status --json", uses: .ofTarget, of: both),
      Line(
        "bake", "bake qa --to ROOT/App --from-target",
        dry: "bake qa --to ROOT/App --check --from-target",
        uses: Bake.uses),
      Line("resign", "resign qa", dry: "resign qa --if-below 1%", uses: Resign.uses),
      Line("verify", "verify ROOT/site/qa/config.plist", uses: Verify.uses),
      Line("keys show", uses: KeysShow.uses),
      Line("keys renew", dry: "keys show qa", uses: KeysRenew.uses),
      Line("keys sign", dry: "keys show qa", uses: KeysSign.uses),
      Line("keys add", "keys add qa --release x.pub", dry: "keys show qa", uses: KeysAdd.uses),
    ]
    + ["nginx", "caddy", "apache", "varnish", "squid", "fastly", "cloudflare", "bunny"].map {
      Line("server", "server \($0) qa", uses: Server.uses)
    }
    + ["haproxy", "trafficserver"].map {
      Line("server", "server \($0) qa --json", uses: Server.uses)
    }

  private static let count = Drill.count("CONTENTC_SETTING_MISTAKES", usual: 200, nightly: 2_000)

  /// The commands run in the process of the test: as processes, they would take minutes.
  ///
  /// For each mistake, three commands that use the setting run, and one that does not.
  @Test func refuseMistakesInUsedSettingsOnly() throws {
    let shop = try SettingsShop()
    let right = try Dictionary(
      firstOf: Self.lines.map { line in
        let words = line.rehearsal ?? line.words
        return (words, try shop.run(words))
      })
    for (words, outcome) in right { #expect(outcome.status == 0, "\(words): \(outcome.text)") }
    for seed in 0..<Self.count {
      let mistake = SettingMistake(seed: seed)
      let before = shop.sandbox.tree("site").map { "\($0.path) \($0.bytes.count)" }
      try shop.make(mistake)
      var random = SeededGenerator(seed: seed)
      let lines = Self.lines.shuffled(using: &random)
      for line in lines.filter({ $0.notices(mistake.subject) }).prefix(3) {
        let outcome = try shop.run(line.words)
        let isRefused = outcome.status == 1 && outcome.text.contains("\(mistake.file)")
        #expect(isRefused, "\(seed): \(line.words): \(outcome)\n\(mistake.text)")
      }
      for line in lines.filter({ !$0.notices(mistake.subject) }).prefix(1) {
        let words = line.rehearsal ?? line.words
        let outcome = try shop.run(words)
        #expect(outcome == right[words], "\(seed): \(words)\n\(mistake.text)")
      }
      try shop.mend()
      let after = shop.sandbox.tree("site").map { "\($0.path) \($0.bytes.count)" }
      try #require(after == before, "\(seed) changed the target\n\(mistake.text)")
    }
  }

  /// The documentation has a row for each command about channels.
  @Test func agreeWithTheDocumentation() throws {
    let page = try Sandbox.checkedOut("docs/reference/content.md")
    let names = ProjectSetting.allCases.map(\.rawValue)
    var rows: [String: Set<String>] = [:]
    for line in page.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|")
      guard cells.count == 2, cells[1].contains("`target`") || cells[1].contains("`signing`") else {
        continue
      }
      let words = cells[1].matches(of: /`([^`]+)`/).map { String($0.1) }.filter(names.contains)
      for command in cells[0].matches(of: /`([^`]+)`/) { rows[String(command.1)] = Set(words) }
    }
    for line in Self.lines {
      let uses = line.uses?.first?.settings ?? (line.command == "diff" ? Diff.uses : Publish.uses)
      let command = line.command.hasPrefix("keys ") ? "keys" : line.command
      #expect(rows[command] == Set(uses.map(\.rawValue)), "\(command)")
    }
    let groups = Contentc.configuration.subcommands.flatMap {
      $0.configuration.subcommands.isEmpty ? [$0] : $0.configuration.subcommands
    }
    let commands = groups.filter { $0 is any ChannelCommand.Type }
    let tried = Set(
      Self.lines.map { $0.command.split(separator: " ").last.map { String($0) } ?? "" }
    )
    .union([
      "init", "remove", "recover", "drop", "import", "on", "off", "replace", "recovered", "accept",
    ])
    for command in commands {
      #expect(tried.contains(command.configuration.commandName ?? ""), "\(command)")
    }
  }
}

/// A published shop with all settings, whose commands run in the process of the test.
struct SettingsShop {
  let sandbox: Sandbox

  /// The result of a command, without the times in it.
  struct Outcome: Equatable {
    var status: Int32
    var text: String
  }

  init() throws {
    sandbox = try Sandbox([
      ("content/content.yaml", ProjectText().text),
      ("content/datatypes/product.yaml", "fields: {title: {type: string, localized: true}}\n"),
      ("content/entries/product/rose.yaml", "title: Rose\n"),
      ("content/entries/product/iris.yaml", "title: Iris\n"),
      ("content/maintenance.yaml", "title: Closed\n"),
    ])
    _ = try sandbox.succeed(["keys", "init", "qa", "--new", "secrets"])
    try sandbox.write(
      "settings.yaml",
      "signers:\n"
        + ["release", "fresh"].map { "  - {channel: qa, role: \($0), file: secrets/release.pem}\n" }
        .joined())
    try sandbox.shell("chmod 600 settings.yaml")
    let settings = ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"]
    var quick = ProjectText()
    // Nobody answers at the addresses of the caches.
    for name in ["qa", "other"] {
      quick.channels[name]?.removeAll { ["url", "cdn"].contains($0.key) }
    }
    try sandbox.write("content/content.yaml", quick.text)
    for title in ["Rose", "Red rose"] {
      try sandbox.write("content/entries/product/rose.yaml", "title: \(title)\n")
      for channel in ["qa", "other"] {
        _ = try sandbox.succeed(["publish", channel, "-q"], environment: settings)
      }
    }
    try sandbox.write("content/content.yaml", ProjectText().text)
    _ = try sandbox.succeed(["bake", "qa", "--to", "App", "--from-target"])
  }

  func make(_ mistake: SettingMistake) throws {
    try sandbox.write("content/\(mistake.file)", mistake.text)
  }

  func mend() throws {
    try sandbox.write("content/content.yaml", ProjectText().text)
    try sandbox.write("content/maintenance.yaml", "title: Closed\n")
  }

  /// Runs a command line in this process.
  func run(_ line: String) throws -> Outcome {
    let words = line.split(separator: " ").map { String($0).replacing("ROOT", with: sandbox.root) }
    let places = ["--content", "\(sandbox.root)/content", "--out", "\(sandbox.root)/out", "-q"]
    let command = try Contentc.parseAsRoot(words + places)
    let own = try #require(command as? any ContentcCommand)
    do {
      let report = own.common.style.judge(try Report.of(own.perform))
      let printer = DiagnosticPrinter(format: .human, color: false, source: report.sources.bytes)
      let status = report.status ?? ExitStatus(after: report.diagnostics)
      return Outcome(
        status: status.rawValue,
        text: withoutTimes(
          "\(printer.text(of: report.diagnostics))\n\(report.text)\n\(report.json)"))
    } catch let failure as Failure {
      return Outcome(status: failure.status.rawValue, text: "\(failure.diagnostic)")
    }
  }

  /// Replaces moments, and the share of time that is left for a signature.
  private func withoutTimes(_ text: String) -> String {
    text.replacing(/\d{4}-\d\d-\d\dT[\d:]+Z|real\([^)]*\)|\d+ (?:%|days) left/, with: "TIME")
  }
}
