import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Commands for signed channels at a target that an attacker can write.
@Suite struct SignedTargetTests {
  private let shop: SignedShop

  init() throws { shop = try SignedShop() }

  private var sandbox: Sandbox { shop.sandbox }

  // MARK: Other configs

  @Test(arguments: ["flipped", "unsigned", "foreign", "cut"])
  func refusesAConfigThatDoesNotVerify(change: String) throws {
    try shop.succeed("publish", "qa")
    let config = try #require(sandbox.read(SignedShop.config))
    let name = "\(sandbox.root)/\(SignedShop.config)"
    switch change {
    case "flipped":
      // A bit of the release's number in the config inside.
      var members = try shop.served()
      guard case .data(var inner)? = members["config"] else {
        Issue.record("no signed config")
        return
      }
      inner[inner.count / 2] ^= 1
      members["config"] = .data(inner)
      try sandbox.write("x", bytes: try PropertyList.encode(.dictionary(members), as: .binary))
      try sandbox.shell("cp x '\(name)'")
    case "unsigned":
      guard case .data(let inner)? = try shop.served()["config"] else {
        Issue.record("no signed config")
        return
      }
      try sandbox.write("x", bytes: inner)
      try sandbox.shell("cp x '\(name)'")
    case "foreign":
      let other = try SignedShop()
      try other.succeed("publish", "qa")
      try sandbox.write("x", bytes: try #require(other.sandbox.read(SignedShop.config)))
      try sandbox.shell("cp x '\(name)'")
    default:
      try sandbox.write("x", bytes: Array(config.dropLast(9)))
      try sandbox.shell("cp x '\(name)'")
    }
    let altered = sandbox.read(SignedShop.config)
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    for command in [
      ["publish", "qa"], ["maintenance", "on", "qa"], ["rollback", "qa", "--to", "1"],
      ["resign", "qa"], ["purge", "--channel", "qa", "product/rose", "--reason", "x"],
      ["prune", "qa"], ["bake", "qa", "--to", "baked", "--from-target"],
    ] {
      let outcome = try sandbox.run(
        Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      // A rollback to the same content changes nothing.
      if outcome.output.hasPrefix("Nothing to do") { continue }
      #expect(outcome.status == 69, "\(command): \(outcome)")
      #expect(sandbox.read(SignedShop.config) == altered, "\(command)")
    }
    if change == "unsigned" {
      let forced = try shop.run("keys", "on", "qa")
      #expect(forced.status == 69 && forced.errors.contains("release 1 was"), "\(forced)")
    }
    let verified = try shop.run("verify", SignedShop.config, "--channel", "qa")
    #expect(verified.status == 1 && verified.errors.contains("[unverified]"), "\(verified)")
    try shop.succeed("keys", "replace", "qa")
    try shop.expectVerified()
    #expect(try shop.release() == 2)
  }

  /// An attacker with write access to the bucket restores an old config.
  @Test func refusesAnOlderReleaseThatItKnows() throws {
    try putBackTheFirstRelease()
    let sentence = "config of 'qa' is older than release 2, which was live"
    for command in [
      ["publish", "qa"], ["resign", "qa"], ["rollback", "qa", "--to", "1"],
      ["promote", "qa", "qa"],
      ["prune", "qa"], ["bake", "qa", "--to", "baked", "--from-target"],
      ["maintenance", "on", "qa", "--until", "2099-01-01T00:00:00Z"],
    ] {
      let outcome = try sandbox.run(
        Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect(
        outcome.status == 69 && outcome.errors.contains(sentence)
          && outcome.errors.contains("contentc publish qa --above 2"), "\(command): \(outcome)")
    }
    let status = try shop.run("status", "qa")
    #expect(status.status == 2 && status.errors.contains(sentence), "\(status)")
    // Another machine knows only what it is told.
    try sandbox.shell("rm -rf .contentc")
    let told = try shop.run("resign", "qa", "--not-below", "2")
    #expect(told.status == 69 && told.errors.contains(sentence), "\(told)")
    try shop.succeed("keys", "replace", "qa", "--not-below", "2")
    #expect(try shop.release() == 3)
    try shop.expectVerified()
  }

  /// An emergency is never locked out, and only `publish --above` ends the state.
  @Test(arguments: [
    ["maintenance", "on", "qa"], ["purge", "--channel", "qa", "product/rose", "--reason", "x"],
  ])
  func anEmergencyGoesLiveAfterAnOlderConfig(command: [String]) throws {
    try putBackTheFirstRelease()
    try shop.succeed(command)
    #expect(try shop.release() == 3)
    try shop.expectVerified()
    let refused = try shop.run("publish", "qa")
    #expect(
      refused.status == 69 && refused.errors.contains("contentc publish qa --above 3"), "\(refused)"
    )
    try sandbox.write("content/entries/product/rose.yaml", "title: Corrected\n")
    try shop.succeed("publish", "qa", "--above", "3")
    let status = try shop.run("status", "qa")
    #expect(status.status == 0, "\(status)")
    try shop.succeed("resign", "qa")
    try shop.expectVerified()
  }

  /// A config from before signing was turned on is put back; `keys replace` is the only way on.
  @Test func statusNamesTheCommandThatReplacesAnOlderUnsignedConfig() throws {
    try putBackTheFirstRelease()
    guard case .data(let unsigned)? = try shop.served()["config"] else {
      Issue.record("no signed config")
      return
    }
    try sandbox.write("unsigned", bytes: unsigned)
    try sandbox.shell("cp unsigned \(SignedShop.config)")
    let status = try shop.run("status", "qa")
    #expect(
      status.status == 2
        && status.errors.contains("config of 'qa' is older than release 2, which was live")
        && status.errors.contains("nothing was changed; apps that pin a key keep what they have")
        && !status.errors.contains("--above") && !status.errors.contains("maintenance on"),
      "\(status)")
    let printed = try #require(
      status.errors.firstMatch(of: /remove the content, then: contentc (.*)/)
    ).output.1
    #expect(printed == "keys replace qa")
    try shop.succeed(printed.split(separator: " ").map(String.init))
    #expect(try shop.release() == 3)
    try shop.expectVerified()
    try shop.succeed("status", "qa")
  }

