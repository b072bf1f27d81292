import ContentModel
import PropertyLists
import SystemC
import Testing

@testable import TestCommands

/// Releases that are prepared on one machine, signed on another one, and published.
@Suite struct AirGappedTests: AirGapped {
  let shop: SignedShop

  init() throws { shop = try SignedShop.airGapped() }

  // MARK: The drill

  @Test func publishesWhatOthersSigned() async throws {
    let prepared = try prepare(["publish", "qa", "--message", "First", "--by", "Ann"])?["prepared"]
    #expect(prepared?["release"] == 1 && prepared?["isSigned"] == false)
    // The machine has the key of 'fresh'.
    #expect(prepared?["roles"]?["fresh"]?["signatures"] == 1)
    #expect(prepared?["roles"]?["release"]?["signatures"] == 0)
    #expect(prepared?["roles"]?["release"]?["others"]?.items?.count == 2)
    try sign(by: ["ann"])
    try run(
      ["publish", "qa", "--signatures", "prep"], status: 69,
      says: "lacks 1 of 2 signatures for the role 'release', by ")
    #expect(sandbox.files(below: "site").isEmpty)
    try sign(by: ["bob"])
    sleep(1)
    // Message and author are those of the preparation.
    try run(["publish", "qa", "--signatures", "prep", "--by", ""], status: 0)
    try shop.expectVerified()
    #expect(try await shop.titles()["product/rose"] == "Rose")
    let history = try shop.succeed("history", "qa", "--json")?["releases"]?.items?.first
    #expect(history?["message"] == "First" && history?["by"] == "Ann")
    #expect(history?["issued"]?.text == prepared?["issued"]?.text)
    // Once more, as after an interruption: caches and readers may not know of the release.
    let again = try run(["publish", "qa", "--signatures", "prep"], status: 0)
    #expect(again.output.contains("Published"), "\(again)")
    #expect(try shop.release() == 1)
    #expect(try shop.succeed("publish", "qa", "--json")?["changed"] == false)
  }

  @Test func everyWritingCommandIsSignedElsewhere() async throws {
    try publish()
    try edit("Swear word")
    try publish()
    let purge = ["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"]
    try publish(purge)
    try shop.expectVerified()
    #expect(try await shop.titles() == ["product/iris": "Iris"])
    try run(purge + ["--prepare", "prep"], status: 64, says: "needs no signatures")
    try publish(["maintenance", "on", "qa", "--until", "2099-01-01T00:00:00Z"])
    try shop.expectVerified()
    try publish(["maintenance", "off", "qa"])
    try edit("Rose")
    try publish(["publish", "qa", "--unpurge", "product/rose"])
    try sandbox.write("content/entries/product/iris.yaml", "title: Iridium\n")
    try publish()
    try publish(["rollback", "qa"])
    #expect(try await shop.titles()["product/iris"] == "Iris")
    let release = try shop.release()
    let before = try shop.served()
    sleep(1)
    try publish(["resign", "qa"])
    #expect(try shop.served()["config"] == before["config"] && shop.served() != before)
    try shop.expectVerified()
    #expect(try shop.release() == release)
    try shop.writeSettings([("qa", "fresh", "job"), ("live", "keys", "root")])
    try shop.succeed(
      "keys", "init", "live", "--keys", "secrets/root.pub", "--release", "secrets/ann.pub")
    let promote = ["promote", "qa", "live"]
    try prepare(promote)
    try sign(by: ["ann"])
    try run(promote + ["--signatures", "prep"], status: 0)
    try shop.succeed("verify", "site/live/config.plist", "--channel", "live", "--objects")
  }

  /// A purge whose release is live is finished without signatures.
  @Test func aPurgeIsFinishedAfterAnInterruption() throws {
    try publish()
    let purge = ["purge", "--channel", "qa", "product/rose", "--reason", "x"]
    try prepare(purge)
    try sign()
    // The purge of the objects fails after the release became live.
    try sandbox.shell("mkdir -p site/qa/purges/1.plist")
    let failed = try sandbox.run(
      Sandbox.binary, purge + ["--signatures", "prep"],
      environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
    #expect(failed.status != 0, "\(failed)")
    #expect(try shop.release() == 2)
    try sandbox.shell("rmdir site/qa/purges/1.plist")
    try run(purge + ["--signatures", "prep"], status: 0)
    try shop.expectVerified()
    #expect(try shop.release() == 2)
  }

  @Test func aSwitchOfMaintenanceIsAnnouncedAgain() throws {
    try publish()
    let words = ["maintenance", "on", "qa", "--until", "2099-01-01T00:00:00Z", "--signatures"]
    try prepare(words.dropLast())
    try sign()
    for _ in 0..<2 {
      let done = try run(words + ["prep"], status: 0)
      #expect(done.output.contains("Release 2 of 'qa' is live"), "\(done)")
    }
    #expect(try shop.release() == 2)
  }

  @Test func aRollbackIsAnnouncedAgain() throws {
    try publish()
    try edit("Second")
    try publish()
    try prepare(["rollback", "qa"])
    try sign()
    for _ in 0..<2 {
      let done = try run(["rollback", "qa", "--signatures", "prep"], status: 0)
      #expect(done.output.contains("Rolled back to the content of 1 as"), "\(done)")
    }
    #expect(try shop.release() == 3)
  }

  @Test func publishesUnchangedContentAboveANumber() throws {
    try publish()
    try publish(["publish", "qa", "--above", "5"])
    #expect(try shop.release() == 6)
    try shop.expectVerified()
  }

  @Test func saysThatNothingIsToBeSigned() throws {
    try publish()
    let publish = ["publish", "qa", "--prepare", "prep"]
    let unchanged = try run(publish, status: 0).output
    #expect(unchanged.contains("Nothing to sign") && !unchanged.contains("due"), "\(unchanged)")
    let off = try run(["maintenance", "off", "qa", "--prepare", "prep"], status: 0).output
    #expect(off.contains("Nothing to sign: maintenance is off"), "\(off)")
    try shop.succeed("keys", "renew", "qa")
    let due = try run(publish, status: 0).output
    #expect(due.contains("'contentc resign qa --prepare FOLDER'"), "\(due)")
    #expect(sandbox.files(below: "prep").isEmpty)
  }

  @Test func refusesAMaintenanceThatEnded() throws {
    try publish()
    let last = Int64(time(nil)) + 4
    let end = Instant(secondsSince1970: last)
    let words = ["maintenance", "on", "qa", "--until", end.rfc3339]
    try prepare(words)
    try sign()
    while Int64(time(nil)) <= last { sleep(1) }
    try run(words + ["--signatures", "prep"], status: 64, says: "it ended at \(end.rfc3339)")
    #expect(try shop.release() == 1)
  }

  @Test func turnsSigningOnElsewhere() throws {
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing(", signing: {keys: keys/qa}", with: ""))
    try shop.succeed("publish", "qa")
    try sandbox.write("content/content.yaml", SignedShop.project)
    try run(["publish", "qa", "--prepare", "prep"], status: 69, says: "--to-signed")
    try publish(["publish", "qa", "--to-signed"])
    try shop.expectVerified()
    #expect(try shop.release() == 2)
  }

