import ContentModel
import Hashing
import PropertyLists
import SystemC
import Testing

@testable import TestCommands

/// Releases that are prepared on one machine, signed on another one, and published.
@Suite struct AirGappedTests {
  private let shop: SignedShop

  /// A channel whose `release` role needs two keys, which only other machines have.
  init() throws {
    shop = try SignedShop(withKeys: false)
    for name in ["root", "ann", "bob", "job"] { _ = try shop.makeKey(name) }
    try shop.writeSettings([("qa", "keys", "root"), ("qa", "fresh", "job")])
    try shop.succeed(
      "keys", "init", "qa", "--keys", "secrets/root.pub", "--release", "Ann=secrets/ann.pub",
      "--release", "Bob=secrets/bob.pub", "--fresh", "secrets/job.pub", "--threshold", "release=2")
  }

  private var sandbox: Sandbox { shop.sandbox }

  /// A hash of all files at the target, and of their names.
  private var state: Digest {
    Digest(
      of: sandbox.tree("site").flatMap { Array($0.path.utf8) + Digest(of: $0.bytes).bytes })
  }

  /// Signs on a machine that has neither the content nor the target: an empty folder.
  private func sign(
    _ folder: String = "prep", by keys: [String] = ["ann", "bob"],
    at location: SourceLocation = #_sourceLocation
  ) throws {
    for key in keys {
      let other = try Sandbox([])
      try sandbox.shell("cp -R \(folder) secrets/\(key).pem '\(other.root)/'")
      let outcome = try other.run(
        Sandbox.binary, ["keys", "sign", "--prepared", folder, "--with", "\(key).pem"])
      #expect(outcome.status == 0, "\(outcome)", sourceLocation: location)
      try sandbox.shell("rm -r \(folder) && cp -R '\(other.root)/\(folder)' .")
    }
  }

  /// Runs a command with --prepare, which leaves the target as it is.
  @discardableResult private func prepare(
    _ words: [String], at location: SourceLocation = #_sourceLocation
  ) throws -> Value? {
    let before = state
    let result = try run(words + ["--prepare", "prep", "--json"], status: 0, at: location)
    #expect(state == before, sourceLocation: location)
    return try? PropertyList.decode(Array(result.output.utf8)).value
  }

