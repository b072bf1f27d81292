import ContentModel
import PropertyLists
import SystemC
import Testing

@testable import TestCommands

/// Releases that are drafted on one machine, signed on another one, and imported.
@Suite struct AirGappedTests: AirGapped {
  let shop: SignedShop

  init() throws { shop = try SignedShop.airGapped() }

  // MARK: The drill

  @Test func publishesWhatOthersSigned() async throws {
    let draft = try draft(["publish", "qa", "--message", "First", "--by", "Ann"])?["draft"]
    #expect(draft?["release"] == 1 && draft?["isSigned"] == false)
    #expect(draft?["hash"]?.text == hash())
    // The machine has the key of 'fresh'.
    #expect(draft?["roles"]?["fresh"]?["signatures"] == 1)
    #expect(draft?["roles"]?["release"]?["signatures"] == 0)
    #expect(draft?["roles"]?["release"]?["others"]?.items?.count == 2)
    try sign(by: ["ann"])
    try importDraft(status: 69, says: "lacks 1 of 2 signatures for the role 'release', by ")
    #expect(sandbox.files(below: "site").isEmpty)
    try sign(by: ["bob"])
    sleep(1)
    try importDraft()
    try shop.expectVerified()
    #expect(try await shop.titles()["product/rose"] == "Rose")
    // Message, author and time are those of the draft.
    let history = try shop.succeed("history", "qa", "--json")?["releases"]?.items?.first
    #expect(history?["message"] == "First" && history?["by"] == "Ann")
    #expect(history?["issued"]?.text == draft?["issued"]?.text)
    // Once more, as after an interruption: caches and readers may not know of the release.
    let again = try importDraft()
    #expect(again.output.contains("Imported release 1 of 'qa'"), "\(again)")
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
    try run(purge + ["--draft", "draft"], status: 64, says: "needs no signatures")
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
    try draft(["promote", "qa", "live"])
    try sign(by: ["ann"])
    try importDraft()
    try shop.succeed("verify", "site/live/config.plist", "--channel", "live", "--objects")
  }

  /// Only what the target lacks is carried; another target gets all objects.
  @Test func aDraftHasTheObjectsThatTheTargetLacks() throws {
    try publish()
    let all = sandbox.files(below: "site/objects").count
    try edit("Second")
    try draft(["publish", "qa"])
    let carried = sandbox.files(below: "draft/objects").count
    #expect((1..<all).contains(carried), "\(carried) of \(all)")
    try sign()
    try importDraft()
    try sandbox.shell("rm -r draft")
    try draft(["rollback", "qa"])
    #expect(sandbox.files(below: "draft/objects").isEmpty)
  }

  @Test(
    .enabled(if: Sandbox.hasAnotherUser, "another user cannot run contentc here"),
    arguments: [["publish", "qa"], ["purge", "--channel", "qa", "product/rose", "--reason", "x"]])
  func aDeniedImportSaysThatNothingChanged(command: [String]) throws {
    try publish()
    try edit("Second")
    try draft(command)
    try sign()
    try sandbox.shell("chmod -R a+rwX . && chmod 600 settings.yaml && chmod -R a-w site")
    defer { _ = try? sandbox.shell("chmod -R u+w site") }
    let refused = try sandbox.runAsAnotherUser(["sign", "import", "draft"])
    #expect(refused.status == 69 && refused.errors.contains("permission denied"), "\(refused)")
    let note = "nothing was changed: readers still see release 1 and its content; once this command"
    #expect(refused.errors.contains(note), "\(refused)")
    try sandbox.shell("chmod -R u+w site")
    try importDraft()
    #expect(try shop.release() == 2)
  }

