import ContentModel
import PropertyLists
import System
import TestServers
import Testing

@testable import TestCommands

/// Commands that switch maintenance.
@Suite struct MaintenanceCommandTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      """
      cat >> content/content.yaml <<'E'
      channels: {qa: {target: site}}
      E
      printf 'title: Back soon\\nretryAfter: 120\\n' > content/maintenance.yaml
      """)
    try run("publish", "qa")
  }

  @Test func isSwitchedOnAndOff() throws {
    let on = try run(
      "maintenance", "on", "--until", "2999-01-01T00:00:00Z", "--reason", "Storm", "--json")
    #expect(on["state"] == "on" && on["release"] == 2 && on["until"] == "2999-01-01T00:00:00Z")
    #expect(on["texts"]["en"]["title"] == "Back soon")
    let config = try sandbox.value("site/qa/config.plist")["maintenance"]
    #expect(config["active"] == true && config["retryAfter"] == 120 && config["from"] == nil)
    let status = try run("maintenance", "status", "--json")["channels"]["qa"]
    #expect(status["state"] == "on" && status["since"] != nil)
    let history = try run("history", "--json")["releases"]
    #expect(history[0]["message"] == "maintenance on: Storm" && history[0]["of"] == 1)

    #expect(try run("maintenance", "off", "--json")["state"] == "off")
    #expect(try sandbox.value("site/qa/config.plist")["maintenance"]["until"] == nil)
    let again = try sandbox.run("maintenance", "off")
    #expect(again.status == 0 && again.output.contains("Nothing to do"))
    #expect(try run("status", "--json")["channels"]["qa"]["release"] == 3)
  }

  @Test func keepsItsSettingsWhenContentIsPublished() throws {
    try run(
      "maintenance", "on", "--message", "product/rose", "--retry-after", "2m30s", "--until",
      "2999-01-01T00:00:00Z")
    try sandbox.shell("sed -i s/Lily/Lilly/ content/entries/product.yaml")
    try run("publish", "qa")
    let status = try run("maintenance", "status", "qa", "--json")["channels"]["qa"]
    #expect(
      status["state"] == "on" && status["retryAfter"] == 150
        && status["until"] == "2999-01-01T00:00:00Z")
    #expect(status["texts"]["en"]["title"] == "Rose" && status["texts"]["en"]["retryAfter"] == 150)
    try run("maintenance", "off")
    let off = try run("maintenance", "status", "--json")["channels"]["qa"]
    #expect(off["retryAfter"] == 120 && off["texts"]["en"]["title"] == "Back soon")
  }

  @Test func reportsThatADryRunChangesNothing() throws {
    let locales = (0..<10).map { ["it", "es", "pt", "nl", "sv", "da", "fi", "pl", "cs", "ja"][$0] }
      .joined(
        separator: ", ")
    try sandbox.shell(
      "sed -i 's/locales: \\[en, fr, de\\]/locales: [en, fr, de, \(locales)]/' content/content.yaml"
    )
    try run("publish", "qa")
    let dry = try sandbox.run("maintenance", "on", "--dry-run")
    #expect(dry.status == 0 && dry.output.contains("maintenance would be on"), "\(dry)")
    #expect(
      !dry.output.contains("MAINTENANCE is on") && dry.output.contains("Nothing was changed"),
      "\(dry)")
    #expect(dry.output.contains("… and 5 more locales; --json lists all"), "\(dry)")
    #expect(try run("maintenance", "status", "--json")["channels"]["qa"]["state"] == "off")
  }

  @Test func saysOnceThatTheLiveReleaseHasNoTexts() throws {
    try sandbox.shell("mv content/maintenance.yaml kept.yaml")
    try run("publish", "qa")
    try sandbox.shell("mv kept.yaml content/maintenance.yaml")
    let advice = "come with 'contentc publish qa'"
    let before = try sandbox.run("maintenance", "on", "--dry-run").output
    #expect(before.ranges(of: "no title or message").count == 1, "\(before)")
    #expect(before.contains(advice), "\(before)")
    try run("publish", "qa")
    let after = try sandbox.run("maintenance", "on", "--dry-run").output
    #expect(after.contains("Back soon") && !after.contains(advice), "\(after)")
  }

  @Test func reportsAPeriodBeforeAndAfterIt() throws {
    let dry = try run("maintenance", "on", "--from", "2998-01-01T00:00:00Z", "--dry-run", "--json")
    #expect(dry["state"] == "scheduled")
    #expect(try run("status", "--json")["channels"]["qa"]["release"] == 1)
    try run(
      "maintenance", "on", "--from", "2998-01-01T10:00 Europe/Paris", "--until",
      "2998-01-01T09:30:00Z")
    let status = try run("maintenance", "status", "--json")["channels"]["qa"]
    #expect(status["state"] == "scheduled" && status["from"] == "2998-01-01T09:00:00Z")
    let time = Self.timeOfDay(inMinutes: 60)
    let soon = try #require(
      try run("maintenance", "on", "--from", "\(time) UTC", "--json")["from"].text)
    #expect(soon.hasSuffix("T\(time):00Z"))
  }

  /// Returns a time of day in UTC such as `10:30`.
  private static func timeOfDay(inMinutes minutes: Double) -> Substring {
    let seconds = Clock.now.secondsSinceReferenceDate + minutes * 60
    return Instant(secondsSinceReferenceDate: seconds).rfc3339.dropFirst(11).prefix(5)
  }

  @Test func refusesATimeOfDayThatHasJustPassed() throws {
    let (past, next) = (Self.timeOfDay(inMinutes: -60), Self.timeOfDay(inMinutes: 60))
    for option in ["--from", "--until"] {
      let refused = try sandbox.run("maintenance", "on", option, "\(past) UTC")
      #expect(
        refused.status == 64
          && refused.errors.hasPrefix("error: \(option) '\(past) UTC' passed 1h")
          && refused.errors.contains("T\(past) UTC [bad-window]"), "\(refused)")
    }
    #expect(try run("maintenance", "status", "--json")["channels"]["qa"]["state"] == "off")
    // After a start in the future, the time is the first one after the start.
    let period = try run(
      "maintenance", "on", "--from", "\(next) UTC", "--until", "\(past) UTC", "--json")
    #expect(period["state"] == "scheduled")
    #expect(period["until"].text?.hasSuffix("T\(past):00Z") == true)
  }

  @Test(arguments: [
    ("on --until 2020-01-01T00:00:00Z", 64, "is past"),
    ("on --from 2998-01-01T00:00:00Z --until 2997-01-01T00:00:00Z", 64, "before it begins"),
    ("on --until soon", 64, "is not a time such as 10:30"),
    ("on --until 2026-11-21T10:30+01:00x", 64, "is not a time"),
    (
      "on --until 2998-11-30T10:30Z", 64,
      "must have seconds before its offset; write 2998-11-30T10:30:00Z"
    ),
    ("on --retry-after 0", 64, "--retry-after must be"),
    ("on --retry-after never", 64, "--retry-after must be"),
    ("on --message product/rosa", 66, "did you mean 'product/rose'?"),
    ("on --message Closed", 66, "'--message' takes the id of an entry: unknown entry 'Closed'"),
    ("off --until 10:30", 64, "need 'maintenance on'"),
    ("on nosuch", 64, "unknown channel"), ("perhaps", 64, "perhaps"),
  ])
  func refusesInvalidArguments(arguments: String, status: Int32, sentence: String) throws {
    let before = sandbox.tree("site").map(\.path)
    let refused = try sandbox.run(
      Sandbox.binary, ["maintenance"] + arguments.split(separator: " ").map(String.init))
    #expect(refused.status == status && refused.errors.contains(sentence), "\(refused.errors)")
    #expect(sandbox.tree("site").map(\.path) == before)
  }

  private func addUnreachableCache() throws {
    try sandbox.shell(
      """
      sed -i 's/qa: {target: site}/qa: {target: site, url: "http:\\/\\/127.0.0.1:9\\/v1", originTimeout: 1s, cdn: [{fastly: \
      {service: SHOP_SERVICE, token: SHOP_TOKEN}}]}/' content/content.yaml
      """)
  }

  @Test func isUnfinishedIfACacheIsUnreachable() throws {
    try addUnreachableCache()
    let secret = "geheim-4711"
    let on = try sandbox.run("maintenance", "on", environment: ["SHOP_SERVICE=\(secret)"])
    #expect(on.status == 69, "\(on)")
    #expect(on.errors.matches(of: /SHOP_TOKEN is not set/).count == 1, "\(on.errors)")
    let advice =
      "set the environment variable SHOP_TOKEN (the token of 'fastly'), then run the same command again"
    for words in [
      "  MAINTENANCE is published, but readers do NOT have it yet\n  next     \(advice)\n  period   since ",
      "  readers  without that, the last connected one knows by ",
    ] { #expect(on.output.contains(words), "\(on.output)") }
    #expect(!on.output.contains("MAINTENANCE is on"), "\(on.output)")
    #expect(on.errors.contains(advice), "\(on.errors)")
    #expect(!on.errors.contains(secret) && !on.output.contains(secret))
    // The switch is set, and a publication succeeds with a warning.
    #expect(try run("maintenance", "status", "--json")["channels"]["qa"]["state"] == "on")
    try sandbox.shell("sed -i s/Lily/Lilly/ content/entries/product.yaml")
    let published = try sandbox.run("publish", "qa", environment: ["SHOP_SERVICE=\(secret)"])
    #expect(
      published.status == 0 && published.errors.contains("warning: SHOP_TOKEN is not set"),
      "\(published.errors)")
    // Switching off fails until the cache is purged, even if it is repeated.
    for _ in 0..<2 {
      let off = try sandbox.run("maintenance", "off", environment: ["SHOP_SERVICE=\(secret)"])
      #expect(off.status == 69 && off.errors.contains("SHOP_TOKEN is not set"), "\(off.errors)")
      #expect(
        off.output.contains(
          "The end of maintenance is published, but readers do NOT have it yet\n  next     \(advice)"
        ),
        "\(off.output)")
    }
    #expect(try run("maintenance", "status", "--json")["channels"]["qa"]["state"] == "off")
  }

  /// A second machine of the cache refuses the purge, and readers of the first one have the switch.
  @Test func namesTheMachineWhoseReadersMayLackIt() throws {
    let sound = try ScriptedCache(before: "site", of: sandbox)
    let refusing = try ScriptedCache(before: "site", of: sandbox)
    refusing.set(.refusing(403))
    try sandbox.shell(
      """
      sed -i 's|qa: {target: site}|qa: {target: site, url: "\(sound.address)", originTimeout: 1s, \
      cdn: [{varnish: {nodes: ["\(sound.address)", "\(refusing.address)"]}}]}|' content/content.yaml
      """)
    let on = try sandbox.run("maintenance", "on")
    let node = refusing.address.dropFirst("http://".count)
    #expect(on.status == 69, "\(on)")
    #expect(
      on.output.contains(
        "MAINTENANCE is published, but readers behind varnish at \(node) may NOT have it yet\n"
          + "  next     correct what the errors name, then run the same command again\n"),
      "\(on.output)")
    // Config is purged twice, but the error is the same.
    #expect(on.errors.matches(of: /\[cache-purge\]/).count == 1, "\(on.errors)")
    refusing.set(.good)
    let again = try sandbox.run("maintenance", "on")
    #expect(again.status == 0 && again.output.contains("  MAINTENANCE is on since "), "\(again)")
  }

  /// Readers behind the cache get the config before until it expires there.
  @Test func countsTheLifetimeInACacheThatWasNotPurged() throws {
    try addUnreachableCache()
    let on = try sandbox.run("maintenance", "on")
    #expect(on.status == 69 && on.errors.contains("run the same command again"), "\(on)")
    let last = try #require(on.output.firstMatch(of: /knows by (\S+)/)).output.1
    let end = try #require(Instant(rfc3339: String(last)))
    let issued = try #require(try run("status", "--json")["channels"]["qa"]["issued"].text)
    let start = try #require(Instant(rfc3339: issued))
    // Up to 5m30s in the cache, and 10m in the app.
    let seconds = end.secondsSinceReferenceDate - start.secondsSinceReferenceDate
    #expect(seconds > 900, "\(on)")
  }

  @Test func reportsAllChannelsIfOneIsUnreadable() throws {
    try sandbox.shell(
      "sed -i 's/qa: {target: site}/qa: {target: site}, far: {target: \"s3:\\/\\/nowhere\\/x\"}/' content/content.yaml"
    )
    for command in [["maintenance", "status"], ["status"]] {
      let reported = try sandbox.run(Sandbox.binary, command, environment: ["AWS_ACCESS_KEY_ID="])
      #expect(
        reported.status == 0 && reported.output.contains("qa at ")
          && reported.output.contains("cannot be read"))
      #expect(
        reported.errors.hasPrefix("warning: 'far' cannot be read: ")
          && reported.errors.count { $0 == "\n" } == 1)
      let named = try sandbox.run(
        Sandbox.binary, command + ["far"], environment: ["AWS_ACCESS_KEY_ID="])
      #expect(named.status == 69 && named.errors.hasPrefix("error: "), "\(named)")
      let strict = try sandbox.run(
        Sandbox.binary, command + ["--warnings-as-errors"], environment: ["AWS_ACCESS_KEY_ID="])
      #expect(strict.status == 69, "\(strict)")
    }
    try sandbox.shell(
      "sed -i 's/target: site/target: \"s3:\\/\\/nowhere\\/y\"/' content/content.yaml")
    #expect(try sandbox.run("status", environment: ["AWS_ACCESS_KEY_ID="]).status == 69)
  }

  @Test func reportsACacheWithoutSettings() throws {
    try sandbox.shell(
      "sed -i 's/qa: {target: site}/qa: {target: site, cdn: [fastly]}/; s/^stalenessLimit.*//' content/content.yaml; "
        + "sed -i s/Lily/Lilly/ content/entries/product.yaml")
    let published = try sandbox.run("publish", "qa")
    #expect(published.status == 0, "\(published.errors)")
    #expect(
      published.output.contains("caches  fastly not purged: content.yaml has no settings for it"))
  }

  @discardableResult
  private func run(_ arguments: String...) throws -> Value? {
    try sandbox.succeed(arguments)
  }
}
