import ContentModel
import PropertyLists
import Testing

@testable import TestCommands

/// Changes of keys, by one person and by several, and stolen ones.
@Suite struct KeyRotationTests {
  private let shop: SignedShop

  init() throws { shop = try SignedShop() }

  private var sandbox: Sandbox { shop.sandbox }

  private func edit(_ title: String) throws {
    try sandbox.write("content/entries/product/rose.yaml", "title: \(title)\n")
  }

  /// The signer of key documents is not in the settings: the owner brings the file.
  private func sign(_ key: String = "keys") throws { try shop.sign(key) }

  @Test func anAppFollowsFromTheFirstDocumentToTheFifth() throws {
    try shop.succeed("publish", "qa")
    for version in 2...5 {
      let name = "ci\(version)"
      let key = try shop.makeKey(name)
      try shop.succeed("keys", "add", "qa", "--release", key, "--fresh", key)
      try sign()
      try shop.writeSettings([("qa", "release", name), ("qa", "fresh", name)])
      try edit("Rose \(version)")
      try shop.succeed("publish", "qa")
      #expect(try shop.served()["keys"]?.items?.count == version - 1)
      try shop.expectVerified(pinning: 1)
    }
    try shop.succeed("verify", SignedShop.config, "--keys", "content/keys/qa/4.json")
    // A reader in another language, which shares no code.
    for version in [1, 3, 5] {
      let read = try sandbox.script(
        "verify-config.py", SignedShop.config, "content/keys/qa/\(version).json", "shop", "qa")
      #expect(read.status == 0 && read.output == "5\n", "\(read)")
    }
    let other = try sandbox.script(
      "verify-config.py", SignedShop.config, "content/keys/qa/1.json", "shop", "live")
    #expect(other.status != 0 && other.errors.contains("another channel"), "\(other)")
    let shown = try shop.succeed("keys", "show", "qa", "--json")
    #expect(shown?["documents"]?.items?.map { $0["isSigned"] } == Array(repeating: true, count: 5))
  }

  /// The signatures of a config cost at most 850 bytes, and a document of five keys 1.6 kB.
  @Test(arguments: ["binary", "json", "xml"])
  func signaturesCostFewBytes(format: String) throws {
    try sandbox.write("content/content.yaml", "format: \(format)\n" + SignedShop.project)
    let path = format == "json" ? "site/qa/config.json" : SignedShop.config
    func publish(_ title: String) throws -> (served: Int, inside: Int) {
      try edit(title)
      try shop.succeed("publish", "qa")
      let inside: Int
      let text = String(decoding: sandbox.read(path) ?? [], as: UTF8.self)
      switch try shop.served(path)["config"] {
      case .data(let bytes):
        // Base64 has line breaks in XML.
        let lines = text.split(separator: "<key>config</key>").last?.split(separator: "</data>")
        inside = format == "xml" ? lines?.first?.utf8.count ?? 0 : bytes.count
      case .string(let text): inside = text.utf8.count
      default: inside = 0
      }
      return (sandbox.read(path)?.count ?? 0, inside)
    }
    let first = try publish("One")
    #expect(first.served - first.inside <= (format == "binary" ? 850 : 1_500), "\(first)")
    let names = ["ann", "bob", "ci"]
    let keys = try names.map { "\($0)=\(try shop.makeKey($0))" }
    try shop.succeed(
      "keys", "add", "qa", "--keys", keys[0], "--keys", keys[1], "--release", keys[2])
    for key in ["keys", "ann"] { try sign(key) }
    let second = try publish("Two")
    let more = (second.served - second.inside) - (first.served - first.inside)
    #expect(more > 500 && more <= 1_600, "\(more)")
  }

  @Test func aDocumentCountsOnceItIsSigned() throws {
    try shop.succeed("publish", "qa")
    let key = try shop.makeKey("ci")
    let added = try shop.run("keys", "add", "qa", "--release", key)
    #expect(added.status == 0 && added.output.contains("lacks 1 of 1 signatures"), "\(added)")
    try edit("New")
    try shop.succeed("publish", "qa")
    #expect(try shop.served()["keys"] == nil)
    // The document changes until it is signed.
    try shop.succeed("keys", "add", "qa", "--fresh", key)
    #expect(sandbox.read("content/keys/qa/3.json") == nil)
    try sign()
    try shop.succeed("resign", "qa")
    #expect(try shop.served()["keys"]?.items?.count == 1)
    try shop.expectVerified()
  }

