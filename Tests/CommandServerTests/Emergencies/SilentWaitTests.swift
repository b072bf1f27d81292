import ContentModel
import SystemC
import TestServers
import Testing

@testable import TestCommands

/// The notes of commands that wait for an agent, a server or a cache.
@Suite(.needsServers, .waiting) struct SilentWaitTests {
  /// The time until a note, which is due after 1.5 s: a machine may be busy, and `publish` builds first.
  private static let limit = Duration.seconds(4)
  static let purge = ["purge", "product/tulip", "--reason", "An insult"]
  /// The words of commands that make a release live.
  static let commands = [purge, ["publish"], ["maintenance", "on"]]
  /// The fingerprint of a key that no agent has.
  private static let fingerprint = "SHA256:\(String(repeating: "A", count: 43))"
  private let sandbox: Sandbox

  init() throws { sandbox = try Sandbox(EditingShop.files) }

  // MARK: Signers

  @Test(arguments: commands + [["resign"]])
  func namesAnAgentThatHangs(arguments: [String]) throws {
    let agent = try hungAgent()
    defer { agent.stop() }
    let told = try note("Waiting for the SSH agent (\(Self.fingerprint))", of: arguments)
    let line = arguments == ["resign"] ? 3 : 2
    #expect(told.errors.contains("settings.yaml:\(line)\n"), "\(told)")
  }

  /// Programs read the standard error of `--json`.
  @Test(arguments: ["--quiet", "--json"]) func staysSilentIfAsked(flag: String) throws {
    let agent = try hungAgent()
    defer { agent.stop() }
    let process = try start(Self.purge + [flag])
    usleep(2_500_000)
    kill(process, SIGKILL)
    #expect(Sandbox.wait(for: process) == -SIGKILL)
    #expect(text("errors") == "" && text("output") == "")
  }

  /// Publishes a signed release, and names an agent as the signer of later ones, which accepts
  /// connections but never answers.
  private func hungAgent() throws -> Program {
    try declare("{target: site, signing: {keys: keys/qa}}")
    _ = try sandbox.succeed(["keys", "init", "qa", "--new", "secrets"])
    try writeSigners("file: secrets/release.pem")
    _ = try sandbox.succeed(["publish"], environment: environment)
    try writeSigners("agent: \"\(Self.fingerprint)\"")
    try changeTulip()
    let listener = """
      import os, socket, sys, time
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1] + '.new'); s.listen(8)
      os.rename(sys.argv[1] + '.new', sys.argv[1]); connection = s.accept()
      open(sys.argv[1] + '.used', 'w').close(); time.sleep(60)
      """
    let agent = try Program("/usr/bin/python3", ["-c", listener, socketPath])
    for _ in 0..<500 where access(socketPath, F_OK) != 0 { usleep(10_000) }
    return agent
  }

  private func writeSigners(_ key: String) throws {
    let lines = ["release", "fresh"].map { "  - {channel: qa, role: \($0), \(key)}\n" }
    try sandbox.write("settings.yaml", "signers:\n" + lines.joined())
    try sandbox.shell("chmod 600 settings.yaml")
  }

  private var socketPath: String { "\(sandbox.root)/agent" }

  // MARK: Servers

  @Test(arguments: [purge, ["maintenance", "on"], ["rollback"]], [[], ["--single-writer"]])
  func namesATargetThatDrips(arguments: [String], flags: [String]) throws {
    let server = try ScriptedServer { _ in Self.drip }
    defer { server.stop() }
    try declare("{target: \"s3://flowers/v1?endpoint=\(server.address)\"}")
    _ = try note("Waiting for s3://flowers/v1\n", of: arguments + flags)
  }

  enum Node: CaseIterable { case refusing, hung }