  /// A purge whose release is live is finished by another import.
  @Test func aPurgeIsFinishedAfterAnInterruption() throws {
    try publish()
    try draft(["purge", "--channel", "qa", "product/rose", "--reason", "x"])
    try sign()
    // The release becomes live, and a cache without a known address is not purged.
    let cache = "target: site, cdn: [{varnish: {nodes: ['http://127.0.0.1:9']}}],"
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing("qa: {target: site,", with: "qa: {" + cache))
    try importDraft(status: 69, says: "purge 1 is not finished")
    #expect(try shop.release() == 2)
    try sandbox.write("content/content.yaml", SignedShop.project)
    try importDraft()
    try shop.expectVerified()
    #expect(try shop.release() == 2)
    let status = try shop.succeed("status", "qa", "--json")?["channels"]?["qa"]
    #expect(status?["unfinishedPurges"]?.items?.isEmpty ?? true)
  }

  /// Caches and readers may have missed the first announcement.
  @Test(arguments: ["maintenance", "rollback"])
  func isAnnouncedAgain(command: String) throws {
    try publish()
    try edit("Second")
    try publish()
    try draft(
      command == "rollback"
        ? ["rollback", "qa"] : ["maintenance", "on", "qa", "--until", "2099-01-01T00:00:00Z"])
    try sign()
    for _ in 0..<2 {
      let done = try importDraft()
      #expect(done.output.contains("Imported release 3 of 'qa'"), "\(done)")
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
    let publish = ["publish", "qa", "--draft", "draft"]
    let unchanged = try run(publish, status: 0).output
    #expect(unchanged.contains("Nothing to sign") && !unchanged.contains("due"), "\(unchanged)")
    let off = try run(["maintenance", "off", "qa", "--draft", "draft"], status: 0).output
    #expect(off.contains("Nothing to sign: maintenance is off"), "\(off)")
    try shop.succeed("keys", "renew", "qa")
    let due = try run(publish, status: 0).output
    #expect(due.contains("'contentc resign qa --draft FOLDER'"), "\(due)")
    #expect(sandbox.files(below: "draft").isEmpty)
  }

  @Test func saysThatAnUnsignedChannelNeedsNoDraft() throws {
    for words in [["publish", "open"], ["maintenance", "on", "open"]] {
      let refused = try run(
        words + ["--draft", "draft"], status: 64,
        says: "--draft is only for signed channels, and 'open' is not signed")
      let command = "run the same command without --draft: it needs no signature"
      #expect(refused.errors.contains("nothing was changed; \(command)"), "\(refused)")
      #expect(refused.errors.contains("signing: {keys: keys/open}"), "\(refused)")
    }
    // Without signatures, there is nothing to sign again.
    let resign = try run(["resign", "open", "--draft", "draft"], status: 64)
    #expect(!resign.errors.contains("without --draft"), "\(resign)")
    #expect(sandbox.files(below: "draft").isEmpty)
  }

  @Test func refusesAMaintenanceThatEnded() throws {
    try publish()
    let last = Int64(time(nil)) + 4
    let end = Instant(secondsSince1970: last)
    try draft(["maintenance", "on", "qa", "--until", end.rfc3339])
    try sign()
    while Int64(time(nil)) <= last { sleep(1) }
    try importDraft(status: 69, says: "the draft ended at \(end.rfc3339)")
    #expect(try shop.release() == 1)
  }

  @Test func turnsSigningOnElsewhere() throws {
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing(", signing: {keys: keys/qa}", with: ""))
    try shop.succeed("publish", "qa")
    try sandbox.write("content/content.yaml", SignedShop.project)
    try run(["publish", "qa", "--draft", "draft"], status: 69, says: "contentc keys on qa")
    try publish(["keys", "on", "qa"])
    try shop.expectVerified()
    #expect(try shop.release() == 2)
  }

  /// Nothing but the config that was there then may be replaced, although it was not read.
  @Test func replacesAnUnverifiedConfigElsewhere() throws {
    try publish()
    try sandbox.shell("cp \(SignedShop.config) own && printf junk > \(SignedShop.config)")
    try draft(["keys", "replace", "qa"])
    try sign()
    try sandbox.shell("cp own \(SignedShop.config)")
    try importDraft(
      status: 75, says: "drafted to replace a config of 'qa' that was not read, and now release 1")
    try sandbox.shell("printf junk > \(SignedShop.config)")
    for _ in 0..<2 { try importDraft() }
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
    try draft(words)
    try sign()
    try sandbox.shell("mv draft other")
    try edit("Faster")
    try publish()
    let before = state
    try importDraft(
      "other", status: 75,
      says: "'other' was drafted after release 2 of 'qa', and now release 3 is live")
    #expect(state == before)
  }

  /// Another config is live although the release is the same.
  @Test(arguments: ["publish", "resign"])
  func refusesSignaturesThatWereRenewed(command: String) throws {
    try publish()
    try edit("Second")
    sleep(1)
    try draft([command, "qa"])
    try sign()
    sleep(1)
    try shop.succeed("resign", "qa")
    let before = state
    try importDraft(status: 75, says: "and now the same release was signed again; make the draft")
    #expect(state == before)
  }

  /// The whole target was restored from a backup, and only this machine saw the later releases.
  @Test func refusesADraftForARestoredTarget() throws {
    try publish()
    try sandbox.shell("cp -R site whole && cp -R .contentc first")
    for title in ["Second", "Third"] {
      try edit(title)
      try publish()
    }
    try sandbox.shell("rm -r site && cp -R whole site && mv .contentc own")
    // Another machine knows the first release only.
    for words in [["publish", "qa"], ["maintenance", "on", "qa"]] {
      try sandbox.shell("rm -rf .contentc && cp -R first .contentc")
      try draft(words)
      try sign()
      try sandbox.shell("mv draft \(words[0])-draft")
    }
    try sandbox.shell("rm -r .contentc && cp -R own .contentc")
    let before = state
    try importDraft(
      "publish-draft", status: 69, says: "config of 'qa' is older than release 3, which was live")
    try importDraft(
      "maintenance-draft", status: 75,
      says: "a release 3 of 'qa' was published, so that readers may ignore release 2")
    #expect(state == before)
    // A draft that was made here has a number above.
    try publish(["maintenance", "on", "qa"])
    try shop.expectVerified()
    #expect(try shop.release() == 4)
  }

  /// A release that follows ends the draft, whose caches another command finishes.
  @Test func refusesADraftThatWasFollowed() throws {
    try publish()
    try edit("Second")
    try draft(["publish", "qa"])
    try sign()
    try importDraft()
    try sandbox.shell("mv draft old")
    try edit("Third")
    try publish()
    try importDraft(
      "old", status: 75, says: "release 2 of 'qa' was published, and release 3 followed")
  }

  /// The draft is published as it was signed, whatever the content folder says by now.
  @Test func aDraftDoesNotDependOnTheContentFolder() async throws {
    try publish()
    try edit("Second")
    try draft(["publish", "qa"])
    try sign()
    try edit("Third")
    try sandbox.shell("rm -r out")
    for _ in 0..<2 {
      let done = try importDraft()
      #expect(done.output.contains("Imported release 2 of 'qa'"), "\(done)")
      #expect(try await shop.titles()["product/rose"] == "Second")
    }
    #expect(sandbox.files(below: "out").isEmpty)
    // It has no options of its own that could contradict the draft.
    try run(
      ["sign", "import", "draft", "--channel", "live"], status: 64,
      says: "'qa' and --channel 'live' name two channels")
    try sandbox.write(
      "content/content.yaml", SignedShop.project.replacing("app: shop", with: "app: other"))
    try importDraft(status: 64, says: "the draft is of the app 'shop'")
  }

  @Test func keysThatWereRemovedSignNoMore() throws {
    try publish()
    try edit("Second")
    try draft(["publish", "qa"])
    try sign()
    // A longer life of the same keys changes nothing.
    try shop.succeed("keys", "renew", "qa")
    try importDraft()
    try shop.expectVerified()
    try edit("Third")
    try sandbox.shell("rm -r draft")
    try draft(["publish", "qa"])
    try sign()
    try shop.succeed("keys", "add", "qa", "--release", "secrets/job.pub")
    try shop.succeed("keys", "remove", "qa", "--release", "Ann")
    try importDraft(status: 69, says: "lacks 1 of 2 signatures for the role 'release'")
    #expect(try shop.release() == 2)
  }
}