  @Test func twoPersonsSignInTurn() throws {
    let (ann, bob) = (try shop.makeKey("ann"), try shop.makeKey("bob"))
    try shop.succeed(
      "keys", "add", "qa", "--keys", "Ann=\(ann)", "--keys", "Bob=\(bob)", "--threshold", "keys=2")
    try sign()
    let half = try shop.run("keys", "show", "qa")
    #expect(half.output.contains("by 1 of 1 keys of document 1"), "\(half.output)")
    #expect(half.output.contains("by 1 of 2 keys of document 2"), "\(half.output)")
    try sign("ann")
    let document = sandbox.read("content/keys/qa/2.json")
    try sign("release")
    #expect(sandbox.read("content/keys/qa/2.json") == document, "it is none of the role")
    try shop.succeed("publish", "qa")
    #expect(try shop.served()["keys"]?.items?.count == 1)
    try shop.succeed("keys", "remove", "qa", "--key", "keys")
    try sign("ann")
    let lacks = try shop.run("keys", "show", "qa")
    #expect(lacks.output.contains("by 1 of 2 keys of document 2"), "\(lacks.output)")
    try sign("bob")
    try edit("New")
    try shop.succeed("publish", "qa")
    try shop.expectVerified()
  }

  /// The thief signs a release of his own, with a number that no later one reaches.
  @Test(arguments: [false, true]) func recoversFromAStolenReleaseKey(sawTheThief: Bool) throws {
    try shop.succeed("publish", "qa")
    try shop.expectVerified()
    // Another machine, which has the stolen key.
    try sandbox.shell("cp -R .contentc own")
    try edit("Hacked")
    try shop.succeed("publish", "qa", "--above", "900000")
    try shop.expectVerified()
    try sandbox.shell("rm -rf .contentc && cp -R own .contentc")
    if sawTheThief { try shop.succeed("status", "qa") }
    let key = try shop.makeKey("ci")
    try shop.succeed("keys", "add", "qa", "--release", key, "--fresh", key)
    try shop.succeed("keys", "remove", "qa", "--key", "release")
    let low = try shop.run("keys", "recover", "qa", "--release", "2", "--purge", "0")
    #expect(low.status == 64 && low.errors.contains("release 900001 and purge 0"), "\(low)")
    try shop.succeed(
      "keys", "recover", "qa", "--release", "2", "--purge", "0", "--discard-live")
    try sign()
    #expect(sandbox.read("content/keys/qa/3.json") == nil, "one document for all of it")
    try shop.writeSettings([("qa", "release", "ci"), ("qa", "fresh", "ci")])
    try edit("Rose")
    let refused = try shop.run("publish", "qa")
    #expect(refused.status == 69 && refused.errors.contains("does not verify"), "\(refused)")
    try shop.succeed("keys", "recovered", "qa")
    #expect(try shop.release() == 2)
    // An app that accepted the thief's release.
    try shop.expectVerified(pinning: 1)
    let replay = try shop.served()
    #expect(replay["keys"]?.items?.count == 1)
    // Later documents repeat the floors, which say nothing about the present release.
    try edit("Newer")
    try shop.succeed("publish", "qa", "--above", "100")
    let purge = ["purge", "--channel", "qa", "product/rose", "--reason", "A swear word"]
    try shop.succeed(purge)
    let done = try shop.run("keys", "recovered", "qa")
    #expect(done.status == 64 && done.errors.contains("is published already"), "\(done)")
    try shop.succeed("keys", "renew", "qa")
    try sign()
    try sandbox.shell("rm -rf .contentc")
    let unknown = try shop.run("keys", "replace", "qa")
    #expect(unknown.status == 64 && unknown.errors.contains("--not-below N"), "\(unknown)")
    // An app that has seen the purge accepts no config with an earlier one.
    try shop.succeed(
      "keys", "replace", "qa", "--not-below", "102", "--unpurge", "product/rose")
    try shop.expectVerified(pinning: 1)
    guard case .data(let config)? = try shop.served()["config"] else {
      Issue.record("no signed config")
      return
    }
    #expect(try PropertyList.decode(config).value["purge"]?["sequence"] == 1)
  }