  @discardableResult private func run(
    _ words: [String], status: Int32, says text: String = "",
    at location: SourceLocation = #_sourceLocation
  ) throws -> Outcome {
    let outcome = try sandbox.run(
      Sandbox.binary, words, environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
    #expect(outcome.status == status, "\(words): \(outcome)", sourceLocation: location)
    #expect(outcome.errors.contains(text), "\(words): \(outcome.errors)", sourceLocation: location)
    return outcome
  }

  /// Prepares, signs and publishes.
  private func publish(_ words: [String] = ["publish", "qa"]) throws {
    try prepare(words)
    try sign()
    try run(words + ["--signatures", "prep"], status: 0)
    try sandbox.shell("rm -r prep")
  }

  private func edit(_ title: String) throws {
    try sandbox.write("content/entries/product/rose.yaml", "title: \(title)\n")
  }

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
    // Once more, as after an interruption.
    try run(["publish", "qa", "--signatures", "prep"], status: 0)
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

  // MARK: Damage

  /// Every file, changed in many places, cut, emptied, removed, replaced by a link, or another one.
  @Test func refusesDamagedFolders() throws {
    try publish()
    try edit("Second")
    try prepare(["publish", "qa"])
    try sign()
    // A machine with a signer would replace a damaged signature by its own.
    try shop.writeSettings([])
    try sandbox.shell("cp -R prep whole")
    let before = state
    let names = ["config", "fresh.json", "keys.json", "prepared.json", "release.json"]
    #expect(sandbox.files(below: "prep").sorted() == names.map { "prep/\($0)" })
    func refuse(_ what: String) throws {
      let outcome = try sandbox.run(
        Sandbox.binary, ["publish", "qa", "--signatures", "prep", "--built"],
        environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
      #expect([1, 64, 66, 69, 75].contains(outcome.status), "\(what): \(outcome)")
      #expect(outcome.errors.contains("prep"), "\(what): \(outcome.errors)")
      #expect(state == before, "\(what)")
      try sandbox.shell("rm -rf prep && cp -R whole prep")
    }
    for name in names {
      let bytes = try #require(sandbox.read("whole/\(name)"))
      for part in 0..<7 {
        var changed = bytes
        let place = part == 6 ? bytes.count - 1 : part * bytes.count / 6
        changed[place] ^= UInt8(1 << (part % 7))
        try sandbox.write("prep/\(name)", bytes: changed)
        try refuse("\(name), byte \(place)")
      }
      for count in [0, bytes.count / 2, bytes.count - 1] {
        try sandbox.write("prep/\(name)", bytes: Array(bytes.prefix(count)))
        try refuse("\(name) cut to \(count)")
      }
      try sandbox.write("prep/\(name)", bytes: bytes + bytes)
      try refuse("\(name) twice")
      for change in [
        "rm prep/\(name)", "rm prep/\(name) && mkdir prep/\(name)",
        "rm prep/\(name) && mkfifo prep/\(name)", "truncate -s 3G prep/\(name)",
      ] {
        try sandbox.shell(change)
        try refuse(change)
      }
    }
    try sandbox.write("prep/run.sh", "touch hacked\n")
    try refuse("another file")
    try sandbox.shell("rm -r prep")
    try refuse("no folder")
    try run(["publish", "qa", "--signatures", "prep", "--built"], status: 0)
  }

  // MARK: Mistakes

  @Test func refusesWhatHasNoMeaning() throws {
    try publish()
    try sandbox.shell("mkdir full empty && touch full/x")
    try edit("Second")
    let cases: [([String], Int32, String)] = [
      (["publish", "open", "--prepare", "a"], 64, "channel 'open' is not signed"),
      (["publish", "open", "--signatures", "a"], 64, "channel 'open' is not signed"),
      (["publish", "qa", "--prepare", "a", "--signatures", "a"], 64, "cannot be combined"),
      (["publish", "qa", "--prepare", "a", "--dry-run"], 64, "--dry-run cannot be combined"),
      (["publish", "qa", "--prepare", "full"], 64, "the folder has files already"),
      (["publish", "qa", "--prepare", "site/a"], 64, "which are public"),
      (["publish", "qa", "--prepare", "content/a"], 64, "which are public"),
      (["publish", "qa", "--prepare", "none/a"], 74, "cannot be written"),
      (["publish", "qa", "--signatures", "a"], 66, "does not exist"),
      (["maintenance", "status", "--prepare", "a"], 64, "need 'maintenance on' or 'off'"),
      (["keys", "sign", "--prepared", "a"], 66, "does not exist"),
    ]
    for (words, status, text) in cases { try run(words, status: status, says: text) }
    #expect(sandbox.read("site/a") == nil && sandbox.files(below: "a").isEmpty)
    try run(["publish", "qa", "--prepare", "empty"], status: 0)
    let wrong = ["keys", "sign", "--prepared", "empty", "--with", "secrets/root.pem"]
    try run(wrong, status: 69, says: "no signer of this machine adds a signature")
    try run(["publish", "qa"], status: 69, says: "--prepare FOLDER")
  }

  @Test func writesNoSecret() throws {
    try prepare(["publish", "qa"])
    try sign()
    for key in ["ann", "bob", "job"] {
      let secret = String(decoding: sandbox.read("secrets/\(key).pem") ?? [], as: UTF8.self)
        .split(separator: "\n")[1].suffix(40)
      for file in sandbox.tree("prep") {
        #expect(!String(decoding: file.bytes, as: UTF8.self).contains(secret), "\(file.path)")
      }
    }
  }

  // MARK: Signers at hand

  @Test func saysWhichSignersAnswer() throws {
    try publish()
    try shop.writeSettings([("qa", "release", "ann"), ("qa", "fresh", "absent")])
    let status = try run(["status", "qa"], status: 0).output
    #expect(status.contains("signers  release 1 of 2 here: "), "\(status)")
    #expect(status.contains(" Ann"), "\(status)")
    #expect(status.contains("signers  fresh 0 of 1 here"), "\(status)")
    #expect(status.contains("settings.yaml:3: "), "\(status)")
    let json = try shop.succeed("status", "qa", "--json")
    let signers = json?["channels"]?["qa"]?["signing"]?["signers"]
    #expect(signers?["release"]?["threshold"] == 2 && signers?["release"]?["isMet"] == false)
    #expect(signers?["release"]?["keys"]?.items?.count == 1)
    #expect(signers?["fresh"]?["problems"]?.items?.count == 1)
    let purge = [
      "purge", "--channel", "qa", "product/rose", "--reason", "x", "--dry-run",
    ]
    let dry = try run(
      purge, status: 0, says: "give 1 of 2 signatures for the role 'release'")
    #expect(dry.output.contains("signers  release 1 of 2 here"), "\(dry.output)")
    let dryJSON = try run(purge + ["--json"], status: 0).output
    let dryValue = try PropertyList.decode(Array(dryJSON.utf8)).value
    #expect(dryValue["signers"]?["release"]?["isMet"] == false)
    try shop.writeSettings([
      ("qa", "release", "ann"), ("qa", "release", "bob"), ("qa", "fresh", "job"),
    ])
    let met = try run(purge, status: 0)
    #expect(met.output.contains("signers  release 2 of 2 here"), "\(met.output)")
    #expect(!met.errors.contains("signatures for the role"), "\(met.errors)")
  }
}
