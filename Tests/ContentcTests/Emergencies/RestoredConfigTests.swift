import ContentModel
import ContentTargets
import PropertyLists
import TestServers
import Testing

@testable import TestCommands

/// Commands after config was restored from a backup that is older than a purge.
@Suite(.waiting) struct RestoredConfigTests {
  private static let other = [
    "purge", "product/lily", "--leave-references", "--reason", "Another word",
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

  @Test func refusalsNameRemediesThatWork() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try restoreConfig()
    let refused = try shop.contentc(Self.other)
    #expect(refused.status == 69, "\(refused)")
    for words in [
      "if a purge removed it, correct the content and publish",
      "or hide everything with 'contentc maintenance on qa'",
    ] { #expect(refused.errors.contains(words), "\(refused)") }
    let repair = try shop.contentc(["publish", "qa", "--repair"])
    #expect(repair.status == 69, "\(repair)")
    #expect(
      repair.errors.contains("correct it, or hide everything with 'contentc maintenance on qa'"),
      "\(repair)")
    #expect(try shop.contentc(["maintenance", "on", "qa"]).status == 0)
    try correct()
    let published = try shop.contentc(["publish", "qa"])
    #expect(published.status == 0, "\(published)")
    let done = try shop.contentc(Self.other)
    #expect(done.status == 0 && done.output.contains("Purge 3 is done"), "\(done)")
    #expect(try shop.contentc(["maintenance", "off", "qa"]).status == 0)
    #expect(try shop.title("product/tulip") == "A better tulip")
    try shop.expectGone()
  }