  /// A rotation that removes the key which signed what is live.
  @Test func acceptsWhatItPublishedBeforeARotation() throws {
    try shop.succeed("publish", "qa")
    let key = try shop.makeKey("ci")
    try shop.succeed("keys", "add", "qa", "--release", key, "--fresh", key)
    try shop.succeed("keys", "remove", "qa", "--key", "release")
    try sign()
    try shop.writeSettings([("qa", "release", "ci"), ("qa", "fresh", "ci")])
    try sandbox.shell("cp -R .contentc spare && rm -rf .contentc")
    let refused = try shop.run("resign", "qa")
    #expect(refused.status == 69 && refused.errors.contains("keys accept qa FILE"), "\(refused)")
    // Another machine gets a copy, and accepts no other config.
    let before = try #require(sandbox.read(SignedShop.config))
    try sandbox.write("copy.plist", bytes: before)
    let other = try SignedShop()
    try other.succeed("publish", "qa")
    try sandbox.write("foreign.plist", bytes: try #require(other.sandbox.read(SignedShop.config)))
    let foreign = try shop.run("keys", "accept", "qa", "foreign.plist")
    #expect(foreign.status == 1 && foreign.errors.contains("does not verify"), "\(foreign)")
    #expect(try shop.run("resign", "qa").status == 69)
    let accepted = try shop.succeed("keys", "accept", "qa", "copy.plist", "--json")
    #expect(accepted?["release"] == 1)
    #expect(sandbox.read(SignedShop.config) == before)
    try shop.succeed("resign", "qa")
    try shop.expectVerified()
    // The machine that published it knows it.
    try sandbox.write("x", bytes: before)
    try sandbox.shell("cp x \(SignedShop.config) && rm -rf .contentc && cp -R spare .contentc")
    try shop.succeed("resign", "qa")
    try shop.expectVerified()
    #expect(try shop.release() == 1)
  }

  /// A mistyped number, too, needs a new key: apps of earlier versions would accept what the old one
  /// signed.
  @Test(arguments: [[], ["status", "qa"], ["resign", "qa"], ["publish", "qa"]])
  func recoversFromAMistypedNumber(between command: [String]) throws {
    try shop.succeed("publish", "qa")
    try edit("Mistyped")
    try shop.succeed("publish", "qa", "--above", "900000")
    let recover = ["keys", "recover", "qa", "--release", "2", "--purge", "0", "--discard-live"]
    let key = try shop.makeKey("ci")
    for change in [[], ["keys", "add", "qa", "--release", key, "--fresh", key]] {
      if !change.isEmpty { try shop.succeed(change) }
      let unchanged = try sandbox.run(Sandbox.binary, recover)
      #expect(
        unchanged.status == 64 && unchanged.errors.contains("would keep all release keys"),
        "\(unchanged)")
    }
    try shop.succeed("keys", "remove", "qa", "--key", "release")
    try shop.succeed(recover)
    try sign()
    try shop.writeSettings([("qa", "release", "ci"), ("qa", "fresh", "ci")])
    if !command.isEmpty {
      let outcome = try sandbox.run(
        Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      let isRefused = outcome.status == 69 && outcome.errors.contains("keys recovered qa")
      #expect(command[0] == "status" ? outcome.status == 0 : isRefused, "\(outcome)")
    }
    try edit("Rose")
    try shop.succeed("keys", "recovered", "qa")
    #expect(try shop.release() == 2)
    try shop.expectVerified(pinning: 1)
    try edit("Next")
    try shop.succeed("publish", "qa")
    let last = try shop.release()
    #expect(last > 2)
    // The floors of the recovery say nothing about what followed.
    try sandbox.shell("rm -rf .contentc && printf junk > \(SignedShop.config)")
    let unknown = try shop.run("keys", "replace", "qa")
    #expect(unknown.status == 64 && unknown.errors.contains("--not-below N"), "\(unknown)")
    for number in ["9007199254740992", "9223372036854775807"] {
      for words in [["keys", "replace", "qa", "--not-below"], ["publish", "qa", "--above"]] {
        let refused = try shop.run(words + [number])
        #expect(refused.status == 64 && refused.errors.contains("must be from 1 to"), "\(refused)")
      }
    }
    try shop.succeed("keys", "replace", "qa", "--not-below", "\(last)")
    #expect(try shop.release() == last + 1)
  }

  /// A thief of a `fresh` key can keep readers at a release, until the key is removed.
  @Test func replacesAStolenFreshKey() throws {
    let job = try shop.makeKey("job")
    try shop.succeed("keys", "add", "qa", "--fresh", job)
    try sign()
    try shop.writeSettings([("qa", "release", "release"), ("qa", "fresh", "job")])
    try shop.succeed("publish", "qa")
    try shop.expectVerified()
    try sandbox.shell("cp \(SignedShop.config) old.plist")
    let next = try shop.makeKey("next")
    try shop.succeed("keys", "add", "qa", "--fresh", next)
    try shop.succeed("keys", "remove", "qa", "--key", "job")
    try sign()
    try shop.writeSettings([("qa", "release", "release"), ("qa", "fresh", "next")])
    try shop.succeed("resign", "qa")
    #expect(try shop.release() == 1)
    try shop.expectVerified()
    // An app that adopted the new key document refuses statements by the stolen key.
    try sandbox.shell("mkdir -p thief/qa && cp old.plist thief/qa/config.plist")
    let refused = try shop.run(
      "verify", "thief/qa/config.plist", "--keys", "content/keys/qa/1.json", "--channel", "qa",
      "--memory", "memory.plist")
    #expect(refused.status == 1 && refused.errors.contains("'fresh'"), "\(refused)")
  }

  /// Signing again the thief's config does not make it the publisher's.
  @Test func neverSignsAStolenConfigWithNewKeys() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp -R .contentc own")
    try edit("Hacked")
    // Another machine, which has the stolen key.
    try shop.succeed("publish", "qa")
    try sandbox.shell("rm -rf .contentc && cp -R own .contentc")
    // The daily job of the owner.
    try shop.succeed("resign", "qa")
    let key = try shop.makeKey("ci")
    try shop.succeed("keys", "add", "qa", "--release", key, "--fresh", key)
    try shop.succeed("keys", "remove", "qa", "--key", "release")
    try sign()
    try shop.writeSettings([("qa", "release", "ci"), ("qa", "fresh", "ci")])
    let outcome = try shop.run("resign", "qa")
    #expect(outcome.status == 69 && outcome.errors.contains("keys recover qa"), "\(outcome)")
  }

