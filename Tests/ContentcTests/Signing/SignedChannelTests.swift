import ContentModel
import PropertyLists
import SystemC
import Testing

@testable import TestCommands

/// Signed channels, from the first key to a stolen one.
@Suite struct SignedChannelTests {
  private let shop: SignedShop

  init() throws { shop = try SignedShop() }

  private var sandbox: Sandbox { shop.sandbox }

  @Test func publishesConfigsThatAppsVerify() async throws {
    try shop.succeed("publish", "qa")
    #expect(try shop.served()["format"] == 2 && shop.release() == 1)
    try shop.expectVerified()
    // An app that pins no key has one more line of code.
    #expect(try await shop.titles() == ["product/rose": "Rose", "product/iris": "Iris"])
    #expect(try shop.run("check").errors.isEmpty, "key documents are no stray files")
    let status = try shop.run("status", "qa")
    #expect(status.status == 0 && status.output.contains("key document 1"), "\(status)")
    let json = try shop.succeed("status", "qa", "--json")
    let signing = json?["channels"]?["qa"]?["signing"]
    #expect(signing?["signed"] == true && signing?["keyDocument"] == 1)
    // An app that is kept from all news says so after that time.
    let bounds = try shop.succeed("staleness", "live", "--json")
    #expect(bounds?["channels"]?["live"]?["validFor"] == 864_000)
    #expect(try shop.run("staleness", "live").output.contains("after 10d (signing.validFor)"))
  }

  /// The preview and `build` need no keys, and key documents are no content.
  @Test func signsNoBuild() throws {
    try shop.succeed("build")
    #expect(try shop.served("out/preview/config.plist")["format"] == 1)
    for file in sandbox.tree("out") {
      let text = String(decoding: file.bytes, as: UTF8.self)
      #expect(!text.contains("ed25519") && !file.path.contains("keys"), "\(file.path)")
    }
  }

  @Test func everyWritingCommandSigns() async throws {
    try shop.succeed("publish", "qa")
    try sandbox.write("content/entries/product/rose.yaml", "title: Swear word\n")
    try shop.succeed("publish", "qa")
    try shop.expectVerified()
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    try shop.expectVerified()
    #expect(try await shop.titles() == ["product/iris": "Iris"])
    try shop.succeed("maintenance", "on", "qa")
    try shop.expectVerified()
    try shop.succeed("maintenance", "off", "qa")
    try sandbox.write("content/entries/product/rose.yaml", "title: Rose\n")
    try shop.succeed("publish", "qa", "--unpurge", "product/rose")
    try sandbox.write("content/entries/product/iris.yaml", "title: Iridium\n")
    try shop.succeed("publish", "qa")
    let last = try shop.release()
    try shop.succeed("rollback", "qa")
    try shop.expectVerified()
    #expect(try shop.release() == last + 1)
    #expect(try await shop.titles()["product/iris"] == "Iris")
    for command in [["history", "qa"], ["diff", "qa"], ["prune", "qa"], ["status"]] {
      let outcome = try sandbox.run(Sandbox.binary, command)
      // The other channels of 'status' have no keys.
      #expect(outcome.status == 0 || command == ["status"], "\(command): \(outcome.errors)")
    }
  }

  @Test func promotesWithTheKeysOfTheDestination() throws {
    try shop.succeed("keys", "init", "live", "--new", "others")
    try sandbox.shell("cp others/release.pem secrets/live.pem")
    try shop.writeSettings([
      ("qa", "release", "release"), ("qa", "fresh", "release"), ("live", "release", "live"),
      ("live", "fresh", "live"),
    ])
    try shop.succeed("publish", "qa")
    try shop.succeed("promote", "qa", "live")
    try shop.succeed(
      "verify", "site/live/config.plist", "--keys", "content/keys/live/1.json", "--objects")
    let other = try shop.run("verify", "site/live/config.plist", "--channel", "qa")
    #expect(other.status == 1 && other.errors.contains("unverified"), "\(other)")
  }

  // MARK: Signing again

