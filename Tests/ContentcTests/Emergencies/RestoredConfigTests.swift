import ContentModel
import PropertyLists
import TestServers
import Testing

@testable import TestCommands

/// Commands after config was restored from a backup that is older than a purge.
@Suite(.waiting) struct RestoredConfigTests {
  private static let other = [
    "purge", "product/lily", "--reason", "Another word",
  ]
  private let shop: PurgeShop

  init() throws {
    shop = try PurgeShop()
    try shop.sandbox.shell("cp site/qa/config.plist backup")
  }

  private func restoreConfig() throws {
    try shop.sandbox.shell("cp backup site/qa/config.plist")
  }

  /// Corrects the purged entry for readers of all locales.
  private func correct() throws {
    try shop.sandbox.shell(
      """
      sed -i 's/title: \(PurgeShop.bad)/title: A better tulip/' content/entries/product.yaml
      sed -i 's/Tulpe/Bessere Tulpe/' content/entries/product.de.yaml
      """)
  }

  /// Purges content that another channel still shows, so that its objects stay, and restores config.
  private func restorePurgedContent() throws {
    try shop.sandbox.shell(
      "sed -i 's/^  qa:$/  far: {target: far}\\n  beta: {target: site}\\n  qa:/' content/content.yaml"
    )
    try shop.run("promote", "qa", "beta")
    #expect(try shop.contentc(PurgeShop.purge + ["--channel", "qa"]).status == 0)
    try restoreConfig()
    #expect(try shop.title("product/tulip") == PurgeShop.bad)
  }

  private func contentc(_ command: String) throws -> Outcome {
    try shop.contentc(command.split(separator: " ").map(String.init))
  }

