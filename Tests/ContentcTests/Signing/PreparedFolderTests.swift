import ContentModel
import ContentReleases
import PropertyLists
import Testing

@testable import TestCommands

/// Prepared folders that are damaged or misused, and the signers of a machine.
@Suite struct PreparedFolderTests: AirGapped {
  let shop: SignedShop

  init() throws { shop = try SignedShop.airGapped() }

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
    let sign = ["keys", "sign", "--with", "secrets/ann.pem"]
    try run(
      sign + ["open", "--prepared", "empty"], status: 64, says: "of the channel 'qa', not of 'open'"
    )
    try run(sign + ["--config", "0"], status: 64, says: "--config needs --prepared")
    try run(sign + ["--prepared", "empty", "--config", "0"], status: 64, says: "64 hexadecimal")
  }

  @Test func signsOnlyTheExpectedConfig() throws {
    let hash = try #require(try prepare(["publish", "qa"])?["prepared"]?["config"]?.text)
    let before = sandbox.tree("prep").map(\.bytes)
    let sign = ["keys", "sign", "--prepared", "prep", "--with", "secrets/ann.pem", "--config"]
    let other = String(repeating: "0", count: 64)
    try run(sign + [other], status: 1, says: "its SHA-256 is \(hash), and --config expects")
    #expect(sandbox.tree("prep").map(\.bytes) == before)
    try run(sign + [hash], status: 0)
    #expect(sandbox.tree("prep").map(\.bytes) != before)
  }

  /// Others may have changed the end on the way, so that readers would accept the release for years.
  @Test func refusesALongTime() throws {
    let prepared = try prepare(["publish", "qa"])?["prepared"]
    let expires = try #require(prepared?["expires"]?.text)
    let file = "prep/fresh.json"
    let text = String(decoding: try #require(sandbox.read(file)), as: UTF8.self)
    let later = try #require(Instant(rfc3339: expires)).advanced(by: .days(66)).rfc3339
    try sandbox.write(file, text.replacing(expires, with: later))
    let before = sandbox.tree("prep").map(\.bytes)
    let words = ["keys", "sign", "--prepared", "prep", "--with", "secrets/ann.pem"]
    try run(words, status: 1, says: "until \(later), for longer than 60d")
    #expect(sandbox.tree("prep").map(\.bytes) == before)
    try run(words + ["--valid-for", "80d"], status: 0)
  }

  /// A changed time would let readers accept the release for decades.
  @Test func refusesATimeInTheFuture() throws {
    let prepared = try prepare(["publish", "qa"])?["prepared"]
    let times = [
      (try #require(prepared?["issued"]?.text), "2098-01-01T00:00:00Z"),
      (try #require(prepared?["expires"]?.text), "2098-01-15T00:00:00Z"),
    ]
    for name in ["prep/prepared.json", "prep/fresh.json"] {
      var text = String(decoding: try #require(sandbox.read(name)), as: UTF8.self)
      for (old, new) in times { text = text.replacing(old, with: new) }
      try sandbox.write(name, text)
    }
    let before = sandbox.tree("prep").map(\.bytes)
    let words = ["keys", "sign", "--prepared", "prep", "--with", "secrets/ann.pem"]
    for words in [words, ["publish", "qa", "--signatures", "prep"]] {
      try run(words, status: 69, says: "is more than a day ahead of this machine's clock")
    }
    #expect(sandbox.tree("prep").map(\.bytes) == before)
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
    let all = try sandbox.run(
      Sandbox.binary, ["status"],
      environment: ["CONTENTC_SETTINGS=\(sandbox.root)/settings.yaml"])
    #expect(all.output.contains("release") && !all.output.contains("signers"), "\(all)")
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
