import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Publishing to a folder.
@Suite struct PublishingTests {
  let sandbox: Sandbox

  init() throws {
    sandbox = try Sandbox(EditingShop.files)
    try sandbox.shell(
      "cat >> content/content.yaml <<'E'\nchannels: {qa: {target: site}, production: {target: live}}\nE"
    )
  }

  @Test func publishesRollsBackAndPromotes() throws {
    try run("publish", "qa", "--message", "first")
    #expect(try title("site/qa") == "Rose")
    try edit("Rosa")
    let second = try run("publish", "qa", "--json")
    #expect(second["release"] == 2 && second["changed"] == true)
    #expect(try title("site/qa") == "Rosa")
    let again = try run("publish", "qa", "--json")
    #expect(again["changed"] == false && again["release"] == 2)

    try run("rollback", "qa", "--message", "typo")
    #expect(try title("site/qa") == "Rose")
    let history = try run("history", "qa", "--json")["releases"]
    #expect(history[0]["release"] == 3 && history[0]["of"] == 1 && history[0]["message"] == "typo")
    #expect(history[2]["message"] == "first")
    let further = try sandbox.run("rollback", "qa")
    #expect(
      further.status == 66 && further.errors.contains("; 'contentc rollback qa --to 2' shows"),
      "\(further)")