  @Test(arguments: Node.allCases, commands)
  func namesACacheNodeThatDoesNotAnswer(node: Node, arguments: [String]) throws {
    let cache = try ScriptedCache(before: "site", of: sandbox)
    let hung = try ScriptedServer { _ in .silence }
    defer { hung.stop() }
    let (port, reason) =
      switch node {
      case .refusing: (try Socket.freePorts(1)[0], ", which cannot be reached: ")
      case .hung: (hung.port, "\n")
      }
    try publishBefore(cache, nodeAt: port)
    let told = try note("Waiting for varnish at 127.0.0.1:\(port)\(reason)", of: arguments)
    #expect(!told.errors.contains("secret-token"), "\(told)")
    try expectLive(2, told, after: arguments)
  }

  /// One node of two does not answer: the note says how long that can last.
  @Test func saysWhichNodesHaveConfirmed() throws {
    let cache = try ScriptedCache(before: "site", of: sandbox)
    let hung = try ScriptedServer { _ in .silence }
    defer { hung.stop() }
    try publishBefore(cache, nodeAt: hung.port)
    try sandbox.shell("sed -i 's|nodes: \\[|nodes: [\"\(cache.address)\", |' content/content.yaml")
    let node = cache.address.dropFirst("http://".count)
    let told = try note(
      "  confirmed by 1 of 2 nodes of varnish: \(node); waiting for at most 3m16s; Ctrl-C is safe\n",
      of: Self.purge)
    #expect(told.errors.contains("Waiting for varnish at 127.0.0.1:\(hung.port)\n"), "\(told)")
  }

  /// Publishes a release, and declares a cache in front of the site.
  private func publishBefore(_ cache: ScriptedCache, nodeAt port: UInt16) throws {
    try declare("{target: site}")
    _ = try sandbox.succeed(["publish"])
    try declare(
      """
      {target: site, url: "\(cache.address)", originTimeout: 1s,
       cdn: [{varnish: {nodes: ["http://127.0.0.1:\(port)"], token: PURGE_TOKEN}}]}
      """)
    try changeTulip()
  }

  @Test(arguments: commands) func namesAnAddressThatDrips(arguments: [String]) throws {
    let server = try ScriptedServer { _ in Self.drip }
    defer { server.stop() }
    try declare("{target: site}")
    _ = try sandbox.succeed(["publish"])
    try declare("{target: site, url: \"\(server.address)\"}")
    try changeTulip()
    let told = try note("Reading \(server.address)/qa/config.plist\n", of: arguments)
    try expectLive(2, told, after: arguments)
  }

  /// An answer that ends after more than a minute.
  private static let drip = ScriptedServer.Reply.trickle(
    [UInt8](repeating: 0, count: 1_000), milliseconds: 100,
    head: Array("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n".utf8))

  /// Expects that a release was live before the command waited for caches and readers.
  private func expectLive(_ release: Int, _ told: Told, after arguments: [String]) throws {
    #expect(try sandbox.value("site/qa/config.plist")["release"]?.number == release)
    // A publication says so at its end, in its report.
    if arguments != ["publish"] {
      #expect(told.output.contains("elease \(release) ") && told.output.contains(" is live"))
    }
  }

  // MARK: Control-C