  /// Expects the one message of this state, with the number in its command.
  private func expectRefusal(
    _ outcome: Outcome, above: Int, status: Int32 = 69, _ command: String = "",
    _ start: String = "error: ", at location: SourceLocation = #_sourceLocation
  ) {
    #expect(outcome.status == status, "\(command): \(outcome)", sourceLocation: location)
    for words in [
      "\(start)config of 'qa' is older than purge 1 (release 3), as after it was restored from a backup: "
        + "readers may see purged content",
      "nothing was changed; 'contentc maintenance on qa' hides everything at once",
      "correct or remove the content, then: contentc publish qa --above \(above)",
    ] {
      #expect(
        outcome.errors.contains(words), "\(command): \(outcome)", sourceLocation: location)
    }
  }

  // MARK: Refusals

  @Test func everyWritingCommandRefusesWithOneMessage() throws {
    try restorePurgedContent()
    try shop.run("build")
    let config = shop.sandbox.read("site/qa/config.plist")
    let publishing = [
      "publish qa", "publish qa --repair", "publish qa --built", "publish qa --unpurge all",
      "keys off qa", "rollback qa", "rollback qa --to 1", "rollback qa --to 4", "promote beta qa",
      "maintenance on qa --until 2099-01-01T00:00:00Z",
      "maintenance on qa --from 2099-01-01T00:00:00Z", "maintenance on qa --message product/tulip",
    ]
    for command in publishing {
      expectRefusal(try contentc(command), above: 3, command)
      expectRefusal(try contentc("\(command) --dry-run"), above: 3, command)
    }
    let others = [
      "prune qa", "prune qa --dry-run", "promote qa far", "promote qa far --dry-run",
      "bake qa --from-target --to app",
    ]
    for command in others { expectRefusal(try contentc(command), above: 3, command) }
    // A purge is not refused in this state, and no rollout is on. The other commands make no release
    // after the live config.
    let exceptions = [
      "purge", "rollout", "resign", "keys on", "keys replace", "keys recovered", "sign import",
    ]
    let tried = (publishing + others).map { ListedCommand.words(of: "contentc \($0)") }
      .compactMap { ListedCommand.named(by: $0)?.name }
    for command in ListedCommand.all where command.changesChannel {
      #expect((tried + exceptions).contains(command.name), "\(command)")
    }
    #expect(shop.sandbox.read("site/qa/config.plist") == config)
    #expect(shop.sandbox.files(below: "far") == [] && shop.sandbox.files(below: "app") == [])
  }

  @Test(arguments: [
    ("--until 2099-01-01T00:00:00Z", "--until"),
    ("--from 2099-01-01T00:00:00Z --until 2099-01-02T00:00:00Z", "--from and --until"),
    ("--message product/lily", "--message"),
  ])
  func maintenanceNamesTheOptionsToLeaveOut(options: String, named: String) throws {
    try restorePurgedContent()
    let refused = try contentc("maintenance on qa \(options)")
    expectRefusal(refused, above: 3)
    let them = named.contains(" and ") ? "these options" : "this option"
    let note = "leave out \(named): with \(them), readers may still see purged content\n"
    #expect(refused.errors.contains(note), "\(refused)")
    #expect(try contentc("maintenance on qa").status == 0)
  }

  @Test func commandsThatOnlyReadDoNotMentionIt() throws {
    try restorePurgedContent()
    for command in [
      "history qa", "diff qa", "maintenance status qa", "purge --channel qa --dry-run",
    ] {
      let read = try contentc(command)
      #expect(read.status == 0 && !read.errors.contains("older than"), "\(command): \(read)")
    }
  }

  @Test func statusEndsWithTwo() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try restoreConfig()
    expectRefusal(try shop.contentc(["status"]), above: 3, status: 2)
    let status = try shop.contentc(["status", "--json"])
    let value = try PropertyList.decode(Array(status.output.utf8), as: .json).value
    #expect(status.status == 2 && value["exitStatus"] == 2, "\(status)")
    #expect(
      value["channels"]["qa"]["restoredConfig"] == ["missedPurges": [1], "above": 3], "\(status)")
  }

  // MARK: The end of the state

  @Test func onlyAboveEndsTheState() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try restoreConfig()
    try correct()
    for command in ["publish qa", "publish qa --repair"] {
      expectRefusal(try contentc(command), above: 3, command)
    }
    // The command that 'status' prints works.
    let status = try shop.contentc(["status"])
    let printed = try #require(
      status.errors.firstMatch(of: /then: contentc (publish qa --above \d+)/)
    ).output.1
    #expect(try contentc("\(printed) --dry-run").status == 0)
    // Of the corrected entry, only the title is new.
    let done = try contentc("\(printed) --warnings-as-errors --unpurge product/tulip")
    #expect(
      done.status == 0
        && done.output.contains("purges  config was older than purge 1, and follows it now"),
      "\(done)")
    let after = try shop.contentc(["status"])
    #expect(after.status == 0 && after.errors == "", "\(after)")
    #expect(try shop.wholeRelease() == 4)
    let again = try shop.contentc(["publish", "qa", "--warnings-as-errors"])
    #expect(again.status == 0 && again.output.contains("Nothing to do"), "\(again)")
    let other = try shop.contentc(Self.other)
    #expect(other.status == 0 && other.output.contains("Purge 3 is done"), "\(other)")
    #expect(try shop.title("product/tulip") == "A better tulip")
    try shop.expectGone()
  }

  @Test func aboveAndStatusNameTheCommandThatRemovesReturnedObjects() throws {
    try shop.sandbox.shell("cp -r site/objects objects")
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try restoreConfig()
    try shop.sandbox.shell("cp -r objects/. site/objects")
    try correct()
    for command in ["publish qa --above 3", "status qa"] {
      let warned = try contentc(command)
      #expect(
        warned.status == 0
          && warned.errors.contains("that earlier purges removed are public again at site")
          && warned.errors.contains("'contentc prune qa' removes such objects"),
        "\(command): \(warned)")
    }
    #expect(try contentc("prune qa").status == 0)
    let clean = try contentc("status qa")
    #expect(clean.status == 0 && clean.errors == "", "\(clean)")
    try shop.expectGone()
  }

  @Test func aboveBelowTheHighestReleaseIsRefused() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try restoreConfig()
    try correct()
    for number in 1...2 {
      expectRefusal(try shop.contentc(["publish", "qa", "--above", "\(number)"]), above: 3)
    }
    #expect(try shop.contentc(["maintenance", "on", "qa"]).status == 0)
    expectRefusal(try shop.contentc(["publish", "qa", "--above", "3"]), above: 4)
    #expect(try shop.contentc(["publish", "qa", "--above", "4"]).status == 0)
    #expect(try shop.contentc(["maintenance", "off", "qa"]).status == 0)
  }

  @Test func aboveRefusesWhatMissedPurgesRemoved() throws {
    try restorePurgedContent()
    // An option after '--' would be no option, and a line of a message has no line feed.
    for (command, printed) in [
      ("publish qa --above 3", "contentc publish qa --above 3"),
      ("publish qa --above 3 --dry-run", "contentc publish qa --above 3"),
      ("publish --above 3 -- qa", "the same command with"),
      ("publish qa --above 3 --message a\nb", "the same command with"),
    ] {
      let refused = try contentc(command)
      #expect(
        refused.status == 69
          && refused.errors.contains(": \(printed) --unpurge product/tulip\n")
          && refused.errors.contains("hide everything with 'contentc maintenance on qa'"),
        "\(command): \(refused)")
    }
    #expect(try contentc("publish qa --above 3 --unpurge product/tulip").status == 0)
    #expect(try shop.title("product/tulip") == PurgeShop.bad)
    #expect(try shop.contentc(["status", "qa"]).errors == "")
  }

  // MARK: Emergencies

  @Test func purgeAndMaintenanceGoLiveWithNumbersAboveAll() throws {
    try restorePurgedContent()
    let other = try shop.contentc(Self.other + ["--channel", "qa"])
    #expect(other.status == 0 && other.output.contains("Purge 2 is done: release 4"), "\(other)")
    #expect(
      other.output.contains(
        "WARNING: config was restored from a backup, so readers may see product/tulip again"),
      "\(other)")
    #expect(
      other.errors.contains("warning: config of 'qa' is older than purge 1 (release 3)")
        && other.errors.contains("contentc publish qa --above 4"), "\(other)")
    #expect(try shop.title("product/lily") == nil)
    // The state has another purge of the same content, too.
    let again = try shop.contentc(PurgeShop.purge + ["--channel", "qa"])
    #expect(again.status == 0 && again.output.contains("Purge 3 is done: release 5"), "\(again)")
    let hidden = try contentc("maintenance on qa")
    #expect(
      hidden.status == 0 && hidden.errors.contains("contentc publish qa --above 6")
        && !hidden.errors.contains("hides everything"), "\(hidden)")
    #expect(try shop.wholeRelease() == 6)
    expectRefusal(try contentc("maintenance off qa"), above: 6)
    expectRefusal(try contentc("status qa"), above: 6, status: 2)
    try correct()
    #expect(try contentc("publish qa --above 6 --unpurge product/lily").status == 0)
    #expect(try contentc("maintenance off qa").status == 0)
    #expect(try shop.title("product/tulip") == "A better tulip")
  }

  /// A purge edits the bundles of the release.
  ///
  /// Nothing needs them to switch maintenance on.
  @Test func maintenanceHelpsIfObjectsAreMissing() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try restoreConfig()
    for command in [Self.other, Self.other + ["--dry-run"]] {
      let refused = try shop.contentc(command)
      expectRefusal(
        refused, above: 3, "\(command)",
        "error: site lacks objects of release 2, so no purge can change what that release shows; ")
      #expect(refused.errors.contains("note: site has no whole 'objects/"), "\(refused)")
      // That command is refused in this state.
      #expect(!refused.errors.contains("--repair"), "\(command): \(refused)")
    }
    #expect(try shop.contentc(["maintenance", "on", "qa"]).status == 0)
    try correct()
    #expect(try contentc("publish qa --above 4").status == 0)
    #expect(try contentc("maintenance off qa").status == 0)
    #expect(try shop.title("product/tulip") == "A better tulip")
  }

  // MARK: A whole target of a backup

  /// Nothing at the target tells of the later release, but this machine saw it.
  @Test(arguments: [false, true]) func aMachineRemembersTheLaterRelease(hadPurge: Bool) throws {
    try shop.sandbox.shell("cp -r site whole")
    if hadPurge {
      #expect(try shop.contentc(PurgeShop.purge).status == 0)
    } else {
      try correct()
      try shop.run("publish", "qa")
    }
    try shop.sandbox.shell("rm -r site && cp -r whole site")
    let sentence =
      "config of 'qa' is older than release 3, which was live, as after it was restored from a backup"
    let mending = "correct or remove the content, then: contentc publish qa --above"
    for command in [
      "publish qa", "rollback qa --to 1", "prune qa", "bake qa --from-target --to app",
    ] {
      let refused = try contentc(command)
      #expect(
        refused.status == 69 && refused.errors.contains(sentence)
          && refused.errors.contains("\(mending) 3"), "\(command): \(refused)")
    }
    let status = try contentc("status")
    #expect(status.status == 2 && status.errors.contains(sentence), "\(status)")
    // An emergency is live at once, with numbers that apps accept, and keeps the state.
    #expect(try contentc("maintenance on qa").status == 0)
    #expect(try shop.wholeRelease() == 4)
    let purged = try shop.contentc(PurgeShop.purge)
    #expect(
      purged.status == 0 && purged.output.contains("WARNING: config of 'qa' was restored"),
      "\(purged)")
    #expect(try shop.wholeRelease() == 5)
    // Apps that have seen purge 1 act only on a higher number.
    #expect(purged.output.contains(hadPurge ? "Purge 2 is done" : "Purge 1 is done"), "\(purged)")
    let refused = try contentc("publish qa")
    #expect(refused.status == 69 && refused.errors.contains("\(mending) 5"), "\(refused)")
    try correct()
    let done = try contentc("publish qa --above 5")
    #expect(done.status == 0, "\(done)")
    #expect(try contentc("status").status == 0)
    #expect(try contentc("maintenance off qa").status == 0)
    try shop.expectGone()
  }

  /// Another machine knows only what it is told.
  @Test func aMachineIsToldOfTheLaterRelease() throws {
    try shop.sandbox.shell("cp -r site whole")
    try correct()
    try shop.run("publish", "qa")
    try shop.sandbox.shell("rm -r site .contentc && cp -r whole site")
    for command in ["status qa", "publish qa", "prune qa"] {
      let told = try contentc("\(command) --not-below 3")
      #expect(
        told.status == (command == "status qa" ? 2 : 69)
          && told.errors.contains("config of 'qa' is older than release 3, which was live")
          && told.errors.contains("contentc publish qa --above 3"), "\(command): \(told)")
    }
    #expect(try contentc("status qa --not-below 2").status == 0)
    try shop.sandbox.shell("echo '  beta: {target: site}' >> content/content.yaml")
    let unclear = try contentc("status --not-below 3")
    let sentence = "--not-below is a release of one channel: the project has qa, beta"
    #expect(unclear.status == 64 && unclear.errors.contains(sentence), "\(unclear)")
  }

  /// Nothing tells what the purges since the backup removed.
  @Test func anUnknownPurgeIsRefusedUntilAllIsAllowed() throws {
    try shop.sandbox.shell("cp -r site whole")
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try shop.sandbox.shell("rm -r site && cp -r whole site")
    let status = try contentc("status")
    #expect(
      status.errors.contains("this machine saw purge 1, whose files are gone: repeat the purges"),
      "\(status)")
    let refused = try contentc("publish qa --above 3")
    #expect(
      refused.status == 69 && refused.errors.contains("this machine saw purge 1 of 'qa'")
        && refused.errors.contains(": contentc publish qa --above 3 --unpurge all\n"),
      "\(refused)")
    #expect(try contentc("publish qa --above 3 --unpurge all").status == 0)
    #expect(try shop.wholeRelease() == 4)
  }

  /// Apps that saw a release ignore lower numbers, also if the target is made anew.
  @Test func anEmptyTargetGetsTheNextNumber() throws {
    try shop.sandbox.shell("rm -r site")
    let published = try contentc("publish qa")
    #expect(published.status == 0, "\(published)")
    #expect(try shop.wholeRelease() == 3)
  }

  // MARK: Without purges, or without config

  @Test func statusNamesALaterRelease() throws {
    for _ in 1...2 {
      try shop.run("rollback", "qa", "--to", "1")
      try shop.run("publish", "qa")
    }
    try restoreConfig()
    // Another machine knows only the records.
    try shop.sandbox.shell("rm -r .contentc")
    let status = try shop.contentc(["status"])
    #expect(
      status.status == 0
        && status.errors.contains("config of 'qa' is release 2, although release 5 was live"),
      "\(status)")
    let published = try shop.contentc(["publish", "qa"])
    #expect(
      published.status == 0 && published.output.contains("Published release 7"), "\(published)")
    #expect(try shop.contentc(["status"]).errors == "")
  }

  @Test func statusWarnsOfAMissingConfig() throws {
    try shop.sandbox.shell("rm site/qa/config.plist")
    let status = try shop.contentc(["status", "--json"])
    #expect(status.status == 0 && status.output.contains(#""warnings":1"#), "\(status)")
    #expect(
      status.errors.contains("config of 'qa' is gone from site")
        && status.errors.contains(
          "without a backup, correct or remove bad content, then: contentc publish qa\""),
      "\(status)")
    #expect(try shop.contentc(["status", "--warnings-as-errors"]).status == 2)
    try shop.run("publish", "qa")
    #expect(try shop.contentc(["status"]).errors == "")
  }

  @Test func nothingIsDueOnlyWithConfig() throws {
    try shop.sandbox.shell("rm site/qa/config.plist")
    let due = try shop.contentc(["publish", "qa", "--if-due"])
    #expect(due.status == 66 && due.errors.contains("config of 'qa' is gone"), "\(due)")
  }

  @Test func aMissingConfigIsNoFirstPublication() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try shop.sandbox.shell("rm site/qa/config.plist")
    for command in ["status", "history", "maintenance on", "purge product/lily --reason x"] {
      let outcome = try shop.contentc(command.split(separator: " ").map(String.init))
      for words in ["config of 'qa' is gone from site", ", then: contentc publish qa --above 3"] {
        #expect(
          "\(outcome.output)\(outcome.errors)".contains(words), "\(command): \(outcome)")
      }
    }
    let refused = try shop.contentc(["publish"])
    #expect(
      refused.status == 69
        && refused.errors.contains("config of 'qa' is gone, after purge 1 (release 3)")
        && refused.errors.contains("contentc publish qa --above 3"), "\(refused)")
    let bad = try contentc("publish --above 3")
    #expect(bad.status == 69 && bad.errors.contains("--unpurge product/tulip"), "\(bad)")
    try correct()
    let raised = try contentc("publish --above 3 --warnings-as-errors")
    #expect(raised.status == 2 && raised.errors.contains("--unpurge product/tulip"), "\(raised)")
    let checked = try contentc("publish --above 3 --warnings-as-errors --unpurge product/tulip")
    #expect(checked.status == 0, "\(checked)")
    #expect(try shop.wholeRelease() == 4 && shop.title("product/tulip") == "A better tulip")
  }

  /// The release is that of the purge, and its removed files are public again by their hash.
  @Test func pruneRemovesPurgedObjectsOfABackup() throws {
    try shop.sandbox.shell("cp -R site/objects objects")
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try shop.sandbox.shell("cp -R objects/. site/objects")
    let again = try shop.contentc(PurgeShop.purge)
    #expect(again.status == 0 && again.output.contains("contentc prune qa"), "\(again)")
    let dry = try shop.run("prune", "--dry-run", "--json")
    let count = try #require(dry["purged"]?.number)
    #expect(count > 0)
    try shop.fillCache()
    let pruned = try shop.contentc(["prune"])
    #expect(pruned.output.contains("purged  \(count) objects of earlier purges"), "\(pruned)")
    try shop.expectGone()
    #expect(try shop.run("prune", "--json")["purged"] == 0)
  }

  @Test func publishesAboveANumber() throws {
    #expect(try shop.run("publish", "--above", "41", "--json")["release"] == 42)
    #expect(try shop.contentc(["publish", "--above", "2000000"]).status == 69)
    #expect(try shop.contentc(["publish", "--above", "0"]).status == 64)
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    #expect(try shop.wholeRelease() == 43)
  }

  // MARK: Unfinished purges

  /// Leaves a purge unfinished that was live, and restores config from before.
  private func restoreConfigBeforeUnfinishedPurge() throws {
    shop.cache.set(.refusing(403))
    #expect(try shop.contentc(PurgeShop.purge).status == 69)
    shop.cache.set(.good)
    try restoreConfig()
  }

  @Test func aMissedPurgeIsFinishedAfterwards() throws {
    try restoreConfigBeforeUnfinishedPurge()
    let status = try shop.contentc(["status"])
    #expect(
      status.output.contains(
        "PURGE 1 is not finished (An insult): 'contentc publish qa --above 3' must come first"),
      "\(status)")
    expectRefusal(try shop.contentc(["purge", "--channel", "qa"]), above: 3)
    try correct()
    try shop.run("publish", "qa", "--above", "3")
    #expect(
      try shop.contentc(["status"]).output.contains(
        "PURGE 1 is not finished (An insult): 'contentc purge --channel qa' finishes it"))
    let done = try shop.contentc(["purge", "--channel", "qa"])
    #expect(done.status == 0 && done.output.contains("Purge 1 is done"), "\(done)")
    #expect(try !shop.contentc(["status"]).output.contains("is not finished"))
    #expect(try shop.title("product/tulip") == "A better tulip")
    try shop.expectGone()
  }

  /// The same words begin a new purge, since readers see the content again.
  @Test func aMissedPurgeIsBegunAgain() throws {
    try restoreConfigBeforeUnfinishedPurge()
    let done = try shop.contentc(PurgeShop.purge)
    #expect(done.status == 0 && done.output.contains("Purge 2 is done: release 4"), "\(done)")
    #expect(try shop.title("product/tulip") == nil)
    expectRefusal(try shop.contentc(["publish"]), above: 4)
  }
}