  @Test func signsAgainWithoutANewRelease() throws {
    try shop.succeed("publish", "qa")
    let before = try shop.served()
    let due = try shop.run("resign", "qa", "--if-below", "50%")
    #expect(due.output.contains("Nothing to do"), "\(due)")
    sleep(1)
    let resigned = try shop.succeed("resign", "qa", "--json")
    #expect(resigned?["signed"] == true)
    let after = try shop.served()
    #expect(after["config"] == before["config"] && after != before)
    #expect(after["statements"]?.items?.first == before["statements"]?.items?.first)
    try shop.expectVerified()
    #expect(try shop.release() == 1)
  }

  // MARK: Keys that are not there

  @Test func writesNothingWithoutSigners() throws {
    try shop.succeed("publish", "qa")
    try sandbox.write("site/qa/retired.plist", "kept")
    let before = sandbox.tree("site")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    for signers in [[], [("qa", "release", "release")]] as [[(String, String, String)]] {
      try shop.writeSettings(signers.map { (channel: $0.0, role: $0.1, key: $0.2) })
      for command in [
        ["publish", "qa"], ["publish", "qa", "--repair"], ["resign", "qa"],
        ["maintenance", "on", "qa"],
        ["purge", "--channel", "qa", "product/iris", "--reason", "x"],
      ] {
        if signers.count == 1, command[0] == "resign" { continue }
        let outcome = try sandbox.run(
          Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
        #expect(outcome.status == 69, "\(command): \(outcome)")
        #expect(outcome.errors.contains("of 1 signatures for the role"), "\(outcome.errors)")
      }
    }
    let after = sandbox.tree("site")
    #expect(after.map(\.path) == before.map(\.path) && after.map(\.bytes) == before.map(\.bytes))
  }

  @Test func namesWhyASignerGivesNoSignature() throws {
    try sandbox.shell("chmod 644 secrets/release.pem")
    let outcome = try shop.run("publish", "qa")
    #expect(outcome.status == 69)
    #expect(outcome.errors.contains("settings.yaml:2"), "\(outcome.errors)")
    #expect(outcome.errors.contains("other users may read"), "\(outcome.errors)")
    #expect(sandbox.read(SignedShop.config) == nil)
  }

  @Test func asksForTheFirstDocument() throws {
    let outcome = try shop.run("publish", "live")
    #expect(outcome.status == 66)
    #expect(outcome.errors.contains("contentc keys init live"), "\(outcome.errors)")
    let unsigned = try shop.run("keys", "show", "open")
    #expect(unsigned.status == 64 && unsigned.errors.contains("signing: {keys: keys/open}"))
    for folder in ["content/keys", "site/keys", "site"] {
      let refused = try shop.run("keys", "init", "live", "--new", folder)
      #expect(refused.status == 64 && refused.errors.contains("is public"), "\(refused)")
    }
    #expect(sandbox.tree("site").isEmpty)
  }

  // MARK: Times

  @Test func warnsBeforeTimesEndAndFailsAfter() throws {
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing("keys/qa}", with: "keys/qa, validFor: 4s}"))
    try shop.succeed("publish", "qa")
    sleep(5)
    let warned = try shop.run("status", "qa")
    #expect(warned.status == 0 && warned.errors.contains("[signature-age]"), "\(warned)")
    let ended = try shop.run("status", "qa", "--fail-under", "25%")
    #expect(ended.status == 2 && ended.errors.contains("[signature-age]"), "\(ended)")
    let baked = try shop.run("bake", "qa", "--to", "baked", "--from-target")
    #expect(baked.status == 69 && baked.errors.contains("contentc resign qa"), "\(baked)")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    try shop.succeed("publish", "qa")
    try sandbox.shell("rm '\(sandbox.root)/\(SignedShop.config)'")
    let gone = try shop.run("status", "qa", "--fail-under", "25%")
    #expect(gone.status == 2 && gone.errors.contains("is gone"), "\(gone)")
  }