    try run("promote", "qa", "production")
    #expect(try title("live/production") == "Rose")
    let channels = try run("status", "--json")["channels"]
    #expect(channels["qa"]["release"] == 3 && channels["production"]["release"] == 1)
    // The promoted objects are the same.
    #expect(
      try sandbox.shell(
        "cd live/objects && for f in */*; do cmp $f ../../site/objects/$f || exit 1; done"
      ).status == 0)
  }

  @Test func saysThatAChannelWasPromotedToItself() throws {
    try run("publish", "qa")
    let itself = try sandbox.run("promote", "qa", "qa")
    #expect(
      itself.status == 0
        && itself.output.contains("'qa' was promoted to itself: release 1 was live already"),
      "\(itself)")
    let other = try sandbox.run("promote", "qa", "production")
    #expect(other.status == 0 && !other.output.contains("promoted to itself"), "\(other)")
  }

  @Test func namesTheReleasesThatAChannelHas() throws {
    try run("publish", "qa")
    let later = try sandbox.run("rollback", "qa", "--to", "99")
    #expect(later.status != 0)
    #expect(
      later.errors.contains("'qa' has no release 99 yet; it has only release 1"), "\(later.errors)")
  }

  /// The next build would remove what was published into its folder.
  @Test(arguments: [
    ("out", "output"), ("./site/../out/live", "output"), ("content/live", "content"),
  ])
  func refusesATargetInAFolderOfTheProject(target: String, folder: String) throws {
    try sandbox.shell("sed -i 's|target: site|target: \(target)|' content/content.yaml")
    let outcome = try sandbox.run("publish", "qa")
    #expect(outcome.status == 64, "\(outcome)")
    #expect(
      outcome.errors.contains("the target of 'qa' is in the \(folder) folder"), "\(outcome)")
    #expect(sandbox.read("out/qa/config.plist") == nil)
    if folder == "output" {
      try run("publish", "production")
      let promotion = try sandbox.run("promote", "production", "qa")
      #expect(promotion.status == 64, "\(promotion)")
    }
  }

  /// A link that leads to a folder not made yet is followed, too.
  @Test(arguments: [
    ("ln -s out site", "the output folder"),
    ("mkdir out && ln -s out/live site", "the output folder"),
    ("mkdir elsewhere && ln -s $PWD/elsewhere/../content/live site", "the content folder"),
  ])
  func refusesALinkToAFolderOfTheProject(making line: String, folder: String) throws {
    try sandbox.shell(line)
    let outcome = try sandbox.run("publish", "qa")
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.errors.contains("the target of 'qa' is in \(folder)"), "\(outcome)")
    #expect(sandbox.read("site/qa/config.plist") == nil)
  }

  /// Only the builder knows where a build outside of the usual folder is.
  @Test func refusesToPromoteIntoAnyOutputFolder() throws {
    try run("publish", "production")
    try run("build", "--out", "site")
    let promotion = try sandbox.run("promote", "production", "qa")
    #expect(promotion.status == 64, "\(promotion)")
    #expect(
      promotion.errors.contains("the target of 'qa' is in a folder with the output of a build"),
      "\(promotion)")
    #expect(sandbox.read("site/qa/config.plist") == nil)
  }

  @Test func refusesControlCharactersInATarget() throws {
    try sandbox.shell(#"sed -i 's|target: site|target: "site\\0x"|' content/content.yaml"#)
    let outcome = try sandbox.run("check")
    #expect(outcome.errors.contains("'target' must be a folder"), "\(outcome)")
  }

  /// Web servers and publishers run as different users.
  @Test(arguments: ["077", "000", "027"]) func makesPublishedFilesReadableForAllUsers(umask: String)
    throws
  {
    try sandbox.shell(
      "mkdir -m 755 parent && sed -i 's/target: site/target: parent\\/site/' content/content.yaml")
    for arguments in [
      "publish qa", "maintenance on qa", "rollback qa --to 1",
      "purge product/tulip --channel qa --reason x",
    ] {
      let outcome = try sandbox.shell("umask \(umask) && '\(Sandbox.binary)' \(arguments)")
      #expect(outcome.status == 0, "\(arguments): \(outcome.errors)")
    }
    let files = try sandbox.shell("find parent/site -type f ! -perm 644 ! -name '.contentc-lock*'")
      .output
    let folders = try sandbox.shell("find parent/site -type d ! -perm 755").output
    #expect(files == "" && folders == "")
    #expect(try sandbox.shell("find parent/site -type f").output.contains("config.plist"))
  }

  /// A shared folder keeps its group.
  @Test func keepsTheGroupOfASharedFolder() throws {
    try sandbox.shell("mkdir site && chmod 2775 site")
    _ = try sandbox.shell("umask 077 && '\(Sandbox.binary)' publish qa")
    #expect(try sandbox.shell("find site -type d ! -perm 2775").output == "")
  }

  @Test func reportsTooLargeFiles() throws {
    try run("publish", "qa")
    try sandbox.shell("truncate -s 20G site/qa/config.plist")
    for command in [
      ["status", "qa"], ["publish", "qa"], ["rollback", "qa"],
      ["purge", "product/rose", "--channel", "qa", "--reason", "x"],
    ] {
      let outcome = try sandbox.run(Sandbox.binary, command)
      #expect(outcome.status == 69, "\(command): \(outcome)")
      #expect(
        (outcome.errors + outcome.output).contains(
          "'qa/config.plist' at site has 21474836480 bytes"), "\(outcome)")
    }
  }

  /// Hashing these files would take minutes.
  @Test func checksTheSizesOfABuildBeforeReadingIt() throws {
    try run("build")
    let record = try #require(try sandbox.value("out/preview/config.plist")["build"].found?.digest)
      .hex
    for (path, sentence) in [
      ("out/objects/\(record.prefix(2))/\(record).plist", "has 214748364800 bytes"),
      ("out/preview/config.plist", "'out/preview/config.plist' has 214748364800 bytes"),
    ] {
      try sandbox.shell("truncate -s 200G \(path)")
      let outcome = try sandbox.shell("timeout 30 '\(Sandbox.binary)' publish qa --built")
      #expect(outcome.status == 74 && outcome.errors.contains(sentence), "\(outcome)")
    }
  }

  @Test func listsChangesAndFailsOnRequest() throws {
    try run("publish", "qa")
    let before = sandbox.tree("site").map(\.path)
    try edit("Rosa")
    try sandbox.shell("rm content/entries/product/rose.fr.yaml")
    let diff = try run("diff", "qa", "--json")
    let rose = diff["entries"][0]
    #expect(rose["id"] == "product/rose" && rose["kind"] == "changed")
    #expect(rose["fields"][0]["path"] == "title" && rose["fields"][0]["new"] == "Rosa")
    #expect(try sandbox.run("diff", "qa", "--fail-on", "changed").status == 2)
    #expect(try sandbox.run("diff", "qa", "--fail-on", "removed,added").status == 0)
    let dry = try sandbox.run("publish", "qa", "--dry-run")
    #expect(
      dry.status == 0 && dry.output.contains("\"Rose\" → \"Rosa\"")
        && dry.output.contains("Nothing was published"))
    #expect(sandbox.tree("site").map(\.path) == before)
  }

  /// The target lacks what the live release shows, so nobody can tell what an edit changes.
  @Test func changesAreUnknownWithoutTheLiveObjects() throws {
    try run("publish", "qa")
    try sandbox.shell(
      """
      rm -r site/objects/*
      sed -i '/^tulip:/,$d' content/entries/product.yaml
      sed -i '/^tulip:/d' content/entries/product.de.yaml
      """)
    let shown = try sandbox.run("diff", "qa")
    #expect(
      shown.status == 0 && shown.output.contains("The changed entries are unknown")
        && !shown.output.contains("No entry changes"), "\(shown)")
    #expect(try run("diff", "qa", "--json")["isComplete"] == false)
    for kinds in ["removed", "changed,removed"] {
      let gate = try sandbox.run("diff", "qa", "--fail-on", kinds, "--json")
      #expect(
        gate.status == 2 && gate.errors.contains("diff-unknown")
          && gate.output.contains(#""ok":false"#), "\(gate)")
    }
    let refused = try sandbox.run("publish", "qa", "--error-on", "missing-objects")
    #expect(refused.status == 2 && refused.errors.contains("nothing was changed"), "\(refused)")
    let published = try sandbox.run("publish", "qa")
    #expect(
      published.status == 0 && published.output.contains("The changed entries are unknown")
        && published.errors.contains("[missing-objects]")
        && published.errors.contains("'contentc publish qa --repair' sends them"), "\(published)")
    let repaired = try sandbox.run("publish", "qa", "--repair")
    #expect(repaired.status == 0 && !repaired.errors.contains("missing-objects"), "\(repaired)")
    #expect(try run("diff", "qa", "--fail-on", "removed", "--json")["isComplete"] == true)
  }

  @Test func countsNoChangesThatAreUnknown() throws {
    try run("publish", "qa")
    try edit("Rosa")
    #expect(try run("publish", "qa", "--json")["entries"] != nil)
    try sandbox.shell("rm -r site/objects/*")
    try edit("Rose")
    let published = try run("publish", "qa", "--json")
    #expect(published["release"] == 3 && published["entries"] == nil)
  }

  @Test func publishesABuildUnlessContentChanged() throws {
    #expect(try sandbox.run("publish", "qa", "--built").status == 66)
    try run("build")
    try edit("Rosa")
    let outdated = try sandbox.run("publish", "qa", "--built")
    #expect(outdated.status == 74 && outdated.errors.contains("entries/product/rose.yaml"))
    try edit("Rose")
    try run("publish", "qa", "--built")
    #expect(try title("site/qa") == "Rose")
  }

  @Test(
    "reports the problem and changes nothing",
    arguments: [
      ("publish", "", 64, "qa, production"), ("publish nosuch", "", 64, "unknown channel 'nosuch'"),
      (
        "publish qa", "sed -i 's/app: shop/app: bakery/' content/content.yaml", 69,
        "belongs to the app 'shop'"
      ),
      ("rollback qa", "", 66, "no content before"), ("rollback qa --to 7", "", 66, "no release 7"),
      ("promote production qa", "", 66, "nothing is published in 'production'"),
      ("publish qa", "rm site/qa/releases/*", 69, "is missing"),
      ("publish qa", "echo no > site/qa/config.plist", 69, "no config"),
      (
        "publish qa", "sed -i 's/^price: 3/price: -3/' content/entries/product/rose.yaml", 1,
        "price"
      ),
      (
        "publish qa", "sed -i 's/target: site/target: nosuch\\/deep\\/site/' content/content.yaml",
        69, "nosuch"
      ),
      (
        "publish qa", "sed -i 's/target: site/target: ftp:\\/\\/x/' content/content.yaml", 1, "ftp"
      ),
    ])
  func reportsProblemsAndChangesNothing(
    command: String, damage: String, status: Int32, sentence: String
  ) throws {
    try run("publish", "qa")
    try sandbox.shell(damage.isEmpty ? "true" : damage)
    let before = sandbox.tree("site").map { "\($0.path) \($0.bytes.count)" }
    try sandbox.shell("sed -i s/Lily/Lilly/ content/entries/product.yaml")
    let refused = try sandbox.run(Sandbox.binary, command.split(separator: " ").map(String.init))
    #expect(refused.status == status, "\(refused.errors)")
    #expect(refused.errors.contains(sentence), "\(refused.errors)")
    #expect(sandbox.tree("site").map { "\($0.path) \($0.bytes.count)" } == before)
  }

  @Test func writesNamesAndHeadersOnRequest() throws {
    try sandbox.shell(
      "sed -i 's/target: site/target: site, latest: true, headers: true/' content/content.yaml")
    try run("publish", "qa")
    try edit("Rosa")
    try run("publish", "qa")
    // The names and bytes are those of the build's preview.
    #expect(
      try sandbox.shell("diff -r site/qa/latest out/preview/latest && test -s site/_headers").status
        == 0)
    try run("rollback", "qa")
    #expect(try sandbox.shell("diff -r site/qa/latest out/preview/latest").status == 1)
    try sandbox.shell("rm -r site/qa/latest/de site/_headers")
    try run("publish", "qa")
    #expect(
      try sandbox.shell("diff -r site/qa/latest out/preview/latest && test -s site/_headers").status
        == 0)
  }

  @Test func leavesReadersAWholeReleaseWhenKilled() throws {
    try run("publish", "qa")
    try edit("Rose 0")
    try run("build")
    let whole = try ContinuousClock().measure { try run("publish", "qa", "--built") }
    let rounds = 12
    for round in 1...rounds {
      try edit("Rose \(round)")
      try run("build")
      try sandbox.run(["publish", "qa", "--built", "-q"], killedAfter: whole * round / rounds)
      let seen = try title("site/qa")
      #expect(seen == "Rose \(round)" || seen == "Rose \(round - 1)")
      try run("publish", "qa", "--built")
      #expect(try title("site/qa") == "Rose \(round)")
    }
  }

  // MARK: Actions and reading

  @discardableResult
  private func run(_ arguments: String...) throws -> Value? {
    try sandbox.succeed(arguments)
  }

  private func edit(_ title: String) throws {
    try sandbox.write(
      "content/entries/product/rose.yaml",
      "title: \(title)\nprice: 3\npicture: rose.bin\nnext: product/lily\n")
  }

  /// Returns the title of the rose for readers in German.
  private func title(_ channel: String) throws -> String? {
    let parts = channel.split(separator: "/").map(String.init)
    let reader = try PublishedFolder(sandbox, folder: parts[0], config: "\(parts[1])/config.plist")
    guard
      case .string(let title)? = try reader.bundle("all", "de", "any")["entries"]["product/rose"][
        "content"]["title"]
    else { return nil }
    return title
  }
}
