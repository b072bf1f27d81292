import ContentModel
import ContentReleases
import Diagnostics
import PropertyLists
import System
import SystemC
import TestServers
import Testing

@testable import ContentcCommands

@Suite("The programs of a machine", .waiting)
struct NotifierTests {
  let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  /// Returns the notifier of settings with these commands of the channel `qa`.
  private func notifier(_ commands: [String]) throws -> Notifier {
    let lines = commands.map { "  - {channel: qa, command: \($0)}\n" }.joined()
    return try notifier(settings: "notify:\n" + lines)
  }

  private func notifier(settings: String) throws -> Notifier {
    try folder.write("settings.yaml", settings)
    chmod(folder.path("settings.yaml"), 0o600)
    let file = SettingsFile(named: folder.path("settings.yaml"), environment: { _ in nil })
    var notifier = Notifier(file, app: "bakery", channel: "qa")
    notifier.environment = ProgramEnvironment(["PATH=/usr/bin:/bin"])
    (notifier.limits.seconds, notifier.limits.graceSeconds) = (1, 0.5)
    return notifier
  }

  private func notify(_ notifier: Notifier, report: Report = Report()) -> Report {
    var report = report
    notifier.notify(.publish, release: 7, changed: ["product/rose"], reportingIn: &report)
    return report
  }

  @Test func runsTheCommandsOfTheChannelAndTheApp() throws {
    func command(_ name: String) -> String {
      "command: [sh, -c, 'cat > \"$0\"', '\(folder.path(name))']"
    }
    let notifier = try notifier(
      settings: """
        notify:
          - {channel: qa, \(command("any"))}
          - {app: bakery, channel: qa, \(command("bakery"))}
          - {app: shop, channel: qa, \(command("shop"))}
          - {channel: production, \(command("production"))}
        """)
    let report = notify(notifier)
    #expect(report.status == nil && report.diagnostics.isEmpty)
    #expect(folder.names() == ["any", "bakery", "settings.yaml"])
    #expect(
      try folder.read("any")
        == #"{"app":"bakery","changed":["product/rose"],"channel":"qa","format":1,"kind":"publish","release":7}"#
        + "\n")
    #expect(report.json["notify"]?.items?.map { $0["ok"] } == [true, true])
    #expect(report.text.contains("  notify  sh (\(folder.path)/settings.yaml:2) succeeded in 0."))
  }

  @Test func runsCommandsAtTheSameTime() throws {
    let watch = ContinuousClock.now
    let report = notify(try notifier(Array(repeating: "[sleep, '0.7']", count: 6)))
    #expect(report.status == nil && watch.duration(to: .now) < .seconds(3))
  }

  @Test(arguments: [
    (
      "[sh, -c, 'echo out; echo first >&2; echo why >&2; exit 22']",
      "'sh' ended with status 22: why"
    ),
    ("[sh, -c, 'echo told >&1; exit 1']", "'sh' ended with status 1: told"),
    ("['false']", "'false' ended with status 1"),
    ("[sh, -c, 'kill -9 $$']", "'sh' was ended by signal 9"),
    ("[sleep, 60]", "'sleep' was stopped after 1 s"),
    ("[no-such-tool]", "'no-such-tool' cannot be started: there is no such program in PATH"),
    ("[/no/such/tool]", "'/no/such/tool' cannot be started: there is no such program"),
  ])
  func reportsAFailure(command: String, message: String) throws {
    let report = notify(try notifier(["['true']", command]))
    #expect(report.status == .notNotified)
    #expect(report.diagnostics.map(\.message) == [message])
    let failure = try #require(report.diagnostics.first)
    #expect(failure.id == "notify-failed" && failure.location?.range?.start.line == 3)
    #expect(
      failure.notes.last?.message
        == "release 7 of 'qa' is live; 'contentc notify qa' sends the notification again")
    #expect(report.json["notify"]?.items?.map { $0["ok"] } == [true, false])
  }

  @Test func limitsWhatItShows() throws {
    let report = notify(
      try notifier([
        "[sh, -c, 'yes \"$(head -c 3000 /dev/zero | tr \"\\\\0\" y)\" | head -n 20 >&2; exit 1']"
      ]))
    let failure = try #require(report.diagnostics.first)
    #expect(failure.message.count < 300 && failure.notes.count <= 5)
    #expect(failure.notes.allSatisfy { $0.message.count < 300 })
  }

  @Test func neverShowsArguments() throws {
    let notifier = try notifier(["[sh, -c, 'exit 1', s3cret]", "['true', s3cret]"])
    for report in [notify(notifier), notifier.planned(Report())] {
      #expect(!"\(report.text) \(report.json) \(report.diagnostics)".contains("s3cret"))
    }
    let mistaken = try self.notifier(
      settings: "notify: [{channel: qa, comand: [curl, s3cret], command: [a/b, s3cret, null]}]")
    #expect(!"\(notify(mistaken).diagnostics)".contains("s3cret"))
  }

  @Test func runsNothingInADryRun() throws {
    let notifier = try notifier(["[touch, '\(folder.path("ran"))']"])
    let report = notifier.planned(Report(text: "Nothing\n"))
    #expect(report.text == "Nothing\n  notify  would run touch (\(folder.path)/settings.yaml:2)\n")
    #expect(!folder.holds("ran"))
  }

  @Test func prefersTheStatusOfTheCommand() throws {
    let notifier = try notifier(["['false']"])
    #expect(notify(notifier, report: Report(status: .unavailable)).status == .unavailable)
    let error = Diagnostic(.error, rule: .publicURL, at: nil, message: "x")
    #expect(notify(notifier, report: Report(diagnostics: [error])).status == nil)
  }

  @Test func reportsMistakesOfTheSettings() throws {
    let notifier = try notifier(settings: "notify: [{channel: qa, comand: [a]}]")
    let refusal = try #require(notifier.refusal)
    #expect(refusal.diagnostics.first?.fixIt?.replacement == "command" && refusal.status == nil)
    // An emergency does not stop for them.
    let report = notify(notifier)
    #expect(report.status == .notNotified && report.diagnostics.count == refusal.diagnostics.count)
    #expect(report.diagnostics.allSatisfy { $0.notes.last?.message.contains("is live") == true })
    let missing = SettingsFile(named: folder.path("none"), environment: { _ in nil })
    #expect(Notifier(missing, app: "a", channel: "qa").refusal?.status == .missingInput)
  }
}