  /// Each command that reads a signed config warns of a key document that ends soon.
  @Test func everyCommandWarnsOfADocumentThatEndsSoon() throws {
    try shop.succeed("keys", "init", "live", "--new", "others", "--valid-for", "30d")
    try sandbox.shell("cp others/release.pem secrets/live.pem")
    try shop.writeSettings([
      ("qa", "release", "release"), ("qa", "fresh", "release"), ("live", "release", "live"),
      ("live", "fresh", "live"),
    ])
    for words in [
      ["publish", "live"], ["status", "live"], ["resign", "live"], ["maintenance", "on", "live"],
      ["maintenance", "off", "live"], ["rollback", "live", "--to", "1"], ["publish", "qa"],
      ["promote", "live", "qa"], ["promote", "qa", "live"],
      ["purge", "--channel", "live", "product/rose", "--reason", "x"],
    ] {
      let outcome = try sandbox.run(
        Sandbox.binary, words, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect(outcome.status == 0, "\(words): \(outcome)")
      let isWarned = outcome.errors.contains("[key-document-age]")
      #expect(isWarned == (words != ["publish", "qa"]), "\(words): \(outcome.errors)")
    }
  }

  @Test func aMonitoringJobFailsForAChannelThatDoesNotVerify() throws {
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing(
        "live: {target: site, signing: {keys: keys/live, validFor: 10d}}",
        with: "plain: {target: site}"))
    for channel in ["qa", "plain", "open"] { try shop.succeed("publish", channel) }
    try shop.succeed("status", "--fail-under", "25%")
    try sandbox.shell("echo foreign > '\(sandbox.root)/\(SignedShop.config)'")
    #expect(try shop.run("status").status == 0)
    let job = try shop.run("status", "--fail-under", "25%")
    #expect(job.status == 69 && job.errors.contains("unreadable-channel"), "\(job)")
  }

  // MARK: On and off