  @Test func endsWithTheAdviceOfStatus() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try restoreConfig()
    let before = try shop.contentc(["status"])
    #expect(
      before.errors.contains("warning: config of 'qa' is older than purge 1")
        && before.errors.contains("run 'contentc publish qa --repair'"), "\(before)")
    let refused = try shop.contentc(["publish", "qa", "--repair", "--warnings-as-errors"])
    #expect(
      refused.status == 69 && refused.errors.contains("--unpurge product/tulip"), "\(refused)")
    try shop.sandbox.shell(
      "sed -i 's/title: \(PurgeShop.bad)/title: A better tulip/' content/entries/product.yaml")
    let done = try shop.contentc([
      "publish", "qa", "--repair", "--warnings-as-errors", "--unpurge", "product/tulip",
    ])
    #expect(
      done.status == 0
        && done.output.contains(
          "purges  config was older than purge 1; this release takes it into account"),
      "\(done)")
    #expect(try !shop.contentc(["status"]).errors.contains("restored-config"))
    let again = try shop.contentc(["publish", "qa", "--warnings-as-errors"])
    #expect(again.status == 0 && again.output.contains("Nothing to do"), "\(again)")
    #expect(try shop.title("product/tulip") == "A better tulip")
  }

  /// The command lines that warn; docs/emergencies.md lists their commands.
  private static let warning = [
    "status", "history qa", "diff qa", "bake qa --from-target --to app", "maintenance on qa",
    "maintenance on qa --dry-run", "maintenance off qa",
    "purge product/tulip --channel qa --reason x --dry-run",
    "purge product/lily --channel qa --reason x --dry-run", "purge --channel qa --dry-run",
    "publish qa --dry-run", "rollback qa --dry-run", "rollback qa --to 1 --dry-run",
    "promote far qa --dry-run",
  ]

  @Test func theListedCommandsWarn() throws {
    try shop.sandbox.shell(
      "sed -i 's/^  qa:$/  far: {target: far}\\n  qa:/' content/content.yaml")
    try shop.run("publish", "far")
    #expect(try shop.contentc(PurgeShop.purge + ["--channel", "qa"]).status == 0)
    for command in Self.warning {
      try restoreConfig()
      let warned = try shop.contentc(command.split(separator: " ").map(String.init))
      #expect(
        warned.errors.contains("older than purge 1")
          && warned.errors.contains("[restored-config]"), "\(command): \(warned)")
    }
  }

  @Test func theDocumentationListsTheCommandsThatWarn() throws {
    let page = try Sandbox.checkedOut("docs/emergencies.md")
    let list = try #require(
      page.firstMatch(of: /Until the next publication,\s([^.:]*)\swarn, and name/)
    ).output.1
    let named = list.matches(of: /`([a-z]+)[^`]*`/).map { String($0.output.1) }
    let tried = Set(Self.warning.map { String($0.prefix { $0 != " " }) })
    #expect(named.sorted() == tried.sorted())
  }

  @Test func dryRunsEndLikeTheCommands() throws {
    try shop.sandbox.shell(
      "sed -i 's/^  qa:$/  far: {target: far}\\n  qa:/' content/content.yaml")
    #expect(try shop.contentc(PurgeShop.purge + ["--channel", "qa"]).status == 0)
    try restoreConfig()
    let bad = try shop.contentc(["publish", "qa", "--repair", "--dry-run"])
    #expect(bad.status == 69 && bad.errors.contains("--unpurge product/tulip"), "\(bad)")
    let back = try shop.contentc(["rollback", "qa", "--to", "1"])
    #expect(back.status == 69 && !back.errors.contains("--restore"), "\(back)")
    #expect(back.errors.contains("[restored-config]"), "\(back)")
    #expect(try shop.contentc(["rollback", "qa", "--to", "1", "--dry-run"]).status == 69)
    try correct()
    try shop.run("publish", "far")
    for command in [
      "publish qa --dry-run", "publish qa --repair --dry-run", "diff qa",
      "promote far qa --dry-run",
    ] {
      let shown = try shop.contentc(command.split(separator: " ").map(String.init))
      #expect(shown.status == 0, "\(command): \(shown)")
      #expect(
        shown.errors.contains("[missing-objects]") && shown.errors.contains("[restored-config]"),
        "\(command): \(shown)")
    }
    let baked = try shop.contentc(["bake", "qa", "--from-target", "--to", "app", "--locale", "fr"])
    #expect(
      baked.status == 69 && baked.errors.contains("[restored-config]"), "\(baked)")
    #expect(try shop.contentc(["publish", "qa", "--repair"]).status == 0)
    let after = try shop.contentc(["diff", "qa"])
    #expect(after.status == 0 && !after.errors.contains("[missing-objects]"), "\(after)")
  }

  /// Its content may be what was purged, and objects of it may be missing.
  @Test func isPromotedNowhere() throws {
    try shop.sandbox.shell(
      "sed -i 's/^  qa:$/  far: {target: far}\\n  qa:/' content/content.yaml")
    #expect(try shop.contentc(PurgeShop.purge + ["--channel", "qa"]).status == 0)
    try restoreConfig()
    let refused = try shop.contentc(["promote", "qa", "far"])
    #expect(
      refused.status == 69 && refused.errors.contains("run 'contentc publish qa --repair' first"),
      "\(refused)")
    #expect(shop.sandbox.files(below: "far") == [])
    try correct()
    try shop.run("publish", "qa", "--repair")
    #expect(try shop.contentc(["promote", "qa", "far"]).status == 0)
  }

  // MARK: Releases above the restored one

  /// Purges content that another channel still shows, so that its objects stay, and restores config.
  private func restorePurgedContent() throws {
    try shop.sandbox.shell(
      "sed -i 's/^  qa:$/  beta: {target: site}\\n  qa:/' content/content.yaml")
    try shop.run("promote", "qa", "beta")
    #expect(try shop.contentc(PurgeShop.purge + ["--channel", "qa"]).status == 0)
    try restoreConfig()
    #expect(try shop.title("product/tulip") == PurgeShop.bad)
  }

  /// Apps ignore the restored config, until a release with a higher number shows its content.
  @Test func maintenanceDoesNotBringPurgedContentBack() throws {
    try restorePurgedContent()
    for command in [
      "on qa --until 2099-01-01T00:00:00Z", "on qa --from 2099-01-01T00:00:00Z",
      "on qa --message product/tulip",
    ] {
      for dry in ["", " --dry-run"] {
        let refused = try shop.contentc(
          "maintenance \(command)\(dry)".split(separator: " ").map(String.init))
        #expect(refused.status == 69, "\(refused)")
        #expect(
          refused.errors.contains("config of 'qa' is older than purge 1")
            && refused.errors.contains("run 'contentc publish qa --repair'")
            && refused.errors.contains(
              "'contentc maintenance on qa', without --from, --until and --message"),
          "\(refused)")
      }
    }
    for _ in 1...2 { #expect(try shop.contentc(["maintenance", "on", "qa"]).status == 0) }
    let release = try shop.wholeRelease()
    let off = try shop.contentc(["maintenance", "off", "qa"])
    #expect(off.status == 69 && off.errors.contains("nothing was changed"), "\(off)")
    #expect(try shop.wholeRelease() == release)
    try correct()
    #expect(try shop.contentc(["publish", "qa"]).status == 0)
    #expect(try shop.contentc(["maintenance", "off", "qa"]).status == 0)
    #expect(try shop.title("product/tulip") == "A better tulip")
  }

  @Test func anotherPurgeRemovesTheContentAgain() throws {
    try restorePurgedContent()
    let other = Self.other + ["--channel", "qa"]
    let dry = try shop.contentc(other + ["--dry-run"])
    #expect(
      dry.output.contains("also removes again what purge 1 removed: product/tulip"), "\(dry)")
    let done = try shop.contentc(other)
    #expect(
      done.status == 0
        && "\(done.output)\(done.errors)".contains(
          "also removes again what purge 1 removed: product/tulip"),
      "\(done)")
    #expect(try shop.title("product/tulip") == nil && shop.title("product/lily") == nil)
    #expect(try !shop.contentc(["status", "qa"]).errors.contains("restored-config"))
  }

  @Test func publicationsDoNotTakePurgedContentForDone() throws {
    try restorePurgedContent()
    for command in [
      "publish qa", "publish qa --dry-run", "rollback qa --to 2", "rollback qa --to 2 --dry-run",
      "promote beta qa", "promote beta qa --dry-run",
    ] {
      let refused = try shop.contentc(command.split(separator: " ").map(String.init))
      #expect(
        refused.status == 69 && refused.errors.contains("--unpurge product/tulip")
          && !refused.output.contains("Nothing to do"), "\(command): \(refused)")
      // A rollback has no such option.
      let isNamed = refused.errors.contains("'contentc publish qa --unpurge product/tulip'")
      #expect(isNamed == command.hasPrefix("rollback"), "\(command): \(refused)")
    }
  }

  @Test func laterReleasesAreNamed() throws {
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    try correct()
    #expect(try shop.contentc(["publish", "qa"]).status == 0)
    try restoreConfig()
    let rollback = try shop.contentc(["rollback", "qa", "--to", "4"])
    #expect(
      rollback.status == 66
        && rollback.errors.contains("release 4 of 'qa' is later than the live release 2"),
      "\(rollback)")
    let history = try shop.contentc(["history", "qa"])
    #expect(history.errors.contains("older than purge 1"), "\(history)")
    let status = try shop.run("status", "--json")
    #expect(
      status?["channels"]?["qa"]?["restoredConfig"] == ["missedPurges": [1]],
      "\(status as Any)")
  }

  @Test func statusNamesALaterRelease() throws {
    for _ in 1...2 {
      try shop.run("rollback", "qa", "--to", "1")
      try shop.run("publish", "qa")
    }
    try restoreConfig()
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
        && status.errors.contains("restored-config"), "\(status)")
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
      #expect(
        "\(outcome.output)\(outcome.errors)".contains("config of 'qa' is gone from site"),
        "\(command): \(outcome)")
    }
    let refused = try shop.contentc(["publish"])
    #expect(
      refused.status == 69 && refused.errors.contains("--unpurge product/tulip"), "\(refused)")
    try correct()
    #expect(try shop.contentc(["publish", "--warnings-as-errors"]).status == 0)
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

  // MARK: Overwritten purges

  /// Leaves a purge unfinished that was live, and restores config from before.
  private func overwritePurge() throws {
    shop.cache.set(.refusing(403))
    #expect(try shop.contentc(PurgeShop.purge).status == 69)
    shop.cache.set(.good)
    try restoreConfig()
  }

  private func status() throws -> String { try shop.contentc(["status"]).output }

  /// The process was killed right after the swap, as far as the target tells.
  @Test func statusWarnsOfAPurgeThatMayHaveBeenLive() throws {
    shop.cache.set(.refusing(403))
    #expect(try shop.contentc(PurgeShop.purge).status == 69)
    shop.cache.set(.good)
    let target = FolderTarget("\(shop.sandbox.root)/site")
    let plan = try #require(try target.list(below: "qa/purges/").first).key
    let stored = try #require(try target.read(plan))
    var manifest = try #require(try PropertyList.decode(stored.bytes).value.members)
    #expect(manifest["live"] == true)
    manifest["live"] = nil
    let file = OutgoingFile(
      bytes: try PropertyList.encode(.dictionary(manifest), as: .binary),
      headers: FileHeaders(contentType: "x", cacheControl: "y"))
    #expect(try target.replace(plan, with: file, tagged: stored.tag))
    try restoreConfig()
    let warned = try shop.contentc(["status"])
    #expect(
      warned.errors.contains("warning: purge 1 (An insult) was begun and is not live"), "\(warned)")
    #expect(
      warned.errors.contains("contentc purge qa product/tulip --reason 'An insult'"), "\(warned)")
    #expect(try shop.contentc(PurgeShop.purge).status == 0)
    #expect(try !shop.contentc(["status"]).errors.contains("lost-purge"))
    try shop.expectGone()
  }

  @Test func statusAdvisesToRepeatAnOverwrittenPurge() throws {
    try overwritePurge()
    let status = try status()
    #expect(
      status.contains(
        "PURGE 1 is not finished (An insult): config was restored from a backup, so readers may "
          + "see product/tulip again as it was; purge it again, or correct it, publish, and then "
          + "run 'contentc purge qa'"), "\(status)")
    #expect(!status.contains("finishes it"), "\(status)")
    let dry = try shop.contentc(["purge", "--dry-run"])
    #expect(dry.status == 0 && !dry.output.contains("would be finished"), "\(dry)")
    let done = try shop.contentc(PurgeShop.purge)
    #expect(done.status == 0, "\(done)")
    #expect(try !self.status().contains("is not finished"))
    try shop.expectGone()
  }

  @Test func statusAdvisesToCorrectTheContentOfAnOverwrittenPurge() throws {
    try overwritePurge()
    try correct()
    try shop.run("publish", "qa")
    let status = try status()
    #expect(
      status.contains(
        "PURGE 1 is not finished (An insult): 'contentc purge --channel qa' finishes it"),
      "\(status)")
    let done = try shop.contentc(["purge", "--channel", "qa"])
    #expect(done.status == 0, "\(done)")
    #expect(try !self.status().contains("is not finished"))
    #expect(try shop.title("product/tulip") == "A better tulip")
    try shop.expectGone()
  }
}