  /// Nothing but the config that was there then may be replaced, although it was not read.
  @Test func replacesAnUnverifiedConfigElsewhere() throws {
    try publish()
    let words = ["publish", "qa", "--replace-unverified"]
    try sandbox.shell("cp \(SignedShop.config) own && printf junk > \(SignedShop.config)")
    try prepare(words)
    try sign()
    try sandbox.shell("cp own \(SignedShop.config)")
    try run(
      words + ["--signatures", "prep"], status: 75,
      says: "was prepared to replace a config of 'qa' that was not read")
    try sandbox.shell("printf junk > \(SignedShop.config)")
    for _ in 0..<2 { try run(words + ["--signatures", "prep"], status: 0) }
    try shop.expectVerified()
    #expect(try shop.release() == 2)
  }

  // MARK: Meanwhile

  @Test(arguments: ["publish", "purge", "rollback", "maintenance", "resign"])
  func refusesAnotherLiveRelease(command: String) throws {
    try publish()
    try edit("Second")
    try publish()
    try edit("Third")
    let words =
      switch command {
      case "purge": ["purge", "--channel", "qa", "product/rose", "--reason", "x"]
      case "maintenance": ["maintenance", "on", "qa"]
      default: [command, "qa"]
      }
    if command == "resign" { sleep(1) }
    try prepare(words)
    try sign()
    try sandbox.shell("mv prep other")
    try edit("Faster")
    try publish()
    try edit("Third")
    let before = state
    try run(
      words + ["--signatures", "other"], status: 75,
      says: "'other' was prepared after release 2 of 'qa', and release 3 is live")
    #expect(state == before)
  }

  /// Signatures that were renewed meanwhile change neither release nor config.
  @Test func signingAgainIsNoOtherRelease() throws {
    try publish()
    try edit("Second")
    try prepare(["publish", "qa"])
    try sign()
    sleep(1)
    try shop.succeed("resign", "qa")
    try run(["publish", "qa", "--signatures", "prep"], status: 0)
    #expect(try shop.release() == 2)
    try shop.expectVerified()
  }

  @Test func refusesAnOlderRenewal() throws {
    try publish()
    sleep(1)
    try prepare(["resign", "qa"])
    sleep(1)
    try shop.succeed("resign", "qa")
    try run(["resign", "qa", "--signatures", "prep"], status: 75, says: "was signed at")
  }

  @Test func refusesContentThatChanged() throws {
    try publish()
    try edit("Second")
    try prepare(["publish", "qa"])
    try sign()
    let before = state
    try edit("Third")
    try run(
      ["publish", "qa", "--signatures", "prep"], status: 69,
      says: "changed since 'prep' was prepared: 'build', 'indexes' would differ")
    try edit("Rose")
    try run(["publish", "qa", "--signatures", "prep"], status: 69, says: "changed since 'prep'")
    // Another order of the same command.
    try run(
      ["rollback", "qa", "--signatures", "prep"], status: 64,
      says: "was prepared by 'publish' for the channel 'qa'")
    #expect(state == before)
    try edit("Second")
    try run(["publish", "qa", "--signatures", "prep"], status: 0)
  }

  @Test func refusesOtherKeysAndTimes() throws {
    try publish()
    try edit("Second")
    try prepare(["publish", "qa"])
    try sign()
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing("{keys: keys/qa}", with: "{keys: keys/qa, validFor: 3d}"))
    try run(["publish", "qa", "--signatures", "prep"], status: 69, says: "'build' would differ")
    try sandbox.write("content/content.yaml", SignedShop.project)
    sleep(1)
    try run(["resign", "qa", "--prepare", "again"], status: 0)
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing("{keys: keys/qa}", with: "{keys: keys/qa, validFor: 3d}"))
    try sign("again")
    try run(["resign", "qa", "--signatures", "again"], status: 69, says: "'validFor' changed")
    try sandbox.write("content/content.yaml", SignedShop.project)
    try shop.succeed("keys", "renew", "qa")
    try run(["publish", "qa", "--signatures", "prep"], status: 69, says: "key document 2 of 'qa'")
  }
}