  @Test func turnsSigningOnAndOff() async throws {
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing(", signing: {keys: keys/qa}", with: ""))
    try shop.succeed("publish", "qa")
    #expect(try shop.served()["format"] == 1)
    try sandbox.write("content/content.yaml", SignedShop.project)
    // Unchanged content is no reason to leave config unsigned.
    let asked = try shop.run("publish", "qa")
    #expect(asked.status == 69 && asked.errors.contains("contentc keys on qa"), "\(asked)")
    #expect(try shop.run("maintenance", "on", "qa").status == 69)
    let status = try shop.run("status", "qa", "--fail-under", "25%")
    #expect(status.status == 2 && status.errors.contains("is not signed"), "\(status)")
    // A dry run ends as the command does.
    let rehearsal = try shop.run("publish", "qa", "--dry-run")
    #expect(rehearsal.status == 69 && rehearsal.errors.contains("keys on qa"), "\(rehearsal)")
    let json = try shop.succeed("keys", "on", "qa", "--json", "--dry-run")
    let takenOver: Value = ["release": 1, "purge": 0, "maintenance": false]
    #expect(json?["takenOver"] == takenOver)
    let turnedOn = try shop.run("keys", "on", "qa")
    #expect(turnedOn.output.contains("the number of release 1, no purge, maintenance off\n"))
    try shop.expectVerified()
    #expect(try shop.release() == 2)
    try shop.succeed("status", "qa", "--fail-under", "25%")
    #expect(try await shop.titles()["product/rose"] == "Rose")
    #expect(try shop.run("keys", "off", "qa").status == 64)
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing(", signing: {keys: keys/qa}", with: ""))
    try sandbox.write("content/entries/product/rose.yaml", "title: Newer\n")
    let off = try shop.run("publish", "qa")
    #expect(off.status == 69 && off.errors.contains("contentc keys off qa"), "\(off)")
    let turnedOff = try shop.run("keys", "off", "qa")
    #expect(turnedOff.status == 0, "\(turnedOff)")
    #expect(
      turnedOff.output.contains("apps that pin a key no longer follow 'qa'\nEntries: 1 changed"))
    #expect(try shop.served()["format"] == 1)
    #expect(try await shop.titles()["product/rose"] == "Newer")
    #expect(try shop.run("keys", "on", "qa").status == 64)
    // And on again.
    try sandbox.write("content/content.yaml", SignedShop.project)
    let onAgain = try shop.run("keys", "on", "qa")
    #expect(
      onAgain.status == 0 && !onAgain.output.contains("No reader sees a change")
        && onAgain.output.contains(
          "apps that read format 1 no longer follow 'qa'\nThe content does not change.\n"),
      "\(onAgain)")
    #expect(try shop.served()["format"] == 2)
  }

  /// A signed channel has no proof of purges that were not finished in the unsigned one.
  @Test(arguments: ["interrupted", "missed"])
  func doesNotTurnOnWithAnUnfinishedPurge(kind: String) throws {
    let unsigned = SignedShop.project.replacing(", signing: {keys: keys/qa}", with: "")
    try sandbox.write("content/content.yaml", unsigned)
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp \(SignedShop.config) before.plist")
    let purge = ["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"]
    try shop.succeed(purge)
    if kind == "missed" {
      // A restored backup of config.
      try sandbox.shell("cp before.plist \(SignedShop.config)")
    } else {
      try sandbox.shell("rm site/qa/purges/1-*/done-*")
    }
    let config = sandbox.read(SignedShop.config)
    try sandbox.write("content/content.yaml", SignedShop.project)
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    let refused = try shop.run("keys", "on", "qa")
    #expect(refused.status == 69 && refused.errors.contains("unfinished purge"), "\(refused)")
    #expect(sandbox.read(SignedShop.config) == config)
    // The remedy of the message works.
    try sandbox.write("content/content.yaml", unsigned)
    if kind == "missed" {
      try shop.succeed("publish", "qa", "--above", "2")
    } else {
      try shop.succeed(purge)
    }
    try sandbox.write("content/content.yaml", SignedShop.project)
    try shop.succeed("keys", "on", "qa")
    try shop.expectVerified()
  }

  /// The whole target was restored from a backup, and only this machine saw the later release.
  @Test func turnsNothingOnOrOffAtARestoredTarget() throws {
    let unsigned = SignedShop.project.replacing(", signing: {keys: keys/qa}", with: "")
    try sandbox.write("content/content.yaml", unsigned)
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp -R site first")
    try sandbox.write("content/entries/product/rose.yaml", "title: Second\n")
    try shop.succeed("publish", "qa")
    try sandbox.shell("rm -r site && cp -R first site")
    try sandbox.write("content/content.yaml", SignedShop.project)
    let on = try shop.run("keys", "on", "qa")
    #expect(on.status == 69 && on.errors.contains("'contentc publish qa --above 2'"), "\(on)")
    #expect(try shop.served()["release"] == 1)
    // The remedy of the message works.
    try sandbox.write("content/content.yaml", unsigned)
    try shop.succeed("publish", "qa", "--above", "2")
    try sandbox.write("content/content.yaml", SignedShop.project)
    try shop.succeed("keys", "on", "qa")
    try shop.expectVerified()
    #expect(try shop.release() == 4)
    try sandbox.shell("cp -R site signed")
    try sandbox.write("content/content.yaml", unsigned)
    try shop.succeed("keys", "off", "qa")
    #expect(try shop.served()["release"] == 5)
    try sandbox.shell("rm -r site && cp -R signed site")
    let off = try shop.run("keys", "off", "qa")
    #expect(
      off.status == 69
        && off.errors.contains("config of 'qa' is older than release 5, which was live"), "\(off)")
    #expect(try shop.release() == 4)
    let published = try shop.run("publish", "qa", "--above", "5")
    #expect(
      published.status == 69 && published.errors.contains("'contentc keys off qa --above 5'"),
      "\(published)")
    // The remedy of both messages works.
    #expect(off.errors.contains("then: contentc keys off qa --above 5"), "\(off)")
    try shop.succeed("keys", "off", "qa", "--above", "5")
    #expect(try shop.served()["format"] == 1 && shop.served()["release"] == 6)
    let status = try shop.run("status", "qa")
    #expect(status.status == 0, "\(status)")
  }

  /// The whole target was restored from a backup of before the first signed release.
  @Test func keysReplaceSignsARestoredUnsignedTarget() throws {
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing(", signing: {keys: keys/qa}", with: ""))
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp -R site unsigned")
    try sandbox.write("content/content.yaml", SignedShop.project)
    try shop.succeed("keys", "on", "qa")
    try sandbox.shell("rm -r site && cp -R unsigned site")
    for command in [["publish", "qa"], ["keys", "on", "qa"]] {
      let refused = try shop.run(command)
      #expect(
        refused.status == 69 && refused.errors.contains("'contentc keys replace qa'"),
        "\(command): \(refused)")
    }
    try shop.succeed("keys", "replace", "qa")
    try shop.expectVerified()
    #expect(try shop.release() == 3)
  }

  /// The signed config was put back after a purge, and the channel is to be signed no more.
  @Test func keysOffEndsTheStateOfARestoredConfig() async throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp \(SignedShop.config) before.plist")
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    try sandbox.shell("cp before.plist \(SignedShop.config)")
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing(", signing: {keys: keys/qa}", with: ""))
    try sandbox.write("content/entries/product/rose.yaml", "title: Corrected\n")
    let refused = try shop.run("keys", "off", "qa")
    #expect(
      refused.status == 69
        && refused.errors.contains("then: contentc keys off qa --above 2")
        && refused.errors.contains(
          "with 'signing' in content.yaml again, 'contentc maintenance on qa' hides everything"),
      "\(refused)")
    #expect(try shop.release() == 1)
    try shop.succeed("keys", "off", "qa", "--above", "2")
    #expect(try shop.served()["format"] == 1 && shop.served()["release"] == 3)
    #expect(try await shop.titles()["product/rose"] == "Corrected")
    let status = try shop.run("status", "qa")
    #expect(status.status == 0, "\(status)")
  }

  /// An attacker with write access to an unsigned channel must not choose the content of a signed
  /// one.
  @Test func promotesNothingUnsigned() throws {
    try shop.succeed("publish", "qa")
    try shop.succeed("publish", "open")
    let outcome = try shop.run("promote", "open", "qa")
    #expect(outcome.status == 69 && outcome.errors.contains("sign 'open', too"), "\(outcome)")
    #expect(try shop.release() == 1)
  }

  /// An app is not built with a config that it would refuse.
  @Test func bakesOnlyWhatVerifies() throws {
    try shop.succeed("publish", "qa")
    try shop.succeed("bake", "qa", "--to", "App")
    #expect(sandbox.read("App/config.plist") == sandbox.read(SignedShop.config))
    guard case .data(let inner)? = try shop.served()["config"] else {
      Issue.record("no signed config")
      return
    }
    try sandbox.write("x", bytes: inner)
    try sandbox.shell("cp x site/qa/config.plist")
    let outcome = try shop.run("bake", "qa", "--to", "App")
    #expect(outcome.status == 69 && outcome.errors.contains("is not signed"), "\(outcome)")
  }

  @Test func refusesOpenStep() throws {
    try sandbox.write("content/content.yaml", "format: openstep\n" + SignedShop.project)
    let outcome = try shop.run("check")
    #expect(outcome.status == 1 && outcome.errors.contains("'signing' must be in a project"))
  }

  /// A file that no reader of the project asks for hinders nothing.
  @Test func ignoresConfigInAnotherFormat() throws {
    try sandbox.write("content/content.yaml", "format: json\n" + SignedShop.project)
    try shop.succeed("publish", "qa")
    try sandbox.write(SignedShop.config, "junk")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    try shop.succeed("publish", "qa")
    try shop.succeed("maintenance", "on", "qa")
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    try shop.succeed("prune", "qa")
    try shop.succeed("bake", "qa", "--to", "App")
    try shop.succeed("verify", "site/qa/config.json", "--channel", "qa", "--objects")
  }

  @Test(arguments: ["json", "xml"]) func signsInEveryFormat(format: String) async throws {
    try sandbox.write("content/content.yaml", "format: \(format)\n" + SignedShop.project)
    try shop.succeed("publish", "qa")
    let name = format == "json" ? "site/qa/config.json" : SignedShop.config
    try shop.succeed("verify", name, "--channel", "qa", "--objects")
    let read = try sandbox.script("verify-config.py", name, "content/keys/qa/1.json", "shop", "qa")
    #expect(read.status == 0 && read.output == "1\n", "\(read)")
    // Config names the notes of a purge in this format, too.
    try sandbox.write("content/entries/product/rose.yaml", "title: Swear word\n")
    try shop.succeed("publish", "qa")
    let purge = ["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"]
    try shop.succeed(purge)
    try shop.succeed("verify", name, "--channel", "qa", "--objects")
    #expect(try sandbox.purgeNote("begun", of: 1)["entries"] == ["product/rose"])
    let again = try shop.run("publish", "qa")
    #expect(again.status == 69 && again.errors.contains("--unpurge product/rose"), "\(again)")
  }
}
