import ContentModel
import PropertyLists
import SystemC
import TestInputs
import TestServers
import Testing

@testable import TestCommands

@Suite("Notifications of commands", .waiting)
struct NotifyTests {
  let sandbox: Sandbox
  private static let entry = "content/entries/product/country-charm.yaml"
  private static let flags = ["--settings", "settings.yaml"]

  init() throws {
    sandbox = try Sandbox(WorkedExample.building)
    try sandbox.shell(
      """
      sed -i '/^channels:/,$d' content/content.yaml
      echo "channels: {qa: {target: site}, live: {target: live}}" >> content/content.yaml
      """)
    // Each notification is a line of the log.
    try settle("[sh, -c, 'cat >> \"$0\"', '\(sandbox.root)/log']")
  }

  /// Writes settings with a command for each channel.
  private func settle(_ command: String, file: String = "settings.yaml") throws {
    try sandbox.write(
      file,
      "notify: [{channel: qa, command: \(command)}, {app: flowershop, channel: live, command: \(command)}]\n"
    )
    chmod("\(sandbox.root)/\(file)", 0o600)
  }

  /// Returns the notifications so far, each in the form `kind channel release: changed entries`.
  private func log() throws -> [String] {
    let text = String(decoding: sandbox.read("log") ?? [], as: UTF8.self)
    return try text.split(separator: "\n").map { line in
      let value = try PropertyList.decode(Array(line.utf8), as: .json).value
      #expect(value["format"] == 1 && value["app"] == "flowershop")
      let changed = value["changed"]?.items?.compactMap(\.text).joined(separator: " ")
      #expect((changed == nil) == (value["everything"] == true))
      let (kind, channel) = (value["kind"]?.text ?? "", value["channel"]?.text ?? "")
      return "\(kind) \(channel) \(value["release"]?.number ?? 0): \(changed ?? "everything")"
    }
  }

  @discardableResult
  private func run(_ line: String, _ status: Int32 = 0, environment: [String] = []) throws
    -> Outcome
  {
    let arguments = line.split(separator: " ").map(String.init)
    let outcome = try sandbox.run(
      Sandbox.binary, arguments + Self.flags, environment: environment)
    #expect(outcome.status == status, "\(line): \(outcome)")
    return outcome
  }

  private func edit(price: Int) throws {
    try sandbox.shell("sed -i 's/^price: .*/price: \(price)/' \(Self.entry)")
  }

