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
    let before = sandbox.tree("site")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    for signers in [[], [("qa", "release", "release")]] as [[(String, String, String)]] {
      try shop.writeSettings(signers.map { (channel: $0.0, role: $0.1, key: $0.2) })
      for command in [
        ["publish", "qa"], ["resign", "qa"], ["maintenance", "on", "qa"],
        ["purge", "--channel", "qa", "product/iris", "--reason", "x"],
      ] {
        if signers.count == 1, command[0] == "resign" { continue }
        let outcome = try sandbox.run(
          Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
        #expect(outcome.status == 69, "\(command): \(outcome)")
        #expect(outcome.errors.contains("of 1 signatures for the role"), "\(outcome.errors)")
      }
    }
    let config = before.first { $0.path == SignedShop.config }
    #expect(sandbox.read(SignedShop.config) == config?.bytes)
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
  }

  // MARK: A target that others write

  @Test(arguments: ["flipped", "unsigned", "foreign", "cut"])
  func refusesAConfigThatDoesNotVerify(change: String) throws {
    try shop.succeed("publish", "qa")
    let config = try #require(sandbox.read(SignedShop.config))
    let name = "\(sandbox.root)/\(SignedShop.config)"
    switch change {
    case "flipped":
      // A bit of the release's number in the config inside.
      var members = try shop.served()
      guard case .data(var inner)? = members["config"] else { return }
      inner[inner.count / 2] ^= 1
      members["config"] = .data(inner)
      try sandbox.write("x", bytes: try PropertyList.encode(.dictionary(members), as: .binary))
      try sandbox.shell("cp x '\(name)'")
    case "unsigned":
      guard case .data(let inner)? = try shop.served()["config"] else { return }
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
      let forced = try shop.run("publish", "qa", "--to-signed")
      #expect(forced.status == 69 && forced.errors.contains("release 1 was"), "\(forced)")
    }
    let verified = try shop.run("verify", SignedShop.config, "--channel", "qa")
    #expect(verified.status == 1 && verified.errors.contains("[unverified]"), "\(verified)")
    try shop.succeed("publish", "qa", "--replace-unverified")
    try shop.expectVerified()
    #expect(try shop.release() == 2)
  }

  /// An attacker with write access to the bucket restores an old config.
  @Test func refusesAnOlderReleaseThatItKnows() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp site/qa/config.plist old")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp old site/qa/config.plist")
    for command in [
      ["publish", "qa"], ["resign", "qa"], ["rollback", "qa"], ["maintenance", "on", "qa"],
      ["promote", "qa", "qa"], ["purge", "--channel", "qa", "product/rose", "--reason", "x"],
      ["prune", "qa"],
    ] {
      let outcome = try sandbox.run(
        Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect(
        outcome.status == 69 && outcome.errors.contains("release 2 was live"),
        "\(command): \(outcome)")
    }
    // Another machine knows only what it is told.
    try sandbox.shell("rm -rf .contentc")
    let told = try shop.run("resign", "qa", "--not-below", "2")
    #expect(told.status == 69 && told.errors.contains("release 2 was live"), "\(told)")
    try shop.succeed("publish", "qa", "--replace-unverified", "--not-below", "2")
    #expect(try shop.release() == 3)
    try shop.expectVerified()
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

  // MARK: Times

  @Test func warnsBeforeTimesEndAndFailsAfter() throws {
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing("keys/qa}", with: "keys/qa, validFor: 4s}"))
    try shop.succeed("publish", "qa")
    sleep(5)
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

  /// An attacker with write access to the bucket restores the config of before a purge.
  @Test func refusesTheReleaseBeforeAPurge() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp site/qa/config.plist old")
    try shop.succeed("purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    try sandbox.shell("cp old site/qa/config.plist")
    let outcome = try shop.run("resign", "qa")
    #expect(
      outcome.status == 69 && outcome.errors.contains("release 2 was live"), "\(outcome)")
  }

  /// Manifests have no signatures: an attacker with write access to the bucket forges one that would
  /// make a purge look begun, or done.
  @Test(arguments: ["pending", "final", "ahead"])
  func aForgedManifestStopsNoPurge(kind: String) async throws {
    try shop.succeed("publish", "qa")
    try shop.succeed("purge", "--channel", "qa", "product/iris", "--reason", "Old")
    let final = "site/qa/purges/1.plist"
    var manifest = try #require(try sandbox.value(final).members)
    manifest["asked"] = ["product/rose"]
    manifest["entries"] = ["product/rose"]
    if kind == "ahead" { manifest["sequence"] = 7 }
    let name = try #require(manifest["record"]?.digest).hex.prefix(16)
    let path = ["pending": "1-\(name)", "final": "1", "ahead": "7"][kind] ?? ""
    try sandbox.shell("rm -r site/qa/purges")
    try sandbox.write(
      "site/qa/purges/\(path).plist", bytes: PropertyList.encode(.dictionary(manifest), as: .binary)
    )
    let outcome = try shop.run(
      "purge", "--channel", "qa", "product/rose", "--reason", "A swear word")
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try await shop.titles() == [:])
    try shop.expectVerified()
    // Nor does it hinder what follows.
    guard case .data(let config)? = try shop.served()["config"] else { return }
    #expect(try PropertyList.decode(config).value["purge"]?["missedAfter"] == nil)
    try shop.succeed("maintenance", "on", "qa")
    try shop.succeed("maintenance", "off", "qa")
  }

  /// A purge in the same words that was killed is finished, since its record proves its manifest, also
  /// if an attacker copies the record, or writes another final manifest.
  @Test func finishesAPurgeThatItsRecordProves() async throws {
    try shop.succeed("publish", "qa")
    let words = ["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"]
    try shop.succeed(words)
    let final = "site/qa/purges/1.plist"
    let name = try #require(try sandbox.value(final)["record"]?.digest).hex.prefix(16)
    var manifest = try #require(try sandbox.value(final).members)
    manifest["entries"] = ["product/iris"]
    try sandbox.shell("mv \(final) site/qa/purges/1-\(name).plist")
    try sandbox.shell("cd site/qa/releases && cp 2-\(name).plist 10-\(name).plist")
    try sandbox.write(final, bytes: PropertyList.encode(.dictionary(manifest), as: .binary))
    let status = try shop.succeed("status", "qa", "--json")
    let left = status?["channels"]?["qa"]?["unfinishedPurges"]?.items
    #expect(left?.compactMap { $0["sequence"]?.number } == [1])
    try shop.succeed(words)
    #expect(try shop.release() == 2)
    #expect(try sandbox.value(final)["entries"] == ["product/rose"])
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
    #expect(asked.status == 69 && asked.errors.contains("--to-signed"), "\(asked)")
    #expect(try shop.run("maintenance", "on", "qa").status == 69)
    let status = try shop.run("status", "qa", "--fail-under", "25%")
    #expect(status.status == 2 && status.errors.contains("is not signed"), "\(status)")
    let json = try shop.succeed("publish", "qa", "--to-signed", "--json", "--dry-run")
    let takenOver: Value = ["release": 1, "purge": 0, "maintenance": false]
    #expect(json?["takenOver"] == takenOver)
    let turnedOn = try shop.run("publish", "qa", "--to-signed")
    #expect(turnedOn.output.contains("the number of release 1, no purge, maintenance off\n"))
    try shop.expectVerified()
    #expect(try shop.release() == 2)
    try shop.succeed("status", "qa", "--fail-under", "25%")
    #expect(try await shop.titles()["product/rose"] == "Rose")
    #expect(try shop.run("publish", "qa", "--to-unsigned").status == 64)
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing(", signing: {keys: keys/qa}", with: ""))
    try sandbox.write("content/entries/product/rose.yaml", "title: Newer\n")
    let off = try shop.run("publish", "qa")
    #expect(off.status == 69 && off.errors.contains("--to-unsigned"), "\(off)")
    try shop.succeed("publish", "qa", "--to-unsigned")
    #expect(try shop.served()["format"] == 1)
    #expect(try await shop.titles()["product/rose"] == "Newer")
    #expect(try shop.run("publish", "qa", "--to-signed").status == 64)
    // And on again.
    try sandbox.write("content/content.yaml", SignedShop.project)
    try shop.succeed("publish", "qa", "--to-signed")
    #expect(try shop.served()["format"] == 2)
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
    guard case .data(let inner)? = try shop.served()["config"] else { return }
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

  @Test(arguments: ["json", "xml"]) func signsInEveryFormat(format: String) async throws {
    try sandbox.write("content/content.yaml", "format: \(format)\n" + SignedShop.project)
    try shop.succeed("publish", "qa")
    let name = format == "json" ? "site/qa/config.json" : SignedShop.config
    try shop.succeed("verify", name, "--channel", "qa", "--objects")
    let read = try sandbox.script("verify-config.py", name, "content/keys/qa/1.json", "shop", "qa")
    #expect(read.status == 0 && read.output == "1\n", "\(read)")
  }
}