  private func putBackTheFirstRelease() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp site/qa/config.plist old")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp old site/qa/config.plist")
  }

  /// Who has the target's credentials puts back an earlier config, whose signatures are still valid.
  @Test(arguments: [[], ["--if-below", "50%"], ["--draft", "draft"]])
  func resignRefusesWithoutAMemory(options: [String]) throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp \(SignedShop.config) old")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp old \(SignedShop.config) && rm -rf .contentc")
    // A refusal must not make a memory of the earlier config.
    for _ in 0..<2 {
      let outcome = try sandbox.run(
        Sandbox.binary, ["resign", "qa"] + options,
        environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect(outcome.status == 64, "\(outcome)")
      #expect(outcome.errors.contains("this machine remembers no release of 'qa'"), "\(outcome)")
      #expect(outcome.errors.contains("contentc resign qa --not-below N"), "\(outcome)")
    }
    #expect(sandbox.read(SignedShop.config) == sandbox.read("old"))
    #expect(sandbox.read("draft/draft.json") == nil)
  }

  @Test func resignsWithoutAMemoryIfTheReleaseIsNamed() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("rm -rf .contentc")
    try shop.succeed("resign", "qa", "--not-below", "1")
    try shop.succeed("resign", "qa")
    try shop.expectVerified()
  }

  /// Commands that only read remember the release that they verified.
  @Test(arguments: [["status", "qa"], ["diff", "qa"]])
  func remembersWhatItLookedAt(command: [String]) throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp site/qa/config.plist old")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    try shop.succeed("publish", "qa")
    try sandbox.shell("rm -rf .contentc")
    let looked = try sandbox.run(
      Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
    #expect(looked.status == 0, "\(looked)")
    try sandbox.shell("cp old site/qa/config.plist")
    let refused = try shop.run("resign", "qa")
    #expect(
      refused.status == 69 && refused.errors.contains("is older than release 2, which was live"),
      "\(refused)")
  }

  /// A config without signatures proves no purge, and nothing is removed because of one.
  @Test func purgesNothingByAnUnsignedConfig() throws {
    try shop.succeed("publish", "qa")
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    try sandbox.shell("rm site/qa/purges/1-*/done-*")
    guard case .data(let inner)? = try shop.served()["config"] else {
      Issue.record("no signed config")
      return
    }
    try sandbox.write("x", bytes: inner)
    try sandbox.shell("cp x \(SignedShop.config) && rm -rf .contentc")
    let before = sandbox.tree("site")
    for words in [
      ["purge", "--channel", "qa"],
      ["purge", "--channel", "qa", "product/iris", "--reason", "x"],
      ["purge", "--channel", "qa", "product/iris", "--dry-run"],
    ] {
      let outcome = try sandbox.run(
        Sandbox.binary, words, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect(outcome.status == 69 && outcome.errors.contains("is not signed"), "\(outcome)")
    }
    #expect(sandbox.tree("site").map(\.bytes) == before.map(\.bytes))
  }

  /// A record that the live release reaches is replaced by other bytes.
  @Test func refusesForeignBytesUnderTheNameOfARecord() throws {
    try shop.succeed("publish", "qa")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    try shop.succeed("publish", "qa")
    let files = sandbox.tree("site").map(\.path).filter { $0.contains("releases/") }
    #expect(files.count > 1)
    for file in files {
      try sandbox.shell("echo foreign > '\(sandbox.root)/site/\(file.trimmingPrefix("site/"))'")
    }
    let before = sandbox.tree("site").map(\.path)
    let config = sandbox.read(SignedShop.config)
    for command in [["rollback", "qa"], ["prune", "qa"]] {
      let outcome = try sandbox.run(
        Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect(outcome.status == 69, "\(command): \(outcome)")
      #expect(sandbox.read(SignedShop.config) == config, "\(command)")
      #expect(sandbox.tree("site").map(\.path) == before, "\(command)")
    }
  }

  /// The config of an earlier release in the other format must not make `prune` forget the live one.
  @Test func prunesByTheConfigOfTheProject() throws {
    try sandbox.write("content/content.yaml", "format: json\n" + SignedShop.project)
    try shop.succeed("publish", "qa")
    let first = try #require(try sandbox.value("site/qa/config.json")["config"]?.text)
    let config = try #require(Base64.decode(first))
    for title in ["New", "Newer"] {
      try sandbox.write("content/entries/product/rose.yaml", "title: \(title)\n")
      try shop.succeed("publish", "qa")
    }
    try sandbox.shell("find site -type f -exec touch -d '9 days ago' {} +")
    let before = try shop.succeed("prune", "qa", "--keep", "1", "--dry-run", "--json")
    let value = try PropertyList.decode(config).value
    try sandbox.write("x", bytes: PropertyList.encode(value, as: .binary))
    try sandbox.shell("cp x site/qa/config.plist")
    let after = try shop.succeed("prune", "qa", "--keep", "1", "--dry-run", "--json")
    #expect(after == before, "\(String(describing: after))")
    // For another channel, the command does not know the right format.
    try shop.succeed("publish", "open")
    let other = try shop.run("prune", "open", "--dry-run")
    #expect(other.status == 69 && other.errors.contains("config in two formats"), "\(other)")
  }

  /// A thief of the release key signs numbers that no later ones reach, or hardly any.
  @Test(arguments: ["release", "purge"], [1 << 53, 1_000_003])
  func numbersThatLeaveNoRoomAreReported(subject: String, number: Int) throws {
    try shop.succeed("publish", "qa")
    try shop.publishAsThief(
      release: subject == "release" ? number : 2, purge: subject == "purge" ? number : nil)
    // `status` must not store the number in the memory of this machine.
    for _ in 0..<2 {
      let status = try shop.run("status", "qa")
      #expect(status.status == 2 && status.errors.contains("[number-room]"), "\(status)")
      #expect(status.errors.contains("\(subject) \(number) of 'qa'"), "\(status)")
      #expect(status.errors.contains("contentc keys recover qa"), "\(status)")
    }
    let config = sandbox.read(SignedShop.config)
    func expectRefusals() throws {
      for command in [
        ["publish", "qa"], ["publish", "qa", "--dry-run"], ["publish", "qa", "--draft", "draft"],
        ["resign", "qa"],
      ] {
        let refused = try shop.run(command)
        #expect(refused.status == 69, "\(command): \(refused)")
        #expect(refused.errors.contains("contentc keys recover qa"), "\(command): \(refused)")
        #expect(!refused.errors.contains("backup"), "\(command): \(refused)")
      }
    }
    try expectRefusals()
    try sandbox.write("content/entries/product/iris.yaml", "title: New\n")
    try expectRefusals()
    #expect(sandbox.read(SignedShop.config) == config)
    // Emergencies go live while a number is left.
    let isLast = number == 1 << 53
    let words = ["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"]
    #expect(try shop.run(words + ["--dry-run"]).status == (isLast ? 69 : 0))
    for (command, isRefused) in [
      (words, isLast), (["maintenance", "on", "qa"], isLast && subject == "release"),
    ] {
      let outcome = try shop.run(command)
      #expect(outcome.status == (isRefused ? 69 : 0), "\(command): \(outcome)")
      #expect(outcome.errors.contains("contentc keys recover qa"), "\(command): \(outcome)")
      #expect(!outcome.errors.contains("backup"), "\(command): \(outcome)")
    }
    #expect(try shop.run("status", "qa").status == 2)
  }

  /// The owner may know better than the machine.
  @Test func aNumberThatItsOwnerNamesLeavesRoom() throws {
    try shop.succeed("publish", "qa")
    try shop.publishAsThief(release: 1_000_003)
    let status = try shop.run("status", "qa")
    #expect(status.status == 2 && status.errors.contains("--not-below 1000003"), "\(status)")
    try shop.succeed("publish", "qa", "--not-below", "1000003")
    try shop.succeed("status", "qa")
  }

  // MARK: Purges

  /// Who can write to the bucket alone makes config one that does not verify, or removes it.
  @Test(arguments: [true, false]) func replaceRefusesPurgedContent(remembers: Bool) async throws {
    try shop.succeed("publish", "qa")
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    try sandbox.shell("rm \(SignedShop.config)")
    let gone = try shop.run("publish", "qa")
    #expect(gone.status == 69 && gone.errors.contains("after purge 1 (release 2)"), "\(gone)")
    try sandbox.shell("echo x > \(SignedShop.config)")
    let unread = try shop.run("publish", "qa")
    #expect(unread.status == 69 && unread.errors.contains("contentc keys replace qa"), "\(unread)")
    if !remembers { try sandbox.shell("rm -rf .contentc") }
    let replace = ["keys", "replace", "qa"] + (remembers ? [] : ["--not-below", "1"])
    for command in [replace, replace + ["--dry-run"], replace + ["--draft", "draft"]] {
      let refused = try shop.run(command)
      #expect(
        refused.status == 69 && refused.errors.contains("--unpurge product/rose"),
        "\(command): \(refused)")
    }
    #expect(sandbox.read(SignedShop.config) == Array("x\n".utf8))
    try sandbox.shell("rm content/entries/product/rose.yaml")
    try shop.succeed(replace)
    // The note of the purge has its signed config, which proves both numbers.
    #expect(try shop.release() == 3)
    guard case .data(let config)? = try shop.served()["config"] else {
      Issue.record("no signed config")
      return
    }
    #expect(try PropertyList.decode(config).value["purge"]?["sequence"] == 1)
    #expect(try await shop.titles() == ["product/iris": "Iris"])
    try shop.expectVerified()
    try shop.succeed("status", "qa", "--warnings-as-errors")
    try sandbox.write("content/entries/product/rose.yaml", "title: Rose\n")
    let later = try shop.run("publish", "qa")
    #expect(later.status == 69 && later.errors.contains("--unpurge product/rose"), "\(later)")
    try shop.succeed("publish", "qa", "--unpurge", "product/rose")
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "Again")
    #expect(try shop.release() == 5)
  }

  /// Who can write to the bucket alone also removes the list of purges.
  @Test func replaceNoticesACutListOfPurges() throws {
    try shop.succeed("publish", "qa")
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    try sandbox.shell("rm -r site/qa/purges \(SignedShop.config)")
    for replaces in [false, true] {
      if replaces { try sandbox.shell("echo x > \(SignedShop.config)") }
      let refused = try shop.run(replaces ? ["keys", "replace", "qa"] : ["publish", "qa"])
      #expect(refused.status == 69 && refused.errors.contains("saw purge 1 of 'qa'"), "\(refused)")
    }
    try shop.succeed("keys", "replace", "qa", "--unpurge", "all")
    #expect(try shop.release() == 3)
    try shop.expectVerified()
  }

  /// An attacker with write access to the bucket restores the config of before a purge.
  @Test func refusesTheReleaseBeforeAPurge() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp site/qa/config.plist old")
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    try sandbox.shell("cp old site/qa/config.plist")
    let outcome = try shop.run("resign", "qa")
    #expect(
      outcome.status == 69 && outcome.errors.contains("is older than purge 1 (release 2)"),
      "\(outcome)")
  }

  /// Notes have no signatures: an attacker with write access to the bucket forges some that would make a
  /// purge look begun, or done.
  @Test(arguments: ["unfinished", "done", "ahead"])
  func aForgedNoteStopsNoPurge(kind: String) async throws {
    try shop.succeed("publish", "qa")
    try shop.succeed("purge", "--channel", "qa", "product/iris", "--reason", "Old")
    var begun = try #require(try sandbox.purgeNote("begun", of: 1).members)
    begun["asked"] = ["product/rose"]
    begun["entries"] = ["product/rose"]
    if kind == "ahead" { begun["sequence"] = 7 }
    let bytes = try PropertyList.encode(.dictionary(begun), as: .binary)
    let folder = "site/qa/purges/\(kind == "ahead" ? 7 : 1)-\(Digest(of: bytes).hex.prefix(16))"
    try sandbox.write("\(folder)/begun", bytes: bytes)
    try sandbox.shell("cp site/qa/purges/1-*/live \(folder)")
    if kind == "done" { try sandbox.shell("cp site/qa/purges/1-*/{copies,done}-* \(folder)") }
    try sandbox.shell(
      "find site/qa/purges -mindepth 1 -maxdepth 1 ! -path \(folder) -exec rm -r {} +")
    let outcome = try shop.run(
      "purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await shop.titles() == [:])
    try shop.expectVerified()
    // Nor does it hinder what follows.
    guard case .data(let config)? = try shop.served()["config"] else {
      Issue.record("no signed config")
      return
    }
    #expect(try PropertyList.decode(config).value["purge"]?["missedAfter"] == nil)
    try shop.succeed("maintenance", "on", "qa")
    try shop.succeed("maintenance", "off", "qa")
  }

  /// A purge in the same words that was killed is finished, since config proves its notes, also if an
  /// attacker writes other ones.
  @Test func finishesAPurgeThatItsConfigProves() async throws {
    try shop.succeed("publish", "qa")
    let words = ["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"]
    try shop.succeed(words)
    var begun = try #require(try sandbox.purgeNote("begun", of: 1).members)
    begun["entries"] = ["product/iris"]
    let bytes = try PropertyList.encode(.dictionary(begun), as: .binary)
    let forged = "site/qa/purges/1-\(Digest(of: bytes).hex.prefix(16))"
    try sandbox.shell("rm site/qa/purges/1-*/done-*")
    try sandbox.write("\(forged)/begun", bytes: bytes)
    try sandbox.shell("cp $(ls site/qa/purges/1-*/live) \(forged)/live")
    let status = try shop.succeed("status", "qa", "--json")
    let left = status?["channels"]?["qa"]?["unfinishedPurges"]?.items
    #expect(left?.compactMap { $0["sequence"]?.number } == [1])
    try shop.succeed(words)
    #expect(try shop.release() == 2)
    let done = sandbox.files(below: "site/qa/purges").filter { $0.contains("/done-") }
    #expect(done.count == 1 && !done[0].hasPrefix(forged), "\(done)")
  }
}