  @Test func eachCommandNotifiesWhenItsReleaseIsLive() throws {
    try run("publish qa")
    try edit(price: 7)
    try run("publish qa")
    try edit(price: 8)
    try run("publish qa --quiet")
    try run("rollback qa")
    try run("promote qa live")
    try run("maintenance on qa")
    try run("maintenance off qa")
    try run("purge qa product/country-charm --reason x")
    #expect(
      try log() == [
        "publish qa 1: product/country-charm", "publish qa 2: product/country-charm",
        "publish qa 3: everything", "rollback qa 4: everything",
        "promote live 1: product/country-charm", "maintenance qa 5: ", "maintenance qa 6: ",
        "purge qa 7: product/country-charm",
      ])
  }

  @Test func missingObjectsMakeChangesUnknown() throws {
    try run("publish qa")
    try sandbox.shell("rm -r site/objects/* log")
    try edit(price: 7)
    try run("publish qa")
    #expect(try log() == ["publish qa 2: everything"])
  }

  @Test func nothingNewNotifiesNothing() throws {
    try run("publish qa")
    try sandbox.shell("rm log")
    try run("publish qa")
    try run("promote qa qa")
    try run("maintenance off qa")
    try run("purge qa", 64)
    for line in ["status qa", "history qa", "prune qa"] {
      _ = try sandbox.run(Sandbox.binary, line.split(separator: " ").map(String.init))
    }
    #expect(try log() == [])
  }

  @Test func notifiesOfTheCurrentReleaseAgain() throws {
    try run("publish qa")
    try edit(price: 7)
    for (line, expected) in [
      ("publish qa", "publish qa 2"), ("rollback qa", "rollback qa 3"),
      ("maintenance on qa", "maintenance qa 4"), ("maintenance off qa", "maintenance qa 5"),
      ("purge qa product/country-charm --reason x", "purge qa 6"),
    ] {
      try run(line)
      try sandbox.shell("rm log")
      try run("notify qa")
      #expect(try log() == ["\(expected): everything"])
    }
    let json = try sandbox.succeed(["notify", "qa", "--json"] + Self.flags)
    #expect(json?["release"] == 6 && json?["kind"] == "purge")
    #expect(json?["notify"][0]["program"] == "sh" && json?["notify"][0]["ok"] == true)
    let none = try sandbox.run("notify", "qa")
    #expect(none.status == 0 && none.output.hasPrefix("Nothing to do: "), "\(none)")
    try run("notify live", 66)
  }

  @Test func dryRunsNameTheProgramsAndRunNone() throws {
    try run("publish qa")
    try edit(price: 7)
    try run("publish qa")
    try sandbox.shell("rm log")
    try edit(price: 8)
    for line in [
      "publish qa", "promote qa live", "rollback qa", "maintenance on qa", "maintenance off qa",
      "purge qa product/country-charm --reason x", "notify qa",
    ] where line != "maintenance off qa" {
      let outcome = try run("\(line) --dry-run")
      #expect(
        outcome.output.contains("  notify  would run sh (settings.yaml:1)\n"), "\(line): \(outcome)"
      )
      let json = try sandbox.succeed(
        line.split(separator: " ").map(String.init) + ["--dry-run", "--json"] + Self.flags)
      #expect(json?["notify"][0]["program"] == "sh" && json?["notify"][0]["ok"] == nil)
    }
    #expect(try log() == [])
  }

  @Test func theReleaseIsLiveBeforeTheProgramsRun() throws {
    try settle("[cp, '\(sandbox.root)/site/qa/config.plist', '\(sandbox.root)/seen.plist']")
    for release in 1...2 {
      try edit(price: release)
      try run("publish qa")
      #expect(try sandbox.value("seen.plist")["release"] == .integer(Int64(release)))
    }
  }

  @Test func aFailureLeavesTheReleaseLive() throws {
    try settle("[sh, -c, 'echo first >&2; printf \"why \\\\033[31m\\\\n\" >&2; exit 22', s3cret]")
    let failed = try run("publish qa", 3)
    #expect(failed.output.contains("Published release 1 of 'qa'"))
    #expect(failed.output.contains("  notify  sh (settings.yaml:1) FAILED in "))
    #expect(failed.errors.contains("error: 'sh' ended with status 22: why "), "\(failed.errors)")
    #expect(failed.errors.contains("settings.yaml:1:") && failed.errors.contains("[notify-failed]"))
    #expect(failed.errors.contains("'contentc notify qa' sends the notification again"))
    #expect(!"\(failed)".contains("s3cret") && !failed.errors.contains("\u{1B}[31m\n"))
    #expect(try sandbox.value("site/qa/config.plist")["release"] == 1)
    for (line, release) in [
      ("maintenance on qa", 2), ("maintenance off qa", 3), ("notify qa", 3),
      ("promote qa live", 1), ("purge qa product/country-charm --reason x", 4),
      ("rollback qa --to 3", 0),
    ] where release > 0 {
      let outcome = try run("\(line) --json", 3)
      let json = try PropertyList.decode(Array(outcome.output.utf8), as: .json).value
      #expect(json["exitStatus"] == 3 && json["ok"] == false && json["errors"] == 1)
      #expect(json["notify"][0]["status"] == 22 && json["notify"][0]["ok"] == false)
      #expect(json["notify"][0]["problem"] == "ended with status 22")
      #expect(!"\(outcome)".contains("s3cret"))
    }
    try settle("['true']")
    try run("notify qa")
  }

  @Test func aRollbackReportsAFailure() throws {
    for price in 1...2 {
      try edit(price: price)
      try run("publish qa")
    }
    try settle("['false']")
    let outcome = try run("rollback qa", 3)
    #expect(outcome.output.contains("as release 3 of 'qa'"), "\(outcome)")
    #expect(try sandbox.value("site/qa/config.plist")["release"] == 3)
  }

  @Test func anUnfinishedPurgeNotifiesAndKeepsItsStatus() throws {
    try sandbox.shell(
      """
      sed -i '/^channels:/d' content/content.yaml
      echo "channels: {qa: {target: site, cdn: [{varnish: {nodes: ['http://127.0.0.1:9']}}]}}" \
        >> content/content.yaml
      """)
    try run("publish qa")
    try run("purge qa product/country-charm --reason x", 69)
    try run("purge qa product/country-charm --reason x", 69)
    #expect(try log().suffix(2) == Array(repeating: "purge qa 2: product/country-charm", count: 2))
    try settle("['false']")
    #expect(try run("purge qa", 69).errors.contains("[notify-failed]"))
  }

  @Test func mistakesOfTheSettingsStopPublicationsAndNoEmergency() throws {
    try run("publish qa")
    try edit(price: 7)
    try run("publish qa")
    try sandbox.write("settings.yaml", "notify:\n  - {chanel: qa, command: [curl, s3cret]}\n")
    for line in ["publish qa", "promote qa live", "notify qa", "publish qa --dry-run"] {
      let outcome = try run(line, 1)
      #expect(
        outcome.errors.contains("settings.yaml:2:6: error: unknown key 'chanel'")
          && outcome.errors.contains("did you mean 'channel'?"), "\(line): \(outcome.errors)")
      #expect(!outcome.errors.contains("s3cret"))
    }
    #expect(try sandbox.value("site/qa/config.plist")["release"] == 2)
    for (line, release) in [
      ("rollback qa", 3), ("maintenance on qa", 4),
      ("purge qa product/country-charm --reason x", 5),
    ] {
      let outcome = try run(line, 3)
      #expect(
        outcome.errors.contains("unknown key 'chanel'")
          && outcome.errors.contains("release \(release) of 'qa' is live"), "\(outcome.errors)")
      #expect(try sandbox.value("site/qa/config.plist")["release"] == .integer(Int64(release)))
    }
  }

  @Test func takesTheSettingsFromTheOptionTheVariableOrTheHomeFolder() throws {
    func command(_ name: String) -> String { "[touch, '\(sandbox.root)/\(name)']" }
    try settle(command("by-option"), file: "option.yaml")
    try settle(command("by-variable"), file: "variable.yaml")
    try settle(command("by-home"), file: "home/.config/contentc/settings.yaml")
    _ = try sandbox.succeed(["publish", "qa"])
    let home = "HOME=\(sandbox.root)/home"
    let variable = "CONTENTC_SETTINGS=\(sandbox.root)/variable.yaml"
    for (flags, environment, ran) in [
      (["--settings", "option.yaml"], [home, variable], "by-option"),
      ([], [home, variable], "by-variable"), ([], [home], "by-home"),
    ] {
      _ = try sandbox.succeed(["notify", "qa"] + flags, environment: environment)
      #expect(sandbox.files().filter { $0.hasPrefix("by-") } == [ran])
      try sandbox.shell("rm -f by-*")
    }
    #expect(try sandbox.run("notify", "qa", "--settings", "none.yaml").status == 66)
    let missing = ["CONTENTC_SETTINGS=none.yaml"]
    #expect(try sandbox.run("publish", "qa", environment: missing).status == 66)
    chmod("\(sandbox.root)/option.yaml", 0o666)
    let unsafe = try sandbox.run("notify", "qa", "--settings", "option.yaml")
    #expect(unsafe.status == 1 && unsafe.errors.contains("chmod go-w 'option.yaml'"), "\(unsafe)")
    #expect(sandbox.read("by-option") == nil)
  }

  @Test func findsNoProgramInTheCurrentFolder() throws {
    try sandbox.write("push", "#!/bin/sh\ntouch '\(sandbox.root)/ran'\n")
    chmod("\(sandbox.root)/push", 0o755)
    try settle("[push]")
    let outcome = try run("publish qa", 3, environment: ["PATH=.::/usr/bin:/bin"])
    #expect(outcome.errors.contains("'push' cannot be started: there is no such program in PATH"))
    #expect(sandbox.read("ran") == nil)
  }

  @Test func contentCannotNameAProgram() throws {
    let text = "notify: [{channel: qa, command: [touch, '\(sandbox.root)/ran']}]\n"
    try sandbox.write("content/settings.yaml", text)
    try sandbox.write("settings.yaml", text)
    try sandbox.write(".config/contentc/settings.yaml", text)
    #expect(try sandbox.run("publish", "qa").status == 0)
    try sandbox.shell("cat settings.yaml >> content/content.yaml")
    let refused = try sandbox.run("publish", "qa")
    #expect(refused.status == 1 && refused.errors.contains("unknown key 'notify'"), "\(refused)")
    #expect(sandbox.read("ran") == nil)
  }

  @Test func passesNoSecretOfTheEnvironment() throws {
    try settle("[sh, -c, 'env > \"$0\"', '\(sandbox.root)/environment']")
    try run(
      "publish qa",
      environment: ["AWS_SECRET_ACCESS_KEY=s3cret", "NOTIFY_TOKEN=mine", "FASTLY_TOKEN=s3cret"])
    let seen = String(decoding: sandbox.read("environment") ?? [], as: UTF8.self)
    #expect(seen.contains("NOTIFY_TOKEN=mine") && !seen.contains("s3cret"))
  }
}
