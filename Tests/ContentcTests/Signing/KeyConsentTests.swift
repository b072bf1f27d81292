import ContentModel
import PropertyLists
import SiteFormat
import Testing

@testable import TestCommands

/// What people see of key documents before these count, and what commands refuse.
@Suite struct KeyConsentTests {
  private let shop: SignedShop

  init() throws { shop = try SignedShop() }

  private var sandbox: Sandbox { shop.sandbox }

  private static let document = "content/keys/qa/2.json"

  /// Adds a key to the role `release` and removes the first one, without signatures.
  private func replaceReleaseKey() throws {
    let key = try shop.makeKey("ci")
    try shop.succeed("keys", "add", "qa", "--release", key, "--fresh", key)
    try shop.succeed("keys", "remove", "qa", "--key", "release")
  }

  // MARK: Signing

  /// A proposal brings a document with a stranger's key in all roles.
  @Test func aProposalIsShownBeforeItIsSigned() throws {
    let key = "mallory=\(try shop.makeKey("mallory"))"
    try shop.succeed("keys", "add", "qa", "--keys", key, "--release", key, "--fresh", key)
    let proposed = try #require(sandbox.read(Self.document))
    // The owner's machine has the key that signs documents.
    try shop.writeSettings([
      ("qa", "keys", "keys"), ("qa", "release", "release"), ("qa", "fresh", "release"),
    ])
    let blind = try shop.run("keys", "sign", "qa")
    #expect(blind.status == 64, "\(blind)")
    for role in ["keys", "release", "fresh"] {
      let line = blind.errors.split(separator: "\n").first { $0.contains("adds to '\(role)': ") }
      #expect(line?.hasSuffix(" mallory") == true, "\(blind.errors)")
    }
    #expect(sandbox.read(Self.document) == proposed)
    // A change of the same document signs nothing.
    for change in [["renew", "qa"], ["add", "qa", "--threshold", "keys=1"]] {
      let changed = try shop.succeed(["keys"] + change + ["--json"])
      #expect(changed?["isSigned"] == false, "\(change)")
      #expect(
        changed?["changes"]?.items?.contains { $0.text?.hasSuffix(" mallory") == true } == true)
    }
    let other = try shop.run("keys", "sign", "qa", "--expect", String(repeating: "0", count: 64))
    #expect(other.status == 1 && other.errors.contains("its SHA-256 is"), "\(other)")
    try shop.succeed("keys", "sign", "qa", "--expect", shop.documentHash())
    #expect(
      try shop.succeed("keys", "show", "qa", "--json")?["documents"]?.items?.last?["isSigned"]
        == true)
  }

  /// A change that its owner has just asked for is signed at once, by the signers of the machine.
  @Test func aNewDocumentIsSignedByItsOwner() throws {
    try shop.writeSettings([("qa", "keys", "keys"), ("qa", "release", "release")])
    let renewed = try shop.run("keys", "renew", "qa")
    #expect(renewed.status == 0 && renewed.output.contains("signed; it counts"), "\(renewed)")
    #expect(renewed.output.contains("its SHA-256 is"), "\(renewed)")
  }

  @Test(arguments: [("y", 0), ("n", 64), ("", 64)] as [(String, Int32)])
  func aPersonAtATerminalIsAsked(answer: String, status: Int32) throws {
    try replaceReleaseKey()
    let before = sandbox.read(Self.document)
    let outcome = try sandbox.run(
      "/bin/sh",
      [
        "-c",
        "printf '\(answer)\\n' | script -qec \"'\(Sandbox.binary)' keys sign qa --with secrets/keys.pem\" /dev/null",
      ])
    #expect(outcome.status == status, "\(outcome)")
    #expect(outcome.output.contains("removes from 'release'"), "\(outcome)")
    #expect(outcome.output.contains("Sign it? [y/N]"), "\(outcome)")
    #expect((sandbox.read(Self.document) == before) == (status != 0))
  }

  // MARK: Reporting

  @Test func aRotationThatNobodySignedIsReported() throws {
    try shop.succeed("publish", "qa")
    try replaceReleaseKey()
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    for command in [["publish", "qa"], ["status", "qa"], ["resign", "qa"]] {
      let outcome = try shop.run(command)
      #expect(outcome.status == 0, "\(outcome)")
      #expect(
        outcome.errors.contains("key document 2 of 'qa' does not count")
          && outcome.errors.contains(
            /until it has them, the key that it removes \([0-9a-f]{16} release\) still counts/),
        "\(command): \(outcome.errors)")
    }
    let monitored = try shop.run("status", "qa", "--fail-under", "25%")
    #expect(
      monitored.status == 2 && monitored.errors.contains("[unsigned-key-document]"), "\(monitored)")
    try shop.sign()
    #expect(try shop.run("status", "qa").errors.contains("does not count") == false)
  }

  @Test func allKeysThatAPendingDocumentRemovesAreNamed() throws {
    let (ann, ci) = (try shop.makeKey("ann"), try shop.makeKey("ci"))
    try shop.succeed("keys", "add", "qa", "--release", ann, "--fresh", ann)
    try shop.sign()
    try shop.succeed("publish", "qa")
    try shop.succeed("keys", "add", "qa", "--release", ci, "--fresh", ci)
    try shop.succeed("keys", "remove", "qa", "--key", "release", "--key", "ann")
    let status = try shop.run("status", "qa")
    #expect(
      status.errors.contains(
        /the keys that it removes \([0-9a-f]{16} [a-z]+, [0-9a-f]{16} [a-z]+\) still count/),
      "\(status)")
  }

  /// The content is the same, and the new keys sign the live release.
  @Test func aPublicationOfTheSameContentSaysThatItSignedAgain() throws {
    try shop.succeed("publish", "qa")
    try replaceReleaseKey()
    try shop.sign()
    try shop.writeSettings([("qa", "release", "ci"), ("qa", "fresh", "ci")])
    let outcome = try shop.run("publish", "qa")
    #expect(
      outcome.status == 0 && outcome.output.hasPrefix("Signed again: release 1"), "\(outcome)")
    #expect(try shop.run("publish", "qa").output.hasPrefix("Nothing to do"))
    try shop.expectVerified()
  }

  @Test func missingSignersAndKeysAreNamed() throws {
    let home = ["HOME=\(sandbox.root)"]
    let outcome = try sandbox.run(Sandbox.binary, ["publish", "qa"], environment: home)
    #expect(
      outcome.status == 69 && outcome.errors.contains("there is no settings file"), "\(outcome)")
    try shop.writeSettings([("qa", "fresh", "release")])
    let half = try shop.run("publish", "qa")
    #expect(half.errors.contains("has no signer of the role 'release' for 'qa'"), "\(half)")
    let (ann, bob) = (try shop.makeKey("ann"), try shop.makeKey("bob"))
    let added = try shop.run("keys", "add", "qa", "--keys", ann, "--keys", bob)
    #expect(
      added.output.contains(/by the keys of document 1: [0-9a-f]{16} keys\n/), "\(added.output)")
    let shown = try shop.run("keys", "show", "qa")
    #expect(
      shown.output.contains(#/keys of document 2, lacks [0-9a-f]{16} [a-z]+ or /#),
      "\(shown.output)")
  }

  /// `status` and `verify` report a config that is signed for longer than the channel signs.
  @Test func aConfigThatIsSignedForYearsIsReported() throws {
    try sandbox.write(
      "content/content.yaml",
      SignedShop.project.replacing("{keys: keys/qa}", with: "{keys: keys/qa, validFor: 400d}"))
    try shop.succeed("publish", "qa")
    try sandbox.write("content/content.yaml", SignedShop.project)
    let status = try shop.run("status", "qa")
    #expect(status.status == 0 && status.errors.contains("is signed for 400d"), "\(status)")
    let verified = try shop.run("verify", SignedShop.config, "--channel", "qa")
    #expect(verified.status == 0 && verified.errors.contains("[signature-length]"), "\(verified)")
  }

  /// In whole days, both times would be one day.
  @Test func theTimeOfASignatureIsNamedToTheSecond() throws {
    func setTime(_ span: String) throws {
      try sandbox.write(
        "content/content.yaml",
        SignedShop.project.replacing(
          "{keys: keys/qa}", with: "{keys: keys/qa, validFor: \(span)}"))
    }
    try setTime("36h")
    try shop.succeed("publish", "qa")
    try setTime("25h")
    let status = try shop.run("status", "qa")
    #expect(
      status.errors.contains("is signed for 1d12h, until")
        && status.errors.contains("'validFor' is 1d1h"), "\(status)")
  }

  // MARK: Refusals

  /// Two branches each make and sign a document 2, and the first one publishes.
  @Test func theDocumentOfAnotherBranchIsNotReplaced() throws {
    try shop.succeed("publish", "qa")
    let (first, second) = (try shop.makeKey("first"), try shop.makeKey("second"))
    try sandbox.shell("cp -R content main")
    try shop.succeed("keys", "add", "qa", "--release", first)
    try shop.sign()
    try shop.succeed("resign", "qa")
    try shop.expectVerified()
    let live = sandbox.read(SignedShop.config)
    try sandbox.shell("mv content other && mv main content")
    try shop.succeed("keys", "add", "qa", "--release", second)
    try shop.sign()
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    for command in [
      ["publish", "qa"], ["resign", "qa"], ["keys", "replace", "qa"],
      ["purge", "--channel", "qa", "product/rose", "--reason", "x"],
    ] {
      let outcome = try shop.run(command)
      #expect(
        outcome.status == 69 && outcome.errors.contains("another key document 2 than the content"),
        "\(command): \(outcome)")
      #expect(!outcome.errors.contains("or replace it by"), "\(outcome)")
      #expect(sandbox.read(SignedShop.config) == live)
    }
    // The message's advice.
    try sandbox.shell("cp other/keys/qa/2.json content/keys/qa/2.json")
    try shop.succeed("keys", "add", "qa", "--release", second)
    try shop.sign()
    try shop.succeed("publish", "qa")
    try shop.expectVerified()
    #expect(try shop.served()["keys"]?.items?.count == 2)
  }

  @Test(arguments: [".git/x", ".git"]) func noSecretKeyIsMadeInAGitRepository(git: String) throws {
    try sandbox.write(git, "x")
    let refused = try shop.run("keys", "init", "live", "--new", "./k")
    #expect(
      refused.status == 64 && refused.errors.contains("is in the git repository"), "\(refused)")
    #expect(sandbox.files(below: "k").isEmpty && sandbox.read("content/keys/live/1.json") == nil)
  }

  @Test func noKeyHasTheNameOfAnotherKeysID() throws {
    let key = try shop.makeKey("ci")
    let refused = try shop.run("keys", "add", "qa", "--release", "3fa9c61d20b7e458=\(key)")
    #expect(refused.status == 64 && refused.errors.contains("another key's id"), "\(refused)")
    #expect(sandbox.read(Self.document) == nil)
  }

  @Test func aDocumentCountsForTwoYearsAtMost() throws {
    let refused = try shop.run("keys", "renew", "qa", "--valid-for", "732d")
    #expect(refused.status == 64 && refused.errors.contains("731 days are the most"), "\(refused)")
    #expect(sandbox.read(Self.document) == nil)
    try shop.succeed("keys", "renew", "qa", "--valid-for", "731d")
  }

  // MARK: The memory of `verify`

  @Test func aMemoryThatCannotBeUsedIsNoAttack() throws {
    try shop.succeed("publish", "qa")
    let words = ["verify", SignedShop.config, "--channel", "qa", "--memory", "m"]
    try sandbox.shell("mkfifo m")
    let pipe = try shop.run(words)
    #expect(pipe.status == 74 && pipe.errors.contains("no regular file"), "\(pipe)")
    try sandbox.shell("rm m && echo damaged > m")
    let damaged = try shop.run(words)
    #expect(damaged.status == 74 && damaged.errors.contains("[unreadable-file]"), "\(damaged)")
  }

  @Test func aRefusalHasAReasonForPrograms() throws {
    try shop.succeed("publish", "qa")
    try sandbox.shell("cp \(SignedShop.config) old.plist")
    try sandbox.write("content/entries/product/rose.yaml", "title: New\n")
    try shop.succeed("publish", "qa")
    let words = ["--channel", "qa", "--memory", "m", "--json"]
    try shop.succeed(["verify", SignedShop.config] + words)
    let old = try shop.run(["verify", "old.plist"] + words)
    #expect(old.status == 1)
    #expect(try PropertyList.decode(Array(old.output.utf8)).value["reason"] == "olderRelease")
    let other = try shop.run("verify", "content/content.yaml", "--channel", "qa", "--json")
    #expect(try PropertyList.decode(Array(other.output.utf8)).value["reason"] == "malformed")
  }
}