  @Test(arguments: commands) func controlCSaysThatNothingChanged(arguments: [String]) throws {
    let agent = try hungAgent()
    defer { agent.stop() }
    let errors = try interrupt(arguments, after: "Waiting for the SSH agent")
    #expect(
      errors.hasSuffix(
        "\nInterrupted: readers of 'qa' see no change; run the same command again\n"), "\(errors)")
  }

  @Test(arguments: [purge, ["maintenance", "on"]])
  func controlCSaysThatTheSameCommandFinishes(arguments: [String]) throws {
    let cache = try ScriptedCache(before: "site", of: sandbox)
    let hung = try ScriptedServer { _ in .silence }
    defer { hung.stop() }
    try publishBefore(cache, nodeAt: hung.port)
    let errors = try interrupt(arguments, after: "Waiting for varnish at 127.0.0.1:\(hung.port)\n")
    #expect(
      errors.hasSuffix(
        "\nInterrupted: release 2 of 'qa' is live; run the same command again to finish\n"),
      "\(errors)")
  }

  @Test func controlCSaysThatAPurgeIsLiveWhileItIsFinished() throws {
    let cache = try ScriptedCache(before: "site", of: sandbox)
    let hung = try ScriptedServer { _ in .silence }
    defer { hung.stop() }
    try publishBefore(cache, nodeAt: hung.port)
    let note = "Waiting for varnish at 127.0.0.1:\(hung.port)\n"
    _ = try interrupt(Self.purge, after: note)
    let errors = try interrupt(["purge"], after: note)
    #expect(
      errors.hasSuffix(
        "\nInterrupted: purge 1 of 'qa' is live, but not finished; run the same command again\n"),
      "\(errors)")
  }

  /// The same command again changes nothing, or goes back further.
  @Test(arguments: [["publish"], ["rollback"], ["rollback", "--to", "1"]])
  func controlCSaysThatTheReleaseOfAnUnrepeatableCommandIsLive(arguments: [String]) throws {
    let cache = try ScriptedCache(before: "site", of: sandbox)
    let hung = try ScriptedServer { _ in .silence }
    defer { hung.stop() }
    try publishBefore(cache, nodeAt: hung.port)
    let note = "Waiting for varnish at 127.0.0.1:\(hung.port)\n"
    if arguments != ["publish"] { _ = try interrupt(["publish"], after: note) }
    let release = arguments == ["publish"] ? 2 : 3
    let errors = try interrupt(arguments, after: note)
    #expect(
      errors.hasSuffix(
        "\nInterrupted: release \(release) of 'qa' is live; readers get it within the bound that "
          + "'contentc staleness' shows; 'contentc notify qa' sends its notification\n"),
      "\(errors)")
  }

  /// If a purge is finished, the same command sends no notification when it runs again.
  @Test(arguments: commands + [["notify"]])
  func controlCSaysThatTheNotificationWasInterrupted(arguments: [String]) throws {
    try declare("{target: site}")
    _ = try sandbox.succeed(["publish"])
    try changeTulip()
    let errors = try interruptNotification(of: arguments)
    let release = arguments == ["notify"] ? 1 : 2
    #expect(
      errors.hasSuffix(
        "Interrupted: release \(release) of 'qa' is live; its notification was interrupted; "
          + "'contentc notify qa' sends the notification again\n"), "\(errors)")
  }

  /// Without a `url`, caches cannot be purged, so the purge stays unfinished.
  @Test func controlCSaysThatThePurgeIsUnfinishedWhileItsNotificationIsSent() throws {
    try declare("{target: site}")
    _ = try sandbox.succeed(["publish"])
    try declare("{target: site, cdn: [{varnish: {nodes: [\"http://127.0.0.1:9\"]}}]}")
    let errors = try interruptNotification(of: Self.purge)
    #expect(
      errors.hasSuffix(
        "Interrupted: release 2 of 'qa' is live, but not finished; run the same command again, "
          + "then 'contentc notify qa'\n"), "\(errors)")
  }

  /// After the later publication, the same command would begin a new purge.
  ///
  /// That purge would remove content that may be the correction.
  @Test func controlCSaysThatAPurgeIsFinishedAlthoughLaterContentRemains() throws {
    try declare("{target: site}")
    _ = try sandbox.succeed(["publish"])
    try declare("{target: site, cdn: [{varnish: {nodes: [\"http://127.0.0.1:9\"]}}]}")
    let unfinished = try sandbox.run(Sandbox.binary, Self.purge)
    #expect(unfinished.status == 69, "\(unfinished)")
    try declare("{target: site}")
    try changeTulip()
    try sandbox.shell("sed -i 's/title: Tulpe/title: Insult/' content/entries/product.de.yaml")
    _ = try sandbox.succeed(["publish"])
    let errors = try interruptNotification(of: Self.purge)
    let told = text("output") + errors
    #expect(told.contains("product/tulip was published in another form"), "\(told)")
    #expect(
      errors.hasSuffix(
        "Interrupted: release 2 of 'qa' is live; its notification was interrupted; "
          + "'contentc notify qa' sends the notification again\n"), "\(errors)")
  }

  /// Interrupts a command while it runs a `notify` command, and returns its standard error.
  private func interruptNotification(of arguments: [String]) throws -> String {
    try sandbox.write(
      "settings.yaml",
      "notify: [{channel: qa, command: "
        + "[/bin/sh, -c, 'echo > \"$0\"; exec sleep 20', '\(sandbox.root)/began']}]\n")
    try sandbox.shell("chmod 600 settings.yaml")
    return try interrupt(arguments) { sandbox.read("began") != nil }
  }

  /// Programs read the standard error of `--json`.
  @Test func controlCPrintsNoTextAmongJSON() throws {
    let agent = try hungAgent()
    defer { agent.stop() }
    let process = try start(Self.purge + ["--json"])
    // The command opens the channel, which sets the line, before it signs.
    for _ in 0..<600 where access("\(socketPath).used", F_OK) != 0 { usleep(20_000) }
    #expect(access("\(socketPath).used", F_OK) == 0)
    kill(process, SIGINT)
    #expect(Sandbox.wait(for: process) == 130)
    #expect(text("errors") == "" && text("output") == "")
  }

  /// Interrupts a command once it has printed a note, and returns its standard error.
  private func interrupt(_ arguments: [String], after note: String) throws -> String {
    try interrupt(arguments) { text("errors").contains(note) }
  }

  /// Interrupts a command once a condition is met, and returns its standard error.
  private func interrupt(
    _ arguments: [String], once hasComeSoFar: () -> Bool
  ) throws -> String {
    try sandbox.shell("rm -f errors output")
    let process = try start(arguments)
    for _ in 0..<600 where !hasComeSoFar() { usleep(20_000) }
    kill(process, SIGINT)
    #expect(Sandbox.wait(for: process) == 130, "\(arguments): \(text("errors"))")
    return text("errors")
  }

  // MARK: The command

  private struct Told {
    let output, errors: String
  }

  /// Runs a command until it prints a note to standard error, and kills it.
  private func note(_ note: String, of arguments: [String]) throws -> Told {
    let start = ContinuousClock.now
    let process = try self.start(arguments)
    defer {
      kill(process, SIGKILL)
      _ = Sandbox.wait(for: process)
    }
    while !text("errors").contains(note), ContinuousClock.now - start < .seconds(12) {
      usleep(20_000)
    }
    let (time, told) = (
      ContinuousClock.now - start, Told(output: text("output"), errors: text("errors"))
    )
    try #require(told.errors.contains(note), "\(arguments): \(told)")
    #expect(time < Self.limit, "\(arguments): \(told)")
    return told
  }

  private func start(_ arguments: [String]) throws -> pid_t {
    try sandbox.start(
      Sandbox.binary, arguments, environment: environment, output: "\(sandbox.root)/output",
      errors: "\(sandbox.root)/errors")
  }

  private func text(_ file: String) -> String {
    String(decoding: sandbox.read(file) ?? [], as: UTF8.self)
  }

  private var environment: [String] {
    let hasSettings = sandbox.read("settings.yaml") != nil
    return [
      "AWS_ACCESS_KEY_ID=key", "AWS_SECRET_ACCESS_KEY=secret", "PURGE_TOKEN=secret-token",
      "SSH_AUTH_SOCK=\(socketPath)",
    ] + (hasSettings ? ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"] : [])
  }

  /// Declares the channel `qa`, without others.
  private func declare(_ channel: String) throws {
    let project = EditingShop.files.first { $0.path == "content/content.yaml" }?.text ?? ""
    let lines = channel.split(separator: "\n").joined(separator: "\n    ")
    try sandbox.write("content/content.yaml", project + "channels:\n  qa: \(lines)\n")
  }

  private func changeTulip() throws {
    try sandbox.shell("sed -i 's/title: Tulip/title: Insult/' content/entries/product.yaml")
  }
}