  /// The hash of a live config that only a removed key signed may be that of a thief's.
  @Test func noMessageOffersTheThiefsHash() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp -R .contentc own && cp \(SignedShop.config) copy.plist")
    try edit("Hacked")
    try shop.succeed("publish", "qa")
    guard case .data(let config)? = try shop.served()["config"] else {
      Issue.record("no signed config")
      return
    }
    let hash = Digest(of: config).hex
    try sandbox.shell("rm -rf .contentc && cp -R own .contentc")
    let key = try shop.makeKey("ci")
    try shop.succeed("keys", "add", "qa", "--release", key, "--fresh", key)
    try shop.succeed("keys", "remove", "qa", "--key", "release")
    try sign()
    try shop.writeSettings([("qa", "release", "ci"), ("qa", "fresh", "ci")])
    try edit("Rose")
    let commands: [[String]] = [
      ["publish", "qa"], ["publish", "qa", "--dry-run"], ["publish", "qa", "--draft", "draft"],
      ["resign", "qa"], ["resign", "qa", "--draft", "draft"], ["status", "qa"], ["diff", "qa"],
      ["history", "qa"], ["purge", "--channel", "qa"],
      ["purge", "--channel", "qa", "product/rose", "--reason", "x"],
      ["purge", "--channel", "qa", "product/rose", "--dry-run"], ["maintenance", "on", "qa"],
      ["maintenance", "status", "qa"], ["rollback", "qa"], ["prune", "qa"],
      ["promote", "qa", "qa"], ["bake", "qa", "--to", "baked", "--from-target"],
      ["keys", "on", "qa"], ["keys", "recovered", "qa"], ["keys", "accept", "qa", "copy.plist"],
      ["keys", "show", "qa"],
    ]
    func expectNoHash() throws {
      for command in commands + commands.map({ $0 + ["--json"] }) {
        let outcome = try shop.run(command)
        let isShown = (outcome.output + outcome.errors).contains(hash.prefix(16))
        #expect(!isShown, "\(command): \(outcome)")
      }
    }
    try expectNoHash()
    for command in [["publish", "qa"], ["resign", "qa"], ["purge", "--channel", "qa"]] {
      let refused = try shop.run(command)
      #expect(refused.status == 69 && refused.errors.contains("keys recover qa"), "\(refused)")
    }
    let recovery = ["keys", "recover", "qa", "--release", "2", "--purge", "0"]
    let low = try shop.run(recovery)
    #expect(low.status == 0 && low.errors.contains("[unverified]"), "\(low)")
    #expect(!(low.output + low.errors).contains(hash.prefix(16)), "\(low)")
    try sign()
    let refused = try shop.run("publish", "qa")
    #expect(refused.status == 69 && refused.errors.contains("keys recovered qa"), "\(refused)")
    try shop.succeed("keys", "recovered", "qa")
    #expect(try shop.release() == 2)
    try shop.expectVerified()
  }

  /// An emergency kept the state of a restored config, which a recovery follows.
  @Test func statusNamesTheRecoveryThatMustFollowARestoredConfig() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp \(SignedShop.config) old")
    try edit("New")
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp old \(SignedShop.config)")
    try shop.succeed("maintenance", "on", "qa")
    let key = try shop.makeKey("ci")
    try shop.succeed("keys", "add", "qa", "--release", key, "--fresh", key)
    try shop.succeed("keys", "remove", "qa", "--key", "release")
    try shop.succeed("keys", "recover", "qa", "--release", "4", "--purge", "0")
    try sign()
    try shop.writeSettings([("qa", "release", "ci"), ("qa", "fresh", "ci")])
    let status = try shop.run("status", "qa")
    #expect(
      status.status == 2 && status.errors.contains("then: contentc keys recovered qa")
        && !status.errors.contains("--above") && !status.errors.contains("'contentc maintenance"),
      "\(status)")
    try shop.succeed("keys", "recovered", "qa")
    #expect(try shop.release() == 4)
    try shop.expectVerified()
    try shop.succeed("status", "qa")
  }

  // MARK: Mistakes

  /// A recovery whose target is mistyped would compare its numbers with nothing.
  @Test func aRecoveryNeedsARightTarget() throws {
    try shop.succeed("publish", "qa")
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing("qa: {target: site", with: "qa: {target: [site]"))
    let outcome = try shop.run("keys", "recover", "qa", "--release", "9", "--purge", "0")
    #expect(outcome.status == 1 && outcome.errors.contains("content.yaml"), "\(outcome)")
    #expect(!outcome.errors.contains("ContentMistakes"), "\(outcome)")
    #expect(sandbox.read("content/keys/qa/2.json") == nil)
  }

  @Test func refusesWhatNobodyCouldUse() throws {
    let before = sandbox.tree("content")
    let key = try shop.makeKey("ci")
    let cases: [([String], Int32, String)] = [
      (["keys", "init", "qa", "--new", "others"], 64, "has a key document already"),
      (["keys", "init", "live", "--new", "content/keys"], 64, "is part of 'content'"),
      (["keys", "init", "live", "--new", "secrets"], 74, "there is such a key already"),
      (["keys", "init", "live"], 64, "--new FOLDER"),
      (["keys", "add", "qa", "--threshold", "release=3"], 64, "has 1 keys, and 3 must sign"),
      (
        ["keys", "add", "qa", "--threshold", "boss=1"], 64, "the roles are keys, release and fresh"
      ),
      (["keys", "add", "qa", "--release", "absent.pub"], 66, "does not exist"),
      (["keys", "add", "qa", "--release", "content/content.yaml"], 1, "is no Ed25519 public key"),
      (["keys", "add", "qa", "--release", "secrets/release.pem"], 64, "has the key"),
      (["keys", "remove", "qa", "--key", "nobody"], 64, "no key has the id or the name 'nobody'"),
      (["keys", "remove", "qa", "--key", "release"], 64, "has no key"),
      (["keys", "recover", "qa", "--release", "0", "--purge", "0"], 64, "at least 1"),
      (
        ["keys", "recover", "qa", "--release", "9223372036854775807", "--purge", "0"], 64, "at most"
      ),
      (["keys", "recover", "qa", "--release", "1", "--purge", "9007199254740992"], 64, "at most"),
      (["keys", "add", "qa"], 64, "Name a key"),
      (["keys", "shwo", "qa"], 64, "shwo"),
      (["keys", "recovered", "qa"], 64, "is no recovery"),
      (["keys", "accept", "qa", "absent"], 66, "does not exist"),
      (["keys", "accept", "qa", "content/content.yaml"], 1, "does not verify"),
      (["keys", "accept", "qa"], 64, "file"),
      (["verify", "absent"], 66, "does not exist"),
      (["verify", "content/content.yaml", "--channel", "qa"], 1, "an app would refuse"),
      (["verify", "content/content.yaml"], 64, "name a channel"),
    ]
    for (words, status, text) in cases {
      let outcome = try sandbox.run(Sandbox.binary, words)
      #expect(outcome.status == status, "\(words): \(outcome)")
      #expect(
        outcome.errors.lowercased().contains(text.lowercased()), "\(words): \(outcome.errors)")
    }
    _ = key
    #expect(sandbox.tree("content").map(\.path) == before.map(\.path))
    #expect(zip(sandbox.tree("content"), before).allSatisfy { $0.bytes == $1.bytes })
  }

  @Test(arguments: ["cut", "other app", "gap", "renamed"])
  func refusesDamagedDocuments(damage: String) throws {
    switch damage {
    case "cut": try sandbox.shell("truncate -s -20 content/keys/qa/1.json")
    case "other app":
      try sandbox.shell("sed -i 's/shop/shpo/' content/keys/qa/1.json")
    case "gap": try sandbox.shell("cp content/keys/qa/1.json content/keys/qa/3.json")
    default: try sandbox.shell("cp content/keys/qa/1.json content/keys/qa/2.json")
    }
    for command in [["keys", "show", "qa"], ["publish", "qa"]] {
      let outcome = try sandbox.run(Sandbox.binary, command)
      #expect(outcome.status == 1 && outcome.errors.contains("content/keys/qa/"), "\(outcome)")
    }
    #expect(sandbox.files(below: "site").isEmpty)
  }

  // MARK: Another program

  @Test(arguments: ["binary", "xml", "json"])
  func opensslVerifiesWhatIsServed(format: String) throws {
    try sandbox.write("content/content.yaml", "format: \(format)\n" + SignedShop.project)
    // Two keys sign releases, since the second document.
    let public2 = try shop.makeKey("release2")
    try shop.succeed("keys", "add", "qa", "--release", public2, "--threshold", "release=2")
    try shop.writeSettings([
      ("qa", "release", "release"), ("qa", "release", "release2"), ("qa", "fresh", "release"),
    ])
    try sign()
    try shop.succeed("publish", "qa")
    let name = format == "json" ? "site/qa/config.json" : SignedShop.config
    let outcome = try shop.run("verify", name, "--channel", "qa", "--emit", "proof")
    #expect(outcome.status == 0)
    let commands = outcome.output.split(separator: "\n").filter { $0.contains("openssl") }
    let names = ["keys1-", "keys2-", "release-", "release-", "fresh-"]
    #expect(commands.count == names.count && zip(commands, names).allSatisfy { $0.contains($1) })
    for command in commands {
      let done = try sandbox.shell(String(command))
      #expect(done.output.contains("Verified Successfully"), "\(done)")
    }
  }

  @Test func showsNoSecret() throws {
    let secret = String(
      decoding: sandbox.read("secrets/release.pem") ?? [], as: UTF8.self
    ).split(separator: "\n")[1].suffix(40)
    let hash = try shop.documentHash()
    for command in [
      ["publish", "qa"], ["status", "qa"], ["keys", "show", "qa"], ["resign", "qa", "--json"],
      ["keys", "sign", "qa", "--with", "secrets/release.pem", "--expect", hash],
      ["resign", "qa", "--draft", "draft"], ["sign", "import", "draft"],
      ["verify", SignedShop.config, "--channel", "qa", "--emit", "proof"],
    ] {
      let outcome = try sandbox.run(
        Sandbox.binary, command, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect(!outcome.output.contains(secret) && !outcome.errors.contains(secret), "\(command)")
    }
    for file in sandbox.tree() where !file.path.hasPrefix("secrets/") {
      #expect(!String(decoding: file.bytes, as: UTF8.self).contains(secret), "\(file.path)")
    }
  }
}
